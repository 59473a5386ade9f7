//! What a camera is asked to show: from which side, how much of the character, and whether it goes along.
//!
//! In:  words of a person.
//! Out: a [`Shot`], which [`Stage::frame_shot`](super::Stage::frame_shot) turns into cameras.

use std::fmt;
use std::str::FromStr;

use sinew_render::View;

/// What is to fill the image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Subject {
    /// Everyone, from head to feet, with the shadow.
    #[default]
    Full,
    /// Head and shoulders.
    Portrait,
    /// Both hands.
    Hands,
    /// A joint, by name or number, and what hangs on it.
    Joint(String),
}

impl FromStr for Subject {
    type Err = SubjectError;

    fn from_str(text: &str) -> Result<Self, SubjectError> {
        match text.trim() {
            "full" => Ok(Self::Full),
            "portrait" => Ok(Self::Portrait),
            "hands" => Ok(Self::Hands),
            other => match other.split_once(':') {
                Some(("joint", name)) if !name.is_empty() => Ok(Self::Joint(name.to_owned())),
                _ => Err(SubjectError(other.chars().take(40).collect())),
            },
        }
    }
}

/// Nothing that a camera could show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubjectError(String);

impl fmt::Display for SubjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected full, portrait, hands or joint:NAME, found \"{}\"", self.0)
    }
}

impl std::error::Error for SubjectError {}

/// Whether a camera goes along with whom it shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// Where the subject would be small otherwise.
    #[default]
    Auto,
    /// Always, by the hips.
    Hips,
    /// Never: one place has the whole of the clip in the image.
    None,
}

impl FromStr for Follow {
    type Err = FollowError;

    fn from_str(text: &str) -> Result<Self, FollowError> {
        match text.trim() {
            "auto" => Ok(Self::Auto),
            "hips" => Ok(Self::Hips),
            "none" => Ok(Self::None),
            other => Err(FollowError(other.chars().take(40).collect())),
        }
    }
}

/// No way to follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowError(String);

impl fmt::Display for FollowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected auto, hips or none, found \"{}\"", self.0)
    }
}

impl std::error::Error for FollowError {}

/// What a camera is asked to show.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// From which side of the character.
    pub view: View,
    /// What fills the image.
    pub subject: Subject,
    /// Whether the camera goes along.
    pub follow: Follow,
    /// The vertical angle, in radians.
    pub fov_y: f32,
    /// Whether the camera will go around: then nothing leaves the image on the way.
    pub turntable: bool,
}

impl Default for Shot {
    /// Three-quarter view of everyone, with a short portrait lens.
    fn default() -> Self {
        Self {
            view: View::ThreeQuarter,
            subject: Subject::Full,
            follow: Follow::Auto,
            fov_y: super::FOV,
            turntable: false,
        }
    }
}

/// What was to be shown is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShotError {
    /// No member has such a joint.
    NoJoint(String),
    /// No head or no hands were found in any skeleton.
    NoPart(&'static str),
}

impl fmt::Display for ShotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoJoint(name) => {
                write!(f, "there is no joint \"{name}\" to look at; sinew info lists them")
            }
            Self::NoPart(part) => {
                write!(f, "no {part} found in the skeleton: expected joint:NAME instead")
            }
        }
    }
}

impl std::error::Error for ShotError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_subjects_and_others_are_named() {
        assert_eq!("portrait".parse(), Ok(Subject::Portrait));
        assert_eq!("joint:a:b".parse(), Ok(Subject::Joint("a:b".into())));
        let error = "joint:".parse::<Subject>().expect_err("no name").to_string();
        assert!(error.contains("joint:NAME") && error.contains("\"joint:\""), "{error}");
        assert_eq!("hips".parse(), Ok(Follow::Hips));
        assert!("feet".parse::<Follow>().is_err());
    }
}
