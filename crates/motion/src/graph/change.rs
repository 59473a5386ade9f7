//! When a state machine changes its state, and what that sets going.

use super::compiled::{BoundTransition, CompiledGraph, Kind};
use super::condition::Condition;
use super::data::Change;
use super::machine::{Running, Standing};
use super::player::{GraphPlayer, Moment};
use crate::Fade;
use crate::step::Step;

/// So many changes may follow each other at one moment.
const CHAIN: usize = 8;

impl GraphPlayer {
    /// Starts the transitions whose conditions hold now.
    pub(crate) fn change(&mut self, plan: &CompiledGraph, machine: usize) {
        for _ in 0..CHAIN {
            let transitions = plan.machines[machine].transitions.iter();
            let mut ready = transitions
                .filter(|transition| transition.exit.is_none() && self.may_go(machine, transition));
            let Some(transition) = ready.next() else { return };
            self.enter(plan, machine, transition, 0.0);
        }
    }

    fn may_go(&self, machine: usize, transition: &BoundTransition) -> bool {
        let standing = &self.machines[machine];
        let state = standing.top().state;
        let from = transition.from.map_or(transition.to != state, |from| from == state);
        from && standing.may_change() && transition.when.iter().all(|when| when.holds(&self.values))
    }

    /// Begins a change that should have begun `late` seconds ago.
    fn enter(
        &mut self,
        plan: &CompiledGraph,
        machine: usize,
        transition: &BoundTransition,
        late: f32,
    ) {
        for when in &transition.when {
            if let Condition::Fired(trigger) = when {
                self.values[*trigger] = 0.0;
            }
        }
        // A state that is still seen goes on: to start it over would be a jump.
        if !self.machines[machine].shows(transition.to)
            || transition.kind == Change::Inertialization
        {
            for &node in &plan.machines[machine].states[transition.to].nodes {
                self.restart_node(plan, node);
            }
        }
        match transition.kind {
            Change::Fade => {
                let mut fade = Fade::new(transition.seconds, transition.ease);
                fade.advance(late);
                let interrupt = transition.interrupt;
                self.machines[machine].push(Running { state: transition.to, fade, interrupt });
            }
            Change::Inertialization => {
                self.machines[machine] = Standing::at(transition.to);
                if let Some(inertialization) = &mut self.inertializations[machine] {
                    inertialization.start(transition.seconds, transition.ease);
                }
            }
        }
    }

    /// Starts the transition, if any, whose exit time was passed in this frame. The new state gets
    /// what is left of the frame, so that nothing depends on where frames end.
    pub(crate) fn leave(&mut self, plan: &CompiledGraph, machine: usize) {
        let node = plan.machines[machine].node;
        let seconds = self.seconds[node];
        if self.mean[node] <= 0.0 {
            return;
        }
        let transitions = plan.machines[machine].transitions.iter();
        let mut ready = transitions.filter_map(|transition| {
            let exit = transition.exit.filter(|_| self.may_go(machine, transition))?;
            Some((transition, self.late(plan, machine, exit)?))
        });
        let Some((transition, late)) = ready.next() else { return };
        let late = late.min(seconds);
        let known = self.machines[machine].shows(transition.to) && transition.kind == Change::Fade;
        let (share, fading) = match transition.kind {
            Change::Fade => (
                Fade::new(transition.seconds, transition.ease).mean(late),
                late.min(transition.seconds),
            ),
            Change::Inertialization => (1.0, 0.0),
        };
        let old = self.machines[machine].top().state;
        self.enter(plan, machine, transition, late);
        if known || late <= 0.0 {
            return;
        }
        let edges = plan.steps[node].edges.clone();
        let active = seconds - late + fading;
        let seen = if active > 0.0 { (seconds - share * late) / active } else { 0.0 };
        for edge in edges.clone() {
            self.edge_mean[edge] *= seen;
        }
        self.shorten(plan, machine, old, active / seconds);
        let edge = edges.start + transition.to;
        let input = plan.edges[edge];
        self.edge_mean[edge] = share;
        self.mean[input] = self.mean[node] * share;
        self.seconds[input] = late;
        let own = &plan.machines[machine].states[transition.to].nodes;
        self.flow(plan, own.iter().rev().copied(), Moment::Mean);
        self.tick(plan, own.iter().copied());
    }

