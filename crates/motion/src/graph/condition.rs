//! Conditions of transitions: `speed > 0.5`, `grounded`, `not grounded`, `jump`.

use super::compile::Names;
use super::data::Parameter;

/// Something that must hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Condition {
    /// The parameter's value compares so with the number.
    Compare(usize, Order, f32),
    /// A switch is on, or off.
    Is(usize, bool),
    /// A trigger was fired; it is used up.
    Fired(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Below,
    AtMost,
    Above,
    AtLeast,
}

impl Condition {
    /// Reads a condition.
    pub(crate) fn read(text: &str, names: &Names<'_>) -> Result<Self, String> {
        for (sign, order) in [
            ("<=", Order::AtMost),
            (">=", Order::AtLeast),
            ("<", Order::Below),
            (">", Order::Above),
        ] {
            if let Some((name, number)) = text.split_once(sign) {
                let (at, parameter) = names.parameter(name.trim())?;
                let bound = number.trim().parse::<f32>().ok().filter(|bound| bound.is_finite());
                return match (parameter, bound) {
                    (Parameter::Float(_), Some(bound)) => Ok(Self::Compare(at, order, bound)),
                    (Parameter::Float(_), None) => {
                        Err(format!("\"{text}\": expected a number, found \"{}\"", number.trim()))
                    }
                    _ => Err(format!("\"{text}\": expected a number, found a switch")),
                };
            }
        }
        let (name, on) = match text.trim().strip_prefix("not ") {
            Some(name) => (name.trim(), false),
            None => (text.trim(), true),
        };
        match names.parameter(name)? {
            (at, Parameter::Bool(_)) => Ok(Self::Is(at, on)),
            (at, Parameter::Trigger(_)) if on => Ok(Self::Fired(at)),
            (_, Parameter::Trigger(_)) => {
                Err(format!("\"{text}\": a trigger can only be waited for"))
            }
            (_, Parameter::Float(_)) => {
                Err(format!("\"{text}\": expected <, <=, > or >= and a number"))
            }
        }
    }

    pub(crate) fn holds(self, values: &[f32]) -> bool {
        match self {
            Self::Compare(at, Order::Below, bound) => values[at] < bound,
            Self::Compare(at, Order::AtMost, bound) => values[at] <= bound,
            Self::Compare(at, Order::Above, bound) => values[at] > bound,
            Self::Compare(at, Order::AtLeast, bound) => values[at] >= bound,
            Self::Is(at, on) => (values[at] != 0.0) == on,
            Self::Fired(at) => values[at] != 0.0,
        }
    }
}
