//! Palettes of a crowd on the processor: joint matrices times inverse bind matrices.
//!
//! In:  a posed [`Crowd`] and a skin of its skeleton.
//! Out: `model_from_mesh` of each joint of the skin, for one character or for all of them.
//!
//! Both ways have the bits of `sinew_deform::palette`: products are added up in the same order.

use rayon::prelude::*;
use sinew_scene::Skin;
use sinew_scene::glam::Affine3A;

use crate::crowd::{MAX_ALONE, to_rows};
use crate::{Crowd, Matrix};

impl Crowd {
    /// Everyone's palette as of the last [`pose`](Self::pose), on all cores: character after character, one matrix for
    /// each joint of the skin. `out` gets its length here; kept from frame to frame, nothing is allocated.
    ///
    /// To have them in the world, multiply each character's by its `world_from_model`.
    ///
    /// ```
    /// use sinew_crowd::{CharacterState, Crowd};
    /// # use sinew_motion::SampledClip;
    /// # use sinew_scene::glam::{Affine3A, Vec3};
    /// # use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Skin, Track, Transform};
    /// # let curve = Curve::new(vec![0.0, 2.0], vec![Vec3::Y, Vec3::Y + Vec3::X], Interpolation::Linear).unwrap();
    /// # let clip = Clip { duration: 2.0, translations: vec![Track { joint: JointId::new(0), curve }], ..Clip::default() };
    /// # let nodes = vec![Node::new("box", None, Transform::from_translation(Vec3::Y))];
    /// # let skin = Skin {
    /// #     joints: vec![JointId::new(0)],
    /// #     joint_from_mesh: vec![Affine3A::from_translation(-Vec3::Y)],
    /// #     ..Skin::default()
    /// # };
    /// # let scene = Scene::new(SceneParts { nodes, clips: vec![clip], skins: vec![skin], ..SceneParts::default() })?;
    /// # let clips = vec![SampledClip::new(&scene, &scene.clips[0], 0.000_1)];
    /// let mut crowd = Crowd::new(scene.skeleton(), clips);
    /// crowd.resize(10_000);
    /// crowd.states_mut().fill(CharacterState::new(0, 1.0));
    /// crowd.pose();
    ///
    /// let skin = &scene.skins[0];
    /// let mut palettes = Vec::new();
    /// crowd.palettes(skin, &mut palettes);
    /// assert_eq!(palettes.len(), 10_000 * skin.joints.len());
    /// // Half a metre along x from where the mesh was bound.
    /// let [x, y, _] = palettes[7 * skin.joints.len()];
    /// assert!((x[3] - 0.5).abs() < 1e-3 && y[3].abs() < 1e-3);
    /// # Ok::<(), sinew_scene::SceneError>(())
    /// ```
    ///
    /// # Panics
    /// When the skin is of another skeleton, with joints that the crowd does not have.
    #[doc(alias = "bone matrices")]
    #[doc(alias = "skinning matrices")]
    pub fn palettes(&self, skin: &Skin, out: &mut Vec<Matrix>) {
        out.resize(self.len() * skin.joints.len(), [[0.0; 4]; 3]);
        if out.is_empty() || self.models().is_empty() {
            return;
        }
        let joints = self.models().len() / self.len();
        let binds: Vec<(usize, Matrix)> = skin
            .joints
            .iter()
            .zip(&skin.joint_from_mesh)
            .map(|(joint, bind)| (joint.index(), to_rows(bind)))
            .collect();
        let write = |(out, models): (&mut [Matrix], &[Matrix])| {
            for (out, (joint, bind)) in out.iter_mut().zip(&binds) {
                *out = product(&models[*joint], bind);
            }
        };
        if self.len() <= MAX_ALONE {
            out.chunks_mut(binds.len()).zip(self.models().chunks(joints)).for_each(write);
        } else {
            let everyone = out.par_chunks_mut(binds.len()).zip(self.models().par_chunks(joints));
            everyone.with_min_len(64).for_each(write);
        }
    }

    /// One character's palette as of the last [`pose`](Self::pose), in the form that skinning on the processor takes.
    ///
    /// # Panics
    /// When there is no such character, `model_from_mesh` is not as long as the skin's list of joints, or the skin is of
    /// another skeleton.
    pub fn palette(&self, character: usize, skin: &Skin, model_from_mesh: &mut [Affine3A]) {
        assert_eq!(model_from_mesh.len(), skin.joints.len(), "one matrix per joint of the skin");
        let pairs = skin.joints.iter().zip(&skin.joint_from_mesh);
        for (out, (joint, joint_from_mesh)) in model_from_mesh.iter_mut().zip(pairs) {
            *out = self.model_from_joint(character, *joint) * *joint_from_mesh;
        }
    }
}

/// `model_from_joint · joint_from_mesh`, both as rows.
#[inline]
fn product(model_from_joint: &Matrix, joint_from_mesh: &Matrix) -> Matrix {
    let [x, y, z] = joint_from_mesh;
    model_from_joint.map(|[a, b, c, d]| {
        let mut row: [f32; 4] = std::array::from_fn(|at| a * x[at] + b * y[at] + c * z[at]);
        row[3] += d;
        row
    })
}

#[cfg(test)]
mod tests {
    use sinew_scene::JointId;
    use sinew_scene::glam::{Quat, Vec3};

    use super::*;
    use crate::CharacterState;
    use crate::crowd::to_affine;
    use crate::tests::{sampled_clips, scene};

    #[test]
    fn everyones_palette_is_joint_matrices_times_inverse_binds_in_the_skins_order() {
        let scene = scene(20);
        let bind = |at: usize| {
            let rotation = Quat::from_rotation_y(0.3 * at as f32);
            let scale = Vec3::new(1.0, 1.2, 0.9);
            Affine3A::from_scale_rotation_translation(scale, rotation, Vec3::X * at as f32)
        };
        let skin = Skin {
            joints: [7, 19, 0, 7].map(JointId::new).to_vec(),
            joint_from_mesh: (0..4).map(bind).collect(),
            ..Skin::default()
        };
        // On the thread that asks, and on all of them.
        for count in [0, 1, 5, 200] {
            let mut crowd = Crowd::new(scene.skeleton(), sampled_clips(&scene));
            crowd.resize(count);
            for (at, state) in crowd.states_mut().iter_mut().enumerate() {
                *state = CharacterState::new(0, 0.01 * at as f32);
            }
            crowd.pose();
            let mut palettes = vec![[[9.0; 4]; 3]; 3];
            crowd.palettes(&skin, &mut palettes);
            assert_eq!(palettes.len(), 4 * count);
            for (character, palette) in palettes.chunks(4).enumerate() {
                let mut alone = [Affine3A::IDENTITY; 4];
                crowd.palette(character, &skin, &mut alone);
                for (slot, rows) in palette.iter().enumerate() {
                    let joint = skin.joints[slot];
                    let expected = crowd.model_from_joint(character, joint) * bind(slot);
                    assert_eq!(alone[slot], expected, "{character} {slot}");
                    assert_eq!(to_affine(rows), expected, "{character} {slot}");
                }
            }
        }
    }

    #[test]
    fn a_skin_without_joints_has_empty_palettes() {
        let scene = scene(3);
        let mut crowd = Crowd::new(scene.skeleton(), sampled_clips(&scene));
        crowd.resize(70);
        crowd.pose();
        let mut palettes = vec![[[1.0; 4]; 3]];
        crowd.palettes(&Skin::default(), &mut palettes);
        assert!(palettes.is_empty());
    }
}
