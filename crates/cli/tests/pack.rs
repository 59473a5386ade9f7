//! `sinew pack`: what is written, what is said of it, and what is refused.

mod turning;

use std::path::Path;

use serde_json::{Value, json};

use turning::{Folder, even, text, turning};

#[test]
fn what_was_mended_is_told_beside_the_result_unless_quiet() {
    let folder = Folder::new();
    let mut keys = even();
    (keys[4].1, keys[7].1) = (f32::NAN, f32::INFINITY);
    folder.write("some.gltf", turning(&["some"], "LINEAR", &keys));
    keys.iter_mut().for_each(|key| key.1 = f32::NAN);
    folder.write("all.gltf", turning(&["all"], "LINEAR", &keys));
    let mut keys = even();
    keys[3].0 = f32::NAN;
    folder.write("times.gltf", turning(&["times"], "LINEAR", &keys));

    let pack = |file: &str| ["pack", file, "-o", "x.sinewclip", "--error", "1mm"].map(String::from);
    let said = |file: &str, more: &[&str]| {
        let pack = pack(file);
        let arguments: Vec<&str> =
            pack.iter().map(String::as_str).chain(more.iter().copied()).collect();
        folder.good(&arguments)
    };
    let note = "note: keys are not finite, or are rotations without length: they are left out (animations[0].channels[0])\n";
    let (result, beside) = said("some.gltf", &[]);
    assert!(result.contains("1 moving") && !result.contains("note"), "{result}");
    assert_eq!(beside, note);
    assert_eq!(said("some.gltf", &["-q"]), (result.clone(), String::new()));
    assert_eq!(said("some.gltf", &["-v"]), (result, note.to_owned()));
    let (result, beside) = said("all.gltf", &[]);
    assert!(result.contains("0 moving, 0 constant"), "{result}");
    assert_eq!(
        beside,
        format!("{note}note: a track has no keys: it is left out (animations[0].channels[0])\n")
    );
    let times = "note: key times are not finite numbers: those keys are left out (accessors[0])\n";
    assert_eq!(said("times.gltf", &["--json"]).1, times);
}

#[test]
fn notes_on_images_are_not_told_unasked() {
    let folder = Folder::new();
    let mut file: Value =
        serde_json::from_str(&turning(&["turn"], "LINEAR", &even())).expect("JSON");
    file["images"] = json!([{ "uri": "no such.png" }]);
    file["textures"] = json!([{ "source": 0 }]);
    file["materials"] = json!([{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }]);
    folder.write("turn.gltf", file.to_string());
    let pack = ["pack", "turn.gltf", "-o", "x.sinewclip", "--error", "1mm"];
    assert_eq!(folder.good(&pack).1, "");
    let told = folder.good(&[&pack[..], &["-v"]].concat()).1;
    assert!(told.starts_with("note: ") && told.contains("no such.png"), "{told}");
}

#[test]
fn a_clip_of_no_length_is_one_frame() {
    let folder = Folder::new();
    folder.write("still.gltf", turning(&["still"], "LINEAR", &[(0.0, 0.5)]));
    for more in [&[][..], &["--sampled", "30"]] {
        let pack = ["pack", "still.gltf", "-o", "still.sinewclip", "--json"];
        let row = folder.json(&[&pack[..], more].concat());
        assert_eq!((&row["frames"], &row["constant"]), (&json!(1), &json!(1)));
    }
    let (said, _) = folder.good(&["pack", "still.gltf", "-o", "still.sinewclip"]);
    assert!(said.contains("\n  frames    1, for the whole clip, in segments of 1\n"), "{said}");
    let (said, _) = folder.good(&["info", "still.sinewclip"]);
    assert!(said.contains("still, 0.000 s\n  1 frame, for the whole clip\n"), "{said}");
}

