//! Writes small valid files to begin with, a folder for each target, into the folder that `SEEDS_OUT` names.
//!
//! It is a target itself, since all code here is built to be linked with libFuzzer: `SEEDS_OUT=FOLDER seeds -runs=0`.
//!
//! Fuzzing goes deeper with more: put small real files beside them.

#![no_main]

use std::fs;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use sinew::pack::{Options, pack};

const BVH: &str = "HIERARCHY\nROOT hips\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n JOINT leg\n {\n  OFFSET 0.1 -0.5 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 -0.5 0\n  }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.04\n0 1 0 0 0 0 10 0 0\n0 1 0.1 0 5 0 20 0 0\n";

const OBJ: &str = "o box\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvn 0 0 1\nvt 0 0\nvt 1 0\ng a\nusemtl red\ns 1\nf 1/1/1 2/2/1 3/1/1\nf 2//1 4//1 3//1\nl 1 2 3\n";

const MD5_MESH: &str = "MD5Version 10\ncommandline \"\"\nnumJoints 2\nnumMeshes 1\njoints {\n\"root\" -1 ( 0 0 0 ) ( 0 0 0 )\n\"arm\" 0 ( 0 1 0 ) ( 0 0 0.3 )\n}\nmesh {\nshader \"skin\"\nnumverts 3\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 2\nvert 2 ( 0 1 ) 2 1\nnumtris 1\ntri 0 0 1 2\nnumweights 3\nweight 0 0 1 ( 0 0 0 )\nweight 1 0 0.5 ( 1 0 0 )\nweight 2 1 0.5 ( 0 1 0 )\n}\n";

const MD5_ANIM: &str = "MD5Version 10\ncommandline \"\"\nnumFrames 2\nnumJoints 2\nframeRate 24\nnumAnimatedComponents 2\nhierarchy {\n\"root\" -1 1 0\n\"arm\" 0 32 1\n}\nbounds {\n( 0 0 0 ) ( 1 1 1 )\n( 0 0 0 ) ( 1 1 1 )\n}\nbaseframe {\n( 0 0 0 ) ( 0 0 0 )\n( 0 1 0 ) ( 0 0 0.3 )\n}\nframe 0 {\n0 0\n}\nframe 1 {\n1 0.2\n}\n";

const COLLADA: &str = "<?xml version=\"1.0\"?><COLLADA version=\"1.4.1\"><asset><unit meter=\"0.01\"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"pa\" count=\"9\">0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source=\"#pa\" count=\"3\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_animations><animation id=\"a\"><source id=\"t\"><float_array id=\"ta\" count=\"2\">0 1</float_array><technique_common><accessor source=\"#ta\" count=\"2\" stride=\"1\"><param name=\"TIME\" type=\"float\"/></accessor></technique_common></source><source id=\"o\"><float_array id=\"oa\" count=\"2\">0 90</float_array><technique_common><accessor source=\"#oa\" count=\"2\" stride=\"1\"><param name=\"ANGLE\" type=\"float\"/></accessor></technique_common></source><source id=\"i\"><Name_array id=\"ia\" count=\"2\">LINEAR LINEAR</Name_array><technique_common><accessor source=\"#ia\" count=\"2\" stride=\"1\"><param name=\"INTERPOLATION\" type=\"name\"/></accessor></technique_common></source><sampler id=\"s\"><input semantic=\"INPUT\" source=\"#t\"/><input semantic=\"OUTPUT\" source=\"#o\"/><input semantic=\"INTERPOLATION\" source=\"#i\"/></sampler><channel source=\"#s\" target=\"n/r.ANGLE\"/></animation></library_animations><library_visual_scenes><visual_scene id=\"vs\"><node id=\"n\"><rotate sid=\"r\">0 0 1 0</rotate><instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#vs\"/></scene></COLLADA>";

