//! `sinew diff`: what it measures, what it says, and its exit codes.

mod turning;

use serde_json::Value;

use turning::{Folder, even, text, turning};

/// A folder with `a.gltf`, whose arm turns by a radian in a second, and `b.gltf`, whose arm is 0.01 rad ahead at 0.5 s.
fn two() -> Folder {
    let folder = Folder::new();
    folder.write("a.gltf", turning(&["turn"], "LINEAR", &even()));
    let mut keys = even();
    keys[5].1 += 0.01;
    folder.write("b.gltf", turning(&["turn"], "LINEAR", &keys));
    folder
}

fn code(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = folder.sinew(&[&["diff"], arguments].concat());
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The same as JSON, whatever the exit code.
fn json(folder: &Folder, arguments: &[&str]) -> Value {
    let (_, out, _) = code(folder, &[arguments, &["--json"]].concat());
    serde_json::from_str(&out).expect("JSON")
}

#[track_caller]
fn near(found: &Value, expected: f64) {
    let found = found.as_f64().expect("a number");
    assert!((found - expected).abs() < 1e-3, "expected {expected}, found {found}");
}

#[test]
fn a_file_is_the_same_as_itself() {
    let folder = two();
    let (code, out, said) = code(&folder, &["a.gltf", "a.gltf", "--max", "0", "--max-angle", "0"]);
    assert_eq!((code, &said[..]), (Some(0), ""), "{out}");
    assert!(out.contains("same     every vertex and joint is where it was\n"), "{out}");
    assert!(out.ends_with("within the limits\n"), "{out}");
    let found = folder.json(&["diff", "a.gltf", "a.gltf", "--json"]);
    assert_eq!(
        (&found["within"], &found["clips"][0]["joints"]["rms_mm"]),
        (&true.into(), &0.0.into())
    );
}

#[test]
fn a_joint_that_is_off_is_measured_named_and_over_the_limit() {
    let folder = two();
    let (status, out, said) = code(&folder, &["a.gltf", "b.gltf"]);
    assert_eq!(status, Some(1));
    assert_eq!(said, "sinew: 1 difference is over the limits\n");
    // 0.01 rad at a metre are 10 mm.
    assert!(out.contains("joint    turn at 0.500 s: arm is 10.0 mm off\n"), "{out}");
    assert!(out.contains("angle    turn at 0.500 s: hip is rotated 0.573° off\n"), "{out}");
    assert!(
        out.contains("OVER     turn: joint arm is 10.0 mm off, and 0.100 mm is the limit\n"),
        "{out}"
    );

    let found = json(&folder, &["a.gltf", "b.gltf"]);
    let clip = &found["clips"][0];
    near(&clip["joints"]["worst_mm"], 2e3 * 0.005_f64.sin());
    near(&clip["joints"]["worst_degrees"], 0.01_f64.to_degrees());
    near(&clip["joints"]["worst_time"], 0.5);
    assert_eq!(clip["joints"]["worst_joint"], "arm");
    assert_eq!(clip["skin"], Value::Null);
    // From 0.4 to 0.5 s it is 0.1 rad/s faster at a metre, and slower after that.
    near(&clip["speed"]["metres_per_second"], 0.1);
    assert_eq!((&found["within"], &found["joints"]["by_name"]), (&false.into(), &2.into()));
}

#[test]
fn limits_decide_the_exit_code() {
    let folder = two();
    let both = ["a.gltf", "b.gltf"];
    for (limits, expected) in [
        (&["--max", "11mm"][..], 0),
        (&["--max", "9mm"], 1),
        (&["--max-angle", "1deg"], 0),
        (&["--max-angle", "0.5deg"], 1),
        (&["--max-joint", "h*=0.1mm"], 0),
        (&["--max-joint", "a*=1mm"], 1),
        (&["--max-joint", "a*=1mm", "--max-joint", "*=2cm", "--max", "1m"], 1),
        (&["--max", "11mm", "--max-joint", "arm=1.1cm", "--max-angle", "0.02rad"], 0),
    ] {
        let (status, out, said) = code(&folder, &[&both[..], limits].concat());
        assert_eq!(status, Some(expected), "{limits:?}: {out}{said}");
    }
}

#[test]
fn what_cannot_be_read_or_asked_is_exit_code_2() {
    let folder = two();
    folder.write("broken.gltf", "{");
    let refused = |arguments: &[&str], told: &str| {
        folder.refused(&[&["diff"], arguments].concat(), 2, told);
    };
    refused(&["a.gltf", "broken.gltf"], "broken.gltf");
    refused(&["nothing.gltf", "a.gltf"], "nothing.gltf");
    refused(
        &["a.gltf", "b.gltf", "--clip", "walk"],
        "there is no clip \"walk\" in A: expected one of [\"turn\"]",
    );
    refused(&["a.gltf", "b.gltf", "--map", "hip=knee"], "there is no joint \"knee\" in B");
    refused(&["a.gltf", "b.gltf", "--map", "map.txt"], "there is no such file");
    refused(
        &["a.gltf", "b.gltf", "--max-joint", "Hnad*=1mm"],
        "no joint that both have is called \"Hnad*\"",
    );
    refused(&["a.gltf", "b.gltf", "--max", "0.5"], "expected a length with its unit");
    refused(&["a.gltf", "b.gltf", "--rate", "0"], "cannot sample at 0 Hz");
    refused(&["a.gltf", "b.gltf", "-o", "heat.tiff"], "expected .png, .apng, .gif or .mp4");
}

#[test]
fn clips_of_other_lengths_and_names_are_said() {
    let folder = two();
    let short: Vec<_> = even().into_iter().take(9).collect();
    folder.write("short.gltf", turning(&["Armature|Turn"], "LINEAR", &short));
    let (status, out, _) = code(&folder, &["a.gltf", "short.gltf"]);
    assert_eq!(status, Some(1), "{out}");
    assert!(
        out.contains("length   turn lasts 1.000 s in A and 0.800 s in B: compared up to 0.800 s\n"),
        "{out}"
    );
    assert!(out.contains("turn = Armature|Turn"), "{out}");
    assert!(out.contains("OVER     turn: lasts 0.800 s, not 1.000 s\n"), "{out}");
    let (status, out, _) = code(&folder, &["a.gltf", "short.gltf", "--structure", "none"]);
    assert_eq!(status, Some(0), "{out}");

    folder.write("more.gltf", turning(&["turn", "wave"], "LINEAR", &even()));
    let (status, out, _) = code(&folder, &["more.gltf", "a.gltf"]);
    assert_eq!(status, Some(1), "{out}");
    assert!(out.contains("only A   clips: wave\n"), "{out}");
    assert!(out.contains("OVER     clips are in A alone: wave\n"), "{out}");
    // One more in B is no loss, unless any difference is one.
    assert_eq!(code(&folder, &["a.gltf", "more.gltf"]).0, Some(0));
    assert_eq!(code(&folder, &["a.gltf", "more.gltf", "--structure", "any"]).0, Some(1));
    // Who asks for one clip does not miss the others.
    assert_eq!(code(&folder, &["more.gltf", "a.gltf", "--clip", "wave=turn"]).0, Some(0));
}

#[test]
fn joints_are_paired_by_a_map_in_a_file_or_in_words() {
    let folder = two();
    let renamed = turning(&["turn"], "LINEAR", &even()).replace("\"arm\"", "\"upper limb\"");
    folder.write("renamed.gltf", renamed);
    folder.write("map.txt", "# by hand\narm = \"upper limb\"\n");
    let plain = json(&folder, &["b.gltf", "renamed.gltf"]);
    assert_eq!(plain["structure"]["joints"]["only_a"][0], "arm");
    near(&plain["clips"][0]["joints"]["worst_mm"], 0.0);
    for map in ["arm=upper limb", "map.txt"] {
        let found = json(&folder, &["b.gltf", "renamed.gltf", "--map", map]);
        near(&found["clips"][0]["joints"]["worst_mm"], 2e3 * 0.005_f64.sin());
        assert_eq!(found["joints"]["by_map"], 1);
    }
    folder.write("bad.txt", "arm=upper limb\nhip\n");
    let (status, _, said) = code(&folder, &["b.gltf", "renamed.gltf", "--map", "bad.txt"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("bad.txt: line 2: expected two joints with = between them"), "{said}");
}

#[test]
fn a_packed_clip_is_compared_on_the_model_it_was_packed_from() {
    let folder = two();
    folder.good(&["pack", "a.gltf", "-o", "turn.sinewclip", "--error", "1mm"]);
    // Nobody misses the other clips of the model.
    folder.write("more.gltf", turning(&["wave", "turn"], "LINEAR", &even()));
    assert_eq!(code(&folder, &["more.gltf", "turn.sinewclip", "--max", "1.1mm"]).0, Some(0));
    let (status, out, _) = code(&folder, &["a.gltf", "turn.sinewclip", "--max", "1.1mm"]);
    assert_eq!(status, Some(0), "{out}");
    let found = json(&folder, &["b.gltf", "turn.sinewclip"]);
    let worst = found["clips"][0]["joints"]["worst_mm"].as_f64().expect("a number");
    assert!((9.0..11.0).contains(&worst), "{worst}");
}

#[test]
fn folders_are_compared_file_by_file_and_a_bad_one_stops_nothing() {
    let folder = Folder::new();
    for side in ["old", "new/men"] {
        std::fs::create_dir_all(folder.0.join(side)).expect("a folder");
    }
    std::fs::create_dir_all(folder.0.join("old/men")).expect("a folder");
    let mut off = even();
    off[5].1 += 0.01;
    folder.write("old/a.gltf", turning(&["turn"], "LINEAR", &even()));
    folder.write("new/a.gltf", turning(&["turn"], "LINEAR", &even()));
    folder.write("old/men/b.gltf", turning(&["turn"], "LINEAR", &even()));
    folder.write("new/men/b.gltf", turning(&["turn"], "LINEAR", &off));
    let (status, out, said) = code(&folder, &["old", "new", "--junit", "report.xml"]);
    assert_eq!((status, &said[..]), (Some(1), "sinew: 1 difference is over the limits\n"), "{out}");
    assert!(out.contains("2 pairs: 1 within the limits, 1 over, 0 not compared\n"), "{out}");
    let report = std::fs::read_to_string(folder.0.join("report.xml")).expect("a report");
    assert!(report.contains("tests=\"4\" failures=\"1\" errors=\"0\""), "{report}");
    assert!(
        report
            .contains("<failure message=\"joint arm is 10.0 mm off, and 0.100 mm is the limit\">"),
        "{report}"
    );

    folder.write("old/broken.gltf", "{");
    folder.write("new/broken.gltf", "{}");
    folder.write("old/alone.gltf", turning(&["turn"], "LINEAR", &even()));
    let (status, out, said) = code(&folder, &["old", "new"]);
    assert_eq!(
        (status, &said[..]),
        (Some(2), "sinew: 2 of 4 pairs could not be compared\n"),
        "{out}"
    );
    assert!(out.contains("alone.gltf"), "{out}");
    assert!(out.contains("is in A alone\n"), "{out}");
    assert!(out.contains("4 pairs: 1 within the limits, 1 over, 2 not compared\n"), "{out}");
    // A pattern stands for some of them.
    let (status, out, _) = code(&folder, &["old/*.gltf", "new/a*.gltf", "--json"]);
    let rows: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(status, Some(2));
    assert_eq!(rows.as_array().map(Vec::len), Some(3), "{rows}");
    assert_eq!(code(&folder, &["old/a.gltf", "new/a*.gltf"]).0, Some(0));
}

#[test]
fn a_heat_map_is_an_image_and_a_film() {
    let folder = Folder::new();
    let heat = ["ossi", "ossi", "--clip", "walk=run", "--size", "160x120"];
    let (status, _, said) = code(&folder, &[&heat[..], &["-o", "heat.png"]].concat());
    assert_eq!(status, Some(1), "{said}");
    let bytes = std::fs::read(folder.0.join("heat.png")).expect("an image");
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    assert_eq!((info.width, info.height), (160, 120));
    let each = info.color_type.samples();
    // A run is no walk: something of it is hot.
    let hot = |pixel: &&[u8]| pixel[0] > 150 && pixel[1] < 100 && pixel[2] < 60;
    let cold = |pixel: &&[u8]| pixel[2] > 80 && pixel[2] - 60 > pixel[0];
    assert!(pixels.chunks_exact(each).filter(hot).count() > 20);
    assert!(pixels.chunks_exact(each).filter(cold).count() > 20);

    let (status, _, said) = code(&folder, &[&heat[..], &["-o", "heat.gif"]].concat());
    assert_eq!(status, Some(1), "{said}");
    let film = std::fs::read(folder.0.join("heat.gif")).expect("a film");
    assert!(film.starts_with(b"GIF89a"));
    // Bones, where there is no mesh.
    folder.write("a.gltf", turning(&["turn"], "LINEAR", &even()));
    let bones = ["a.gltf", "a.gltf", "-o", "bones.png", "--size", "80x60"];
    assert_eq!(code(&folder, &bones).0, Some(0));
    assert_eq!(folder.files(), ["a.gltf", "bones.png", "heat.gif", "heat.png"]);
}
