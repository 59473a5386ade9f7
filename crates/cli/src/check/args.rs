//! What a person may ask of `sinew check`.

use std::path::PathBuf;

use sinew::check::{CheckOptions, Engine, Rule};

use crate::fault::Fault;

pub(crate) const EXAMPLES: &str = "Examples:
  sinew check hero.glb                         what is wrong with it, worst first
  sinew check hero.fbx --for unity             against the limits of an engine
  sinew check models/ 'more/**/*.fbx'          every model below a folder, on all cores
  sinew check hero.glb -o sheet.png            each finding, seen on the model
  sinew check --explain weight-sum             half a page on one rule; without a code: all of them
  sinew check --explain weight-sum -o fault.png    what it looks like, beside a sound figure
  sinew check models/ --write-baseline known.json      what is there today
  sinew check models/ --baseline known.json --strict   what has come since
  sinew check models/ --sarif check.sarif      for a code host's list of findings
  sinew check hero.fbx --mend hero.glb --also loop,tail

Exit code: 0 no errors (with --strict: no warnings either), 1 findings, 2 a file that cannot be read, or wrong usage.";

#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    /// Models: files, folders, patterns like `models/**/*.fbx`, or built in: `ossi`, `demo`.
    #[arg(required_unless_present = "explain")]
    pub(crate) files: Vec<PathBuf>,
    /// Explain a rule by its code, or by the glTF Validator's; without a code, list all rules.
    #[arg(long, value_name = "CODE", num_args = 0..=1, default_missing_value = "")]
    pub(crate) explain: Option<String>,
    /// Hold the model against an engine's limits: three, babylon, bevy, godot, unity, unreal.
    #[arg(long = "for", value_name = "ENGINE", value_parser = engine)]
    pub(crate) engine: Option<Engine>,
    /// Only these rules, by code, with commas between.
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Not these rules.
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) skip: Vec<String>,
    /// Warnings count as errors do.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Leave out what a file of known findings has, as --write-baseline writes it.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write all findings as known ones, for --baseline.
    #[arg(long, value_name = "FILE")]
    pub(crate) write_baseline: Option<PathBuf>,
    /// As JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Also write the findings as SARIF 2.1, for code hosts and editors.
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
    /// Draw each finding on the model, as one PNG; for one model. With --explain: a sound figure beside one with the fault.
    #[arg(short, long = "output", value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Mend what is safe to mend, and write the model as a GLB; for one model.
    #[arg(long, value_name = "FILE")]
    pub(crate) mend: Option<PathBuf>,
    /// Mend these as well, by code, with commas between.
    #[arg(long, value_name = "CODES", value_delimiter = ',', requires = "mend")]
    pub(crate) also: Vec<String>,
    /// A folder outside of the model's own that it may read companions from. May be given several times.
    #[arg(long, value_name = "DIR")]
    pub(crate) allow: Vec<PathBuf>,
    /// What one unit of the file is: m, cm, mm, in, ft, or a number of metres.
    #[arg(long, value_name = "UNIT", value_parser = crate::args::unit)]
    pub(crate) unit: Option<f32>,
}

fn engine(name: &str) -> Result<Engine, String> {
    Engine::named(name).ok_or_else(|| {
        let names: Vec<&str> = Engine::ALL.into_iter().map(Engine::name).collect();
        format!("expected {}", names.join(", "))
    })
}

/// The rule of a code, or what it could have been.
pub(crate) fn rule(code: &str) -> Result<&'static Rule, Fault> {
    Rule::named(code).ok_or_else(|| {
        let near = Rule::like(code);
        let hint = if near.is_empty() {
            "sinew check --explain lists them".to_owned()
        } else {
            format!("did you mean {}?", near.join(", "))
        };
        Fault::Usage(format!("there is no rule \"{code}\"; {hint}"))
    })
}

impl Check {
    pub(super) fn options(&self) -> Result<CheckOptions, Fault> {
        let codes = |names: &[String]| -> Result<Vec<&'static str>, Fault> {
            names.iter().map(|name| Ok(rule(name)?.code)).collect()
        };
        Ok(CheckOptions { engine: self.engine, only: codes(&self.only)?, skip: codes(&self.skip)? })
    }

    pub(super) fn import_options(&self) -> sinew::Options {
        sinew::Options { unit: self.unit, allow: self.allow.clone(), ..sinew::check::options() }
    }
}