/// Triangle, skin of two joints, a clip; all numbers in one data address.
const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],"nodes":[{"mesh":0,"skin":0},{"name":"a","children":[2]},{"name":"b","translation":[0,1,0]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2},"indices":3}]}],"skins":[{"joints":[1,2]}],"animations":[{"channels":[{"sampler":0,"target":{"node":2,"path":"rotation"}}],"samplers":[{"input":4,"output":5,"interpolation":"LINEAR"}]}],"buffers":[{"byteLength":160,"uri":"data:application/octet-stream;base64,BASE64"}],"bufferViews":[{"buffer":0,"byteLength":160}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},{"bufferView":0,"byteOffset":36,"componentType":5121,"count":3,"type":"VEC4"},{"bufferView":0,"byteOffset":48,"componentType":5126,"count":3,"type":"VEC4"},{"bufferView":0,"byteOffset":96,"componentType":5123,"count":3,"type":"SCALAR"},{"bufferView":0,"byteOffset":104,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},{"bufferView":0,"byteOffset":112,"componentType":5126,"count":2,"type":"VEC4"}]}"#;

const FBX: &str = "; FBX 7.3.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7300\n}\nObjects:  {\n\tModel: 1, \"Model::root\", \"LimbNode\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,1,0\n\t\t}\n\t}\n\tAnimationStack: 2, \"AnimStack::take\", \"\" {\n\t}\n\tAnimationLayer: 3, \"AnimLayer::base\", \"\" {\n\t}\n\tAnimationCurveNode: 4, \"AnimCurveNode::T\", \"\" {\n\t\tProperties70:  {\n\t\t\tP: \"d|X\", \"Number\", \"\", \"A\",0\n\t\t}\n\t}\n\tAnimationCurve: 5, \"AnimCurve::\", \"\" {\n\t\tDefault: 0\n\t\tKeyVer: 4008\n\t\tKeyTime: *2 {\n\t\t\ta: 0,46186158000\n\t\t}\n\t\tKeyValueFloat: *2 {\n\t\t\ta: 0,1\n\t\t}\n\t\tKeyAttrFlags: *1 {\n\t\t\ta: 4\n\t\t}\n\t\tKeyAttrDataFloat: *4 {\n\t\t\ta: 0,0,0,0\n\t\t}\n\t\tKeyAttrRefCount: *1 {\n\t\t\ta: 2\n\t\t}\n\t}\n}\nConnections:  {\n\tC: \"OO\",1,0\n\tC: \"OO\",3,2\n\tC: \"OO\",4,3\n\tC: \"OP\",4,1, \"Lcl Translation\"\n\tC: \"OP\",5,4, \"d|X\"\n}\n";

fuzz_target!(init: { write() }, |_bytes: &[u8]| {});

fn write() {
    let Ok(folder) = std::env::var("SEEDS_OUT") else {
        eprintln!("usage: SEEDS_OUT=FOLDER seeds -runs=0");
        std::process::exit(2);
    };
    let folder = Path::new(&folder);
    for (target, name, bytes) in seeds() {
        let place = folder.join(target);
        let written = fs::create_dir_all(&place).and_then(|()| fs::write(place.join(name), bytes));
        if let Err(error) = written {
            eprintln!("cannot write {}: {error}", place.display());
            std::process::exit(1);
        }
    }
}

