//! What a rule found: what, where and how much.
//!
//! A [`Finding`] is complete in itself: its message needs no other sentence to be understood, and its [`Place`] has
//! both words for people and ids for programs that show it.

use std::fmt;

use sinew_scene::{ClipId, InstanceId, JointId, MaterialId, Scene};

use crate::rule::Rule;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing looks wrong by it.
    Info,
    /// Looks wrong in some programs, or will surprise somebody.
    Warning,
    /// Looks wrong, or does not play.
    Error,
}

impl Severity {
    /// In one word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// Where a finding is. What does not apply is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Place {
    /// A mesh under a node.
    pub instance: Option<InstanceId>,
    /// A vertex of that mesh, counted over its primitives.
    pub vertex: Option<usize>,
    /// A joint or another node.
    pub joint: Option<JointId>,
    /// A clip.
    pub clip: Option<ClipId>,
    /// Seconds from the clip's start.
    pub time: Option<f32>,
    /// A material.
    pub material: Option<MaterialId>,
    /// In the file's own words, where nothing of the scene stands for it: `accessors[3]`.
    pub file: Option<String>,
}

impl Place {
    /// The model as a whole.
    #[must_use]
    pub fn whole() -> Self {
        Self::default()
    }

    pub(crate) fn joint(joint: JointId) -> Self {
        Self { joint: Some(joint), ..Self::default() }
    }

    pub(crate) fn instance(instance: InstanceId) -> Self {
        Self { instance: Some(instance), ..Self::default() }
    }

    pub(crate) fn clip(clip: ClipId) -> Self {
        Self { clip: Some(clip), ..Self::default() }
    }

    pub(crate) fn material(material: MaterialId) -> Self {
        Self { material: Some(material), ..Self::default() }
    }

    pub(crate) fn file(words: impl Into<String>) -> Self {
        Self { file: Some(words.into()), ..Self::default() }
    }

    pub(crate) fn at(mut self, time: f32) -> Self {
        self.time = Some(time);
        self
    }

    pub(crate) fn on(mut self, joint: JointId) -> Self {
        self.joint = Some(joint);
        self
    }

    pub(crate) fn vertex(mut self, vertex: usize) -> Self {
        self.vertex = Some(vertex);
        self
    }

    /// In words, with the names that the scene has: `clip "walk", joint "Hips", 0.53 s`.
    #[must_use]
    pub fn words(&self, scene: &Scene) -> String {
        let mut words = Vec::new();
        let named = |kind: &str, name: &str, index: usize| match name {
            "" => format!("{kind} {index}"),
            name => format!("{kind} {:?}", shortened(name)),
        };
        if let Some(clip) = self.clip {
            words.push(named("clip", &scene[clip].name, clip.index()));
        }
        if let Some(instance) = self.instance {
            let mesh = scene[instance].mesh;
            words.push(named("mesh", &scene[mesh].name, mesh.index()));
        }
        if let Some(vertex) = self.vertex {
            words.push(format!("vertex {vertex}"));
        }
        if let Some(joint) = self.joint {
            words.push(named("joint", &scene.skeleton().node(joint).name, joint.index()));
        }
        if let Some(material) = self.material {
            words.push(named("material", &scene[material].name, material.index()));
        }
        words.extend(self.time.map(|time| format!("{time:.3} s")));
        words.extend(self.file.clone());
        words.join(", ")
    }
}

/// At most so many letters of a name: names come from files.
fn shortened(name: &str) -> String {
    const LETTERS: usize = 60;
    let mut short: String = name.chars().take(LETTERS).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    short
}

/// A number with what it is held against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// What was found.
    pub value: f64,
    /// What it counts: `mm`, `°`, `vertices`; empty for a plain ratio.
    pub unit: &'static str,
    /// From where on it is a finding.
    pub limit: f64,
}

impl Measured {
    pub(crate) fn new(value: impl Into<f64>, unit: &'static str, limit: impl Into<f64>) -> Self {
        Self { value: value.into(), unit, limit: limit.into() }
    }

    pub(crate) fn count(value: usize, unit: &'static str, limit: usize) -> Self {
        Self { value: value as f64, unit, limit: limit as f64 }
    }
}

/// One thing that a rule found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// Which rule: its code, title, why it matters and how to mend it.
    pub rule: &'static Rule,
    /// How bad this one is; may be less than the rule's usual severity.
    pub severity: Severity,
    /// Where.
    pub place: Place,
    /// How much.
    pub measured: Measured,
    /// What was found, in one sentence with numbers.
    pub message: String,
    /// How often the same happened; the place is that of the worst.
    pub count: usize,
}

impl Finding {
    pub(crate) fn new(
        rule: &'static Rule,
        place: Place,
        measured: Measured,
        message: impl Into<String>,
    ) -> Self {
        let message = message.into();
        Self { rule, severity: rule.severity, place, measured, message, count: 1 }
    }

    pub(crate) fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    pub(crate) fn times(mut self, count: usize) -> Self {
        self.count = count;
        self
    }

    /// The rule's stable name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.rule.code
    }
}

/// A number with the noun that agrees with it: `1 vertex`, `3 vertices`.
pub(crate) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
