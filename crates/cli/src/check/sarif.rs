//! Findings as SARIF 2.1.0, which code hosts and editors show.
//!
//! A model has no lines, so a place is a logical location: the clip, mesh or joint in words.

use serde_json::{Value, json};
use sinew::check::{Rule, Severity};

use super::Outcome;
use crate::fault::Fault;

pub(super) fn write(all: &[Outcome]) -> Result<Vec<u8>, Fault> {
    let rules: Vec<Value> = Rule::all().iter().map(rule).collect();
    let mut results = Vec::new();
    let mut unreadable = Vec::new();
    for outcome in all {
        match outcome {
            Err((path, error)) => unreadable.push(json!({
                "level": "error",
                "message": { "text": error },
                "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(path) } } }],
            })),
            Ok(checked) => {
                for said in checked.said() {
                    let finding = said.finding;
                    let mut text = finding.message.clone();
                    if !said.place.is_empty() {
                        text = format!("{text} ({})", said.place);
                    }
                    results.push(json!({
                        "ruleId": finding.code(),
                        "level": level(finding.severity),
                        "message": { "text": text },
                        "locations": [{
                            "physicalLocation": { "artifactLocation": { "uri": uri(&checked.path) } },
                            "logicalLocations": [{ "fullyQualifiedName": said.place }],
                        }],
                        "partialFingerprints": {
                            "place/v1": format!("{}:{}", finding.code(), said.place),
                        },
                    }));
                }
            }
        }
    }
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "sinew check",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "invocations": [{
                "executionSuccessful": unreadable.is_empty(),
                "toolExecutionNotifications": unreadable,
            }],
            "results": results,
        }],
    });
    serde_json::to_vec_pretty(&log)
        .map_err(|error| Fault::Work(format!("cannot write SARIF: {error}")))
}

fn rule(rule: &Rule) -> Value {
    json!({
        "id": rule.code,
        "shortDescription": { "text": rule.title },
        "fullDescription": { "text": rule.explanation },
        "help": { "text": format!("{}. To mend: {}.", rule.why, rule.how) },
        "defaultConfiguration": { "level": level(rule.severity) },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// A path as a relative reference: no sign in it means anything else.
fn uri(path: &std::path::Path) -> String {
    let text = path.display().to_string().replace('\\', "/");
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_reference_whatever_signs_it_has() {
        assert_eq!(uri(std::path::Path::new("a b/ä#1.glb")), "a%20b/%C3%A4%231.glb");
    }
}
