//! What is wrong with a model, as a list to walk through.
//!
//! In:  the file of a model, or what is built in. Out: findings in words, worst first, each with the place that it leads to.
//!
//! The file is read once more for it, as it is: what a viewer adds for drawing would hide what is missing.

use std::path::PathBuf;
use std::sync::Arc;

use sinew::check::{CheckOptions, Finding, Place, Severity};
use sinew::{Imported, Scene};

use crate::model::Model;
use crate::outline::Item;
use crate::state::State;

/// What is to be checked: a model by its number, and where it is.
#[derive(Debug)]
pub(crate) struct Wanted {
    model: u64,
    file: Option<PathBuf>,
    allow: Vec<PathBuf>,
    scene: Arc<Scene>,
}

/// The findings on one model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Findings {
    pub(crate) model: u64,
    /// Or why the file could not be read again.
    pub(crate) lines: Result<Vec<Line>, String>,
}

/// One finding, in words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) code: &'static str,
    pub(crate) severity: Severity,
    pub(crate) message: String,
    pub(crate) place: String,
    pub(crate) why: &'static str,
    pub(crate) how: &'static str,
    leads_to: Place,
}

impl Wanted {
    pub(crate) fn of(model: &Model, allow: &[PathBuf]) -> Self {
        let (file, scene) = (model.source.file.clone(), model.scene().clone());
        Self { model: model.id, file, allow: allow.to_vec(), scene }
    }

    /// Checks it; takes as long as reading the file, and longer for long clips.
    pub(crate) fn check(self) -> Findings {
        let options = sinew::Options { allow: self.allow, ..sinew::check::options() };
        let read = match &self.file {
            Some(file) => crate::disk::import(file, &options).map_err(|error| error.to_string()),
            None => Ok(Imported::from((*self.scene).clone())),
        };
        let lines = read.map(|model| {
            let found = sinew::check::check(&model, &CheckOptions::default());
            found.into_iter().map(|finding| Line::new(finding, &model.scene)).collect()
        });
        Findings { model: self.model, lines }
    }
}

impl Findings {
    /// How many there are, in words.
    pub(crate) fn title(&self) -> String {
        match &self.lines {
            Ok(lines) if lines.is_empty() => "Nothing was found".into(),
            Ok(lines) => crate::figures::counted(lines.len(), "finding", "findings"),
            Err(_) => "The file could not be checked".into(),
        }
    }
}

impl Line {
    fn new(finding: Finding, scene: &Scene) -> Self {
        Self {
            code: finding.code(),
            severity: finding.severity,
            place: finding.place.words(scene),
            why: finding.rule.why,
            how: finding.rule.how,
            message: finding.message,
            leads_to: finding.place,
        }
    }
}

impl State {
    /// What the panels say at this moment, for those who do not see them.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub(crate) fn spoken(&self) -> String {
        let diagnostics = self.diagnostics.iter();
        let mut said: Vec<String> =
            diagnostics.map(|it| format!("{}. {} {}", it.title, it.sentence, it.advice)).collect();
        if let Some(findings) = &self.findings {
            said.push(findings.title());
            let lines = findings.lines.iter().flatten();
            said.extend(lines.map(|line| {
                format!("{} {}: {} {}", line.severity.word(), line.code, line.message, line.place)
            }));
        }
        said.extend(self.toast.as_ref().map(|toast| toast.text.clone()));
        said.join("\n")
    }

    /// Goes to the place of a finding: its clip at its time, held still, with its joint or mesh selected and in the middle.
    pub(crate) fn go_to(&mut self, line: &Line) {
        let place = &line.leads_to;
        let Some(model) = self.model_mut() else { return };
        let (joints, clips) = (model.scene().skeleton().len(), model.scene().clips.len());
        let instances = model.scene().instances.len();
        if let Some(clip) = place.clip.filter(|clip| clip.index() < clips) {
            model.start(Some(clip), sinew::Transition::Cut);
            model.seek(place.time.unwrap_or(0.0));
            self.playing = false;
        }
        let joint = place.joint.filter(|joint| joint.index() < joints).map(Item::Joint);
        let mesh = place.instance.filter(|mesh| mesh.index() < instances).map(Item::Mesh);
        self.select(self.active, joint.or(mesh).or(Some(Item::Model)));
        self.act(crate::keys::Action::Frame);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::glam::Vec3;
    use sinew::scene::{Curve, Interpolation, Track};
    use sinew::{ClipId, JointId};

    /// The small rig, with a joint that has no size half-way through its clip.
    fn faulty() -> Model {
        let mut parts = sinew::demo().into_parts();
        let times = vec![0.0, 0.5, 1.0];
        let sizes = vec![Vec3::ONE, Vec3::ZERO, Vec3::ONE];
        let curve = Curve::new(times, sizes, Interpolation::Linear).expect("three keys");
        parts.clips[0].scales.push(Track { joint: JointId::new(1), curve });
        Model::built_in("faulty", Scene::new(parts).expect("whole"))
    }

    #[test]
    fn a_finding_leads_to_its_clip_time_and_joint() {
        let model = faulty();
        let found = Wanted::of(&model, &[]).check();
        let lines = found.lines.expect("nothing is read");
        let line = lines.iter().find(|line| line.leads_to.time.is_some()).expect("one is in time");
        let mut state = State { models: vec![model], ..State::default() };
        state.go_to(line);
        let model = state.model().expect("it is open");
        assert_eq!(model.clip(), Some(ClipId::new(0)), "{line:?}");
        assert_eq!(Some(model.actor.time()), line.leads_to.time);
        assert!(!state.playing);
        assert_eq!(state.joint(), line.leads_to.joint);
    }

    #[test]
    fn what_is_found_is_said_too() {
        let model = faulty();
        let findings = Some(Wanted::of(&model, &[]).check());
        let mut state = State { models: vec![model], findings, ..State::default() };
        state.say("saved hero.png");
        let said = state.spoken();
        let lines: Vec<&str> = said.lines().collect();
        let found = state.findings.as_ref().and_then(|found| found.lines.as_ref().ok());
        assert_eq!(lines.len(), found.map_or(0, Vec::len) + 2, "{said}");
        assert!(lines[0].contains("finding"), "{said}");
        assert_eq!(lines.last(), Some(&"saved hero.png"));
    }

    #[test]
    fn a_file_that_is_gone_is_a_sentence() {
        let mut model = faulty();
        model.source.file = Some("/nowhere/hero.glb".into());
        let found = Wanted::of(&model, &[]).check();
        assert!(found.lines.is_err_and(|why| why.contains("hero.glb")));
    }
}
