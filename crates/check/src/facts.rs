//! What several rules ask of a model, worked out once.

use std::cell::OnceCell;

use glam::{Affine3A, Vec3, Vec3A};
use sinew_deform::Bounds;
use sinew_import::{Imported, Note, NoteCode};
use sinew_motion::Pose;
use sinew_retarget::{Body, BodyPart, Side, Slot};
use sinew_scene::{Instance, InstanceId, JointId, Scene, Skin};

use crate::CheckOptions;
use crate::engine::EngineProfile;
use crate::motion::Motion;
use crate::probes::Probes;

/// No body is looked for among more nodes than this.
const MAX_BODY_NODES: usize = 4096;

/// A model with what is known of it.
pub(crate) struct Facts<'a> {
    pub(crate) model: &'a Imported,
    pub(crate) scene: &'a Scene,
    pub(crate) engine: Option<&'static EngineProfile>,
    /// Where every node rests in the model.
    pub(crate) rest: Vec<Affine3A>,
    /// Joints of skins that are drawn.
    pub(crate) is_joint: Vec<bool>,
    /// Joints that influence a vertex that is drawn.
    pub(crate) is_weighted: Vec<bool>,
    /// Nodes that a clip drives.
    pub(crate) is_animated: Vec<bool>,
    pub(crate) has_children: Vec<bool>,
    pub(crate) probes: Probes,
    /// The points at rest, and their bounds.
    pub(crate) points: Vec<Vec3A>,
    pub(crate) bounds: Bounds,
    /// How far from each node the points are that it carries.
    pub(crate) reach: Vec<f32>,
    body: OnceCell<Option<Body>>,
}

impl<'a> Facts<'a> {
    pub(crate) fn new(model: &'a Imported, options: &CheckOptions) -> Self {
        let scene = &model.scene;
        let count = scene.skeleton().len();
        let rest = Pose::new(scene).model_from_joint().to_vec();
        let probes = Probes::new(scene);
        let mut points = Vec::new();
        probes.place(&rest, &mut points);
        let mut bounds = Bounds::EMPTY;
        points.iter().for_each(|&point| bounds.add(point.into()));
        let mut facts = Self {
            model,
            scene,
            engine: options.engine.map(crate::Engine::profile),
            is_joint: vec![false; count],
            is_weighted: vec![false; count],
            is_animated: vec![false; count],
            has_children: vec![false; count],
            reach: probes.reach(scene.skeleton().parents(), &rest),
            rest,
            probes,
            points,
            bounds,
            body: OnceCell::new(),
        };
        facts.mark();
        facts
    }

    fn mark(&mut self) {
        let scene = self.scene;
        for parent in scene.skeleton().parents().iter().flatten() {
            self.has_children[parent.index()] = true;
        }
        for (_, instance, skin) in skinned(scene) {
            skin.joints.iter().for_each(|joint| self.is_joint[joint.index()] = true);
            for primitive in &scene[instance.mesh].primitives {
                for influence in primitive.influences.all() {
                    self.is_weighted[skin.joints[influence.joint as usize].index()] = true;
                }
            }
        }
        for clip in &scene.clips {
            let moved = clip.translations.iter().map(|track| track.joint);
            let rotated = clip.rotations.iter().map(|track| track.joint);
            let scaled = clip.scales.iter().map(|track| track.joint);
            for joint in moved.chain(rotated).chain(scaled) {
                self.is_animated[joint.index()] = true;
            }
        }
    }

    /// The parts of a body, where there is one.
    pub(crate) fn body(&self) -> Option<&Body> {
        let small = self.rest.len() <= MAX_BODY_NODES;
        self.body.get_or_init(|| small.then(|| Body::find(self.scene).ok())?).as_ref()
    }

    /// A joint of the body.
    pub(crate) fn part(&self, side: Option<Side>, part: BodyPart) -> Option<JointId> {
        self.body()?.joint(Slot { side, part })
    }

    /// Where a node is at rest.
    pub(crate) fn position(&self, joint: JointId) -> Vec3 {
        self.rest[joint.index()].translation.into()
    }

    /// The size of the model at rest, corner to corner, in metres.
    pub(crate) fn size(&self) -> f32 {
        if self.bounds.is_empty() { 0.0 } else { self.bounds.size().length() }
    }

    /// All nodes above one, nearest first.
    pub(crate) fn above(&self, joint: JointId) -> impl Iterator<Item = JointId> + '_ {
        let parents = self.scene.skeleton().parents();
        std::iter::successors(parents[joint.index()], |above| parents[above.index()])
    }

    /// Nodes that have a joint of a drawn skin below them, and none above: what an armature hangs under.
    pub(crate) fn above_skeletons(&self) -> Vec<JointId> {
        let parents = self.scene.skeleton().parents();
        let mut holds = self.is_joint.clone();
        for (at, parent) in parents.iter().enumerate().rev() {
            if let Some(parent) = parent.filter(|_| holds[at]) {
                holds[parent.index()] = true;
            }
        }
        let mut inside = self.is_joint.clone();
        for (at, parent) in parents.iter().enumerate() {
            inside[at] |= parent.is_some_and(|parent| inside[parent.index()]);
        }
        let ids = self.scene.skeleton().ids();
        ids.filter(|joint| holds[joint.index()] && !inside[joint.index()]).collect()
    }

    /// The topmost node above each node, or the node itself.
    pub(crate) fn tops(&self) -> Vec<JointId> {
        let mut tops: Vec<JointId> = Vec::with_capacity(self.rest.len());
        for (at, parent) in self.scene.skeleton().parents().iter().enumerate() {
            tops.push(parent.map_or(JointId::new(at), |parent| tops[parent.index()]));
        }
        tops
    }

    /// Notes and details of this code.
    pub(crate) fn notes(&self, code: NoteCode) -> impl Iterator<Item = &'a Note> {
        self.model.notes.iter().filter(move |note| note.code == code)
    }

    pub(crate) fn details(&self, code: NoteCode) -> impl Iterator<Item = &'a Note> {
        self.model.details.iter().filter(move |note| note.code == code)
    }

    /// A clip, sampled, with the nodes that rules on bodies ask for.
    pub(crate) fn motion(&self, clip: &sinew_scene::Clip) -> Motion {
        let mut followed = Vec::new();
        if let Some(body) = self.body() {
            followed.extend(body.joint(Slot::middle(BodyPart::Hips)));
            for side in Side::BOTH {
                followed.extend(body.joint(Slot::of(side, BodyPart::Foot)));
                followed.extend(body.joint(Slot::of(side, BodyPart::Toes)));
            }
        }
        Motion::new(self.scene, clip, &self.probes, &followed)
    }
}

/// The instances that have a skin.
pub(crate) fn skinned(scene: &Scene) -> impl Iterator<Item = (InstanceId, &Instance, &Skin)> {
    let all = scene.instances.iter().enumerate();
    all.filter_map(|(at, instance)| Some((InstanceId::new(at), instance, &scene[instance.skin?])))
}
