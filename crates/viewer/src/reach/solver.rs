//! What a modifier that reaches for a place does, in words.

use sinew::Modifier;

/// For the inspector.
pub(super) fn describe(modifier: &Modifier) -> &'static str {
    match modifier {
        Modifier::TwoBone(_) => "two bones bend",
        Modifier::LookAt(_) => "the head looks there",
        _ => "a chain of joints rotates",
    }
}
