//! Small glTF files made by code, for the tests of this importer.

use serde_json::{Value, json};

use crate::{Format, ImportError, Imported, NoFiles, Normals, Options, Tangents};

pub(super) const U8: u32 = 5121;
pub(super) const U16: u32 = 5123;
pub(super) const U32: u32 = 5125;
pub(super) const F32: u32 = 5126;

/// A document and its one buffer.
pub(super) struct Builder {
    pub(super) json: Value,
    pub(super) bytes: Vec<u8>,
}

pub(super) fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

impl Builder {
    pub(super) fn new() -> Self {
        Self { json: json!({"asset": {"version": "2.0"}}), bytes: Vec::new() }
    }

    /// Adds to one of the document's lists; gives the index.
    pub(super) fn push(&mut self, list: &str, value: Value) -> usize {
        let list = &mut self.json[list];
        if list.is_null() {
            *list = json!([]);
        }
        let list = list.as_array_mut().expect("a list");
        list.push(value);
        list.len() - 1
    }

    pub(super) fn view(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.push(
            "bufferViews",
            json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()}),
        )
    }

    pub(super) fn accessor(&mut self, bytes: &[u8], code: u32, kind: &str, count: usize) -> usize {
        let view = self.view(bytes);
        self.push(
            "accessors",
            json!({"bufferView": view, "componentType": code, "type": kind, "count": count}),
        )
    }

    pub(super) fn floats(&mut self, kind: &str, numbers: &[f32]) -> usize {
        let each = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        self.accessor(&bytes_of(numbers), F32, kind, numbers.len() / each)
    }

    pub(super) fn shorts(&mut self, kind: &str, numbers: &[u16]) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let each = if kind == "VEC4" { 4 } else { 1 };
        self.accessor(&bytes, U16, kind, numbers.len() / each)
    }

    /// A mesh of one triangle under a node of its own; gives the node.
    pub(super) fn triangle(&mut self) -> usize {
        let positions = self.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        let mesh =
            self.push("meshes", json!({"primitives": [{"attributes": {"POSITION": positions}}]}));
        self.push("nodes", json!({ "mesh": mesh }))
    }

    /// An animation with one channel.
    pub(super) fn animation(&mut self, target: Value, input: usize, output: usize, how: &str) {
        self.push(
            "animations",
            json!({
                "samplers": [{"input": input, "output": output, "interpolation": how}],
                "channels": [{"sampler": 0, "target": target}],
            }),
        );
    }

    /// Another channel of the first animation, with a sampler of its own.
    pub(super) fn channel(&mut self, target: Value, input: usize, output: usize) {
        let animation = &mut self.json["animations"][0];
        let samplers = animation["samplers"].as_array_mut().expect("a list");
        samplers.push(json!({"input": input, "output": output}));
        let sampler = samplers.len() - 1;
        let channels = animation["channels"].as_array_mut().expect("a list");
        channels.push(json!({"sampler": sampler, "target": target}));
    }

    pub(super) fn gltf(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        let uri = format!("data:application/octet-stream;base64,{}", base64(&self.bytes));
        json["buffers"] = json!([{"byteLength": self.bytes.len(), "uri": uri}]);
        json.to_string().into_bytes()
    }

    pub(super) fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{"byteLength": self.bytes.len()}]);
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bin = self.bytes.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        let word = |value: usize| (value as u32).to_le_bytes();
        let length = 12 + 8 + text.len() + 8 + bin.len();
        let head = [&b"glTF"[..], &word(2), &word(length)].concat();
        let text = [&word(text.len())[..], b"JSON", &text].concat();
        [head, text, [&word(bin.len())[..], b"BIN\0", &bin].concat()].concat()
    }

    pub(super) fn try_read(&self) -> Result<Imported, ImportError> {
        plain().read_as(Format::Gltf, &self.gltf(), &NoFiles)
    }

    pub(super) fn read(&self) -> Imported {
        self.try_read().expect("a good file")
    }

    /// The notes of a file that is read.
    pub(super) fn notes(&self) -> Vec<String> {
        self.read().notes.iter().map(ToString::to_string).collect()
    }

    pub(super) fn refused(&self) -> ImportError {
        self.try_read().expect_err("a bad file")
    }
}

