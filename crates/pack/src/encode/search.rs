//! Steps as coarse as a bound allows.
//!
//! In:  samples, tracks, and a bound.
//! Out: a step code for every moving rotation and translation.
//!
//! Nodes are rounded from the root down: each aims at where it should be given where its parent came out, so that
//! what one is off the next makes good. All steps begin fine and grow in turns, by an octave at first and an eighth of
//! one at last; a step stays coarser when no shell at or below its node is off by more than the bound. That costs no
//! more than the nodes below, and most refusals show at the few frames where the last ones did.

use super::round::{Rounding, State};
use super::samples::Samples;
use super::tracks::{NodeTracks, Reach};
use crate::format::code::{COARSEST, COARSEST_ROTATION, code};
use sinew_scene::Scene;

/// How much coarser a step is tried, in codes; eight are an octave.
const GROWTH: [u8; 4] = [8, 4, 2, 1];
/// How many codes finer steps may become than they begin before it is given up: eight octaves.
const MAX_FINER: u32 = 64;
/// How often all nodes may be rounded at all frames, and what any clip may take: a search has an end.
const EFFORT: u64 = 300;
const LEAST_EFFORT: u64 = 200_000;
/// Frames that are looked at first.
const HOT: usize = 12;
/// How many codes all steps become finer at a time, until they fit.
const BACK: u8 = 4;

/// A track whose step is searched: a node's rotation, or else its translation.
type Searched = (usize, bool);