fn seeds() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let demo = sinew::demo();
    let anim = sinew::export::skeleton_anim(&demo, &demo.clips[0]).expect("the demo rig is written");
    let options = Options { error: 0.01, ..Options::default() };
    let (packed, _) = pack(&demo, &demo.clips[0], &options, &|_| {}).expect("its clip is packed");
    let gltf = GLTF.replace("BASE64", &base64(&numbers())).into_bytes();
    let ossi = sinew::ossi();
    let map = sinew::retarget::JointMap::find(&ossi, &ossi).map(|found| found.to_text(&ossi, &ossi)).unwrap_or_default();
    let mut all = vec![
        ("gltf", "triangle.gltf", gltf.clone()),
        ("gltf", "triangle.glb", glb(&gltf)),
        ("collada", "turn.dae", COLLADA.into()),
        ("fbx", "take.fbx", FBX.into()),
        ("md5mesh", "arm.md5mesh", MD5_MESH.into()),
        ("md5anim", "arm.md5anim", MD5_ANIM.into()),
        ("bvh", "leg.bvh", BVH.into()),
        ("obj", "box.obj", OBJ.into()),
        ("skeleton_anim", "demo.skeleton_anim", anim.clone()),
        ("skeleton_mesh", "empty.mesh", b"mesh\0\0\0\0".to_vec()),
        ("packed", "wave.sinewclip", packed.bytes().to_vec()),
        ("graph", "ossi.toml", include_bytes!("../../examples/graphs/ossi.toml").to_vec()),
        ("graph", "ossi.json", include_bytes!("../../examples/graphs/ossi.json").to_vec()),
        ("scene", "walk.toml", include_bytes!("../../examples/scenes/walk.toml").to_vec()),
        ("scene", "ossi.toml", include_bytes!("../../examples/scenes/ossi.toml").to_vec()),
        ("script", "dance.lua", include_bytes!("../../examples/scripts/dance.lua").to_vec()),
        ("script", "graph.lua", include_bytes!("../../examples/scripts/graph.lua").to_vec()),
        ("map", "ossi.toml", map.into_bytes()),
        ("hdr", "runs.hdr", radiance()),
        ("hdr", "plain.exr", exr(0)),
        ("hdr", "runs.exr", exr(1)),
        ("hdr", "zip.exr", exr(3)),
    ];
    let formats = ["gltf", "collada", "fbx", "md5mesh", "bvh", "obj", "skeleton_anim"];
    let whole: Vec<_> = all.iter().filter(|(target, ..)| formats.contains(target)).cloned().collect();
    all.extend(whole.into_iter().map(|(_, name, bytes)| ("path", name, bytes)));
    all
}

/// Eight pixels of Radiance's newer runs.
fn radiance() -> Vec<u8> {
    let line = [2, 2, 0, 8, 136, 128, 8, 0, 1, 2, 3, 4, 5, 6, 7, 132, 0, 132, 128, 136, 129];
    [&b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 8\n"[..], &line].concat()
}

/// OpenEXR, two by two halves, blocks as they are: what compression the file claims is for mutation to find.
fn exr(compression: u8) -> Vec<u8> {
    let mut out = b"\x76\x2f\x31\x01\x02\0\0\0channels\0chlist\0\x37\0\0\0".to_vec();
    for name in *b"BGR" {
        out.extend([name, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    }
    out.extend(b"\0compression\0compression\0\x01\0\0\0");
    out.push(compression);
    out.extend(b"dataWindow\0box2i\0\x10\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\0");
    let lines: usize = if compression < 3 { 1 } else { 2 };
    let blocks = 2 / lines;
    let start = out.len() + blocks * 8;
    for block in 0..blocks {
        out.extend((start + block * (8 + lines * 12)).to_le_bytes());
    }
    for block in 0..blocks {
        out.extend((block as u32).to_le_bytes());
        out.extend((lines as u32 * 12).to_le_bytes());
        out.extend([0, 0x3c].repeat(lines * 6));
    }
    out
}

/// What the accessors of [`GLTF`] read.
fn numbers() -> Vec<u8> {
    let floats = |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let mut bytes = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    bytes.extend([0, 1, 0, 0].repeat(3));
    bytes.extend(floats(&[0.5, 0.5, 0.0, 0.0].repeat(3)));
    bytes.extend([0, 0, 1, 0, 2, 0, 0, 0]);
    bytes.extend(floats(&[0.0, 1.0]));
    bytes.extend(floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8]));
    bytes.resize(160, 0);
    bytes
}

fn glb(json: &[u8]) -> Vec<u8> {
    let mut json = json.to_vec();
    while !json.len().is_multiple_of(4) {
        json.push(b' ');
    }
    let mut out = b"glTF\x02\0\0\0".to_vec();
    out.extend((20 + json.len() as u32).to_le_bytes());
    out.extend((json.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(json);
    out
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, byte| (word << 8) | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= chunk.len() { letter as char } else { '=' });
        }
    }
    text
}
