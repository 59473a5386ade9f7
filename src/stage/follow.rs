//! A member that follows a graph: at any time of the stage it stands as the graph, played from its
//! start, has it.
//!
//! Time goes in whole steps and one shorter one, so that a picture is the same whether the film before
//! it was made or not.

use glam::Affine3A;
use sinew_motion::graph::Playback;
use sinew_motion::then;
use sinew_scene::Transform;

use crate::Actor;

/// Graphs are played in steps of this many seconds.
const STEP: f64 = 1.0 / 60.0;
/// Longer than anybody waits for, in seconds.
const LONGEST: f64 = 3600.0;

/// A graph with how far it was played.
#[derive(Clone, Debug)]
pub(super) struct Follow {
    start: Playback,
    /// After whole steps.
    now: Playback,
    steps: u64,
    /// How far those steps carried the member.
    carried: Transform,
    /// Where it stood at the start.
    world_from_start: Affine3A,
    /// How long it is shown.
    pub(super) seconds: f64,
}

impl Follow {
    pub(super) fn new(start: Playback, world_from_start: Affine3A, seconds: f64) -> Self {
        let (now, carried) = (start.clone(), Transform::IDENTITY);
        Self { start, now, steps: 0, carried, world_from_start, seconds }
    }

    /// Has the actor stand as at a time; before the start as at the start.
    pub(super) fn seek(&mut self, time: f64, actor: &mut Actor) {
        let time = if time.is_finite() { time.clamp(0.0, LONGEST) } else { 0.0 };
        // A hair more, so that a time that is a whole step is not one step and nearly another.
        let steps = (time / STEP + 1e-6) as u64;
        if steps < self.steps {
            *self = Self::new(self.start.clone(), self.world_from_start, self.seconds);
        }
        while self.steps < steps {
            self.carried = then(self.carried, self.now.advance(STEP as f32).root);
            self.steps += 1;
        }
        let mut shown = self.now.clone();
        let rest = (time - steps as f64 * STEP).max(0.0) as f32;
        let carried = then(self.carried, shown.advance(rest).root);
        actor.follow(shown);
        actor.place(self.world_from_start * carried.to_affine());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use sinew_motion::RootMode;
    use sinew_motion::graph::{Carrier, Graph, Node, Plan};

    use super::*;
    use crate::stage::Member;

    fn walker() -> Member {
        let mut member = Member::new("Ossi", sinew_import::ossi());
        let graph = Graph {
            output: "walk".into(),
            nodes: BTreeMap::from([("walk".into(), Node::clip("walk"))]),
            root: Some(Carrier { joint: "root".into(), mode: RootMode::Floor }),
            ..Graph::default()
        };
        let plan = Plan::new(&graph, Arc::clone(member.actor.scene())).expect("it fits");
        member.follow(Playback::new(plan), 3.0);
        member
    }

    #[test]
    fn a_graph_carries_its_member_and_any_order_of_times_shows_the_same() {
        let mut member = walker();
        assert_eq!(member.duration(), 3.0);
        member.seek(2.01);
        let (place, pose) =
            (member.actor.world_from_model(), member.actor.pose().model_from_joint().to_vec());
        // Ossi walks at 1.4 m/s.
        assert!((place.translation.z - 1.4 * 2.01).abs() < 1e-2, "{place}");
        for time in [0.7, 3.0, 2.01] {
            member.seek(time);
        }
        assert_eq!(member.actor.world_from_model(), place);
        assert_eq!(member.actor.pose().model_from_joint(), pose);
        member.seek(-1.0);
        assert_eq!(member.actor.world_from_model().translation.z, 0.0);
    }
}
