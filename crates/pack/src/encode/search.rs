//! Steps as coarse as a bound allows.
//!
//! In:  samples, tracks, and a bound.
//! Out: a step code for every moving rotation and translation.
//!
//! Nodes are rounded from the root down: each aims at where it should be given where its parent came out, so that
//! what one is off the next makes good. All steps begin fine and grow in turns, by an octave at first and an eighth of
//! one at last; a step stays coarser when no shell at or below its node is off by more than the bound. That costs no
//! more than the nodes below, and most refusals show at the few frames where the last ones did.

use sinew_scene::Scene;
use sinew_scene::glam::{Quat, Vec3, Vec3A, Vec4};

use super::samples::{ModelSpace, Samples};
use super::tracks::{NodeTracks, Reach, RotationTrack, VectorTrack, angle, vector_steps};
use super::write::{Extra, Moving, Stored};
use crate::format::code::{COARSEST, code, step};
use crate::format::kind::Kind;

/// Where a node came out: its rotation in the model, and how far its position is off.
#[derive(Clone, Copy, Debug)]
struct State {
    rotation: [f32; 4],
    off: Vec3,
}

impl State {
    const EXACT: Self = Self { rotation: [0.0, 0.0, 0.0, 1.0], off: Vec3::ZERO };
}

/// How much coarser a step is tried, in codes; eight are an octave.
const GROWTH: [u8; 4] = [8, 4, 2, 1];
/// How many codes finer steps may become than they begin before it is given up: eight octaves.
const MAX_FINER: u32 = 64;
/// How often all nodes may be rounded at all frames, and what any clip may take: a search has an end.
const EFFORT: u64 = 300;
const LEAST_EFFORT: u64 = 200_000;
/// Frames that are looked at first.
const HOT: usize = 12;
/// Frames that a first search looks at.
const FEW_FRAMES: usize = 256;

/// A track whose step is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Searched {
    Rotation(usize),
    Translation(usize),
}

