//! `sinew convert`: what is written, what is said of it, and what is refused.

mod turning;

use serde_json::Value;

use turning::{Folder, even, text, turning};

/// What a command says that fails with this code.
fn bad(folder: &Folder, code: i32, arguments: &[&str]) -> String {
    let output = folder.sinew(arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    said
}

fn names(folder: &Folder, file: &str, list: &str) -> Vec<String> {
    let facts = folder.json(&["info", "--json", file]);
    let all = facts[list].as_array().cloned().unwrap_or_default();
    all.iter().filter_map(|one| Some(one["name"].as_str()?.to_owned())).collect()
}

#[test]
fn a_character_becomes_a_glb_with_fewer_keys_within_the_bound() {
    let folder = Folder::new();
    let row = folder.json(&["convert", "ossi", "-o", "ossi.glb", "--error", "0.5mm", "--json"]);
    let number = |side: &str, what: &str| row[side][what].as_u64().unwrap_or_default();
    assert!(number("after", "keys") < number("before", "keys"), "{row}");
    assert_eq!(number("after", "clips"), number("before", "clips"));
    assert!(row["error_mm"].as_f64().is_some_and(|error| error <= 0.5), "{row}");
    let (said, _) = folder.good(&["convert", "ossi", "-o", "exact.glb", "--exact"]);
    assert!(
        said.starts_with("ossi → exact.glb\n  bytes   ") && said.contains("\n  error   "),
        "{said}"
    );
    assert_eq!(names(&folder, "exact.glb", "clips"), names(&folder, "ossi.glb", "clips"));
}

#[test]
fn clips_are_chosen_renamed_and_cut() {
    let folder = Folder::new();
    folder.write("take.gltf", turning(&["Take 001"], "LINEAR", &even()));
    let cut = |more: &[&str]| {
        folder.json(&[&["convert", "take.gltf", "-o", "cut.glb", "--json"], more].concat());
        let facts = folder.json(&["info", "--json", "cut.glb"]);
        let clips = facts["clips"].as_array().cloned().unwrap_or_default();
        let clip = |clip: &Value| {
            let name = clip["name"].as_str().unwrap_or_default().to_owned();
            (name, (clip["seconds"].as_f64().unwrap_or_default() * 1000.0).round())
        };
        clips.iter().map(clip).collect::<Vec<_>>()
    };
    assert_eq!(
        cut(&["--clip", "a=0..100ms", "--clip", "b=Take 001@3f..6f"]),
        [("a".to_owned(), 100.0), ("b".to_owned(), 100.0)]
    );
    folder.write("split.txt", "fps = 10\nslow = 0..2f # two frames\nfast, 0.1, 0.2\n");
    let split = cut(&["--split", "split.txt"]);
    assert_eq!(split, [("slow".to_owned(), 200.0), ("fast".to_owned(), 100.0)]);
}

#[test]
fn what_is_read_is_never_written_over() {
    let folder = Folder::new();
    folder.write("turn.gltf", turning(&["turn"], "LINEAR", &even()));
    let told = "is read, and cannot be written as well";
    folder.refused(&["convert", "turn.gltf", "-o", "./turn.gltf"], 2, told);
}

#[test]
fn what_cannot_be_done_is_refused_in_a_sentence() {
    let folder = Folder::new();
    folder.write("turn.gltf", turning(&["turn"], "LINEAR", &even()));
    for (more, code, expected) in [
        (&["-o", "x.dae"][..], 2, "expected .glb, .gltf, .fbx, .bvh or .skeleton_anim"),
        (&["-o", "x.bvh", "--draco"], 2, "--draco is for glTF"),
        (&["-o", "x.glb", "--clip", "run"], 1, "no clip \"run\"; there are: \"turn\""),
        (&["-o", "x.glb", "--clip", "turn=0..99s"], 1, "expected times from 0 to"),
        (&["-o", "x.glb", "--for", "quake"], 2, "expected one of three, babylon"),
        (&["-o", "none/x.glb"], 1, "there is no folder none"),
    ] {
        folder.refused(&[&["convert", "turn.gltf"], more].concat(), code, expected);
    }
}

#[test]
fn a_folder_is_converted_and_one_bad_file_stops_nothing() {
    let folder = Folder::new();
    std::fs::create_dir(folder.0.join("models")).expect("a folder");
    folder.write("models/a.gltf", turning(&["a"], "LINEAR", &even()));
    folder.write("models/bad.glb", "glTF and nothing else");
    folder.write("models/b.gltf", turning(&["../../b"], "LINEAR", &even()));
    let said = bad(&folder, 1, &["convert", "models", "-o", "small", "--to", "glb"]);
    assert!(said.contains("bad.glb") && said.contains("1 of 3 could not be converted"), "{said}");
    assert!(folder.0.join("small/a.glb").is_file() && folder.0.join("small/b.glb").is_file());
    assert!(!folder.0.join("small/bad.glb").exists());
    let said = bad(&folder, 2, &["convert", "models", "-o", "small"]);
    assert!(said.contains("expected --to glb"), "{said}");
}