#[test]
fn what_cannot_be_packed_is_refused_in_a_sentence_and_nothing_is_written() {
    let folder = Folder::new();
    folder.write("turn.gltf", turning(&["turn"], "LINEAR", &even()));
    folder.write("still.gltf", turning(&[], "LINEAR", &even()));
    folder.write("empty.gltf", "{\"asset\":{\"version\":\"2.0\"}}");
    let refused = |arguments: &[&str], told: &str| {
        folder.refused(&[&["pack"], arguments].concat(), 1, told);
    };
    let told = "has no clips to pack; --anim FILE adds those of another file";
    refused(&["still.gltf", "-o", "x"], &format!("sinew: still.gltf {told}\n"));
    refused(&["empty.gltf", "-o", "x"], &format!("sinew: empty.gltf {told}\n"));
    refused(
        &["turn.gltf", "-o", "x", "--clip", "fly"],
        "there is no clip \"fly\" among the 1: [\"turn\"]",
    );
    refused(
        &["turn.gltf", "-o", "x", "--error", "0.000000001mm"],
        "clip \"turn\": an error of 0.000000001 mm is out of reach: the best is 0.00",
    );
    refused(&["turn.gltf", "-o", "no/x"], "cannot write no/x: there is no folder no\n");
    refused(
        &["turn.gltf", "-o", "."],
        "cannot write .: it is there already and is no plain file\n",
    );

    // Of two clips the second cannot be packed: nothing of the first is written either.
    let jump = [(0.0, 0.0), (0.31, 1.0), (0.77, 0.3), (1.013, 0.9)];
    folder.write("jump.gltf", turning(&["jump"], "STEP", &jump));
    let both = ["turn.gltf", "--anim", "jump.gltf", "-o", "{clip}.sinewclip"];
    let fine = [&both[..], &["--error", "0.00000001mm"]].concat();
    refused(&fine, "an error of 0.00000001 mm is out of reach: the best is ");
    // Nor where the file of the second is no plain one; and it is known before the work is done.
    std::fs::create_dir(folder.0.join("jump.sinewclip")).expect("a folder");
    refused(&both, "cannot write jump.sinewclip: it is there already and is no plain file\n");
    std::fs::remove_dir(folder.0.join("jump.sinewclip")).expect("an empty folder");
    // Jumps are samples like any other, or followed as they are.
    for more in [&[][..], &["--sampled", "30"], &["--exact-curves"]] {
        let rows = folder.good(&[&["pack"], &both[..], more].concat()).0;
        let made =
            rows.contains("turn: turn.sinewclip\n") && rows.contains("jump: jump.sinewclip\n");
        assert!(made, "{rows}");
    }
}

#[test]
fn numbers_too_large_for_a_pose_are_refused_with_the_node() {
    let folder = Folder::new();
    let mut file: Value =
        serde_json::from_str(&turning(&["turn"], "LINEAR", &even())).expect("JSON");
    file["nodes"][0]["scale"] = json!([1e30, 1e30, 1e30]);
    file["nodes"][1]["scale"] = json!([1e30, 1e30, 1e30]);
    folder.write("vast.gltf", file.to_string());
    let told = "sinew: clip \"turn\": not finite at 0 s: expected numbers for node \"arm\"\n";
    folder.refused(&["pack", "vast.gltf", "-o", "x"], 1, told);
}

#[test]
fn wrong_usage_of_pack_is_exit_code_2_and_says_what_is_expected() {
    let folder = Folder::new();
    folder.write("turn.gltf", turning(&["turn"], "LINEAR", &even()));
    folder.write("two.gltf", turning(&["one", "two"], "LINEAR", &even()));
    let refused = |arguments: &[&str], told: &str| {
        folder.refused(&[&["pack"], arguments].concat(), 2, told);
    };
    for wrong in ["0mm", "nan", "nanmm", "infm", "5", "", "0.1 inch"] {
        let told =
            format!("'{wrong}' for '--error <LENGTH>': expected a length above zero with its unit");
        refused(
            &["turn.gltf", "-o", "x", "--error", wrong],
            if wrong.is_empty() { "above zero" } else { &told },
        );
    }
    refused(
        &["turn.gltf", "-o", "x", "--error=-1mm"],
        "expected a length above zero with its unit",
    );
    for option in ["--sampled", "--rate"] {
        for wrong in ["0", "-30", "nan", "inf", "1001", "fast"] {
            let told = format!(
                "'{wrong}' for '--rate <HZ>': expected frames a second, above 0 and up to 1000"
            );
            refused(&["turn.gltf", "-o", "x", option, wrong], &told);
        }
    }
    refused(
        &["two.gltf", "-o", "x.sinewclip"],
        "the file has 2 clips: choose one with --clip, or put {clip} in the name, as -o '{clip}.sinewclip'",
    );
    refused(
        &["turn.gltf", "-o", "./turn.gltf"],
        "turn.gltf is read, and cannot be written as well",
    );
    refused(
        &["two.gltf", "--anim", "turn.gltf", "-o", "turn.gltf", "--clip", "0"],
        "expected another OUT",
    );
    refused(&["turn.gltf"], "--output <OUT>");
}

#[test]
fn clips_whose_names_are_the_same_as_files_get_files_of_their_own() {
    let folder = Folder::new();
    folder.write("clash.gltf", turning(&["a|b", "a_b", "A/B", "", "../c"], "LINEAR", &even()));
    let pack = ["pack", "clash.gltf", "-o", "{clip}.sinewclip", "--error", "1cm", "--json"];
    let (rows, said) = folder.good(&pack);
    assert_eq!(said, "");
    let rows: Vec<Value> =
        rows.lines().map(|row| serde_json::from_str(row).expect("JSON")).collect();
    let expected = [
        ("a|b", "a_b.sinewclip"),
        ("a_b", "a_b (2).sinewclip"),
        ("A/B", "A_B (3).sinewclip"),
        ("", "3.sinewclip"),
        ("../c", ".._c.sinewclip"),
    ];
    for (row, (clip, file)) in rows.iter().zip(expected) {
        assert_eq!((&row["clip"], &row["file"]), (&json!(clip), &json!(file)));
        assert_eq!(folder.json(&["info", file, "--json"])["clips"][0]["name"], clip);
    }
    assert_eq!((rows.len(), folder.files().len()), (5, 6));
    // A clip without a name keeps its number when it is chosen alone.
    folder.good(&["pack", "clash.gltf", "-o", "only {clip}.sinewclip", "--clip", "3"]);
    assert!(folder.files().contains(&"only 3.sinewclip".to_owned()));
}

