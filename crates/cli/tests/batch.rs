//! `sinew batch`: a folder tree through one task, with a bad file among the good.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of a test's own, gone when the test is.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("sinew-cli-batch-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn sinew(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.args(arguments).current_dir(&self.0).output().expect("sinew starts")
    }

    fn good(&self, arguments: &[&str]) -> String {
        let output = self.sinew(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Two clips in a tree, and a file that is none.
fn tree(name: &str) -> Folder {
    let folder = Folder::new(name);
    std::fs::create_dir_all(folder.0.join("in/deep")).expect("a folder");
    folder.good(&["convert", "ossi", "--clip", "walk", "-o", "in/walk.bvh"]);
    folder.good(&["convert", "ossi", "--clip", "run", "-o", "in/deep/run.bvh"]);
    std::fs::write(folder.0.join("in/bad.bvh"), "HIERARCHY nonsense").expect("a file");
    folder
}

#[test]
fn good_files_are_done_once_and_the_bad_one_is_listed() {
    let folder = tree("good");
    let arguments = [
        "batch", "retarget", "in", "-o", "out", "--onto", "ossi", "--rate", "30", "--report",
        "r.json",
    ];
    let said = folder.good(&arguments);
    assert!(said.contains("retarget: 2 done, 0 skipped, 1 failed of 3"), "{said}");
    assert!(said.contains("failed   bad.bvh: "), "{said}");
    assert!(folder.0.join("out/deep/run.glb").is_file());
    let said = folder.good(&arguments);
    assert!(said.contains("retarget: 0 done, 2 skipped, 1 failed of 3"), "{said}");
    let report = std::fs::read_to_string(folder.0.join("r.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["rows"].as_array().map(Vec::len), Some(3));
}

#[test]
fn the_report_is_a_table_for_other_programs() {
    let folder = tree("table");
    for file in ["r.csv", "r.parquet"] {
        folder.good(&["batch", "check", "in", "-o", "checked", "--report", file]);
    }
    let csv = std::fs::read_to_string(folder.0.join("r.csv")).expect("a report");
    assert!(csv.starts_with("file,status,message,seconds,clips,frames,outputs,size"), "{csv}");
    assert_eq!(csv.lines().count(), 4, "{csv}");
    let parquet = std::fs::read(folder.0.join("r.parquet")).expect("a report");
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    assert!(parquet.windows(12).any(|part| part == b"deep/run.bvh"));
}

#[test]
fn what_is_missing_is_said_before_anything_is_done() {
    let folder = tree("missing");
    for (arguments, message) in [
        (&["batch", "retarget", "in", "-o", "out"][..], "expected --onto CHARACTER"),
        (&["batch", "convert", "in"], "expected -o DIR"),
        (&["batch", "convert", "in", "-o", "out", "--to", "doc"], "expected glb, fbx, bvh or"),
        (&["batch", "check", "in", "--report", "r.txt"], "expected a name that ends in .json"),
    ] {
        let output = folder.sinew(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message), "{said}");
    }
    let output = folder.sinew(&["batch", "check", "nowhere"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("cannot read nowhere"));
}
