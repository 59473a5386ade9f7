//! How light becomes what a screen can show.

/// From light in the scene to light on the screen, after the exposure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// As it is, cut at 1: for measuring.
    None,
    /// Khronos PBR Neutral: base colours stay what they are, highlights roll off to white.
    #[default]
    Neutral,
    /// The filmic curve of the Academy's reference, fitted: more contrast, warm highlights.
    Aces,
    /// AgX: bright colours fade to white as on film, and never turn to another hue.
    Agx,
}

impl Tone {
    /// Every kind, by the name that people write.
    pub const ALL: [(&'static str, Self); 4] = [
        ("none", Self::None),
        ("neutral", Self::Neutral),
        ("aces", Self::Aces),
        ("agx", Self::Agx),
    ];

    /// The number that tone.wgsl knows it by.
    pub(crate) fn number(self) -> u8 {
        self as u8
    }
}

impl std::str::FromStr for Tone {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(name, _)| *name == text);
        let expected = || format!("expected none, neutral, aces or agx, found \"{text}\"");
        found.map(|(_, tone)| *tone).ok_or_else(expected)
    }
}
