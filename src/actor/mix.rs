//! What an actor shows beside its clip: clips that fade out under it, inertia, or a graph.
//!
//! Each clip fades in over all that are below it, so a change may begin while another is under way
//! and nothing jumps. Poses are kept for the next change: only the first ones of each kind allocate.

use sinew_motion::graph::{Event, Playback};
use sinew_motion::{
    Cursor, Ease, Fade, Inertia, Layer, Player, Pose, Root, RootTracks, Step, blend, mean_way,
    sample,
};
use sinew_scene::{Scene, Transform};

/// So many clips at most play under the actor's own; the oldest two become one still pose.
const MOST: usize = 4;

/// What an actor shows beside its clip.
#[derive(Clone, Debug, Default)]
pub(super) struct Mix {
    /// Oldest first.
    under: Vec<Fading>,
    spare: Vec<Fading>,
    /// How far the actor's own clip has come in over them.
    fade: Option<Fade>,
    /// A place for its pose while others are mixed in.
    own: Option<Pose>,
    pub(super) inertia: Option<Box<Inertia>>,
    pub(super) graph: Option<Box<Playback>>,
    /// What carries, with the tracks of every clip that move it.
    pub(super) root: Option<Box<(Root, Vec<RootTracks>)>>,
    pub(super) carried: Transform,
    /// What the last step did to the actor's own clip, and how much of it was seen.
    pub(super) step: Option<Step>,
}

/// A clip on its way out.
#[derive(Clone, Debug)]
struct Fading {
    clip: Option<usize>,
    player: Player,
    cursor: Cursor,
    pose: Pose,
    /// How far it has come in over those below it.
    fade: Fade,
    step: Option<Step>,
    weight: f32,
    /// Its pose does not move any more.
    still: bool,
}

impl Mix {
    /// The clip that has been shown so far goes under the next.
    pub(super) fn push(
        &mut self,
        clip: Option<usize>,
        player: Player,
        cursor: &Cursor,
        pose: &Pose,
        next: Fade,
    ) {
        if self.under.len() == MOST {
            self.freeze();
        }
        let fade = self.fade.replace(next).unwrap_or_else(Fade::done);
        let kept = self.spare.pop();
        let mut fading = kept.unwrap_or_else(|| Fading {
            clip,
            player,
            cursor: cursor.clone(),
            pose: pose.clone(),
            fade,
            step: None,
            weight: 0.0,
            still: false,
        });
        (fading.clip, fading.player, fading.fade) = (clip, player, fade);
        (fading.step, fading.still) = (None, false);
        self.under.push(fading);
        self.own.get_or_insert_with(|| pose.clone());
    }

    /// The oldest two become one, as they are now: nothing jumps, and there is room for another.
    fn freeze(&mut self) {
        let oldest = self.under.remove(0);
        if let (Some(next), Some(out)) = (self.under.first_mut(), &mut self.own) {
            let share = next.fade.share();
            blend([Layer::new(&oldest.pose, 1.0 - share), Layer::new(&next.pose, share)], out);
            std::mem::swap(out, &mut next.pose);
            (next.clip, next.step, next.still) = (None, None, true);
        }
        self.spare.push(oldest);
    }

    /// Nothing is under the clip any more.
    pub(super) fn clear(&mut self) {
        self.spare.append(&mut self.under);
        self.fade = None;
        self.step = None;
        if let Some(inertia) = &mut self.inertia {
            inertia.forget();
        }
    }

    /// Time passes for what is under the clip.
    pub(super) fn advance(&mut self, seconds: f32) {
        let (mut rest, mut left) = (0.0, seconds);
        if let Some(fade) = &self.fade {
            (rest, left) = (1.0 - fade.mean(seconds), seconds.min(fade.left()));
        }
        for (at, fading) in self.under.iter_mut().enumerate().rev() {
            // What is seen for a part of the step has its mean over that part.
            let own = if at == 0 { 1.0 } else { fading.fade.mean(seconds) };
            let part = if left > 0.0 { seconds / left } else { 1.0 };
            fading.weight = (rest * own * part).min(1.0);
            rest *= 1.0 - own;
            fading.step = Some(fading.player.step(left));
            left = if at == 0 { left } else { left.min(fading.fade.left()) };
            fading.fade.advance(seconds);
        }
        if let Some(fade) = &mut self.fade {
            fade.advance(seconds);
        }
    }

