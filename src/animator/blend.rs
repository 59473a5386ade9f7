//! The stack of sources: what a transition leaves behind fades out under what it leads to.

use sinew_motion::{Fade, Layer, blend, mean_root_motion};
use sinew_scene::Transform;

use super::motion::Motion;
use super::root_motion::scaled;
use super::{Animator, VELOCITY_SPAN};

/// So many motions are sampled at once; beyond that the oldest two become one frozen pose.
const MAX_SOURCES: usize = 5;

impl Animator {
    /// The new motion fades in over all that play.
    pub(super) fn push(&mut self, motion: Motion, fade: Fade) {
        if self.sources.len() == MAX_SOURCES {
            self.freeze_oldest();
        }
        if self.sources.len() == 1 {
            // Alone, a source writes into the shown pose; from now on it needs its own.
            let root = self.root.as_deref();
            self.sources[0].sample(&self.scene, root);
        }
        let mut source = self.spare.pop().unwrap_or_else(|| self.current().clone());
        source.begin(motion, &self.scene, self.loop_mode, fade);
        self.sources.push(source);
    }

    /// The new motion takes the place of all that play.
    pub(super) fn replace(&mut self, motion: Motion) {
        self.retire(self.sources.len() - 1);
        self.sources[0].begin(motion, &self.scene, self.loop_mode, Fade::done());
    }

    /// The oldest two become one, as they are now: nothing jumps, and there is room for another.
    fn freeze_oldest(&mut self) {
        let scratch = self.scratch.get_or_insert_with(|| self.pose.clone());
        let [oldest, next, ..] = &mut self.sources[..] else { return };
        let share = next.fade.share();
        let layers = [Layer::new(oldest.pose(), 1.0 - share), Layer::new(next.pose(), share)];
        blend(layers, scratch);
        next.freeze(scratch);
        self.retire(1);
    }

    /// Lets the oldest sources go; their memory is kept for the next ones, what they played is not.
    pub(super) fn retire(&mut self, count: usize) {
        for mut source in self.sources.drain(..count) {
            source.motion = Motion::Rest;
            self.spare.push(source);
        }
    }

    /// Drops what is wholly covered. A step later than the cover, so that its last events are reported.
    pub(super) fn drop_covered(&mut self) {
        let covered = self.sources.iter().rposition(|source| source.fade.is_done()).unwrap_or(0);
        self.retire(covered);
    }

    /// Time passes for all that play.
    pub(super) fn step_sources(&mut self, seconds: f32) {
        let passing = seconds.max(0.0);
        // What is still seen of those below, and for how long of this step.
        let mut rest = 1.0;
        let mut left = seconds;
        let speed = self.speed;
        for (index, source) in self.sources.iter_mut().enumerate().rev() {
            // What is seen for a part of the step has its mean weight over that part.
            let own = if index == 0 { 1.0 } else { source.fade.mean(passing) };
            let part = if left > 0.0 { seconds / left } else { 1.0 };
            source.weight = (rest * own * part).clamp(0.0, 1.0);
            source.advance(left * speed, &self.scene, self.root.as_deref_mut());
            rest *= 1.0 - own;
            if index > 0 {
                left = left.min(source.fade.left());
            }
            source.fade.advance(passing);
        }
        let last = self.sources.len() - 1;
        let below: f32 = self.sources[..last].iter().map(|source| source.weight).sum();
        self.sources[last].weight = (1.0 - below).max(0.0);
    }

    /// The root motion of the last step: the mean of all that was seen.
    pub(super) fn mean_root_motion(&mut self, seconds: f32) -> Transform {
        let played = self.sources.iter().map(|source| (source.root_motion, source.weight));
        let mut mean = match &self.sources[..] {
            [only] => only.root_motion,
            _ => mean_root_motion(played),
        };
        if self.inertialization.is_active() && seconds > 0.0 {
            let share = self.inertialization.share();
            let old = scaled(self.root_velocity.0, seconds / self.root_velocity.1);
            mean = mean_root_motion([(old, 1.0 - share), (mean, share)]);
        } else if seconds > 0.0 {
            self.root_velocity = (mean, seconds);
        }
        mean
    }

    /// Samples what plays, mixes it, and adds what an earlier motion still does.
    pub(super) fn evaluate(&mut self, seconds: f32) {
        let scene = &*self.scene;
        let root = self.root.as_deref();
        if let [only] = &mut self.sources[..] {
            only.sample_into(scene, root, &mut self.pose);
        } else {
            self.sources.iter_mut().for_each(|source| source.sample(scene, root));
            let mut weights = [0.0; MAX_SOURCES];
            let mut rest = 1.0;
            for (index, source) in self.sources.iter().enumerate().rev() {
                let own = if index == 0 { 1.0 } else { source.fade.share() };
                weights[index] = rest * own;
                rest *= 1.0 - own;
            }
            let layers = self.sources.iter().zip(weights);
            blend(layers.map(|(source, weight)| Layer::new(source.pose(), weight)), &mut self.pose);
        }
        self.inertialization.apply(&mut self.pose, seconds.max(0.0));
    }

    /// Inertialization has seen one pose only: it is shown what was just before.
    pub(super) fn look_back(&mut self) {
        if self.sources.len() > 1 || self.sources[0].graph().is_some() {
            return;
        }
        let mut earlier = self.sources[0].player;
        earlier.advance(-VELOCITY_SPAN * self.speed);
        let mut pose = self.pose.clone();
        let root = self.root.as_deref();
        self.sources[0].sample_at(earlier.time(), &self.scene, root, &mut pose);
        self.inertialization.forget();
        self.inertialization.apply(&mut pose, VELOCITY_SPAN);
        self.sources[0].sample_into(&self.scene, root, &mut pose);
        self.inertialization.apply(&mut pose, VELOCITY_SPAN);
    }
}
