//! A clip of one scene, made to drive another.
//!
//! In:  a clip, the scene it is from, and the scene it shall drive.
//! Out: the same keys on the other scene's ids. Nothing is stretched or rotated to fit.
//!
//! Only tracks move over; the skeleton that is driven keeps its own tree, its own rest pose and its
//! own skins.

use std::collections::{HashMap, HashSet};

use sinew_scene::{Clip, Curve, Instance, InstanceId, JointId, Rows, Scene, Track, WeightTrack};

use super::compare;
use super::names::{partners, plain};
use crate::note::Notes;
use crate::{Note, NoteCode, Place};

/// Binds a clip of `from` to the nodes of `to` that have the same names, and reports what did not fit.
///
/// Names need not be spelled alike: case, namespaces, the prefixes `mixamorig:` and `Armature|` and
/// signs between words do not count where no exact name is found. Keys stay as they are.
///
/// ```
/// use sinew_import::bind;
/// use sinew_scene::{Clip, Curve, JointId, Node, Scene, SceneParts, Track, Transform, glam::Quat};
///
/// let one_node = |name: &str| {
///     let nodes = vec![Node::new(name, None, Transform::IDENTITY)];
///     Scene::new(SceneParts { nodes, ..SceneParts::default() })
/// };
/// let (dancer, model) = (one_node("mixamorig:Hips")?, one_node("Hips")?);
/// let track = Track { joint: JointId::new(0), curve: Curve::constant(Quat::IDENTITY) };
/// let clip = Clip { rotations: vec![track], ..Clip::default() };
///
/// let (bound, notes) = bind(&clip, &dancer, &model);
/// assert_eq!(bound.rotations[0].joint, model.skeleton().find("Hips").unwrap());
/// assert!(notes.is_empty());
/// # Ok::<(), sinew_scene::SceneError>(())
/// ```
///
/// # Panics
/// When the clip speaks of nodes or meshes that `from` does not have.
#[must_use]
pub fn bind(clip: &Clip, from: &Scene, to: &Scene) -> (Clip, Vec<Note>) {
    let mut notes = Notes::default();
    let binding = Binding::new(std::slice::from_ref(clip), from, to);
    binding.tell_lacking(&mut notes);
    binding.tell_rest(&mut notes);
    let bound = binding.clip(clip, &mut notes);
    (bound, notes.into_vec())
}

/// How well the names of two scenes answer to each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameFit {
    /// Nodes that the clips of the first move, with their partners in the second; in order.
    pub pairs: Vec<(JointId, JointId)>,
    /// How many nodes that the clips move have no partner.
    pub lacking: usize,
}

/// Which nodes the clips of `from` would drive in `to`, if they were attached by name.
#[must_use]
pub fn fit_names(from: &Scene, to: &Scene) -> NameFit {
    let binding = Binding::new(&from.clips, from, to);
    let mut pairs: Vec<_> = binding.joints.iter().map(|(&from, &to)| (from, to)).collect();
    pairs.sort_unstable();
    NameFit { pairs, lacking: binding.lacking.len() }
}

/// What answers to what, for some clips of a scene.
pub(super) struct Binding<'a> {
    from: &'a Scene,
    to: &'a Scene,
    joints: HashMap<JointId, JointId>,
    /// Driven, but with no partner; in order.
    lacking: Vec<JointId>,
    instances: HashMap<InstanceId, InstanceId>,
}