#[test]
fn a_clip_that_is_no_whole_number_of_frames_long_is_sampled_at_the_nearest_rate_that_is() {
    let folder = Folder::new();
    // 139 gaps of a 24th: 5.792 s, which are 173.75 at 30 a second.
    let key = |key: u32| (key as f32 / 24.0, (f64::from(key) * 0.7).sin() as f32);
    folder.write("long.gltf", turning(&["long"], "LINEAR", &(0..140).map(key).collect::<Vec<_>>()));
    let row = folder.json(&["pack", "long.gltf", "-o", "x.sinewclip", "--sampled", "30", "--json"]);
    assert_eq!(row["samples"], 175);
    let rate = row["rate"].as_f64().expect("a number");
    assert!((rate - 174.0 * 24.0 / 139.0).abs() < 1e-3, "{rate}");
}

#[test]
fn what_is_lost_between_samples_is_told() {
    let folder = Folder::new();
    // Half a radian there and back within a tenth of a second; the arm is a metre long.
    let keys = [(0.0, 0.0), (0.5, 0.0), (0.55, 0.5), (0.6, 0.0), (1.0, 0.0)];
    folder.write("twitch.gltf", turning(&["twitch"], "LINEAR", &keys));
    let arguments = ["pack", "twitch.gltf", "-o", "x.sinewclip", "--error", "1mm"];
    let sampled = [&arguments[..], &["--sampled", "10"]].concat();
    let row = folder.json(&[&sampled[..], &["--json"]].concat());
    let number = |row: &Value, name: &str| row[name].as_f64().expect("a number");
    // The arm's shell of 10 cm is on top.
    let off = 2200.0 * 0.25_f64.sin();
    assert!(
        (number(&row, "loss_mm") - off).abs() < 1.0 && number(&row, "error_mm") < 0.01,
        "{row}"
    );
    let said = folder.good(&sampled).0;
    assert!(said.contains("  loss      between samples the clip itself is up to 544.2"), "{said}");
    // Followed as it is, nothing is lost.
    let exact = [&arguments[..], &["--exact-curves"]].concat();
    let row = folder.json(&[&exact[..], &["--json"]].concat());
    assert!(number(&row, "loss_mm") <= 1.0, "{row}");
    assert!(!folder.good(&exact).0.contains("  loss "));
}

#[test]
fn progress_and_notes_are_never_among_the_results() {
    let folder = Folder::new();
    let output =
        folder.sinew(&["pack", "demo", "-o", "{clip}.sinewclip", "--error", "1cm", "--json"]);
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
    for line in text(&output.stdout).lines() {
        let row: Value = serde_json::from_str(line).expect("JSON, and nothing else");
        assert!(Path::new(row["file"].as_str().expect("a name")).extension().is_some());
        assert!(row["error_mm"].as_f64().expect("a number") <= 10.0, "{row}");
    }
    // Nothing half done is left beside.
    let names = folder.files();
    assert!(names.iter().all(|name| name.ends_with(".sinewclip")), "{names:?}");
    assert_eq!(names.len(), text(&output.stdout).lines().count());
}

#[test]
fn a_folder_is_packed_with_a_file_for_every_clip_of_every_model() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("models/more")).expect("folders");
    folder.write("models/turn.gltf", turning(&["a", "b"], "LINEAR", &even()));
    folder.write("models/more/turn.gltf", turning(&["a"], "LINEAR", &even()));
    folder.write("models/more/readme.txt", "no model");
    let (rows, said) = folder.good(&["pack", "models", "-o", "out", "--error", "1mm", "--json"]);
    let files: Vec<String> = rows
        .lines()
        .map(|row| serde_json::from_str::<Value>(row).expect("JSON")["file"].to_string())
        .collect();
    let expected = ["out/more/turn/a", "out/turn/a", "out/turn/b"];
    assert_eq!(files, expected.map(|name| format!("\"{name}.sinewclip\"")));
    assert_eq!(said, "");
    for name in expected {
        assert!(folder.0.join(format!("{name}.sinewclip")).exists(), "{name}");
    }
    folder.write("models/broken.glb", b"glTF and nothing else");
    let output = folder.sinew(&["pack", "models", "-o", "out", "--error", "1mm"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("broken.glb") && said.contains("1 of 4 could not be packed"), "{said}");
    folder.refused(&["pack", "models", "-o", "out", "--clip", "a"], 2, "not for a folder");
}
