//! From what an actor did to what it does now, over some seconds.

use sinew::motion::{Ease, Fade, Layer, blend};
use sinew::{Actor, Pose};

/// A fade under way.
#[derive(Debug)]
pub(crate) struct Fading {
    from: From,
    fade: Fade,
    /// The new clip's pose, while it is mixed.
    new: Pose,
}

#[derive(Debug)]
enum From {
    /// A clip that plays on.
    Clip(Box<Actor>),
    /// Where a fade was that did not come to its end.
    Pose(Box<Pose>),
}

impl Fading {
    /// From what `actor` does, be it a clip or a fade of its own that is under way.
    pub(crate) fn new(actor: &mut Actor, under_way: Option<Self>, seconds: f32) -> Self {
        // As the clip has it: changes to joints are laid over the mixed pose.
        actor.seek(actor.player().time());
        let from = match under_way {
            None => From::Clip(Box::new(actor.clone())),
            Some(mut old) => {
                actor.adjust(|pose| old.mix(pose));
                From::Pose(Box::new(actor.pose().clone()))
            }
        };
        Self { from, fade: Fade::new(seconds, Ease::Smooth), new: actor.pose().clone() }
    }

    /// Lets seconds pass; gives whether it goes on.
    pub(crate) fn advance(&mut self, seconds: f32) -> bool {
        if let From::Clip(actor) = &mut self.from {
            actor.advance(seconds);
        }
        self.fade.advance(seconds);
        !self.fade.is_done()
    }

    /// Mixes what was into the pose of now.
    pub(crate) fn mix(&mut self, pose: &mut Pose) {
        let share = self.fade.share();
        let old = match &self.from {
            From::Clip(actor) => actor.pose(),
            From::Pose(pose) => pose,
        };
        self.new.clone_from(pose);
        blend([Layer::new(old, 1.0 - share), Layer::new(&self.new, share)], pose);
    }
}
