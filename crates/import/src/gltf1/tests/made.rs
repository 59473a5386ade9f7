//! A rigged file of glTF 2.0 made by code, and the same in the words of 1.0.

use serde_json::{Map, Value, json};

use crate::{Format, ImportError, Imported, NoFiles, Normals, Options, Tangents};

/// Bytes of one buffer, and the accessors into it as filed in 2.0.
#[derive(Default)]
struct Data {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Data {
    fn add(&mut self, bytes: &[u8], code: u32, kind: &str, count: usize) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let length = bytes.len();
        self.views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": length}));
        let view = self.views.len() - 1;
        self.accessors
            .push(json!({"bufferView": view, "componentType": code, "type": kind, "count": count}));
        self.accessors.len() - 1
    }

    fn floats(&mut self, kind: &str, each: usize, numbers: &[f32]) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.add(&bytes, 5126, kind, numbers.len() / each)
    }
}

/// A document and its one buffer.
#[derive(Clone)]
pub(super) struct File {
    pub(super) json: Value,
    pub(super) bytes: Vec<u8>,
}

/// A strip of two quads over two joints that move in a clip, as glTF 2.0. The inverse bind matrices
/// are those of `bind` in the first four columns.
pub(super) fn rigged(binds: &[[f32; 16]; 2]) -> File {
    let mut data = Data::default();
    let corners: Vec<f32> = (0..6).flat_map(|at| [(at % 2) as f32, (at / 2) as f32, 0.0]).collect();
    let positions = data.floats("VEC3", 3, &corners);
    let normals = data.floats("VEC3", 3, &[0.0, 0.0, 1.0].repeat(6));
    let joints = data.add(&[0, 1, 0, 0].repeat(6), 5121, "VEC4", 6);
    let pairs =
        (0..6).flat_map(|at| [1.0 - 0.5 * (at / 2) as f32, 0.5 * (at / 2) as f32, 0.0, 0.0]);
    let weights = data.floats("VEC4", 4, &pairs.collect::<Vec<f32>>());
    let indices: Vec<u8> = [0_u16, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5]
        .iter()
        .flat_map(|index| index.to_le_bytes())
        .collect();
    let indices = data.add(&indices, 5123, "SCALAR", 12);
    let binds = data.floats("MAT4", 16, binds.as_flattened());
    let times = data.floats("SCALAR", 1, &[0.0, 1.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let rotations = data.floats("VEC4", 4, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half]);
    let translations = data.floats("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    let json = json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"name": "scene_0", "nodes": [0, 1]}],
        "nodes": [
            {"name": "body", "mesh": 0, "skin": 0},
            {"name": "lower", "children": [2], "translation": [0, 0.5, 0]},
            {"name": "upper", "rotation": [0, 0, half, half]}],
        "meshes": [{"name": "strip", "primitives": [{"indices": indices, "mode": 4, "attributes":
            {"POSITION": positions, "NORMAL": normals, "JOINTS_0": joints, "WEIGHTS_0": weights}}]}],
        "skins": [{"name": "skin", "inverseBindMatrices": binds, "joints": [1, 2]}],
        "animations": [{"name": "animations_0",
            "samplers": [{"input": times, "output": rotations, "interpolation": "LINEAR"},
                {"input": times, "output": translations, "interpolation": "LINEAR"}],
            "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}},
                {"sampler": 1, "target": {"node": 1, "path": "translation"}}]}],
        "accessors": data.accessors, "bufferViews": data.views,
        "buffers": [{"byteLength": data.bytes.len()}],
    });
    File { json, bytes: data.bytes }
}

fn id(list: &str, index: &Value) -> String {
    format!("{list}_{index}")
}

fn keyed(list: &str, values: Vec<Value>) -> Value {
    let each = values.into_iter().enumerate().map(|(at, value)| (format!("{list}_{at}"), value));
    Value::Object(each.collect())
}

fn list<'a>(json: &'a Value, key: &str) -> std::slice::Iter<'a, Value> {
    json[key].as_array().map_or([].iter(), |list| list.iter())
}