/// Nothing is completed: what comes out is what the file has.
pub(super) fn plain() -> Options {
    Options { normals: Normals::Keep, tangents: Tangents::Keep, ..Options::default() }
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

/// A strip of two quads over two joints, with a morph target, and a clip with a track of each
/// interpolation: the upper joint is rotated (linear), the lower translated (cubic) and scaled (step),
/// and the morph weight rises.
pub(super) fn rigged() -> Builder {
    let mut b = Builder::new();
    let positions: Vec<f32> =
        (0..6).flat_map(|at| [(at % 2) as f32, (at / 2) as f32, 0.0]).collect();
    let up = [0.0, 0.0, 1.0].repeat(6);
    let positions = b.floats("VEC3", &positions);
    let normals = b.floats("VEC3", &up);
    let joints = b.accessor(&[0, 1, 0, 0].repeat(6), U8, "VEC4", 6);
    let weights: Vec<f32> = (0..6)
        .flat_map(|at| [1.0 - 0.5 * (at / 2) as f32, 0.5 * (at / 2) as f32, 0.0, 0.0])
        .collect();
    let weights = b.floats("VEC4", &weights);
    let indices = b.shorts("SCALAR", &[0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5]);
    let bulge = b.floats("VEC3", &up);
    b.push("materials", json!({"pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 0.25, 1]}}));
    b.push(
        "meshes",
        json!({"name": "strip", "weights": [0.25], "extras": {"targetNames": ["bulge"]},
            "primitives": [{
                "attributes": {"POSITION": positions, "NORMAL": normals,
                    "JOINTS_0": joints, "WEIGHTS_0": weights},
                "indices": indices, "material": 0, "targets": [{"POSITION": bulge}]}]}),
    );
    let mut binds = vec![0.0; 32];
    for (matrix, y) in [(0, 0.0), (1, -1.0)] {
        for diagonal in 0..4 {
            binds[matrix * 16 + diagonal * 5] = 1.0;
        }
        binds[matrix * 16 + 13] = y;
    }
    let binds = b.floats("MAT4", &binds);
    b.push("skins", json!({"inverseBindMatrices": binds, "joints": [1, 2]}));
    b.push("nodes", json!({"name": "body", "mesh": 0, "skin": 0}));
    b.push("nodes", json!({"name": "lower", "children": [2]}));
    b.push("nodes", json!({"name": "upper", "translation": [0, 1, 0]}));
    b.push("scenes", json!({"nodes": [0, 1]}));
    b.json["scene"] = json!(0);
    let times = b.floats("SCALAR", &[0.0, 1.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let rotations = b.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half]);
    let translations: Vec<f32> = (0..18).map(|at| at as f32 / 16.0).collect();
    let translations = b.floats("VEC3", &translations);
    let scales = b.floats("VEC3", &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    let rises = b.floats("SCALAR", &[0.0, 1.0]);
    b.push(
        "animations",
        json!({"name": "wave",
            "samplers": [
                {"input": times, "output": rotations},
                {"input": times, "output": translations, "interpolation": "CUBICSPLINE"},
                {"input": times, "output": scales, "interpolation": "STEP"},
                {"input": times, "output": rises, "interpolation": "LINEAR"}],
            "channels": [
                {"sampler": 0, "target": {"node": 2, "path": "rotation"}},
                {"sampler": 1, "target": {"node": 1, "path": "translation"}},
                {"sampler": 2, "target": {"node": 1, "path": "scale"}},
                {"sampler": 3, "target": {"node": 0, "path": "weights"}}]}),
    );
    b
}
