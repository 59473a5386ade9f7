//! How far a clip is off between its keys, where a player draws straight lines.
//!
//! In:  the keys that were made, and what the clip itself does half-way between them.
//! Out: the greatest distance of a joint, in metres. Jumps of the clip are left out: nothing lies between their sides.

use glam::Vec3;

use crate::feet::leg_at;
use crate::made::Made;
use crate::plant::Plan;
use crate::record::Record;
use crate::work::{Stage, Work};

/// Faster than this no joint of a body moves; leg lengths a second.
const CUT: f32 = 25.0;
/// Further than this from one key to the next, the two are as near the other way round; radians.
const FLIP: f32 = 1.75;
/// Faster than this nobody spins; radians a second.
const SPIN: f32 = 50.0;
/// The error between keys is looked at in so many places.
const MEASURED: usize = 200;

impl Work<'_> {
    /// How far joints are at worst, half-way between two keys, from where the clip would have them; metres. Looked at
    /// where most happens from one key to the next.
    pub(crate) fn key_error(
        &self,
        stage: &mut Stage<'_>,
        plan: &Plan,
        drops: &[f32],
        made: &Made,
    ) -> f32 {
        let mut spans = made.liveliest(MEASURED);
        spans.retain(|&at| !self.is_cut(at));
        let times = &self.record.times;
        let middles = spans.iter().map(|&at| (times[at] + times[at + 1]) / 2.0).collect();
        let record = Record::new(self.clip, self.from, &self.map.from, middles);
        let mut between = stage.figure.clone();
        let mut worst = 0.0_f32;
        for (middle, &at) in spans.iter().enumerate() {
            self.pose(&record, middle, Vec3::ZERO, stage);
            if self.is_planted(stage) {
                let plain = stage.legs.map(|leg| leg_at(&stage.figure, leg));
                let shift = |side: usize| (plan.shifts[side][at] + plan.shifts[side][at + 1]) / 2.0;
                let drop = (drops[at] + drops[at + 1]) / 2.0;
                self.plant(&record, middle, &plain, [shift(0), shift(1)], drop, stage);
            }
            made.between(at, &mut between);
            worst = worst.max(made.apart(&stage.figure, &between));
        }
        worst
    }

    /// Whether the clip goes on elsewhere at the next moment: captures often begin with a frame of some standing pose, and
    /// flip the twist of a straight limb. No motion leads from the one to the other, so none can be missed.
    fn is_cut(&self, at: usize) -> bool {
        let seconds = self.record.times[at + 1] - self.record.times[at];
        let moved = self.record.places(at).iter().zip(self.record.places(at + 1));
        let farthest = moved.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        let rotated = self.record.rotations(at).iter().zip(self.record.rotations(at + 1));
        let widest = rotated.map(|(a, b)| a.angle_between(*b)).fold(0.0, f32::max);
        self.ratio * farthest > CUT * self.leg * seconds || widest > FLIP.max(SPIN * seconds)
    }
}
