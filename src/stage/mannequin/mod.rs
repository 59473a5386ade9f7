//! A body for a skeleton that has none: solid tapered limbs between its joints, so that motion capture is seen and lit
//! like a character.
//!
//! In:  a scene without meshes, and where its joints are.
//! Out: a scene to upload once, and one matrix for each limb and joint of it.
//!
//! Limbs go from joint to joint wherever those are, so that channels which move joints apart only stretch them.

mod limb;
mod shape;

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3, Vec4};
use sinew_deform::Bounds;
use sinew_motion::{Cursor, Pose, sample};
use sinew_render::ActorView;
use sinew_retarget::{Body, BodyPart, Slot};
use sinew_scene::{
    Influences, Instance, JointId, Material, MaterialId, Mesh, MeshId, Node, Primitive, Scene,
    SceneParts, Skin, SkinId, SkinMethod, Transform,
};

use super::Landmarks;
use limb::Limb;

/// Joints that are nearer to each other than this, in metres, have no body between them.
const SMALLEST_BODY: f32 = 1e-6;

/// A body made for a skeleton.
#[derive(Clone, Debug)]
pub struct Mannequin {
    scene: Arc<Scene>,
    limbs: Vec<Limb>,
}

/// A mannequin as it is now.
#[derive(Clone, Debug)]
pub struct MannequinPose {
    /// `world_from_limb`, and at the end the node that carries the mesh.
    matrices: Vec<Affine3A>,
    bounds: Bounds,
}

impl Mannequin {
    /// A body for the skeleton of a scene, as long and wide as it stands in `world_from_joint`; `shown` says which
    /// nodes are bones. `None` where there are no bones, or several that are all at one point.
    #[must_use]
    pub fn new(scene: &Scene, shown: &[bool], world_from_joint: &[Affine3A]) -> Option<Self> {
        let landmarks = Landmarks::find(scene);
        let places: Vec<Vec3> = joints(shown, world_from_joint).collect();
        let size = Bounds::of(&places).size().max_element();
        let at_one_point = places.len() > 1 && size < SMALLEST_BODY;
        if places.is_empty() || !size.is_finite() || at_one_point {
            return None;
        }
        let rest = Rest {
            parents: scene.skeleton().parents(),
            shown,
            world_from_joint,
            parts: parts(scene, landmarks.body()),
            left: Vec3::Y.cross(landmarks.facing(world_from_joint).unwrap_or(Vec3::Z)),
            size: size.max(1e-3),
        };
        let limbs = rest.limbs();
        let scene = Scene::new(scene_parts(&limbs)).ok()?;
        Some(Self { scene: Arc::new(scene), limbs })
    }

    /// For a scene that has no surface of its own; `None` for one that has.
    #[must_use]
    pub fn of_bare(scene: &Scene) -> Option<Self> {
        scene.instances.is_empty().then(|| Self::of(scene, &super::bones(scene))).flatten()
    }

    /// For a scene as its first clip begins.
    fn of(scene: &Scene, shown: &[bool]) -> Option<Self> {
        let mut pose = Pose::new(scene);
        if let Some(clip) = scene.clips.first() {
            sample(clip, 0.0, &mut Cursor::new(), &mut pose);
        }
        pose.to_model(scene.skeleton());
        Self::new(scene, shown, pose.model_from_joint())
    }

    /// What is uploaded.
    #[must_use]
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// Every limb where its joints are now.
    ///
    /// # Panics
    /// When there is not one matrix per node of the skeleton it was made for.
    #[must_use]
    pub fn pose(&self, world_from_joint: &[Affine3A]) -> MannequinPose {
        let placed = self.limbs.iter().map(|limb| limb.placed(world_from_joint));
        let matrices: Vec<Affine3A> = placed.chain([Affine3A::IDENTITY]).collect();
        let mut bounds = Bounds::EMPTY;
        let mut pose = MannequinPose { matrices, bounds };
        self.points(&pose, None).for_each(|point| bounds.add(point));
        pose.bounds = bounds;
        pose
    }

    /// The outermost places of the limbs that hang on these joints, or of all.
    pub(super) fn points<'a>(
        &'a self,
        pose: &'a MannequinPose,
        wanted: Option<&'a [bool]>,
    ) -> impl Iterator<Item = Vec3> + 'a {
        let placed = pose.matrices.iter().zip(&self.limbs);
        let wanted = move |limb: &Limb| wanted.is_none_or(|wanted| wanted[limb.from]);
        placed
            .filter(move |(_, limb)| wanted(limb))
            .flat_map(|(matrix, limb)| limb.corners().map(|corner| matrix.transform_point3(corner)))
    }
}

