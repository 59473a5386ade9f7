//! What one step of time went over in a clip, and the markers on it.
//!
//! In:  where a playhead was and is, and how often it passed an end in between.
//! Out: every marker that was passed, in the order of passing, without a buffer.
//!
//! Forward, the place that a step leaves does not count and the place where it arrives does;
//! backward likewise. So steps that follow each other report each marker exactly once per pass,
//! however the time is cut. At the start and after a seek, the place that is left counts too.

use sinew_scene::Marker;

use crate::Progress;

/// At most so many passes of one step are reported: the last ones.
const MAX_PASSES: u32 = 1024;

/// What one step of time did to a playhead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Seconds in the clip.
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) duration: f64,
    /// How many ends lie between.
    pub(crate) loops: u32,
    /// The direction in which the first stretch goes.
    pub(crate) forward: bool,
    /// At an end it turns round; otherwise it starts over.
    pub(crate) bounce: bool,
    /// The place it leaves counts.
    pub(crate) fresh: bool,
    pub(crate) moved: bool,
    /// What part of the step came after the end, of a clip that plays once.
    pub(crate) after: f64,
    pub(crate) progress: Progress,
}

/// One stretch in one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) forward: bool,
    /// The place it leaves counts.
    closed: bool,
}

impl Step {
    /// Nothing moved.
    pub(crate) fn still(time: f64, duration: f64) -> Self {
        Self {
            from: time,
            to: time,
            duration,
            loops: 0,
            forward: true,
            bounce: false,
            fresh: false,
            moved: false,
            after: 0.0,
            progress: Progress::default(),
        }
    }

    /// How often an end was passed, and whether the clip ended.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// The markers that were passed, in that order. A step over more than a thousand passes (a frame
    /// that took hours) reports those of its last 1024.
    ///
    /// ```
    /// use sinew_motion::{LoopMode, Player};
    /// use sinew_scene::Marker;
    /// let markers = [Marker::new("left", 0.0), Marker::new("right", 0.5)];
    /// let mut player = Player::new(1.0, LoopMode::Loop);
    /// let passed: Vec<_> = player.step(1.6).markers(&markers).map(|marker| &marker.name[..]).collect();
    /// assert_eq!(passed, ["left", "right", "left", "right"]);
    /// ```
    #[must_use]
    pub fn markers<'a>(&self, markers: &'a [Marker]) -> Passed<'a> {
        let leg = self.loops.saturating_sub(MAX_PASSES - 1);
        let mut passed = Passed { step: *self, markers, leg, lies: &[], forward: true };
        passed.enter();
        passed
    }

    /// Keeps only the first part of a step that does not bounce.
    pub(crate) fn shorten(&mut self, share: f64) {
        if !self.moved || self.duration <= 0.0 {
            return;
        }
        let sign = if self.forward { 1.0 } else { -1.0 };
        let along = |time: f64| if sign > 0.0 { time } else { self.duration - time };
        let (from, total) = (
            along(self.from),
            sign * (self.to - self.from) + f64::from(self.loops) * self.duration,
        );
        let kept = (total / (1.0 - self.after).max(f64::EPSILON) * share).min(total);
        let place = from + kept;
        let loops = ((place / self.duration).ceil() - 1.0).max(0.0);
        let to = along((place - loops * self.duration).clamp(0.0, self.duration));
        (self.loops, self.to) = (loops as u32, to);
    }

    /// The stretch with this number, from 0 to `loops`.
    pub(crate) fn stretch(&self, leg: u32) -> Stretch {
        let forward = self.forward != (self.bounce && !leg.is_multiple_of(2));
        let (begin, end) = if forward { (0.0, self.duration) } else { (self.duration, 0.0) };
        Stretch {
            from: if leg == 0 { self.from } else { begin },
            to: if leg == self.loops { self.to } else { end },
            forward,
            // Where it turns, the end was reported on arrival.
            closed: if leg == 0 { self.fresh } else { !self.bounce },
        }
    }
}

impl Stretch {
    fn markers<'a>(&self, markers: &'a [Marker]) -> &'a [Marker] {
        let before = |time: f64| markers.partition_point(|marker| f64::from(marker.time) < time);
        let until = |time: f64| markers.partition_point(|marker| f64::from(marker.time) <= time);
        let (low, high) = match (self.forward, self.closed) {
            (true, true) => (before(self.from), until(self.to)),
            (true, false) => (until(self.from), until(self.to)),
            (false, true) => (before(self.to), until(self.from)),
            (false, false) => (before(self.to), before(self.from)),
        };
        &markers[low..high.max(low)]
    }
}

/// The markers that a step passed: see [`Step::markers`].
#[derive(Clone, Debug)]
pub struct Passed<'a> {
    step: Step,
    markers: &'a [Marker],
    leg: u32,
    /// What of the current stretch is still to be reported.
    lies: &'a [Marker],
    forward: bool,
}

impl Passed<'_> {
    fn enter(&mut self) {
        if self.step.moved {
            let stretch = self.step.stretch(self.leg);
            self.lies = stretch.markers(self.markers);
            self.forward = stretch.forward;
        }
    }
}

impl<'a> Iterator for Passed<'a> {
    type Item = &'a Marker;

    fn next(&mut self) -> Option<&'a Marker> {
        loop {
            let next = if self.forward { self.lies.split_first() } else { self.lies.split_last() };
            if let Some((marker, rest)) = next {
                self.lies = rest;
                return Some(marker);
            }
            if self.markers.is_empty() || self.leg >= self.step.loops {
                return None;
            }
            self.leg += 1;
            self.enter();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shorter_step_is_the_beginning_of_the_longer() {
        let whole = Step { to: 1.5, loops: 2, moved: true, ..Step::still(0.5, 2.0) };
        let short = |share: f64| {
            let mut step = whole;
            step.shorten(share);
            (step.loops, step.to)
        };
        // Five seconds in all.
        assert_eq!(
            [short(1.0), short(0.5), short(0.3), short(0.0)],
            [(2, 1.5), (1, 1.0), (0, 2.0), (0, 0.5)]
        );
        let mut back =
            Step { forward: false, to: 1.5, loops: 1, moved: true, ..Step::still(0.5, 2.0) };
        back.shorten(0.25);
        assert_eq!((back.loops, back.to), (0, 0.25));
    }
}
