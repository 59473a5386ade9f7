//! The house rules that cargo can tell: who knows whom, and under which licences.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// What each room may know of the house.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("sinew-scene", &[]),
    ("sinew-import", &["sinew-scene"]),
    ("sinew-ossi", &["sinew-scene"]),
    ("sinew-film", &["sinew-render"]),
    ("sinew-lanes", &[]),
    ("sinew-motion", &["sinew-scene", "sinew-lanes"]),
    ("sinew-deform", &["sinew-scene", "sinew-lanes"]),
    ("sinew-retarget", &["sinew-scene", "sinew-motion"]),
    ("sinew-pack", &["sinew-scene", "sinew-lanes", "sinew-motion"]),
    ("sinew-export", &["sinew-scene", "sinew-motion"]),
    ("sinew-edit", &["sinew-scene", "sinew-motion", "sinew-deform"]),
    ("sinew-compare", &["sinew-scene", "sinew-motion", "sinew-deform"]),
    (
        "sinew-check",
        &[
            "sinew-scene",
            "sinew-import",
            "sinew-motion",
            "sinew-deform",
            "sinew-retarget",
            "sinew-edit",
        ],
    ),
    ("sinew-lod", &["sinew-scene"]),
    ("sinew-webgl", &[]),
    ("sinew-render", &["sinew-scene", "sinew-deform", "sinew-lod", "sinew-webgl"]),
    ("sinew-crowd", &["sinew-scene", "sinew-lanes", "sinew-motion", "sinew-render"]),
    ("sinew-lua", &["sinew"]),
    (
        "sinew",
        &[
            "sinew-scene",
            "sinew-import",
            "sinew-ossi",
            "sinew-film",
            "sinew-motion",
            "sinew-retarget",
            "sinew-deform",
            "sinew-pack",
            "sinew-crowd",
            "sinew-export",
            "sinew-edit",
            "sinew-compare",
            "sinew-check",
            "sinew-lod",
            "sinew-render",
        ],
    ),
    ("sinew-viewer", &["sinew"]),
    ("sinew-web", &["sinew"]),
    ("sinew-ecs", &["sinew"]),
    ("sinew-bench", &["sinew", "sinew-ecs"]),
    ("sinew-cli", &["sinew", "sinew-lua", "sinew-viewer", "sinew-bench"]),
];

/// What each room may take from outside, where that is narrow.
const MAY_TAKE: &[(&str, &[&str])] = &[
    ("sinew-scene", &["glam"]),
    ("sinew-lanes", &["glam"]),
    ("sinew-motion", &["glam", "serde"]),
    ("sinew-deform", &["glam"]),
    ("sinew-lod", &["glam"]),
    ("sinew-retarget", &["glam", "toml"]),
    ("sinew-pack", &["rayon"]),
    ("sinew-crowd", &["rayon", "wgpu", "bytemuck"]),
    ("sinew-edit", &["rayon", "image"]),
    (
        "sinew-export",
        &["bytemuck", "draco-core", "glam", "image", "miniz_oxide", "rayon", "serde_json"],
    ),
    ("sinew-compare", &["rayon"]),
    ("sinew-check", &["glam"]),
    ("sinew-webgl", &["wgpu", "wasm-bindgen", "js-sys", "web-sys"]),
];

/// Any one of these will do for what ships.
const LICENCES: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "Zlib",
    "ISC",
    "0BSD",
    "Unlicense",
    "Unicode-3.0",
    "BSL-1.0",
    "CC0-1.0",
    "MPL-2.0",
    "MIT-0",
    // Of the fonts that the viewer brings; they may be shipped inside a program.
    "OFL-1.1",
    "Ubuntu-font-1.0",
];

fn metadata() -> Value {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--all-features", "--manifest-path", manifest])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo writes JSON")
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// The normal dependencies of each member of the workspace.
fn neighbours(metadata: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let members: BTreeSet<&str> =
        list(metadata, "workspace_members").iter().filter_map(Value::as_str).collect();
    list(metadata, "packages")
        .iter()
        .filter(|package| members.contains(text(package, "id")))
        .map(|package| {
            let known = list(package, "dependencies")
                .iter()
                .filter(|dependency| dependency["kind"].is_null())
                .map(|dependency| text(dependency, "name").to_owned());
            (text(package, "name").to_owned(), known.collect())
        })
        .collect()
}

