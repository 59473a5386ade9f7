//! From what is shown down to the clips: who is seen how much and for how long; then time passes.

use super::compiled::{CompiledGraph, Kind};
use super::machine::Standing;
use super::player::{GraphPlayer, Moment};
use crate::ik::LookAtState;
use crate::mask::part;
use crate::{LoopMode, Player};

impl GraphPlayer {
    /// From users to inputs: how much each is seen, and for how long.
    pub(crate) fn flow(
        &mut self,
        plan: &CompiledGraph,
        nodes: impl Iterator<Item = usize>,
        moment: Moment,
    ) {
        for node in nodes {
            let own = if moment == Moment::Mean { self.mean[node] } else { self.now[node] };
            if own <= 0.0 {
                continue;
            }
            let seconds = self.seconds[node];
            let machine = match plan.steps[node].kind {
                Kind::States(machine) if moment == Moment::Mean => Some(machine),
                _ => None,
            };
            if let Some(machine) = machine {
                self.change(plan, machine);
            }
            self.share(plan, node, moment);
            for (at, edge) in plan.steps[node].edges.clone().enumerate() {
                let input = plan.edges[edge];
                if moment == Moment::Now {
                    self.now[input] = (self.now[input] + own * self.edge_now[edge]).min(1.0);
                    continue;
                }
                let left = match machine {
                    Some(machine) => self.machines[machine].seconds(at, seconds),
                    None => seconds,
                };
                if left > 0.0 && left < seconds {
                    // What is seen for a part of the frame has its mean over that part.
                    self.edge_mean[edge] = (self.edge_mean[edge] * seconds / left).min(1.0);
                }
                self.seconds[input] = self.seconds[input].max(left);
                self.mean[input] = (self.mean[input] + own * self.edge_mean[edge]).min(1.0);
            }
            if let Some(machine) = machine {
                self.machines[machine].advance(seconds);
            }
        }
    }

    fn share(&mut self, plan: &CompiledGraph, node: usize, moment: Moment) {
        let (values, seconds) = (&self.values, self.seconds[node]);
        let edges = plan.steps[node].edges.clone();
        let out = match moment {
            Moment::Mean => &mut self.edge_mean[edges],
            Moment::Now => &mut self.edge_now[edges],
        };
        match &plan.steps[node].kind {
            Kind::Clip(_) => {}
            Kind::Blend(weights) => {
                for (out, weight) in out.iter_mut().zip(weights) {
                    *out = crate::blend::weight(weight.of(values));
                }
                let sum: f32 = out.iter().sum();
                let scale = if sum > 1e-6 { 1.0 / sum } else { 0.0 };
                out.iter_mut().for_each(|share| *share *= scale);
            }
            Kind::BlendSpace(space, [x, y]) => {
                space.weights([x.of(values), y.of(values)].into(), out);
            }
            Kind::Layer(weight, veil) => {
                let weight = part(weight.of(values));
                out[0] = if veil.is_some() { 1.0 } else { 1.0 - weight };
                out[1] = weight;
            }
            Kind::Additive(weight, ..) => {
                out[0] = 1.0;
                out[1] = part(weight.of(values));
            }
            Kind::States(machine) => match moment {
                Moment::Mean => {
                    self.machines[*machine].shares(|fade| fade.mean(seconds), out);
                }
                Moment::Now => self.machines[*machine].shares(|fade| fade.share(), out),
            },
            Kind::Mask(_)
            | Kind::Mirror(_)
            | Kind::TwoBone(..)
            | Kind::LookAt(..)
            | Kind::Cache => {
                out.fill(1.0);
            }
        }
    }

    /// Time passes for the clips among these nodes.
    pub(crate) fn tick(&mut self, plan: &CompiledGraph, nodes: impl IntoIterator<Item = usize>) {
        for node in nodes {
            let Kind::Clip(clip) = plan.steps[node].kind else { continue };
            if self.mean[node] <= 0.0 {
                continue;
            }
            let work = &plan.clips[clip];
            match work.sync {
                None => {
                    self.players[clip].set_speed(work.speed.of(&self.values));
                    self.steps[clip] = self.players[clip].step(self.seconds[node]);
                }
                Some((group, _)) => self.tick_group(plan, group),
            }
        }
    }

    fn tick_group(&mut self, plan: &CompiledGraph, group: usize) {
        if std::mem::replace(&mut self.ticked[group], true) {
            return;
        }
        let members = &plan.syncs[group].members;
        let node = |member: usize| plan.clips[members[member]].node;
        let seconds = (0..members.len()).map(|member| self.seconds[node(member)]);
        let seconds = seconds.fold(0.0, f32::max);
        let (mean, values) = (&self.mean, &self.values);
        self.syncs[group].advance_by(seconds, |member| {
            let speed = plan.clips[members[member]].speed.of(values);
            (mean[node(member)], speed)
        });
        for (member, &clip) in members.iter().enumerate() {
            self.steps[clip] = self.syncs[group].step(member);
        }
    }

    /// A node as it was at the beginning.
    pub(crate) fn restart_node(&mut self, plan: &CompiledGraph, node: usize) {
        match plan.steps[node].kind {
            Kind::Clip(clip) => {
                let work = &plan.clips[clip];
                let duration = plan.scene.clips[work.clip].duration;
                let mode = if work.looped { LoopMode::Loop } else { LoopMode::Once };
                let backward = work.speed.of(&self.values) < 0.0 && work.start == 0.0;
                self.players[clip] = Player::new(duration, mode);
                self.players[clip].seek(if backward { duration } else { work.start });
                // A group that others are in the midst of goes on; who comes joins their step.
                if let Some((group, _)) = work.sync
                    && !self.seen[group]
                {
                    self.syncs[group].restart();
                }
            }
            Kind::States(machine) => {
                self.machines[machine] = Standing::at(plan.machines[machine].start);
                if let Some(inertialization) = &mut self.inertializations[machine] {
                    inertialization.forget();
                }
            }
            Kind::LookAt(_, look, ..) => self.looks[look].1 = LookAtState::new(),
            _ => {}
        }
    }
}