pub(crate) struct Search<'a> {
    pub(crate) samples: &'a Samples,
    reach: &'a Reach,
    pub(crate) parents: Vec<Option<usize>>,
    /// One past the last node below each.
    ends: Vec<usize>,
    /// Whether a node is among those that are tried.
    inside: Vec<bool>,
    /// Frames of nodes that may still be rounded.
    effort: u64,
    pub(crate) tracks: Vec<NodeTracks>,
    /// Where each node came out at each frame, and where it would with what is tried.
    pub(crate) states: Vec<State>,
    tried: Vec<State>,
    /// Frames that were the last to be off by too much.
    hot: Vec<usize>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        scene: &Scene,
        samples: &'a Samples,
        reach: &'a Reach,
        tracks: Vec<NodeTracks>,
    ) -> Self {
        let parents = scene.skeleton().parents().iter().map(|p| p.map(|parent| parent.index()));
        let parents: Vec<Option<usize>> = parents.collect();
        let mut ends: Vec<usize> = (1..=parents.len()).collect();
        for node in (0..parents.len()).rev() {
            if let Some(parent) = parents[node] {
                ends[parent] = ends[parent].max(ends[node]);
            }
        }
        Self {
            states: vec![State::EXACT; samples.locals.len()],
            tried: Vec::new(),
            hot: Vec::new(),
            inside: vec![false; parents.len()],
            effort: 0,
            samples,
            reach,
            parents,
            ends,
            tracks,
        }
    }

    /// Finds steps that keep `limit` at every frame. `false` when even the finest do not.
    pub(crate) fn run(&mut self, limit: f32) -> bool {
        self.tried = vec![State::EXACT; self.states.len()];
        self.effort = EFFORT * self.states.len() as u64 + LEAST_EFFORT;
        let searched = self.searched();
        self.begin(&searched, limit);
        let fits = self.make_fit(&searched, limit);
        if fits {
            self.grow(&searched, limit);
        }
        // Nobody needs it when steps are written.
        self.tried = Vec::new();
        fits
    }

    fn searched(&self) -> Vec<Searched> {
        let mut found = Vec::new();
        for (node, tracks) in self.tracks.iter().enumerate() {
            found.extend(tracks.rotation.is_moving().then_some((node, true)));
            found.extend(tracks.translation.is_moving().then_some((node, false)));
        }
        found
    }

    /// Steps to begin with: a tenth of the bound for what a node moves directly.
    fn begin(&mut self, searched: &[Searched], limit: f32) {
        let frames = self.samples.frames();
        let mut levers = self.reach.radii.clone();
        for (node, parent) in self.parents.iter().enumerate() {
            let Some(parent) = *parent else { continue };
            let places = |node: usize| &self.samples.positions[node * frames..][..frames];
            let bones = places(node).iter().zip(places(parent)).map(|(a, b)| a.distance(*b));
            levers[parent] = levers[parent].max(bones.fold(0.0, f32::max));
        }
        for &(node, turns) in searched {
            let lever = if turns { levers[node].max(1e-20) } else { 0.5 * self.reach.above[node] };
            *self.code_mut((node, turns)) = code((0.1 * limit / lever).min(0.05));
        }
    }

    fn code_mut(&mut self, (node, turns): Searched) -> &mut u8 {
        let NodeTracks { rotation, translation, .. } = &mut self.tracks[node];
        let code = if turns { rotation.code_mut() } else { translation.code_mut() };
        code.expect("only moving tracks are searched")
    }

    /// Makes all steps finer until every frame keeps the limit.
    fn make_fit(&mut self, searched: &[Searched], limit: f32) -> bool {
        let roots = (0..self.parents.len()).filter(|node| self.parents[*node].is_none());
        let roots: Vec<usize> = roots.collect();
        let mut finer_by = 0;
        loop {
            let fits = roots.iter().all(|&root| {
                let fits = self.fits(root, limit);
                self.accept(root);
                fits
            });
            if fits {
                return true;
            }
            finer_by += u32::from(BACK);
            if finer_by > MAX_FINER || searched.is_empty() {
                return false;
            }
            for &track in searched {
                let code = self.code_mut(track);
                *code = code.saturating_sub(BACK);
            }
        }
    }

    fn grow(&mut self, searched: &[Searched], limit: f32) {
        for by in GROWTH {
            let mut open = searched.to_vec();
            while !open.is_empty() {
                open.retain(|&track| self.try_coarser(track, by, limit));
            }
        }
    }

    fn try_coarser(&mut self, track: Searched, by: u8, limit: f32) -> bool {
        let known = *self.code_mut(track);
        let most = if track.1 { COARSEST_ROTATION } else { COARSEST };
        if known >= most || self.effort == 0 {
            return false;
        }
        *self.code_mut(track) = known.saturating_add(by).min(most);
        let fits = self.fits(track.0, limit);
        if fits {
            self.accept(track.0);
        } else {
            *self.code_mut(track) = known;
        }
        fits
    }

    /// Whether a node and all below it keep the limit; leaves where they come out in `tried`.
    fn fits(&mut self, node: usize, limit: f32) -> bool {
        let hot = self.hot.clone();
        if self.round_below(node, limit, hot.iter().copied()).is_some() {
            return false;
        }
        let Some(frame) = self.round_below(node, limit, 0..self.samples.frames()) else {
            return true;
        };
        if self.hot.len() == HOT {
            self.hot.remove(0);
        }
        self.hot.push(frame);
        false
    }

    /// Takes over what was tried.
    fn accept(&mut self, node: usize) {
        let count = self.samples.frames();
        for below in (node..self.ends[node]).filter(|below| self.inside[*below]) {
            let range = below * count..(below + 1) * count;
            self.states[range.clone()].copy_from_slice(&self.tried[range]);
        }
    }

    /// Rounds a node and all below it; the first frame at which one is off by more than the limit.
    fn round_below(
        &mut self,
        first: usize,
        limit: f32,
        frames: impl ExactSizeIterator<Item = usize> + Clone,
    ) -> Option<usize> {
        let count = self.samples.frames();
        for node in first..self.ends[first] {
            self.inside[node] = node == first
                || self.parents[node].is_some_and(|parent| parent >= first && self.inside[parent]);
            if !self.inside[node] {
                continue;
            }
            self.effort = self.effort.saturating_sub(frames.len() as u64);
            let rounding = self.rounding(node);
            let parent = self.parents[node];
            for frame in frames.clone() {
                let above = parent.map(|parent| {
                    let states = if node == first { &self.states } else { &self.tried };
                    (parent * count + frame, states[parent * count + frame])
                });
                let (state, error, ..) = rounding.round(node * count + frame, above);
                if error > limit {
                    return Some(frame);
                }
                self.tried[node * count + frame] = state;
            }
        }
        None
    }

    pub(crate) fn rounding(&self, node: usize) -> Rounding<'a> {
        Rounding {
            samples: self.samples,
            tracks: self.tracks[node],
            radius: self.reach.radii[node],
            above: self.reach.above[node],
        }
    }
}