impl MannequinPose {
    /// As a renderer takes it.
    #[must_use]
    pub fn view(&self) -> ActorView<'_> {
        ActorView {
            model_from_joint: &self.matrices,
            world_from_model: Affine3A::IDENTITY,
            palettes: None,
            weights: &[],
            hidden: &[],
            bounds: (!self.bounds.is_empty()).then_some(self.bounds),
            heat: None,
        }
    }

    /// A box around it.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }
}

fn joints<'a>(shown: &'a [bool], all: &'a [Affine3A]) -> impl Iterator<Item = Vec3> + 'a {
    let shown = all.iter().zip(shown).filter(|(_, shown)| **shown);
    shown.map(|(joint, _)| Vec3::from(joint.translation))
}

/// Which part of a body each node is.
fn parts(scene: &Scene, body: Option<&Body>) -> Vec<Option<BodyPart>> {
    let mut parts = vec![None; scene.skeleton().len()];
    for slot in body.into_iter().flat_map(|body| Slot::all().map(move |slot| (body, slot))) {
        for joint in slot.0.joints(slot.1) {
            parts[joint.index()] = Some(slot.1.part);
        }
    }
    parts
}

/// A skeleton in the pose that tells how long its limbs are.
struct Rest<'a> {
    parents: &'a [Option<JointId>],
    shown: &'a [bool],
    world_from_joint: &'a [Affine3A],
    parts: Vec<Option<BodyPart>>,
    /// The character's left.
    left: Vec3,
    /// About its height, in metres.
    size: f32,
}

impl Rest<'_> {
    fn limbs(&self) -> Vec<Limb> {
        let mut limbs = Vec::new();
        let mut has_child = vec![false; self.parents.len()];
        let carries_hips = self.carries_hips();
        for (joint, parent) in self.parents.iter().enumerate() {
            let Some(parent) = parent.map(JointId::index) else { continue };
            if !(self.shown[joint] && self.shown[parent]) {
                continue;
            }
            has_child[parent] = true;
            // Hips stand on no pole, and a head is one thing, whatever hangs on it.
            let along = self.at(joint) - self.at(parent);
            if carries_hips[joint] || self.of_head(parent) {
                continue;
            }
            if along.length() > self.size * 5e-3 {
                let girth = shape::girth(self.parts[parent], self.parts[joint], along, self.size);
                limbs.push(self.limb(parent, Some(joint), along, girth));
            }
        }
        for joint in (0..self.parents.len()).filter(|joint| self.shown[*joint]) {
            let head = self.parts[joint] == Some(BodyPart::Head);
            let below_head = self.parents[joint].is_some_and(|p| self.of_head(p.index()));
            if head || !(has_child[joint] || below_head) {
                limbs.push(self.tip(joint));
            }
        }
        limbs
    }

    /// The hips, and all joints that they hang on.
    fn carries_hips(&self) -> Vec<bool> {
        let mut carries = vec![false; self.parents.len()];
        let mut up = self.parts.iter().position(|part| *part == Some(BodyPart::Hips));
        while let Some(at) = up {
            carries[at] = true;
            up = self.parents[at].map(JointId::index);
        }
        carries
    }

    /// Whether a joint is the head or hangs on it.
    fn of_head(&self, joint: usize) -> bool {
        let mut up = Some(joint);
        while let Some(at) = up {
            if self.parts[at] == Some(BodyPart::Head) {
                return true;
            }
            up = self.parents[at].map(JointId::index);
        }
        false
    }

    fn at(&self, joint: usize) -> Vec3 {
        self.world_from_joint[joint].translation.into()
    }

    fn limb(&self, from: usize, to: Option<usize>, along: Vec3, girth: shape::Girth) -> Limb {
        let length = along.length();
        let up = along / length;
        // X is the body's left as far as the limb allows it.
        let left = (self.left - up * up.dot(self.left)).normalize_or(up.any_orthonormal_vector());
        let world_from_limb =
            Quat::from_mat3(&glam::Mat3::from_cols(left, up, left.cross(up))).normalize();
        let joint_from_limb =
            limb::rotation(&self.world_from_joint[from]).inverse() * world_from_limb;
        Limb { from, to, length, joint_from_limb, girth }
    }

    /// A joint that nothing hangs on goes on where its parent was going.
    fn tip(&self, joint: usize) -> Limb {
        let parent = self.parents[joint].map(JointId::index).filter(|parent| self.shown[*parent]);
        let along = parent.map_or(Vec3::Y, |parent| self.at(joint) - self.at(parent));
        let part = self.parts[joint];
        let (length, girth) = shape::tip(part, along.length(), self.size);
        let along =
            if part == Some(BodyPart::Head) { Vec3::Y } else { along.normalize_or(Vec3::Y) };
        self.limb(joint, None, along * length, girth)
    }
}

