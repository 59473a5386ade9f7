//! From a graph to a clip or the other way, over some seconds. From clip to clip an actor fades by itself.

use sinew::motion::{Ease, Fade, Layer, blend, mean_root_motion};
use sinew::{Actor, Pose, Transform};

/// A fade under way.
#[derive(Debug)]
pub(crate) struct Fading {
    from: From,
    fade: Fade,
    /// The new motion's pose, while it is mixed.
    new: Pose,
}

#[derive(Debug)]
enum From {
    /// A clip or graph that plays on.
    Motion(Box<Actor>),
    /// Where a fade was that did not come to its end.
    Pose(Box<Pose>),
}

impl Fading {
    /// From what `actor` does, be it a motion or a fade of its own that is under way. Nothing may lie over its pose.
    pub(crate) fn new(actor: &mut Actor, under_way: Option<Self>, seconds: f32) -> Self {
        let from = match under_way {
            None => From::Motion(Box::new(actor.clone())),
            Some(mut old) => {
                actor.adjust(|pose| old.mix(pose));
                From::Pose(Box::new(actor.pose().clone()))
            }
        };
        Self { from, fade: Fade::new(seconds, Ease::Smooth), new: actor.pose().clone() }
    }

    /// How much of the new motion the next seconds will show.
    pub(crate) fn mean(&self, seconds: f32) -> f32 {
        self.fade.mean(seconds)
    }

    /// Lets seconds pass; gives whether it goes on.
    pub(crate) fn advance(&mut self, seconds: f32) -> bool {
        if let From::Motion(actor) = &mut self.from {
            pass(actor, seconds);
        }
        self.fade.advance(seconds);
        !self.fade.is_done()
    }

    /// The old motion, where it plays on.
    pub(crate) fn old(&self) -> Option<&Actor> {
        match &self.from {
            From::Motion(actor) => Some(actor),
            From::Pose(_) => None,
        }
    }

    /// How far both moved, with the share of the new one.
    pub(crate) fn way(&self, new: Transform, share: f32) -> Transform {
        let old = self.old().map_or(Transform::IDENTITY, Actor::root_motion);
        mean_root_motion([(old, 1.0 - share), (new, share)])
    }

    /// Mixes what was into the pose of now.
    pub(crate) fn mix(&mut self, pose: &mut Pose) {
        let share = self.fade.share();
        let old = match &self.from {
            From::Motion(actor) => actor.pose(),
            From::Pose(pose) => pose,
        };
        self.new.clone_from(pose);
        blend([Layer::new(old, 1.0 - share), Layer::new(&self.new, share)], pose);
    }
}

/// Lets time pass for an actor. A graph has no playhead: it goes at the speed of the actor's.
pub(crate) fn pass(actor: &mut Actor, seconds: f32) {
    let player = actor.player();
    let pace = match (actor.graph().is_some(), player.is_playing()) {
        (false, _) => 1.0,
        (true, true) => player.speed(),
        (true, false) => 0.0,
    };
    actor.advance(seconds * pace);
}