#[test]
fn no_room_knows_one_that_it_may_not() {
    let rooms = neighbours(&metadata());
    let mut wrong = Vec::new();
    for (room, known) in &rooms {
        let Some((_, may)) = MAY_KNOW.iter().find(|(name, _)| name == room) else {
            wrong.push(format!("{room} is not in the plan of the house"));
            continue;
        };
        for other in known.iter().filter(|name| rooms.contains_key(*name)) {
            if !may.contains(&other.as_str()) {
                wrong.push(format!("{room} may not know {other}"));
            }
        }
    }
    assert!(rooms.len() >= MAY_KNOW.len(), "rooms are missing: {rooms:?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_inner_rooms_take_nothing_else_from_outside() {
    let rooms = neighbours(&metadata());
    for (room, may) in MAY_TAKE {
        let outside = rooms[*room].iter().filter(|name| !rooms.contains_key(*name));
        let wrong: Vec<_> = outside.filter(|name| !may.contains(&name.as_str())).collect();
        assert!(wrong.is_empty(), "{room} takes {wrong:?}");
    }
}

#[test]
fn every_dependency_may_be_shipped() {
    let metadata = metadata();
    let accepted = |term: &str| {
        let term = term.trim_matches(|c| c == '(' || c == ')');
        LICENCES.contains(&term.split(" WITH ").next().unwrap_or(term))
    };
    let good = |licence: &str| {
        let licence = licence.replace('/', " OR ");
        licence.split(" AND ").all(|all| all.split(" OR ").any(|any| accepted(any.trim())))
    };
    let wrong: Vec<_> = list(&metadata, "packages")
        .iter()
        .filter(|package| !good(text(package, "license")))
        .map(|package| format!("{}: {:?}", text(package, "name"), text(package, "license")))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Names of our own that the field has words for; they are not to come back as identifiers. Types and functions by
/// their whole name, with what they are called now.
const OLD_NAMES: &[(&str, &str)] = &[
    ("Reel", "SampledClip"),
    ("Inertia", "Inertialization"),
    ("glide_to", "inertialize_to"),
    ("Playback", "GraphPlayer"),
    ("Gaze", "LookAtState"),
    ("Bent", "TwoBoneOutcome"),
    ("Aimed", "AimOutcome"),
    ("MarkAt", "GraphMarker"),
    ("Carrier", "RootMotion"),
    ("carried", "root_motion"),
    ("mean_way", "mean_root_motion"),
    ("Trouble", "Diagnostic"),
    ("Troubles", "Diagnostics"),
    ("NoSuchClip", "ClipNotFoundError"),
    ("NoSuchJoint", "JointNotFoundError"),
    ("NoSuchParameter", "ParameterError"),
    ("BadSpace", "BlendSpaceError"),
    ("BadSync", "SyncError"),
    ("PosedMesh", "MeshInstance"),
    ("CubePicture", "CubeImage"),
    ("pull", "influence"),
    ("pulls", "influences"),
    ("MOST", "what is bounded: MAX_…"),
    ("NOTHING", "what it compares with"),
    ("Eye", "CameraSetup"),
];

/// The source files of the workspace, tests and examples too.
fn sources(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() && name != "target" && !name.to_string_lossy().starts_with('.') {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "wgsl") {
            found.push(path);
        }
    }
}

#[test]
fn old_names_do_not_come_back() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(root, &mut files);
    assert!(files.len() > 300, "only {} files", files.len());
    let mut wrong = Vec::new();
    for file in files.iter().filter(|file| !file.ends_with("tests/house.rs")) {
        let text = std::fs::read_to_string(file).expect("a source file");
        for (number, line) in text.lines().enumerate() {
            // Comments and what is in quotes may speak of old names.
            let code = line.split("//").next().unwrap_or(line);
            let code: String = code.split('"').step_by(2).collect();
            let words = code.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            for word in words {
                if let Some((old, new)) = OLD_NAMES.iter().find(|(old, _)| *old == word) {
                    let place = file.strip_prefix(root).unwrap_or(file).display();
                    wrong.push(format!("{place}:{}: {old} is {new}", number + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