fn scene_parts(limbs: &[Limb]) -> SceneParts {
    let mut primitive = Primitive { material: Some(MaterialId::new(0)), ..Primitive::default() };
    let mut influences = Influences::default();
    let mut colors = Vec::new();
    for (index, limb) in limbs.iter().enumerate() {
        shape::add(&mut primitive, &mut colors, limb);
        while influences.len() < primitive.positions.len() {
            influences.push([sinew_scene::Influence { joint: index as u32, weight: 1.0 }]);
        }
    }
    primitive.colors = vec![colors];
    primitive.influences = influences;
    let nodes =
        (0..=limbs.len()).map(|limb| Node::new(limb.to_string(), None, Transform::IDENTITY));
    SceneParts {
        nodes: nodes.collect(),
        instances: vec![Instance {
            joint: JointId::new(limbs.len()),
            mesh: MeshId::new(0),
            skin: Some(SkinId::new(0)),
            weights: Vec::new(),
        }],
        meshes: vec![Mesh {
            name: "mannequin".into(),
            primitives: vec![primitive],
            morph_names: Vec::new(),
        }],
        skins: vec![Skin {
            name: "mannequin".into(),
            joints: (0..limbs.len()).map(JointId::new).collect(),
            joint_from_mesh: vec![Affine3A::IDENTITY; limbs.len()],
            method: SkinMethod::Linear,
        }],
        materials: vec![Material {
            name: "mannequin".into(),
            base_color: Vec4::ONE,
            metallic: 0.0,
            roughness: 0.55,
            ..Material::default()
        }],
        ..SceneParts::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Actor;

    /// Ossi without his skin.
    fn bare() -> Scene {
        let ossi = sinew_ossi::ossi();
        let nodes = ossi.skeleton().nodes().to_vec();
        Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("a skeleton")
    }

    #[test]
    fn a_bare_skeleton_gets_a_body_as_tall_as_it_is_with_a_head_on_top() {
        let actor = Actor::new(bare());
        let shown = super::super::bones(actor.scene());
        let joints = actor.pose().model_from_joint();
        let made = Mannequin::new(actor.scene(), &shown, joints).expect("a body");
        let bounds = made.pose(joints).bounds();
        assert!((1.6..1.95).contains(&bounds.max.y), "{bounds:?}");
        assert!((-0.1..0.1).contains(&bounds.min.y), "{bounds:?}");
        assert!(bounds.size().z > 0.1, "it is solid: {bounds:?}");
    }

    #[test]
    fn limbs_go_where_their_joints_go() {
        let actor = Actor::new(bare());
        let shown = super::super::bones(actor.scene());
        let joints = actor.pose().model_from_joint();
        let made = Mannequin::new(actor.scene(), &shown, joints).expect("a body");
        let before = made.pose(joints).bounds();
        let far = Affine3A::from_translation(Vec3::new(3.0, 0.0, -2.0));
        let moved: Vec<Affine3A> = joints.iter().map(|joint| far * *joint).collect();
        let way = made.pose(&moved).bounds().center() - before.center();
        assert!(way.abs_diff_eq(Vec3::new(3.0, 0.0, -2.0), 1e-4), "{way}");
    }

    #[test]
    fn joints_in_one_place_have_no_body_between_them() {
        let nodes = vec![
            Node::new("a", None, Transform::IDENTITY),
            Node::new("b", Some(JointId::new(0)), Transform::IDENTITY),
        ];
        let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("a scene");
        let joints = [Affine3A::IDENTITY; 2];
        let made = |shown: [bool; 2]| Mannequin::new(&scene, &shown, &joints);
        assert!(made([true, true]).is_none());
        assert!(made([false, false]).is_none());
        let alone = made([true, false]).expect("a tip");
        assert!(alone.pose(&joints).bounds().size().is_finite());
    }
}