    /// Drops what is covered. Later than [`advance`](Self::advance), so that its last events are told.
    pub(super) fn settle(&mut self) {
        if self.fade.is_some_and(|fade| fade.is_done()) {
            self.spare.append(&mut self.under);
            self.fade = None;
        }
        let covered = self.under.iter().rposition(|fading| fading.fade.is_done()).unwrap_or(0);
        self.spare.extend(self.under.drain(..covered));
    }

    /// Samples the clip, and over it whatever is still seen.
    pub(super) fn sample(
        &mut self,
        scene: &Scene,
        clip: Option<usize>,
        time: f32,
        cursor: &mut Cursor,
        out: &mut Pose,
    ) {
        let root = self.root.as_deref().map(|(root, _)| root);
        let write = |clip: Option<usize>, time: f32, cursor: &mut Cursor, pose: &mut Pose| {
            match clip {
                Some(clip) => sample(&scene.clips[clip], time, cursor, pose),
                None => pose.to_rest(),
            }
            if let Some(root) = root {
                root.hold(pose);
            }
        };
        let share = self.fade.as_ref().map_or(1.0, Fade::share);
        let Some(own) = self.own.as_mut().filter(|_| share < 1.0) else {
            return write(clip, time, cursor, out);
        };
        write(clip, time, cursor, own);
        for fading in self.under.iter_mut().filter(|fading| !fading.still) {
            write(fading.clip, fading.player.time(), &mut fading.cursor, &mut fading.pose);
        }
        let mut rest = 1.0 - share;
        let last = self.under.len();
        let under = (0..last).rev().map(|at| {
            let own = if at == 0 { 1.0 } else { self.under[at].fade.share() };
            let weight = rest * own;
            rest *= 1.0 - own;
            weight
        });
        let mut weights = [0.0; MOST];
        weights.iter_mut().zip(under).for_each(|(place, weight)| *place = weight);
        let under = self.under.iter().rev().zip(&weights);
        let under = under.map(|(fading, weight)| Layer::new(&fading.pose, *weight));
        blend(std::iter::once(Layer::new(own, share)).chain(under), out);
    }

    /// The marks that were passed in the last step.
    pub(super) fn events<'a>(
        &'a self,
        scene: &'a Scene,
        clip: Option<usize>,
    ) -> impl Iterator<Item = Event<'a>> {
        let weight = 1.0 - self.under.iter().map(|fading| fading.weight).sum::<f32>();
        let under = self.under.iter().map(|fading| (fading.clip, fading.step, fading.weight));
        let played = under.chain(std::iter::once((clip, self.step, weight)));
        let played = played.filter(|_| self.graph.is_none());
        let own = played.filter_map(|(clip, step, weight)| Some((clip?, step?, weight)));
        let own = own.filter(|(.., weight)| *weight > 0.0).flat_map(|(clip, step, weight)| {
            step.marks(&scene.clips[clip].marks).map(move |mark| Event {
                name: &mark.name,
                clip,
                time: mark.time,
                weight,
            })
        });
        own.chain(self.graph.iter().flat_map(|graph| graph.events()))
    }

    /// Works out how far the last step carried the character: the mean of all that was seen.
    pub(super) fn carry(&mut self, scene: &Scene, clip: Option<usize>) {
        let Some((root, tracks)) = self.root.as_deref() else { return };
        let weight = 1.0 - self.under.iter().map(|fading| fading.weight).sum::<f32>();
        let under = self.under.iter().map(|fading| (fading.clip, fading.step, fading.weight));
        let played = under.chain(std::iter::once((clip, self.step, weight)));
        self.carried = mean_way(played.map(|(clip, step, weight)| {
            let way = clip.zip(step).map_or(Transform::IDENTITY, |(clip, step)| {
                root.delta(&scene.clips[clip], &tracks[clip], &step)
            });
            (way, weight)
        }));
    }
}

/// A gentle way in.
pub(super) fn smooth(seconds: f32) -> Fade {
    Fade::new(seconds, Ease::Smooth)
}
