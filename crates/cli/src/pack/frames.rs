//! How many frames a packed clip has, and how it goes from one to the next: for people and for programs.

use serde::Serialize;
use sinew::pack::Course;

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Frames {
    pub(crate) frames: usize,
    /// Frames a second; on average where they are not even.
    pub(crate) rate: f32,
    pub(crate) even: bool,
    pub(crate) course: &'static str,
}

impl Frames {
    pub(crate) fn new(frames: usize, rate: f32, even: bool, course: Course) -> Self {
        let course = match course {
            Course::Straight => "straight",
            Course::Smooth => "smooth",
            Course::Spans => "spans",
        };
        Self { frames, rate, even, course }
    }

    /// What follows the number of frames in a sentence.
    pub(crate) fn text(&self) -> String {
        if self.frames == 1 {
            return ", for the whole clip".into();
        }
        let even = if self.even { "" } else { " on average, denser where it moves more" };
        let way = match self.course {
            "straight" => "straight between them",
            "smooth" => "a cubic through them",
            _ => "a cubic through each four",
        };
        format!(" at {:.2} a second{even}, {way}", self.rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_from_frame_to_frame_has_words() {
        let text = |even, course| Frames::new(9, 4.0, even, course).text();
        assert_eq!(text(true, Course::Straight), " at 4.00 a second, straight between them");
        assert_eq!(text(true, Course::Smooth), " at 4.00 a second, a cubic through them");
        let denser = " at 4.00 a second on average, denser where it moves more";
        assert_eq!(text(false, Course::Spans), format!("{denser}, a cubic through each four"));
        assert_eq!(Frames::new(1, 0.0, true, Course::Straight).text(), ", for the whole clip");
    }
}
