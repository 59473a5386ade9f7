//! Known findings: what is there today and is not to be reported again.
//!
//! A finding is known by its file, its code and its place in words. Numbers do not count: a fault that changes a
//! little is the same fault.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Checked, Outcome};
use crate::fault::Fault;
use crate::render::save;

/// Known findings by file: pairs of code and place.
pub(super) struct Baseline(BTreeMap<String, Vec<(String, String)>>);

pub(super) fn read(path: &Path) -> Result<Baseline, Fault> {
    let wrong = |error: String| Fault::Usage(format!("cannot read {}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    serde_json::from_str(&text).map(Baseline).map_err(|error| {
        wrong(format!("expected what sinew check --write-baseline writes: {error}"))
    })
}

/// A file's name with `/` between its folders, so that a baseline serves on every machine.
fn name(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}

pub(super) fn write(path: &Path, all: &[Outcome]) -> Result<(), Fault> {
    let mut known: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for checked in all.iter().flatten() {
        let list = known.entry(name(&checked.path)).or_default();
        list.extend(checked.said().map(|said| (said.finding.code().to_owned(), said.place)));
    }
    let mut bytes = serde_json::to_vec_pretty(&known)
        .map_err(|error| Fault::Work(format!("cannot write {}: {error}", path.display())))?;
    bytes.push(b'\n');
    save::save(path, &bytes)
}

impl Baseline {
    /// Leaves what is known out of a file's findings.
    pub(super) fn leave_out(&self, checked: &mut Checked) {
        let Some(known) = self.0.get(&name(&checked.path)) else { return };
        let mut known = known.clone();
        let scene = &checked.model.scene;
        let before = checked.findings.len();
        checked.findings.retain(|finding| {
            let place = finding.place.words(scene);
            let same = |(code, at): &(String, String)| code == finding.code() && *at == place;
            match known.iter().position(same) {
                Some(at) => {
                    known.swap_remove(at);
                    false
                }
                None => true,
            }
        });
        checked.known = before - checked.findings.len();
    }
}