pub(crate) struct Search<'a> {
    samples: &'a Samples,
    model: &'a ModelSpace,
    parents: Vec<Option<usize>>,
    /// One past the last node below each.
    ends: Vec<usize>,
    /// Whether a node is among those that are tried.
    inside: Vec<bool>,
    /// Frames of nodes that may still be rounded.
    effort: u64,
    /// Metres from each node to its shell, and the size of its parent's space.
    radii: Vec<f32>,
    above: Vec<f32>,
    pub(crate) tracks: Vec<NodeTracks>,
    states: Vec<State>,
    tried: Vec<State>,
    hot: Vec<u32>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        scene: &Scene,
        samples: &'a Samples,
        model: &'a ModelSpace,
        reach: &Reach,
        shells: &[f32],
        tracks: Vec<NodeTracks>,
    ) -> Self {
        let parents: Vec<Option<usize>> =
            scene.skeleton().parents().iter().map(|p| p.map(|parent| parent.index())).collect();
        let mut ends: Vec<usize> = (1..=parents.len()).collect();
        for node in (0..parents.len()).rev() {
            if let Some(parent) = parents[node] {
                ends[parent] = ends[parent].max(ends[node]);
            }
        }
        let above = parents.iter().map(|parent| parent.map_or(1.0, |parent| reach.sizes[parent]));
        Self {
            radii: reach.radii(shells),
            above: above.map(|size: f32| size.max(1e-20)).collect(),
            states: vec![State::EXACT; samples.locals.len()],
            tried: Vec::new(),
            hot: Vec::new(),
            inside: vec![false; parents.len()],
            effort: EFFORT * samples.locals.len() as u64 + LEAST_EFFORT,
            samples,
            model,
            parents,
            ends,
            tracks,
        }
    }

    /// Finds steps that keep `limit` at every frame. `false` when even the finest do not.
    pub(crate) fn run(&mut self, limit: f32) -> bool {
        self.tried = vec![State::EXACT; self.states.len()];
        let found = self.find(limit);
        // Nobody needs it while errors are measured.
        self.tried = Vec::new();
        found
    }

    fn find(&mut self, limit: f32) -> bool {
        let searched = self.searched();
        self.begin(&searched, limit);
        let frames = self.samples.frames();
        let stride = frames.div_ceil(FEW_FRAMES);
        let all: Vec<u32> = (0..frames as u32).collect();
        if stride > 1 {
            let few: Vec<u32> = (0..frames as u32).step_by(stride).collect();
            if !self.make_fit(&searched, limit, &few, 4) {
                return false;
            }
            self.grow(&searched, limit, &few, &GROWTH);
        }
        let (back, growth) = if stride > 1 { (1, &GROWTH[3..]) } else { (4, &GROWTH[..]) };
        if !self.make_fit(&searched, limit, &all, back) {
            return false;
        }
        self.grow(&searched, limit, &all, growth);
        true
    }

    fn searched(&self) -> Vec<Searched> {
        let mut found = Vec::new();
        for (node, tracks) in self.tracks.iter().enumerate() {
            found.extend(tracks.rotation.is_moving().then_some(Searched::Rotation(node)));
            found.extend(tracks.translation.is_moving().then_some(Searched::Translation(node)));
        }
        found
    }

    /// Steps to begin with: a tenth of the bound for what a node moves directly.
    fn begin(&mut self, searched: &[Searched], limit: f32) {
        let frames = self.samples.frames();
        let mut levers = self.radii.clone();
        for (node, parent) in self.parents.iter().enumerate() {
            let Some(parent) = *parent else { continue };
            let places = |node: usize| &self.model.positions[node * frames..][..frames];
            let bones = places(node).iter().zip(places(parent)).map(|(a, b)| a.distance(*b));
            levers[parent] = levers[parent].max(bones.fold(0.0, f32::max));
        }
        for &track in searched {
            let size = match track {
                Searched::Rotation(node) => 0.1 * limit / levers[node].max(1e-20),
                Searched::Translation(node) => 0.2 * limit / self.above[node],
            };
            *self.code_mut(track) = code(size.min(0.05));
        }
    }

    fn code_mut(&mut self, track: Searched) -> &mut u8 {
        let code = match track {
            Searched::Rotation(node) => self.tracks[node].rotation.code_mut(),
            Searched::Translation(node) => self.tracks[node].translation.code_mut(),
        };
        code.expect("only moving tracks are searched")
    }

    /// Makes all steps finer until these frames keep the limit.
    fn make_fit(&mut self, searched: &[Searched], limit: f32, frames: &[u32], back: u8) -> bool {
        let mut finer_by = 0;
        loop {
            let roots = (0..self.parents.len()).filter(|node| self.parents[*node].is_none());
            let roots: Vec<usize> = roots.collect();
            let fits = roots.iter().all(|&root| {
                let fits = self.fits(root, limit, frames);
                self.accept(root, frames);
                fits
            });
            if fits {
                return true;
            }
            finer_by += u32::from(back);
            if finer_by > MAX_FINER || searched.is_empty() {
                return false;
            }
            for &track in searched {
                let code = self.code_mut(track);
                *code = code.saturating_sub(back);
            }
        }
    }

    fn grow(&mut self, searched: &[Searched], limit: f32, frames: &[u32], growth: &[u8]) {
        for &by in growth {
            let mut open = searched.to_vec();
            while !open.is_empty() {
                open.retain(|&track| self.try_coarser(track, by, limit, frames));
            }
        }
    }

    fn try_coarser(&mut self, track: Searched, by: u8, limit: f32, frames: &[u32]) -> bool {
        let node = match track {
            Searched::Rotation(node) | Searched::Translation(node) => node,
        };
        let known = *self.code_mut(track);
        // A rotation's numbers are within ±1.
        let most = if matches!(track, Searched::Rotation(_)) { code(0.125) } else { COARSEST };
        if known >= most || self.effort == 0 {
            return false;
        }
        *self.code_mut(track) = known.saturating_add(by).min(most);
        if self.fits(node, limit, frames) {
            self.accept(node, frames);
            return true;
        }
        *self.code_mut(track) = known;
        false
    }

    /// Whether a node and all below it keep the limit; leaves where they come out in `tried`.
    fn fits(&mut self, node: usize, limit: f32, frames: &[u32]) -> bool {
        let hot = std::mem::take(&mut self.hot);
        let hot_fits = self.round_below(node, limit, &hot).is_none();
        self.hot = hot;
        if !hot_fits {
            return false;
        }
        match self.round_below(node, limit, frames) {
            None => true,
            Some(frame) => {
                if self.hot.len() == HOT {
                    self.hot.remove(0);
                }
                self.hot.push(frame);
                false
            }
        }
    }

    /// Takes over what was tried.
    fn accept(&mut self, node: usize, frames: &[u32]) {
        let count = self.samples.frames();
        for below in node..self.ends[node] {
            if !self.inside[below] {
                continue;
            }
            let range = below * count..(below + 1) * count;
            if frames.len() == count {
                self.states[range.clone()].copy_from_slice(&self.tried[range]);
            } else {
                for frame in frames.iter().map(|frame| range.start + *frame as usize) {
                    self.states[frame] = self.tried[frame];
                }
            }
        }
    }

    /// Rounds a node and all below it; the first frame at which one is off by more than the limit.
    fn round_below(&mut self, first: usize, limit: f32, frames: &[u32]) -> Option<u32> {
        let count = self.samples.frames();
        for node in first..self.ends[first] {
            self.inside[node] = node == first
                || self.parents[node].is_some_and(|parent| parent >= first && self.inside[parent]);
            if !self.inside[node] {
                continue;
            }
            self.effort = self.effort.saturating_sub(frames.len() as u64);
            let rounding = Rounding::new(self, node);
            let parent = self.parents[node];
            for &frame in frames {
                let at = frame as usize;
                let above = parent.map(|parent| {
                    let states = if node == first { &self.states } else { &self.tried };
                    (parent * count + at, states[parent * count + at])
                });
                let (state, error, ..) = rounding.round(node * count + at, above);
                if error > limit {
                    return Some(frame);
                }
                self.tried[node * count + at] = state;
            }
        }
        None
    }

    /// All tracks as whole steps, and those that are kept once.
    pub(crate) fn stored(&mut self, scene: &Scene) -> Stored {
        let mut stored = Stored::default();
        for (node, entry) in scene.skeleton().nodes().iter().enumerate() {
            let NodeTracks { rotation, translation, scale } = self.tracks[node];
            let [rotations, translations] = self.rounded(node);
            match rotation {
                RotationTrack::Fixed(value) if value == entry.rest.rotation => {}
                RotationTrack::Fixed(value) => stored.rotations.push((node, value)),
                RotationTrack::Moving { frame, code } => {
                    let (kind, extra) = match frame {
                        Some(basis) => (Kind::Rotation, Extra::Basis(basis.bytes)),
                        None => (Kind::FullRotation, Extra::Nothing),
                    };
                    stored.moving.push(Moving { kind, index: node, code, extra, steps: rotations });
                }
            }
            stored.vector(Kind::Translation, node, translation, entry.rest.translation, || {
                translations
            });
            stored.vector(Kind::Scale, node, scale, entry.rest.scale, || self.scales(node, scale));
        }
        stored
    }

    /// The whole steps of a node's rotation and translation at every frame; none of what does not move.
    fn rounded(&mut self, node: usize) -> [Vec<[i32; 4]>; 2] {
        let (count, parent) = (self.samples.frames(), self.parents[node]);
        let rounding = Rounding::new(self, node);
        let tracks = rounding.tracks;
        let moving = [tracks.rotation.is_moving(), tracks.translation.is_moving()];
        let [mut rotations, mut translations] =
            moving.map(|moving| Vec::with_capacity(if moving { count } else { 0 }));
        for frame in 0..count {
            let above =
                parent.map(|parent| (parent * count + frame, self.states[parent * count + frame]));
            let (state, _, rotation, translation) = rounding.round(node * count + frame, above);
            self.states[node * count + frame] = state;
            if moving[0] {
                rotations.push(whole(rotation));
            }
            if moving[1] {
                translations.push(whole(translation.extend(0.0)));
            }
        }
        [rotations, translations]
    }

    fn scales(&self, node: usize, track: VectorTrack) -> Vec<[i32; 4]> {
        let VectorTrack::Moving { frame, code } = track else { return Vec::new() };
        let count = self.samples.frames();
        let locals = self.samples.locals[node * count..][..count].iter();
        locals.map(|local| whole(vector_steps(frame, code, local.scale).extend(0.0))).collect()
    }
}