impl<'a> Binding<'a> {
    pub(super) fn new(clips: &[Clip], from: &'a Scene, to: &'a Scene) -> Self {
        let driven = driven_joints(clips);
        let skinned = to.skins.iter().flat_map(|skin| &skin.joints).copied().collect();
        let found = partners(&driven, from.skeleton(), to.skeleton(), &skinned);
        let pairs = || driven.iter().copied().zip(found.iter().copied());
        Self {
            from,
            to,
            joints: pairs().filter_map(|(from, to)| Some((from, to?))).collect(),
            lacking: pairs().filter(|(_, to)| to.is_none()).map(|(from, _)| from).collect(),
            instances: partner_instances(clips, from, to),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.joints.is_empty() && self.instances.is_empty()
    }

    /// Names what is driven but not there.
    pub(super) fn tell_lacking(&self, notes: &mut Notes) {
        let names = self.lacking.iter().map(|&joint| &self.from.skeleton().node(joint).name[..]);
        if !self.lacking.is_empty() {
            let text = format!(
                "{} of {} animated nodes have no partner of their name in the model, and their \
                 tracks are left out: {}",
                self.lacking.len(),
                self.lacking.len() + self.joints.len(),
                first_few(names)
            );
            notes.add_as(NoteCode::Unbound, Place::Whole, text);
        }
    }

    /// Tells how the two skeletons rest apart.
    pub(super) fn tell_rest(&self, notes: &mut Notes) {
        let mut pairs: Vec<_> = self.joints.iter().map(|(&from, &to)| (from, to)).collect();
        pairs.sort_unstable();
        compare::rest_poses(&pairs, self.from.skeleton(), self.to.skeleton(), notes);
    }

    /// The tracks of `clip` that found what they drive.
    pub(super) fn clip(&self, clip: &Clip, notes: &mut Notes) -> Clip {
        if !clip.properties.is_empty() {
            let count = clip.properties.len();
            let text = format!(
                "{count} tracks that drive materials, lights or cameras are left out: only nodes \
                 and morph targets are bound by name"
            );
            notes.add(Place::part(format!("clip \"{}\"", clip.name)), text);
        }
        Clip {
            name: clip.name.clone(),
            start: clip.start,
            duration: clip.duration,
            translations: self.tracks(&clip.translations),
            rotations: self.tracks(&clip.rotations),
            scales: self.tracks(&clip.scales),
            weights: clip.weights.iter().filter_map(|track| self.weights(track, notes)).collect(),
            properties: Vec::new(),
            markers: clip.markers.clone(),
        }
    }

    fn tracks<V: Clone>(&self, tracks: &[Track<V>]) -> Vec<Track<V>> {
        let moved = |track: &Track<V>| {
            let joint = *self.joints.get(&track.joint)?;
            let curve: Curve<V> = track.curve.clone();
            Some(Track { joint, curve })
        };
        tracks.iter().filter_map(moved).collect()
    }

    fn weights(&self, track: &WeightTrack, notes: &mut Notes) -> Option<WeightTrack> {
        let source = &self.from.instances[track.instance.index()];
        let place = || {
            Place::part(format!(
                "morph weights of \"{}\"",
                self.from.skeleton().node(source.joint).name
            ))
        };
        let Some(&instance) = self.instances.get(&track.instance) else {
            notes.add(place(), "morph weights are left out: no mesh of this name in the model");
            return None;
        };
        let target = &self.to.instances[instance.index()];
        let columns = columns(morph_names(self.from, source), morph_names(self.to, target));
        let Some(columns) = columns else {
            notes.add(place(), "morph weights are left out: the model's mesh has other targets");
            return None;
        };
        let kept = columns.iter().flatten().count();
        if kept < track.rows.width() {
            let text = "some morph targets are left out: the model's mesh has none of their names";
            notes.add(place(), text);
        }
        Some(WeightTrack { instance, rows: rearranged(&track.rows, &columns, &target.weights)? })
    }
}

/// Up to five names, and how many more there are.
pub(super) fn first_few<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const FEW: usize = 5;
    let names: Vec<&str> = names.into_iter().collect();
    let mut text = names
        .iter()
        .take(FEW)
        .map(|name| format!("\"{}\"", name.escape_debug()))
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > FEW {
        text += &format!(" and {} more", names.len() - FEW);
    }
    text
}

/// Every node that a track drives, in the order of the tree.
pub(super) fn driven_joints(clips: &[Clip]) -> Vec<JointId> {
    let of_clip = |clip: &Clip| {
        let translations = clip.translations.iter().map(|track| track.joint);
        let rotations = clip.rotations.iter().map(|track| track.joint);
        let scales = clip.scales.iter().map(|track| track.joint);
        translations.chain(rotations).chain(scales).collect::<Vec<_>>()
    };
    let all: std::collections::BTreeSet<JointId> = clips.iter().flat_map(of_clip).collect();
    all.into_iter().collect()
}

