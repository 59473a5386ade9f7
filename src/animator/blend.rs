//! The stack of sources: what a transition leaves behind fades out under what it leads to.

use sinew_motion::{Ease, Fade, Inertialization, Layer, blend, mean_root_motion, sum_root_motion};
use sinew_scene::{Scene, Transform};

use super::motion::Motion;
use super::root_motion::scaled;
use super::{Animator, VELOCITY_SPAN, source_for};
use crate::COMPLETE;

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
        let mut source = self.spare.pop().unwrap_or_else(|| source_for(&self.scene, &self.pose));
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
        let speed = self.speed;
        if let [only] = &mut self.sources[..] {
            only.weight = 1.0;
            return only.advance(seconds * speed, &self.scene, self.root.as_deref_mut());
        }
        let passing = seconds.max(0.0);
        // What is still seen of those below, and for how long of this step.
        let mut rest = 1.0;
        let mut left = seconds;
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
    }

    /// The root motion of the last step: of all that was seen, by how much and how long it was.
    pub(super) fn mean_root_motion(&mut self, seconds: f32) -> Transform {
        if !COMPLETE {
            return Transform::IDENTITY;
        }
        let played = self.sources.iter().map(|source| (source.root_motion, source.weight));
        let mut mean = match &self.sources[..] {
            [only] => only.root_motion,
            _ => sum_root_motion(played),
        };
        let fading = self.inertialization.as_ref().filter(|fading| fading.is_active());
        if let Some(fading) = fading.filter(|_| seconds > 0.0) {
            let share = fading.share();
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
        self.inertialize(seconds.max(0.0));
    }

    /// Adds what an earlier motion still does. What cannot be sampled again is remembered.
    fn inertialize(&mut self, seconds: f32) {
        if !COMPLETE {
            return;
        }
        let graph = self.sources.iter().any(|source| source.graph().is_some());
        if graph || self.in_transition() {
            history(&mut self.inertialization, &self.scene).apply(&mut self.pose, seconds);
        } else if let Some(history) = &mut self.inertialization {
            history.forget();
        }
    }

    pub(super) fn is_inertializing(&self) -> bool {
        COMPLETE && self.inertialization.as_ref().is_some_and(|fading| fading.is_active())
    }

    /// Starts an inertialization from what is shown now.
    pub(super) fn begin_inertialization(&mut self, seconds: f32) {
        let known = self.inertialization.as_ref().is_some_and(|history| history.knows_velocity());
        if !known {
            self.look_back();
        }
        history(&mut self.inertialization, &self.scene).start(seconds, Ease::Smooth);
    }

    /// The velocity is not known: the motion that is seen is shown to the inertialization as it was
    /// just before. No other has come in over it yet, or poses would have been remembered. A graph
    /// cannot be sampled at another time, and is remembered too.
    fn look_back(&mut self) {
        let seen = self.sources.iter().rposition(|source| source.fade.is_done()).unwrap_or(0);
        let source = &mut self.sources[seen];
        if source.graph().is_some() {
            return;
        }
        let mut earlier = source.player;
        let back = VELOCITY_SPAN * self.speed;
        if source.progress().ended {
            earlier.seek(earlier.time() - back);
        } else if !self.paused {
            earlier.advance(-back);
        }
        let root = self.root.as_deref();
        let pose = self.scratch.get_or_insert_with(|| self.pose.clone());
        let history = history(&mut self.inertialization, &self.scene);
        history.forget();
        source.sample_at(earlier.time(), &self.scene, root, pose);
        history.apply(pose, VELOCITY_SPAN);
        source.sample_into(&self.scene, root, pose);
        history.apply(pose, VELOCITY_SPAN);
    }
}

/// The poses that were shown, from now on.
fn history<'a>(
    known: &'a mut Option<Box<Inertialization>>,
    scene: &Scene,
) -> &'a mut Inertialization {
    known.get_or_insert_with(|| Box::new(Inertialization::new(scene)))
}