    /// The clips of a state that was gone before the frame was over end earlier.
    fn shorten(&mut self, plan: &CompiledGraph, machine: usize, state: usize, share: f32) {
        for &node in &plan.machines[machine].states[state].nodes {
            if let Kind::Clip(clip) = plan.steps[node].kind
                && plan.clips[clip].sync.is_none()
            {
                self.steps[clip].shorten(f64::from(share));
            }
        }
    }

    /// How many seconds ago the state's clip passed this fraction of its duration, if it did in this frame.
    fn late(&self, plan: &CompiledGraph, machine: usize, exit: f32) -> Option<f32> {
        let node = plan.machines[machine].node;
        let state = self.machines[machine].top().state;
        let input = plan.inputs(node)[state];
        let Some(clip) = self.lead(plan, input) else { return Some(0.0) };
        let passed = passed(&self.steps[clip], f64::from(exit), plan.clips[clip].looped)?;
        Some((passed * f64::from(self.seconds[input])) as f32)
    }

    /// The clip that says how far a node has come: the one that is seen most.
    fn lead(&self, plan: &CompiledGraph, mut node: usize) -> Option<usize> {
        loop {
            let edges = plan.steps[node].edges.clone();
            node = match plan.steps[node].kind {
                Kind::Clip(clip) => return Some(clip),
                Kind::Blend(_) | Kind::BlendSpace(..) => {
                    let most =
                        edges.max_by(|&a, &b| self.edge_mean[a].total_cmp(&self.edge_mean[b]));
                    plan.edges[most?]
                }
                Kind::States(machine) => {
                    plan.edges[edges.start + self.machines[machine].top().state]
                }
                _ => plan.edges[edges.start],
            };
        }
    }
}

/// The part of a step that came after the fraction `exit` of the clip's duration; `None` if it was not
/// passed. A clip that plays once stays past it; a clip of no length always is.
fn passed(step: &Step, exit: f64, looped: bool) -> Option<f64> {
    let duration = step.duration;
    if duration <= 0.0 {
        return Some(0.0);
    }
    // Measured in the direction of play.
    let along = |time: f64| if step.forward { time } else { duration - time };
    let (from, place) = (along(step.from), exit * duration);
    let to = along(step.to) + f64::from(step.loops) * duration;
    if !step.moved || to <= from {
        return (!looped && along(step.to) >= place).then_some(0.0);
    }
    let ahead = place > from || (step.fresh && place >= from);
    let place = match (ahead, looped) {
        (true, _) => place,
        (false, true) => place + duration,
        (false, false) => return Some(0.0),
    };
    let whole = (to - from) / (1.0 - step.after).max(f64::EPSILON);
    (place <= to).then(|| 1.0 - (place - from) / whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(from: f64, to: f64, loops: u32, forward: bool) -> Step {
        Step { from, to, loops, forward, moved: true, ..Step::still(0.0, 2.0) }
    }

    #[test]
    fn an_exit_is_passed_once_per_pass_and_tells_what_is_left() {
        assert_eq!(passed(&step(0.5, 1.5, 0, true), 0.5, true), Some(0.5));
        assert_eq!(passed(&step(0.5, 0.9, 0, true), 0.5, true), None);
        assert_eq!(passed(&step(1.0, 1.5, 0, true), 0.5, true), None);
        // From 1.5 over the end to 0.5: the end was half of the step ago.
        assert_eq!(passed(&step(1.5, 0.5, 1, true), 1.0, true), Some(0.5));
        assert_eq!(passed(&step(1.5, 2.0, 0, true), 1.0, true), Some(0.0));
        // Backward from 0.5 over the start to 1.5.
        assert_eq!(passed(&step(0.5, 1.5, 1, false), 1.0, true), Some(0.5));
    }

    #[test]
    fn an_exit_at_the_very_start_counts_when_the_clip_has_just_begun() {
        let start = step(0.0, 1.0, 0, true);
        assert_eq!(passed(&Step { fresh: true, ..start }, 0.0, true), Some(1.0));
        assert_eq!(passed(&start, 0.0, true), None);
    }

    #[test]
    fn what_plays_once_stays_past_its_exit() {
        let still = Step { moved: false, ..step(2.0, 2.0, 0, true) };
        assert_eq!(passed(&still, 1.0, false), Some(0.0));
        assert_eq!(passed(&still, 1.0, true), None);
        assert_eq!(passed(&step(1.5, 1.8, 0, true), 0.5, false), Some(0.0));
        // Half of the step came after the end.
        let past = Step { after: 0.5, ..step(1.5, 2.0, 0, true) };
        assert_eq!(passed(&past, 1.0, false), Some(0.5));
    }
}
