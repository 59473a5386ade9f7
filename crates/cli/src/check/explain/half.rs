//! One half of a picture: the built-in character, sound or with a fault, and what is drawn over it.
//!
//! In:  a scene, or vertices as an engine with a fault would place them.
//! Out: a [`Half`] that `draw.rs` shows.

use std::sync::OnceLock;

use sinew::glam::{Affine3A, Quat, Vec2, Vec3};
use sinew::scene::{Influence, Influences, Node, SceneParts};
use sinew::{Actor, InstanceId, JointId, Scene, Transform, Vertices};

/// A figure with what is drawn over it.
#[derive(Debug)]
pub(super) struct Half {
    pub(super) scene: Scene,
    /// The clip and its time; the rest pose without one.
    pub(super) moment: Option<(&'static str, f32)>,
    /// A few words below.
    pub(super) words: &'static str,
    pub(super) extras: Vec<Extra>,
}

/// What is drawn over a figure.
#[derive(Clone, Debug)]
pub(super) enum Extra {
    /// A ring around a joint.
    Ring(&'static str),
    /// A ring around a place.
    RingAt(Vec3),
    /// All bones.
    Skeleton,
    /// The axes of a joint.
    Axes(&'static str),
    /// Words beside a joint.
    Label(&'static str, &'static str),
    /// A line between two joints.
    Line(&'static str, &'static str),
    /// A line through places of the world.
    Path(Vec<Vec3>),
    /// The box of the rest pose.
    RestBounds,
    /// A curve over time, below.
    Plot(Plot),
}

/// A curve over time. Both axes go from 0 to 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Plot {
    pub(super) curves: Vec<Vec<Vec2>>,
    /// Whether every point of a curve is a key that is shown.
    pub(super) keys: bool,
    /// Where the fault is.
    pub(super) marks: Vec<Vec2>,
}

impl Plot {
    /// A curve through values that are evenly spaced between two times.
    pub(super) fn of(span: [f32; 2], values: impl IntoIterator<Item = f32>) -> Self {
        let values: Vec<f32> = values.into_iter().collect();
        let last = (values.len().max(2) - 1) as f32;
        let time = |at: usize| span[0] + (span[1] - span[0]) * at as f32 / last;
        let point = |(at, value): (usize, &f32)| Vec2::new(time(at), *value);
        Self { curves: vec![values.iter().enumerate().map(point).collect()], ..Self::default() }
    }

    pub(super) fn keys(mut self) -> Self {
        self.keys = true;
        self
    }

    pub(super) fn mark(mut self, x: f32, y: f32) -> Self {
        self.marks.push(Vec2::new(x, y));
        self
    }
}

impl Half {
    /// The character, changed, in its rest pose.
    pub(super) fn rest(change: impl FnOnce(&mut SceneParts)) -> Self {
        let mut parts = ossi().clone();
        change(&mut parts);
        Self { scene: scene(parts), moment: None, words: "", extras: Vec::new() }
    }

    /// The character as it is, at a moment of one of its clips.
    pub(super) fn at(clip: &'static str, time: f32) -> Self {
        Self { moment: Some((clip, time)), ..Self::rest(|_| ()) }
    }

    /// The character, changed, at a moment of one of its clips.
    pub(super) fn changed(
        clip: &'static str,
        time: f32,
        change: impl FnOnce(&mut SceneParts),
    ) -> Self {
        Self { moment: Some((clip, time)), ..Self::rest(change) }
    }