impl File {
    /// The same document in the words of 1.0, with an animation for each channel, as converters
    /// wrote them.
    pub(super) fn old(&self) -> File {
        let json = &self.json;
        let ids = |kind: &str, indices: &Value| -> Vec<String> {
            indices.as_array().into_iter().flatten().map(|index| id(kind, index)).collect()
        };
        let nodes = list(json, "nodes").map(|node| {
            let mut old = node.clone();
            old["children"] = json!(ids("nodes", &node["children"]));
            old["jointName"] =
                json!(format!("joint {}", node["name"].as_str().unwrap_or_default()));
            if node["mesh"].is_number() {
                old["meshes"] = json!([id("meshes", &node["mesh"])]);
            }
            if node["skin"].is_number() {
                old["skin"] = json!(id("skins", &node["skin"]));
                old["skeletons"] = json!(["nodes_1"]);
            }
            without(old, "mesh")
        });
        let names = |joints: &Value| -> Vec<String> {
            let joints = joints.as_array().into_iter().flatten();
            let name =
                |joint: &Value| json["nodes"][joint.as_u64().unwrap_or(0) as usize]["name"].clone();
            joints
                .map(|joint| format!("joint {}", name(joint).as_str().unwrap_or_default()))
                .collect()
        };
        let skins = list(json, "skins").map(|skin| {
            json!({"name": skin["name"], "jointNames": names(&skin["joints"]),
                "inverseBindMatrices": id("accessors", &skin["inverseBindMatrices"])})
        });
        let meshes = list(json, "meshes").map(|mesh| {
            let primitives: Vec<Value> = list(mesh, "primitives").map(old_primitive).collect();
            json!({"name": mesh["name"], "primitives": primitives})
        });
        let views = list(json, "bufferViews").map(|view| {
            let mut view = view.clone();
            view["buffer"] = json!("buffers_0");
            view
        });
        let accessors = list(json, "accessors").map(|accessor| {
            let mut old = accessor.clone();
            old["bufferView"] = json!(id("bufferViews", &accessor["bufferView"]));
            old["byteStride"] = json!(0);
            old
        });
        let made = json!({
            "asset": {"version": "1.0.1"}, "scene": "scenes_0",
            "scenes": {"scenes_0": {"name": "scene_0", "nodes": ids("nodes", &json["scenes"][0]["nodes"])}},
            "nodes": keyed("nodes", nodes.collect()), "meshes": keyed("meshes", meshes.collect()),
            "skins": keyed("skins", skins.collect()), "animations": keyed("animations", animations(json)),
            "accessors": keyed("accessors", accessors.collect()),
            "bufferViews": keyed("bufferViews", views.collect()),
            "buffers": {"buffers_0": {"type": "arraybuffer", "byteLength": self.bytes.len()}},
        });
        File { json: made, bytes: self.bytes.clone() }
    }

    /// As text, with its buffer inside.
    pub(super) fn text(&self) -> Vec<u8> {
        let uri = format!("data:application/octet-stream;base64,{}", base64(&self.bytes));
        let mut json = self.json.clone();
        match json["buffers"].is_array() {
            true => json["buffers"][0]["uri"] = json!(uri),
            false => json["buffers"]["buffers_0"]["uri"] = json!(uri),
        }
        json.to_string().into_bytes()
    }

    /// As a file of `KHR_binary_glTF`; for a document of 1.0.
    pub(super) fn binary(&self) -> Vec<u8> {
        let text = self.json.to_string().replace("buffers_0", "binary_glTF");
        let mut text = text.into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let word = |value: usize| (value as u32).to_le_bytes();
        let length = 20 + text.len() + self.bytes.len();
        let header = [&b"glTF"[..], &word(1), &word(length), &word(text.len()), &word(0)].concat();
        [header, text, self.bytes.clone()].concat()
    }
}

fn without(mut value: Value, key: &str) -> Value {
    if let Some(object) = value.as_object_mut() {
        object.remove(key);
    }
    value
}

fn old_primitive(primitive: &Value) -> Value {
    let mut attributes = Map::new();
    for (semantic, accessor) in primitive["attributes"].as_object().into_iter().flatten() {
        let semantic = semantic.replace("JOINTS_0", "JOINT").replace("WEIGHTS_0", "WEIGHT");
        attributes.insert(semantic, json!(id("accessors", accessor)));
    }
    let mut old = without(primitive.clone(), "material");
    old["attributes"] = Value::Object(attributes);
    old["indices"] = json!(id("accessors", &primitive["indices"]));
    old
}

fn animations(json: &Value) -> Vec<Value> {
    let each = list(json, "animations").flat_map(|animation| {
        list(animation, "channels").map(|channel| {
            let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap_or(0) as usize];
            let path = channel["target"]["path"].as_str().unwrap_or_default();
            json!({
                "channels": [{"sampler": "only", "target":
                    {"id": id("nodes", &channel["target"]["node"]), "path": path}}],
                "samplers": {"only": {"input": "TIME", "output": path, "interpolation": "LINEAR"}},
                "parameters": {"TIME": id("accessors", &sampler["input"]),
                    path: id("accessors", &sampler["output"])},
            })
        })
    });
    each.collect()
}

/// Nothing is completed: what comes out is what the file has.
fn plain() -> Options {
    Options { normals: Normals::Keep, tangents: Tangents::Keep, ..Options::default() }
}

pub(super) fn try_read(bytes: &[u8]) -> Result<Imported, ImportError> {
    plain().read_as(Format::Gltf, bytes, &NoFiles)
}

pub(super) fn read(bytes: &[u8]) -> Imported {
    try_read(bytes).expect("a good file")
}

fn base64(bytes: &[u8]) -> String {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let at = (bits >> (18 - 6 * digit)) as usize & 63;
            out.push(if digit > three.len() { '=' } else { char::from(digits[at]) });
        }
    }
    out
}
