//! What one model has and the other has not.
//!
//! In:  two scenes, and what of them is paired.
//! Out: names, in the order of the files.

use std::collections::{HashMap, HashSet};

use sinew_scene::{JointId, Scene};

use crate::pairs::joints::JointPairs;

/// What one model has and the other has not.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Structure {
    /// How many of everything each has.
    pub counts: [Counts; 2],
    /// Joints: all nodes that do not merely carry a mesh, a camera or a light.
    pub joints: OnlyIn,
    /// Clips.
    pub clips: OnlyIn,
    /// Meshes under nodes.
    pub meshes: OnlyIn,
    /// Materials.
    pub materials: OnlyIn,
    /// Morph targets.
    pub morphs: OnlyIn,
    /// Joints of both that hang under another parent.
    pub reparented: Vec<Reparented>,
}

/// How many of everything a model has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Nodes of the tree.
    pub nodes: usize,
    /// Clips.
    pub clips: usize,
    /// Meshes under nodes.
    pub meshes: usize,
    /// Vertices of these.
    pub vertices: usize,
    /// Materials.
    pub materials: usize,
}

/// Names that only one model has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OnlyIn {
    /// Only the reference.
    pub a: Vec<String>,
    /// Only the other.
    pub b: Vec<String>,
}

impl OnlyIn {
    /// Whether both have the same.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.a.is_empty() && self.b.is_empty()
    }

    /// Of two lists of names, those without a partner; names without letters do not count.
    fn of<'a>(a: impl Iterator<Item = &'a str>, b: impl Iterator<Item = &'a str>) -> Self {
        let [a, b]: [Vec<&str>; 2] = [a.collect(), b.collect()];
        let lacking = |of: &[&str], other: &[&str]| {
            let mut known: HashMap<&str, usize> = HashMap::new();
            other.iter().for_each(|name| *known.entry(name).or_default() += 1);
            let mut lacks = |name: &&&str| match known.get_mut(**name) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    false
                }
                _ => !name.is_empty(),
            };
            of.iter().filter(|name| lacks(name)).map(|name| (*name).to_owned()).collect()
        };
        Self { a: lacking(&a, &b), b: lacking(&b, &a) }
    }
}

/// A joint that hangs under another parent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reparented {
    /// Its name in A.
    pub joint: String,
    /// Its parents' names; empty for one without a parent.
    pub parents: [String; 2],
}

impl Structure {
    /// Whether both have the same of everything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let lists = [&self.joints, &self.clips, &self.meshes, &self.materials, &self.morphs];
        lists.iter().all(|list| list.is_empty()) && self.reparented.is_empty()
    }

    pub(crate) fn new(
        a: &Scene,
        b: &Scene,
        joints: &JointPairs,
        clips: OnlyIn,
        meshes: OnlyIn,
    ) -> Self {
        fn materials(scene: &Scene) -> impl Iterator<Item = &str> {
            scene.materials.iter().map(|material| &material.name[..])
        }
        fn morphs(scene: &Scene) -> impl Iterator<Item = &str> {
            let meshes = scene.instances.iter().map(|one| &scene.meshes[one.mesh.index()]);
            meshes.flat_map(|mesh| mesh.morph_names.iter().map(|name| &name[..]))
        }
        Self {
            counts: [Counts::of(a), Counts::of(b)],
            joints: only_joints(a, b, joints),
            clips,
            meshes,
            materials: OnlyIn::of(materials(a), materials(b)),
            morphs: OnlyIn::of(morphs(a), morphs(b)),
            reparented: reparented(a, b, joints),
        }
    }
}

impl Counts {
    fn of(scene: &Scene) -> Self {
        let vertices = scene.instances.iter().map(|instance| {
            let primitives = &scene.meshes[instance.mesh.index()].primitives;
            primitives.iter().map(|primitive| primitive.positions.len()).sum::<usize>()
        });
        Self {
            nodes: scene.skeleton().len(),
            clips: scene.clips.len(),
            meshes: scene.instances.len(),
            vertices: vertices.sum(),
            materials: scene.materials.len(),
        }
    }
}

/// Which nodes merely carry a mesh, a camera or a light: nothing hangs below them, no skin and no clip uses them.
pub(crate) fn carriers(scene: &Scene) -> Vec<bool> {
    let mut carries = vec![false; scene.skeleton().len()];
    let instances = scene.instances.iter().map(|instance| instance.joint);
    let cameras = scene.cameras.iter().map(|camera| camera.joint);
    let lights = scene.lights.iter().map(|light| light.joint);
    let holders = instances.chain(cameras).chain(lights);
    holders.for_each(|joint| carries[joint.index()] = true);
    let mut not = |joint: JointId| carries[joint.index()] = false;
    scene.skeleton().parents().iter().flatten().for_each(|parent| not(*parent));
    scene.skins.iter().flat_map(|skin| &skin.joints).for_each(|joint| not(*joint));
    for clip in &scene.clips {
        let moved = clip.translations.iter().chain(&clip.scales).map(|track| track.joint);
        moved.chain(clip.rotations.iter().map(|track| track.joint)).for_each(&mut not);
    }
    carries
}

fn only_joints(a: &Scene, b: &Scene, joints: &JointPairs) -> OnlyIn {
    let mut paired = [a, b].map(carriers);
    for (a, b) in &joints.pairs {
        paired[0][a.index()] = true;
        paired[1][b.index()] = true;
    }
    let names = |scene: &Scene, paired: &[bool]| {
        let nodes = scene.skeleton().nodes().iter().zip(paired);
        let lacking = nodes.filter(|(node, paired)| !**paired && !node.name.is_empty());
        lacking.map(|(node, _)| node.name.clone()).collect()
    };
    OnlyIn { a: names(a, &paired[0]), b: names(b, &paired[1]) }
}

fn reparented(a: &Scene, b: &Scene, joints: &JointPairs) -> Vec<Reparented> {
    let above = |scene: &Scene, joint: JointId| scene.skeleton().node(joint).parent;
    let name = |scene: &Scene, joint: Option<JointId>| {
        joint.map_or_else(String::new, |joint| scene.skeleton().node(joint).name.clone())
    };
    let known: HashSet<JointId> = joints.pairs.iter().map(|pair| pair.1).collect();
    let idle = [carriers(a), carriers(b)];
    let both_idle = |pair: &&(JointId, JointId)| idle[0][pair.0.index()] && idle[1][pair.1.index()];
    let moved = joints.pairs.iter().filter(|pair| !both_idle(pair)).filter_map(|&(of_a, of_b)| {
        let parents = (above(a, of_a), above(b, of_b));
        let same = match parents {
            (Some(of_a), of_b) => joints.partner(of_a) == of_b && of_b.is_some(),
            (None, of_b) => of_b.is_none(),
        };
        // What hangs under a node that the other lacks is said by that node.
        let lacking = parents.0.is_some_and(|parent| joints.partner(parent).is_none())
            || parents.1.is_some_and(|parent| !known.contains(&parent));
        (!same && !lacking).then(|| Reparented {
            joint: name(a, Some(of_a)),
            parents: [name(a, parents.0), name(b, parents.1)],
        })
    });
    moved.collect()
}