fn whole(steps: Vec4) -> [i32; 4] {
    steps.to_array().map(|number| number as i32)
}

/// How one node is rounded.
struct Rounding<'a> {
    samples: &'a Samples,
    model: &'a ModelSpace,
    tracks: NodeTracks,
    radius: f32,
    above: f32,
    rotation_step: f32,
}

impl<'a> Rounding<'a> {
    fn new(search: &Search<'a>, node: usize) -> Self {
        let tracks = search.tracks[node];
        let rotation_step = match tracks.rotation {
            RotationTrack::Moving { code, .. } => step(code),
            RotationTrack::Fixed(_) => 1.0,
        };
        let (radius, above) = (search.radii[node], search.above[node]);
        let Search { samples, model, .. } = *search;
        Self { samples, model, tracks, radius, above, rotation_step }
    }

    /// Where the node comes out, how far its shell is off, and the whole steps that are stored. `above` is where its
    /// parent's sample is, and where the parent came out.
    #[inline]
    fn round(&self, at: usize, above: Option<(usize, State)>) -> (State, f32, Vec4, Vec3) {
        let local = self.samples.locals[at];
        let ModelSpace { rotations, positions } = self.model;
        let (parent, exact_above, place_above) = match above {
            Some((at, state)) => (state, rotations[at], positions[at]),
            None => (State::EXACT, Quat::IDENTITY, Vec3::ZERO),
        };
        let (parent_rotation, parent_off) =
            (Quat::from_array(parent.rotation), Vec3A::from(parent.off));
        // What the parent's error does to the way from it to here.
        let bone = Vec3A::from(positions[at] - place_above);
        let turned = parent_rotation * exact_above.conjugate();
        let (moved, translation) = match self.tracks.translation {
            VectorTrack::Fixed(value) => (value - local.translation, Vec3::ZERO),
            VectorTrack::Moving { frame: origin, code } => {
                let aim = turned.conjugate() * (bone - parent_off) - bone;
                let aim =
                    local.translation + Vec3::from(exact_above.conjugate() * aim) / self.above;
                let steps = vector_steps(origin, code, aim);
                (origin + steps * step(code) - local.translation, steps)
            }
        };
        let moved = exact_above * Vec3A::from(moved) * self.above;
        let off = parent_off + turned * (bone + moved) - bone;
        let (rotation, steps) = self.rotation(at, parent_rotation);
        let error = off.length() + self.radius * angle(rotation, rotations[at]);
        (State { rotation: rotation.to_array(), off: off.into() }, error, steps, translation)
    }

    #[inline]
    fn rotation(&self, at: usize, parent: Quat) -> (Quat, Vec4) {
        let aim = || parent.conjugate() * self.model.rotations[at];
        match self.tracks.rotation {
            RotationTrack::Fixed(value) => (parent * value, Vec4::ZERO),
            RotationTrack::Moving { frame: Some(basis), .. } => {
                let steps = (Vec4::from(basis.stored(aim())) / self.rotation_step).round();
                (parent * basis.rotation(steps.truncate() * self.rotation_step), steps)
            }
            RotationTrack::Moving { frame: None, .. } => {
                let aim = aim();
                let near = aim.dot(self.samples.locals[at].rotation) < 0.0;
                let steps =
                    (Vec4::from(if near { -aim } else { aim }) / self.rotation_step).round();
                (parent * Quat::from_vec4(steps).normalize(), steps)
            }
        }
    }
}
