//! Steps as coarse as a bound allows.
//!
//! In:  samples, tracks, and a bound.
//! Out: a step code for every moving rotation and translation, and whole steps as they are written.
//!
//! Nodes are rounded from the root down: each aims at where it should be given where its parent came out, so that
//! what one is off the next makes good. All steps begin fine and grow in turns, by an octave at first and an eighth of
//! one at last; a step stays coarser when no shell at or below its node is off by more than the bound. That costs no
//! more than the nodes below, and most refusals show at the few frames where the last ones did.

use sinew_scene::Scene;
use sinew_scene::glam::Vec3;

use super::basis::three;
use super::samples::Samples;
use super::tracks::{NodeTracks, Reach, State};
use crate::format::code::{COARSEST, COARSEST_ROTATION, code};
use crate::format::kind::Kind;

/// How much coarser a step is tried, in codes; eight are an octave.
const GROWTH: [u8; 4] = [8, 4, 2, 1];
/// How often all nodes may be rounded at all frames, and what any clip may take: a search has an end.
const EFFORT: u64 = 300;
const LEAST_EFFORT: u64 = 200_000;
/// Frames that are looked at first.
const HOT: usize = 12;
/// How many codes all steps become finer at a time until they fit, and how often: eight octaves.
const FINER: u8 = 4;
const TIMES_FINER: usize = 16;

/// A track whose step is searched: a node's rotation, or else its translation.
type Searched = (usize, bool);

/// A track as it is written.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    pub(crate) kind: Kind,
    pub(crate) index: usize,
    pub(crate) code: u8,
    /// What it has for all frames: *left* and *right*, its origin, or its constant.
    pub(crate) own: Vec<u8>,
    /// As many of each three as the kind has numbers; nothing of constants.
    pub(crate) steps: Vec<[i32; 3]>,
}

