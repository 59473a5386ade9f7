//! Batches over folders made by code.

use super::*;

/// A folder with two good files, in a tree, and a bad one.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sinew-batch-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("in/walks")).expect("a folder");
        let demo = sinew_ossi::demo();
        let glb =
            sinew_export::glb(&demo, &sinew_export::GltfOptions::default()).expect("it writes");
        for file in ["in/a.glb", "in/walks/b.glb"] {
            std::fs::write(path.join(file), &glb.bytes).expect("a file");
        }
        std::fs::write(path.join("in/bad.bvh"), "HIERARCHY nonsense").expect("a file");
        std::fs::write(path.join("in/readme.txt"), "no model").expect("a file");
        Self(path)
    }

    fn batch(&self, task: BatchTask) -> Batch {
        Batch::new(self.0.join("in"), self.0.join("out"), task)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn good_files_are_done_and_a_bad_one_is_a_row() {
    let folder = Folder::new("convert");
    let batch = folder.batch(BatchTask::Convert { format: BatchFormat::Glb, rate: None });
    let report = batch.run(&|_| true).expect("it runs");
    assert_eq!((report.done(), report.failed(), report.rows.len()), (2, 1, 3));
    let bad = report.rows.iter().find(|row| row.file == "bad.bvh").expect("a row");
    assert!(bad.message.contains("bad.bvh"), "{}", bad.message);
    assert!(folder.0.join("out/walks/b.glb").is_file());
    assert!(report.to_string().contains("convert: 2 done, 0 skipped, 1 failed of 3"), "{report}");
}

#[test]
fn what_is_done_is_skipped_until_the_input_or_the_task_changes() {
    let folder = Folder::new("resume");
    let sample = |rate| folder.batch(BatchTask::Sample { rate });
    // Stopped after the first file; on one thread, so that no other has begun.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let first = pool.install(|| sample(30.0).run(&|_| false)).expect("it runs");
    assert_eq!((first.rows.len(), first.unfinished), (1, 2), "{first:?}");
    let second = sample(30.0).run(&|_| true).expect("it runs");
    assert_eq!(second.rows.len(), 3);
    assert_eq!(second.skipped() + second.done(), 2);
    let third = sample(30.0).run(&|_| true).expect("it runs");
    assert_eq!((third.done(), third.skipped(), third.failed()), (0, 2, 1));
    assert_eq!(sample(60.0).run(&|_| true).expect("it runs").done(), 2);
    let output = folder.0.join("out").join(&third.rows[0].outputs[0]);
    std::fs::remove_file(output).expect("a result");
    assert_eq!(sample(60.0).run(&|_| true).expect("it runs").done(), 1);
}

#[test]
fn a_line_of_the_manifest_that_was_cut_short_is_done_again() {
    let folder = Folder::new("cut");
    let batch = folder.batch(BatchTask::Check { engine: None });
    batch.run(&|_| true).expect("it runs");
    let path = folder.0.join("out/sinew-batch.jsonl");
    let text = std::fs::read(&path).expect("a manifest");
    std::fs::write(&path, &text[..text.len() - 20]).expect("cut");
    let report = batch.run(&|_| true).expect("it runs");
    assert_eq!(report.rows.len(), 3);
    let whole = std::fs::read_to_string(&path).expect("a manifest");
    assert!(whole.ends_with("}\n"), "{whole}");
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    let batch = Batch::new("nowhere/at/all", "nowhere/out", BatchTask::Check { engine: None });
    let error = batch.run(&|_| true).expect_err("there is none");
    assert!(error.message.starts_with("cannot read nowhere/at/all"), "{error}");
}
