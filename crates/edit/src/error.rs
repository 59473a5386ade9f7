//! Why a scene cannot be edited as asked.

use std::fmt;

use sinew_scene::SceneError;

/// Why a scene cannot be edited as asked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EditError {
    /// A part of a clip was asked for that it does not have.
    Range {
        /// The clip's name.
        clip: String,
        /// Its length in seconds.
        duration: f32,
        /// From when, as asked.
        from: f32,
        /// To when, as asked.
        to: f32,
    },
    /// No clip has the name or number that was asked for.
    ClipNotFound {
        /// What was asked for.
        asked: String,
        /// The names of the clips that there are.
        found: Vec<String>,
    },
    /// A choice of clips could not be understood.
    Choice {
        /// What was written.
        text: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A line of a split file could not be understood.
    Line {
        /// Counted from 1.
        line: usize,
        /// Why.
        why: String,
    },
    /// A number that nothing can be done with.
    Number {
        /// Of what.
        what: &'static str,
        /// What it may be.
        expected: &'static str,
        /// What it is.
        found: f32,
    },
    /// There is no joint that could be the root of the motion.
    NoRoot {
        /// The clip's name.
        clip: String,
    },
    /// The edited parts are no scene any more.
    Scene(SceneError),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range { clip, duration, from, to } => {
                write!(
                    f,
                    "clip {clip:?}: expected times from 0 to {duration} s, found {from} to {to} s"
                )
            }
            Self::ClipNotFound { asked, found } if found.is_empty() => {
                write!(f, "no clip {asked:?}: there are no clips")
            }
            Self::ClipNotFound { asked, found } => {
                write!(f, "no clip {asked:?}; there are: {}", list(found))
            }
            Self::Choice { text, expected } => write!(f, "{text:?}: expected {expected}"),
            Self::Line { line, why } => write!(f, "line {line}: {why}"),
            Self::Number { what, expected, found } => {
                write!(f, "{what}: expected {expected}, found {found}")
            }
            Self::NoRoot { clip } => {
                write!(
                    f,
                    "clip {clip:?} moves no joint that could be the root: expected one to be named"
                )
            }
            Self::Scene(error) => write!(f, "{error}"),
        }
    }
}

/// Names in quotes; of many, the first.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("{name:?}")).collect();
    if names.len() > SHOWN {
        shown.push(format!("… {} in all", names.len()));
    }
    shown.join(", ")
}

impl std::error::Error for EditError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Scene(error) => Some(error),
            _ => None,
        }
    }
}

impl From<SceneError> for EditError {
    fn from(error: SceneError) -> Self {
        Self::Scene(error)
    }
}
