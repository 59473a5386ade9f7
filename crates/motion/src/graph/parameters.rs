//! Handles of a graph's parameters, and the conditions that each kind of parameter allows.
//!
//! In:  a parameter that a [`GraphBuilder`](super::GraphBuilder) has added.
//! Out: a [`Condition`], which is the text that [`Transition::when`](super::Transition::when) holds; or a
//! [`Value`] that follows the parameter.

use std::fmt;

use super::data::Value;

/// A number of a graph that the program sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloatParameter {
    pub(super) name: String,
}

/// A switch of a graph that the program sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoolParameter {
    pub(super) name: String,
}

/// A trigger of a graph that the program fires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriggerParameter {
    pub(super) name: String,
}

/// Something that must hold for a transition to start.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Condition(String);

impl FloatParameter {
    /// Holds while the number is greater than `bound`.
    pub fn above(&self, bound: f32) -> Condition {
        self.compare(">", bound)
    }

    /// Holds while the number is `bound` or greater.
    pub fn at_least(&self, bound: f32) -> Condition {
        self.compare(">=", bound)
    }

    /// Holds while the number is less than `bound`.
    pub fn below(&self, bound: f32) -> Condition {
        self.compare("<", bound)
    }

    /// Holds while the number is `bound` or less.
    pub fn at_most(&self, bound: f32) -> Condition {
        self.compare("<=", bound)
    }

    fn compare(&self, sign: &str, bound: f32) -> Condition {
        Condition(format!("{} {sign} {bound}", self.name))
    }
}

impl BoolParameter {
    /// Holds while the switch is on.
    pub fn is_on(&self) -> Condition {
        Condition(self.name.clone())
    }

    /// Holds while the switch is off.
    pub fn is_off(&self) -> Condition {
        Condition(format!("not {}", self.name))
    }
}

impl TriggerParameter {
    /// Holds once the trigger has been fired, until a transition uses it.
    pub fn fired(&self) -> Condition {
        Condition(self.name.clone())
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Condition> for String {
    fn from(condition: Condition) -> Self {
        condition.0
    }
}

impl From<&FloatParameter> for Value {
    fn from(parameter: &FloatParameter) -> Self {
        Self::Parameter(parameter.name.clone())
    }
}

/// On is one, off is zero.
impl From<&BoolParameter> for Value {
    fn from(parameter: &BoolParameter) -> Self {
        Self::Parameter(parameter.name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_the_text_that_files_hold() {
        let speed = FloatParameter { name: "speed".into() };
        let grounded = BoolParameter { name: "grounded".into() };
        let jump = TriggerParameter { name: "jump".into() };
        let found = [
            speed.above(0.5),
            speed.at_least(1.0),
            speed.below(-0.25),
            speed.at_most(1e-7),
            grounded.is_on(),
            grounded.is_off(),
            jump.fired(),
        ];
        let wanted = [
            "speed > 0.5",
            "speed >= 1",
            "speed < -0.25",
            "speed <= 0.0000001",
            "grounded",
            "not grounded",
            "jump",
        ];
        assert_eq!(found.map(String::from), wanted);
    }
}
