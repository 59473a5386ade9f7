//! Findings as JSON: a list of files, each with its findings.

use std::io;

use serde_json::{Value, json};

use super::{Checked, Outcome, Said};

pub(super) fn write(out: &mut Vec<u8>, all: &[Outcome]) -> io::Result<()> {
    let files: Vec<Value> = all
        .iter()
        .map(|outcome| match outcome {
            Ok(checked) => file(checked),
            Err((path, error)) => json!({ "file": path.display().to_string(), "error": error }),
        })
        .collect();
    serde_json::to_writer_pretty(&mut *out, &files)?;
    out.push(b'\n');
    Ok(())
}

fn file(checked: &Checked) -> Value {
    let findings: Vec<Value> = checked.said().map(|said| finding(&said, checked)).collect();
    json!({ "file": checked.path.display().to_string(), "findings": findings, "known": checked.known })
}

fn finding(said: &Said<'_>, checked: &Checked) -> Value {
    let finding = said.finding;
    let scene = &checked.model.scene;
    let place = &finding.place;
    let measured = finding.measured;
    let mesh = place.instance.map(|instance| scene[scene[instance].mesh].name.clone());
    json!({
        "code": finding.code(),
        "severity": finding.severity.word(),
        "message": finding.message,
        "place": said.place,
        "mesh": mesh,
        "vertex": place.vertex,
        "joint": place.joint.map(|joint| scene.skeleton().node(joint).name.clone()),
        "clip": place.clip.map(|clip| scene[clip].name.clone()),
        "time": place.time.filter(|time| time.is_finite()),
        "material": place.material.map(|material| scene[material].name.clone()),
        "value": Some(measured.value).filter(|value| value.is_finite()),
        "limit": measured.limit,
        "unit": measured.unit,
        "count": finding.count,
        "why": finding.rule.why,
        "how": finding.rule.how,
        "mend": finding.rule.mend.word(),
        "validator": finding.rule.validator,
    })
}