/// Morphed meshes by the name of their node, then by their own.
fn partner_instances(clips: &[Clip], from: &Scene, to: &Scene) -> HashMap<InstanceId, InstanceId> {
    let all = clips.iter().flat_map(|clip| &clip.weights).map(|track| track.instance);
    let driven: std::collections::BTreeSet<InstanceId> = all.collect();
    let seekers: Vec<JointId> = driven.iter().map(|id| from.instances[id.index()].joint).collect();
    let morphed = |instance: &Instance| !instance.weights.is_empty();
    let preferred =
        to.instances.iter().filter(|one| morphed(one)).map(|one| one.joint).collect::<HashSet<_>>();
    let nodes = if driven.is_empty() {
        Vec::new()
    } else {
        partners(&seekers, from.skeleton(), to.skeleton(), &preferred)
    };
    let plain_mesh = |scene: &Scene, one: &Instance| plain(&scene.meshes[one.mesh.index()].name);
    let meshes: Vec<String> = to.instances.iter().map(|one| plain_mesh(to, one)).collect();
    let mut taken = HashSet::new();
    let mut found = HashMap::new();
    for (source, node) in driven.into_iter().zip(nodes) {
        let mesh = plain_mesh(from, &from.instances[source.index()]);
        let free = |at: usize| morphed(&to.instances[at]) && !taken.contains(&at);
        let by_node =
            (0..to.instances.len()).find(|&at| free(at) && Some(to.instances[at].joint) == node);
        let by_mesh =
            || (0..meshes.len()).find(|&at| free(at) && !mesh.is_empty() && mesh == meshes[at]);
        if let Some(at) = by_node.or_else(by_mesh) {
            taken.insert(at);
            found.insert(source, InstanceId::new(at));
        }
    }
    found
}

fn morph_names<'a>(scene: &'a Scene, instance: &Instance) -> &'a [String] {
    &scene.meshes[instance.mesh.index()].morph_names
}

/// For each target of the driven mesh, the column that drives it: by name, or by place where the
/// lists are as long as each other and one has no names. `None` when nothing fits.
fn columns(from: &[String], to: &[String]) -> Option<Vec<Option<usize>>> {
    let nameless = |names: &[String]| names.iter().all(String::is_empty);
    if nameless(from) || nameless(to) {
        return (from.len() == to.len()).then(|| (0..to.len()).map(Some).collect());
    }
    let mut free = vec![true; from.len()];
    let mut found = vec![None; to.len()];
    for reading in [str::to_owned, plain] as [fn(&str) -> String; 2] {
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for at in (0..from.len()).rev().filter(|&at| free[at]) {
            places.entry(reading(&from[at])).or_default().push(at);
        }
        places.remove("");
        for (name, place) in to.iter().zip(&mut found).filter(|(_, place)| place.is_none()) {
            *place = places.get_mut(&reading(name)).and_then(Vec::pop);
            if let Some(at) = *place {
                free[at] = false;
            }
        }
    }
    found.iter().any(Option::is_some).then_some(found)
}

/// The rows with their columns moved; a target that nothing drives keeps its rest weight.
fn rearranged(rows: &Rows, columns: &[Option<usize>], rest: &[f32]) -> Option<Rows> {
    let each = rows.interpolation().values_per_key();
    let mut values = Vec::with_capacity(rows.times().len() * each * columns.len());
    for (at, row) in rows.values().chunks_exact(rows.width()).enumerate() {
        // Of a cubic key's three rows, the first and last are tangents.
        let is_tangent = each == 3 && at % 3 != 1;
        for (column, &rest) in columns.iter().zip(rest) {
            values.push(match column {
                Some(column) => row[*column],
                None if is_tangent => 0.0,
                None => rest,
            });
        }
    }
    Rows::new(rows.times().clone(), values, columns.len(), rows.interpolation()).ok()
}
