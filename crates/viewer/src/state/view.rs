//! What the camera is to look at, and how it gets there.

use sinew::Bounds;
use sinew::glam::Vec3;

use super::State;
use crate::model::Model;
use crate::outline::Item;

impl State {
    /// Around all models, over their clips; the ground counts only where there is nothing else.
    pub(crate) fn bounds(&self) -> Bounds {
        let around = |scenery: bool| {
            let some = self.models.iter().filter(|model| model.placement.scenery == scenery);
            some.map(|model| model.bounds).fold(Bounds::EMPTY, Bounds::union)
        };
        let actors = around(false);
        if actors.is_empty() { around(true) } else { actors }
    }

    /// Where the active model faces.
    pub(crate) fn facing(&self) -> Vec3 {
        self.model().and_then(Model::facing).unwrap_or(Vec3::Z)
    }

    /// Around what is selected as it is now; everything, where nothing is.
    pub(crate) fn selected_bounds(&self) -> Bounds {
        let (Some(model), Some(item)) = (self.model(), self.selection) else {
            return self.bounds();
        };
        match item {
            Item::Model => model.bounds,
            Item::Mesh(instance) => model.actor.bounds_of(instance),
            Item::Joint(joint) => {
                let mut bounds = Bounds::EMPTY;
                for below in model.below(joint) {
                    bounds.add(model.world_from_joint(below).translation.into());
                }
                // A single joint has no size; a twentieth of the model shows what is around it.
                let room = model.bounds.size().length() * 0.05;
                let room = if room.is_finite() { room.max(1e-3) } else { 0.1 };
                Bounds { min: bounds.min - room, max: bounds.max + room }
            }
        }
    }

    /// Moves the camera on to where it was sent.
    pub(super) fn move_camera(&mut self, seconds: f32) {
        let Some(goal) = self.goal else { return };
        // Nine tenths of the distance in a quarter of a second, whatever the frame rate.
        let part = 1.0 - 0.1_f32.powf(seconds.max(0.0) / 0.18);
        let next = self.orbit.towards(&goal, part);
        let near = next.target.distance(goal.target) < goal.distance * 1e-3
            && (next.distance / goal.distance - 1.0).abs() < 1e-3
            && next.forward().dot(goal.forward()) > 1.0 - 1e-6;
        self.orbit = if near { goal } else { next };
        if near {
            self.goal = None;
        }
    }
}