    /// The character at a moment, with every vertex put where `place` says: it takes the vertex's number, its influences, its
    /// place at bind, where it belongs, and the skin's matrices. Without a clip's name it is the rest pose.
    pub(super) fn placed(
        clip: &'static str,
        time: f32,
        place: impl Fn(&Vertex<'_>, &[Affine3A]) -> Vec3,
    ) -> Self {
        let (actor, posed) = skinned(clip, time);
        let palette = actor.palette(0);
        let half = Self::rest(|parts| {
            rigid(parts, &posed);
            let bind = &ossi().meshes[0].primitives[0];
            let primitive = &mut parts.meshes[0].primitives[0];
            for (index, position) in primitive.positions.iter_mut().enumerate() {
                let vertex = Vertex {
                    index,
                    influences: bind.influences.of(index),
                    bind: bind.positions[index],
                    right: *position,
                };
                *position = place(&vertex, palette);
            }
        });
        Self { moment: Some((clip, time)).filter(|_| !clip.is_empty()), ..half }
    }

    /// A figure that nobody sees: an engine refused the file.
    pub(super) fn nothing(words: &'static str) -> Self {
        let scene =
            scene(SceneParts { nodes: ossi().nodes[..1].to_vec(), ..SceneParts::default() });
        Self { scene, moment: None, words, extras: Vec::new() }
    }

    pub(super) fn words(mut self, words: &'static str) -> Self {
        self.words = words;
        self
    }

    pub(super) fn with(mut self, extra: Extra) -> Self {
        self.extras.push(extra);
        self
    }

    pub(super) fn ring(self, joint: &'static str) -> Self {
        self.with(Extra::Ring(joint))
    }
}

/// A vertex of the character.
pub(super) struct Vertex<'a> {
    pub(super) index: usize,
    pub(super) influences: &'a [Influence],
    /// Where it is in the mesh.
    pub(super) bind: Vec3,
    /// Where it belongs in this pose.
    pub(super) right: Vec3,
}

impl Vertex<'_> {
    /// How much of it belongs to joints that a test takes, by number in the skin.
    pub(super) fn share(&self, of: impl Fn(usize) -> bool) -> f32 {
        let own = self.influences.iter().filter(|influence| of(influence.joint as usize));
        own.map(|influence| influence.weight).sum()
    }
}

/// The character's parts; made once.
pub(super) fn ossi() -> &'static SceneParts {
    static OSSI: OnceLock<SceneParts> = OnceLock::new();
    OSSI.get_or_init(|| sinew::ossi().into_parts())
}

/// The number of a node of the character; the root's where there is none.
pub(super) fn node(name: &str) -> usize {
    ossi().nodes.iter().position(|node| node.name == name).unwrap_or(0)
}

/// The number of a node among the joints of the skin.
pub(super) fn joint(name: &str) -> usize {
    let wanted = node(name);
    ossi().skins[0].joints.iter().position(|joint| joint.index() == wanted).unwrap_or(0)
}

/// The numbers of joints of the skin that are a node or below it.
pub(super) fn below(name: &str) -> Vec<usize> {
    let mut inside = vec![false; ossi().nodes.len()];
    inside[node(name)] = true;
    for (at, node) in ossi().nodes.iter().enumerate() {
        let parent = node.parent.is_some_and(|parent| inside[parent.index()]);
        inside[at] |= parent;
    }
    let joints = ossi().skins[0].joints.iter().enumerate();
    joints.filter(|(_, joint)| inside[joint.index()]).map(|(at, _)| at).collect()
}

/// Turns a joint at rest about an axis of the world, in degrees; the skin stays bound as it was.
pub(super) fn bend(parts: &mut SceneParts, joint: &str, axis: Vec3, degrees: f32) {
    let rest = &mut parts.nodes[node(joint)].rest;
    rest.rotation = Quat::from_axis_angle(axis, degrees.to_radians()) * rest.rotation;
}

/// What a file holds is checked by its own constructor; these are made by code, and a test makes them all.
fn scene(parts: SceneParts) -> Scene {
    Scene::new(parts).unwrap_or_default()
}

/// The character at a moment, and its skin there.
fn skinned(clip: &'static str, time: f32) -> (Actor, Vertices) {
    let mut actor = Actor::new(scene(ossi().clone()));
    // Every clip that is named here is one of the character's own.
    if actor.play(clip).is_ok() {
        actor.seek(time);
    }
    let mut posed = Vertices::default();
    actor.skin(InstanceId::new(0), 0, &mut posed);
    (actor, posed)
}

/// A mesh that no joint moves, under a node of its own, with vertices as they were posed.
fn rigid(parts: &mut SceneParts, posed: &Vertices) {
    let primitive = &mut parts.meshes[0].primitives[0];
    primitive.positions.clone_from(&posed.positions);
    primitive.normals.clone_from(&posed.normals);
    primitive.influences = Influences::default();
    parts.nodes.push(Node::new("mesh", None, Transform::IDENTITY));
    parts.instances[0].joint = JointId::new(parts.nodes.len() - 1);
    parts.instances[0].skin = None;
    parts.skins.clear();
}

/// The character without a fault.
pub(super) fn sound() -> Scene {
    scene(ossi().clone())
}
