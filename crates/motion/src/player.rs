//! A playhead: how time runs over a clip.
//!
//! In:  seconds that have passed.
//! Out: where in the clip that leads, and what happened meanwhile, by return value.
//!
//! The head is always within the clip, whatever the step: a step may be zero, negative, longer
//! than the clip many times over, or not a number (then nothing moves).

use crate::step::Step;

/// What happens at the end of a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopMode {
    /// The last pose holds and the player stops.
    Once,
    /// It starts over.
    #[default]
    Loop,
    /// It turns round and plays backward.
    PingPong,
}

/// What a step of a player did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// How often an end was passed: starts over, or turns.
    pub loops: u32,
    /// Whether the clip came to its end with this step. Said once.
    pub ended: bool,
}

/// A playhead over a clip of some length.
///
/// ```
/// use sinew_motion::{LoopMode, Player};
/// let mut player = Player::new(2.0, LoopMode::Loop);
/// let progress = player.advance(4.5);
/// assert_eq!((player.time(), progress.loops), (0.5, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Player {
    /// Double, so that an hour of small steps does not drift.
    pub(crate) time: f64,
    duration: f64,
    pub(crate) speed: f32,
    mode: LoopMode,
    /// A ping-pong plays backward.
    pub(crate) back: bool,
    pub(crate) playing: bool,
    /// Nothing has been passed since the start or a seek, not even what is at the head itself.
    pub(crate) fresh: bool,
}

impl Player {
    /// At the start of a clip of this length in seconds, playing forward.
    #[must_use]
    pub fn new(duration: f32, mode: LoopMode) -> Self {
        let duration = if duration.is_finite() { f64::from(duration.max(0.0)) } else { 0.0 };
        Self { time: 0.0, duration, speed: 1.0, mode, back: false, playing: true, fresh: true }
    }

    /// Seconds from the clip's start: never below zero, never above the duration.
    #[must_use]
    pub fn time(&self) -> f32 {
        self.time as f32
    }

    /// The clip's length in seconds.
    #[must_use]
    pub fn duration(&self) -> f32 {
        self.duration as f32
    }

    /// How fast time runs: 1 as filed, 0 stands still, negative runs backward.
    #[must_use]
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// Changes how fast time runs. What is not a finite number is taken as zero.
    pub fn set_speed(&mut self, speed: f32) {
        self.speed = if speed.is_finite() { speed } else { 0.0 };
    }

    /// What happens at the end.
    #[must_use]
    pub fn mode(&self) -> LoopMode {
        self.mode
    }

    /// Changes what happens at the end; a ping-pong begins forward.
    pub fn set_mode(&mut self, mode: LoopMode) {
        self.mode = mode;
        self.back = false;
    }

    /// Whether steps move the head.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// Goes on. At the end of a clip that plays once, it starts over: from the end when it runs backward.
    pub fn resume(&mut self) {
        self.playing = true;
        if self.mode == LoopMode::Once {
            if self.speed >= 0.0 && self.time >= self.duration {
                self.time = 0.0;
                self.fresh = true;
            } else if self.speed < 0.0 && self.time <= 0.0 {
                self.time = self.duration;
                self.fresh = true;
            }
        }
    }

    /// Stands still until [`resume`](Self::resume).
    pub fn pause(&mut self) {
        self.playing = false;
    }

    /// Jumps to a time, held within the clip. No marker counts as passed.
    pub fn seek(&mut self, time: f32) {
        self.time = if time.is_nan() { 0.0 } else { f64::from(time).clamp(0.0, self.duration) };
        self.fresh = true;
    }

    /// Lets `seconds` pass.
    pub fn advance(&mut self, seconds: f32) -> Progress {
        self.step(seconds).progress()
    }

    /// Lets `seconds` pass and reports what it went over: which [markers](Step::markers) were passed.
    pub fn step(&mut self, seconds: f32) -> Step {
        let step = f64::from(seconds) * f64::from(self.speed);
        let mut report = Step::still(self.time, self.duration);
        if !self.playing || !step.is_finite() || step == 0.0 {
            return report;
        }
        report.fresh = std::mem::replace(&mut self.fresh, false);
        report.forward = step > 0.0;
        report.moved = true;
        match self.mode {
            LoopMode::Once => {
                let wanted = self.time + step;
                report.progress = self.advance_once(step);
                report.after = ((wanted - self.time) / step).clamp(0.0, 1.0);
            }
            LoopMode::Loop => {
                report.progress = self.advance_loop(step);
                report.loops = report.progress.loops;
            }
            LoopMode::PingPong => {
                (report.loops, report.forward) = self.legs(step);
                report.bounce = true;
                report.progress = self.advance_ping_pong(step);
            }
        }
        report.to = self.time;
        report
    }

    fn advance_once(&mut self, step: f64) -> Progress {
        let time = self.time + step;
        self.time = time.clamp(0.0, self.duration);
        let ended = if step > 0.0 { time >= self.duration } else { time <= 0.0 };
        self.playing = !ended;
        Progress { loops: 0, ended }
    }

    /// Exactly at the end, the last key is shown; only past it the clip starts over.
    fn advance_loop(&mut self, step: f64) -> Progress {
        let time = self.time + step;
        if (0.0..=self.duration).contains(&time) {
            self.time = time;
            return Progress::default();
        }
        if self.duration == 0.0 {
            return Progress::default();
        }
        let passes = match step > 0.0 {
            true => (time / self.duration).ceil() - 1.0,
            false => (time / self.duration).floor(),
        };
        self.time = (time - passes * self.duration).clamp(0.0, self.duration);
        Progress { loops: passes.abs() as u32, ended: false }
    }

