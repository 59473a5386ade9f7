//! Finds what is wrong with a rigged model: what, where, how much, why it matters and how to mend it.
//!
//! In:  an [`Imported`] model, read with [`options`]; an [`Engine`] that it is meant for, or none.
//! Out: [`Finding`]s, worst first. What reading itself mended is among them: the scene is sound, the file may not be.
//!
//! ```no_run
//! let model = sinew_check::options().open("hero.glb")?;
//! for finding in sinew_check::check(&model, &sinew_check::CheckOptions::default()) {
//!     println!("{} {}: {}", finding.severity, finding.code(), finding.message);
//!     println!("  {}; {}", finding.rule.why, finding.rule.how);
//! }
//! # Ok::<(), sinew_import::ImportError>(())
//! ```
//!
//! Every rule is an entry of [`Rule::all`]: its code is stable. `rules/` has one file for each group of them.

mod engine;
mod facts;
mod finding;
mod mend;
mod motion;
mod probes;
mod rule;
mod rules;
mod table;
mod validator;

pub use engine::{Engine, EngineProfile};
pub use finding::{Finding, Measured, Place, Severity};
pub use mend::{Mended, mend, on_request};
pub use rule::{Mend, Rule};
pub use validator::{Counterpart, VALIDATOR_CODES, counterpart};

use sinew_import::{Imported, Tangents};

/// What a check looks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckOptions {
    /// The engine that the model is meant for: its limits count. `None` holds it against what all of them take.
    pub engine: Option<Engine>,
    /// Only these rules, by code; all when empty.
    pub only: Vec<&'static str>,
    /// Not these rules.
    pub skip: Vec<&'static str>,
}

impl CheckOptions {
    fn wants(&self, rule: &Rule) -> bool {
        (self.only.is_empty() || self.only.contains(&rule.code)) && !self.skip.contains(&rule.code)
    }
}

/// How a file is to be read for a check: nothing is added that the file does not have.
#[must_use]
pub fn options() -> sinew_import::Options {
    sinew_import::Options { tangents: Tangents::Keep, ..sinew_import::Options::default() }
}

/// Looks at a model by every rule that is wanted; worst findings first.
#[must_use]
pub fn check(model: &Imported, options: &CheckOptions) -> Vec<Finding> {
    let facts = facts::Facts::new(model, options);
    let mut findings = rules::all(&facts);
    findings.retain(|finding| options.wants(finding.rule));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}