pub(crate) struct Search<'a> {
    pub(crate) samples: &'a Samples,
    reach: &'a Reach,
    /// One past the last node below each.
    ends: Vec<usize>,
    /// Whether a node is among those that are tried.
    inside: Vec<bool>,
    /// Frames of nodes that may still be rounded.
    effort: u64,
    pub(crate) tracks: Vec<NodeTracks>,
    /// Where each node came out at each frame, and where it would with what is tried.
    states: Vec<State>,
    tried: Vec<State>,
    /// Frames that were the last to be off by too much.
    hot: Vec<usize>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(samples: &'a Samples, reach: &'a Reach, tracks: Vec<NodeTracks>) -> Self {
        let mut ends: Vec<usize> = (1..=tracks.len()).collect();
        for track in tracks.iter().rev() {
            if let Some(parent) = track.parent {
                ends[parent] = ends[parent].max(ends[track.node]);
            }
        }
        Self {
            states: vec![State::EXACT; samples.locals.len()],
            tried: Vec::new(),
            hot: Vec::new(),
            inside: vec![false; tracks.len()],
            effort: 0,
            samples,
            reach,
            ends,
            tracks,
        }
    }

    /// Finds steps that keep `limit` at every frame. `false` when even the finest do not.
    pub(crate) fn run(&mut self, limit: f32) -> bool {
        self.tried = vec![State::EXACT; self.states.len()];
        self.effort = EFFORT * self.states.len() as u64 + LEAST_EFFORT;
        let mut searched = Vec::new();
        for tracks in &mut self.tracks {
            let node = tracks.node;
            // Steps to begin with: a tenth of the limit for what a node moves directly.
            let begin = |lever: f32| code((0.1 * limit / lever.max(1e-20)).min(0.05));
            if let Some(code) = &mut tracks.rotation.code {
                *code = begin(self.reach.levers[node]);
                searched.push((node, true));
            }
            if let Some(code) = &mut tracks.translation.code {
                *code = begin(0.5 * self.reach.above[node]);
                searched.push((node, false));
            }
        }
        let fits = self.make_fit(&searched, limit);
        for by in GROWTH.into_iter().filter(|_| fits) {
            let mut open = searched.clone();
            while !open.is_empty() {
                open.retain(|&track| self.try_coarser(track, by, limit));
            }
        }
        // Nobody needs it when steps are written.
        self.tried = Vec::new();
        fits
    }

    /// Makes all steps finer until every frame keeps the limit.
    fn make_fit(&mut self, searched: &[Searched], limit: f32) -> bool {
        let roots = self.tracks.iter().filter(|tracks| tracks.parent.is_none());
        let roots: Vec<usize> = roots.map(|tracks| tracks.node).collect();
        for _ in 0..=TIMES_FINER {
            if roots.iter().all(|&root| self.keeps(root, limit)) {
                return true;
            }
            for &track in searched {
                let code = self.code_mut(track);
                *code = code.saturating_sub(FINER);
            }
        }
        false
    }

    fn try_coarser(&mut self, track: Searched, by: u8, limit: f32) -> bool {
        let known = *self.code_mut(track);
        let most = if track.1 { COARSEST_ROTATION } else { COARSEST };
        if known >= most || self.effort == 0 {
            return false;
        }
        *self.code_mut(track) = known.saturating_add(by).min(most);
        let keeps = self.keeps(track.0, limit);
        if !keeps {
            *self.code_mut(track) = known;
        }
        keeps
    }

    fn code_mut(&mut self, (node, turns): Searched) -> &mut u8 {
        let NodeTracks { rotation, translation, .. } = &mut self.tracks[node];
        let code = if turns { &mut rotation.code } else { &mut translation.code };
        code.as_mut().expect("only moving tracks are searched")
    }

    /// Whether a node and all below it keep the limit; if so, where they come out is known from now on.
    fn keeps(&mut self, node: usize, limit: f32) -> bool {
        let (hot, count) = (self.hot.clone(), self.samples.frames());
        if self.first_off(node, limit, hot.iter().copied()).is_some() {
            return false;
        }
        if let Some(frame) = self.first_off(node, limit, 0..count) {
            if self.hot.len() == HOT {
                self.hot.remove(0);
            }
            self.hot.push(frame);
            return false;
        }
        for below in (node..self.ends[node]).filter(|below| self.inside[*below]) {
            let range = below * count..(below + 1) * count;
            self.states[range.clone()].copy_from_slice(&self.tried[range]);
        }
        true
    }

    /// Rounds a node and all below it; the first frame at which one is off by more than the limit.
    fn first_off(
        &mut self,
        first: usize,
        limit: f32,
        frames: impl ExactSizeIterator<Item = usize> + Clone,
    ) -> Option<usize> {
        for node in first..self.ends[first] {
            let tracks = self.tracks[node];
            self.inside[node] = node == first
                || tracks.parent.is_some_and(|parent| parent >= first && self.inside[parent]);
            if !self.inside[node] {
                continue;
            }
            self.effort = self.effort.saturating_sub(frames.len() as u64);
            for frame in frames.clone() {
                let above = if node == first { &self.states } else { &self.tried };
                let rounded = tracks.round(self.samples, frame, above);
                if rounded.error > limit {
                    return Some(frame);
                }
                self.tried[node * self.samples.frames() + frame] = rounded.state;
            }
        }
        None
    }

    /// All tracks that are not at rest.
    pub(crate) fn stored(&self, scene: &Scene) -> Vec<Track> {
        let mut stored = Vec::new();
        for (index, node) in scene.skeleton().nodes().iter().enumerate() {
            let NodeTracks { rotation, translation, scale, .. } = self.tracks[index];
            let sizes = self.samples.node(index).iter().map(|local| scale.steps(local.scale));
            let rounded = sizes.enumerate().map(|(frame, size)| {
                let rounded = self.tracks[index].round(self.samples, frame, &self.states);
                let [turn, place] = rounded.steps;
                [turn, place, size]
            });
            let rounded: Vec<[Vec3; 3]> = rounded.collect();
            let turned = match rotation.code {
                Some(_) => rotation.basis.bytes.map(|byte| byte as u8).into(),
                None => singles(three(rotation.fixed).into()),
            };
            let (rest, [moved, sized]) =
                (node.rest, [translation, scale].map(|track| track.origin));
            // Which kind it is where it moves, and where it is constant.
            let parts = [
                (Kind::Rotation, Kind::ConstantRotation, rotation.code, turned),
                (Kind::Translation, Kind::ConstantTranslation, translation.code, singles(moved)),
                (Kind::Scale, Kind::ConstantScale, scale.code, singles(sized)),
            ];
            let rests =
                [rotation.fixed == rest.rotation, moved == rest.translation, sized == rest.scale];
            for (part, (moving, constant, code, own)) in parts.into_iter().enumerate() {
                let whole = |steps: &[Vec3; 3]| steps[part].to_array().map(|number| number as i32);
                let (kind, steps) = match code {
                    Some(_) => (moving, rounded.iter().map(whole).collect()),
                    None if rests[part] => continue,
                    None => (constant, Vec::new()),
                };
                stored.push(Track { kind, index, code: code.unwrap_or(0), own, steps });
            }
        }
        stored
    }
}

fn singles(vector: Vec3) -> Vec<u8> {
    vector.to_array().into_iter().flat_map(f32::to_le_bytes).collect()
}