    /// Of a ping-pong's step: how many ends it goes past, and whether it begins forward.
    fn legs(&self, step: f64) -> (u32, bool) {
        if self.duration == 0.0 {
            return (0, true);
        }
        let before = if self.back { 2.0 * self.duration - self.time } else { self.time };
        let (from, to) = (before / self.duration, (before + step) / self.duration);
        let (first, last) = match step > 0.0 {
            true => (from.floor(), to.ceil() - 1.0),
            false => (from.ceil() - 1.0, to.floor()),
        };
        let outward = (first / 2.0).fract() == 0.0;
        ((last - first).abs() as u32, outward == (step > 0.0))
    }

    /// Out and back is a loop of twice the length, folded.
    fn advance_ping_pong(&mut self, step: f64) -> Progress {
        if self.duration == 0.0 {
            return Progress::default();
        }
        let whole = 2.0 * self.duration;
        let before = if self.back { whole - self.time } else { self.time };
        let after = before + step;
        // A change of direction counts when the end is reached, so that it counts once whatever the steps.
        let turns = match step > 0.0 {
            true => (after / self.duration).floor() - (before / self.duration).floor(),
            false => (before / self.duration).ceil() - (after / self.duration).ceil(),
        };
        let folded = after - (after / whole).floor() * whole;
        self.back = folded > self.duration;
        self.time = if self.back { whole - folded } else { folded }.clamp(0.0, self.duration);
        Progress { loops: turns.max(0.0) as u32, ended: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(mode: LoopMode, speed: f32, time: f32) -> Player {
        let mut player = Player::new(2.0, mode);
        player.set_speed(speed);
        player.seek(time);
        player
    }

    #[test]
    fn a_clip_that_plays_once_ends_once_and_holds_its_last_pose() {
        let mut player = player(LoopMode::Once, 1.0, 1.5);
        assert_eq!(player.advance(0.25), Progress::default());
        assert_eq!(player.advance(9.0), Progress { loops: 0, ended: true });
        assert_eq!(player.time(), 2.0);
        assert_eq!(player.advance(1.0), Progress::default());
        player.resume();
        assert_eq!(player.time(), 0.0);
    }

    #[test]
    fn a_loop_shows_its_last_key_and_then_starts_over() {
        let mut player = player(LoopMode::Loop, 1.0, 1.5);
        assert_eq!((player.advance(0.5).loops, player.time()), (0, 2.0));
        assert_eq!((player.advance(0.5).loops, player.time()), (1, 0.5));
        assert_eq!((player.advance(7.0).loops, player.time()), (3, 1.5));
        assert_eq!((player.advance(4.5).loops, player.time()), (2, 2.0));
    }

    #[test]
    fn a_loop_runs_backward() {
        let mut player = player(LoopMode::Loop, -1.0, 0.5);
        assert_eq!((player.advance(1.0).loops, player.time()), (1, 1.5));
        assert_eq!((player.advance(5.0).loops, player.time()), (2, 0.5));
    }

    #[test]
    fn a_ping_pong_turns_at_both_ends() {
        let mut player = player(LoopMode::PingPong, 1.0, 1.5);
        assert_eq!((player.advance(1.0).loops, player.time()), (1, 1.5));
        assert_eq!((player.advance(1.0).loops, player.time()), (0, 0.5));
        assert_eq!((player.advance(1.0).loops, player.time()), (1, 0.5));
        assert_eq!((player.advance(4.0).loops, player.time()), (2, 0.5));
        player.set_speed(-1.0);
        assert_eq!((player.advance(1.0).loops, player.time()), (1, 0.5));
    }

    #[test]
    fn a_ping_pong_counts_each_turn_once_whatever_the_step() {
        for step in [0.01, 0.13, 0.5, 1.0, 2.0, 3.7] {
            for sign in [1.0, -1.0] {
                let mut player = player(LoopMode::PingPong, sign, 1.0);
                let steps = (100.0_f32 / step) as usize;
                let turns: u32 = (0..steps).map(|_| player.advance(step).loops).sum();
                let whole = (1.0 + f64::from(step) * steps as f64) / 2.0;
                assert!((f64::from(turns) - whole).abs() <= 1.01, "{turns} turns for {whole}");
            }
        }
    }

    #[test]
    fn a_clip_of_no_length_stays_at_its_pose() {
        for mode in [LoopMode::Once, LoopMode::Loop, LoopMode::PingPong] {
            let mut player = Player::new(0.0, mode);
            let progress = player.advance(1.0);
            assert_eq!(player.time(), 0.0);
            assert_eq!(progress, Progress { loops: 0, ended: mode == LoopMode::Once });
        }
    }

    #[test]
    fn no_step_can_throw_the_head_off_the_clip() {
        for mode in [LoopMode::Once, LoopMode::Loop, LoopMode::PingPong] {
            let mut player = Player::new(2.0, mode);
            for step in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -f32::MAX, 1e-30] {
                player.advance(step);
                player.seek(f32::NAN);
                player.set_speed(f32::INFINITY);
                player.advance(1.0);
                player.set_speed(1.0);
                player.advance(step);
                assert!((0.0..=2.0).contains(&player.time()), "{mode:?} {step}: {player:?}");
            }
        }
    }

    #[test]
    fn an_hour_of_small_steps_does_not_drift() {
        let mut player = Player::new(1.0, LoopMode::Loop);
        for _ in 0..3600 * 60 {
            player.advance(1.0 / 64.0);
        }
        assert_eq!(player.time(), 1.0);
    }
}
