//! How far an error of each track moves the skin.
//!
//! In:  a clip of a scene.
//! Out: for each node, how far from it the skin lies that it moves, and how large the space of its parent is: the most over the clip.

use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{Clip, Scene};

use crate::SkinPoints;
use crate::skin::stretch;

/// Poses of the clip that are looked at.
const LOOKS: usize = 24;

/// How far an error of each track moves the skin.
#[derive(Clone, Debug)]
pub(super) struct Levers {
    /// Metres from each node to the farthest skin that it or a node below it moves: what a radian moves.
    pub(super) arms: Vec<f32>,
    /// How large the space of each node's parent is: what a metre of its translation is in the model.
    pub(super) above: Vec<f32>,
}

impl Levers {
    pub(super) fn new(scene: &Scene, points: &SkinPoints, clip: &Clip) -> Self {
        let count = scene.skeleton().len();
        let mut levers = Self { arms: vec![0.0; count], above: vec![0.0; count] };
        let (mut pose, mut cursor) = (Pose::new(scene), Cursor::new());
        for look in 0..LOOKS {
            let time = clip.duration * look as f32 / (LOOKS - 1) as f32;
            sample(clip, time, &mut cursor, &mut pose);
            pose.to_model(scene.skeleton());
            levers.see(scene, points, &pose);
        }
        levers
    }

    fn see(&mut self, scene: &Scene, points: &SkinPoints, pose: &Pose) {
        let model = pose.model_from_joint();
        let parents = scene.skeleton().parents();
        for (node, matrix) in model.iter().enumerate() {
            let parent = parents[node].map(|parent| parent.index());
            let above = parent.map_or(1.0, |parent| stretch(&model[parent]));
            self.above[node] = self.above[node].max(above);
            let own = points.of(node).iter().map(|point| (matrix.matrix3 * *point).length());
            let own = own.fold(0.0, f32::max);
            self.arms[node] = self.arms[node].max(own);
            let mut up = parent;
            while let Some(above) = up {
                let far = model[above].translation.distance(matrix.translation) + own;
                self.arms[above] = self.arms[above].max(far);
                up = parents[above].map(|parent| parent.index());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Vec3;
    use sinew_scene::{JointId, Node, SceneParts, Transform};

    use super::*;

    #[test]
    fn a_shoulder_moves_what_its_hand_moves() {
        // A hand 2 m out under a shoulder of scale 3: 6 m, and 0.1 m around it.
        let shoulder = Transform { scale: Vec3::splat(3.0), ..Transform::IDENTITY };
        let hand = Transform::from_translation(2.0 * Vec3::X);
        let nodes = vec![
            Node::new("shoulder", None, shoulder),
            Node::new("hand", Some(JointId::new(0)), hand),
        ];
        let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("two nodes");
        let levers = Levers::new(&scene, &SkinPoints::new(&scene), &Clip::default());
        assert!((levers.arms[0] - 6.1).abs() < 1e-4, "{:?}", levers.arms);
        assert!((levers.arms[1] - 0.1).abs() < 1e-5, "{:?}", levers.arms);
        assert_eq!(levers.above, [1.0, 3.0]);
    }
}
