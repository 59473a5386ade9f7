//! A tiny glTF file, made as text: a triangle on two joints with one clip, and whatever fault is put into it.

use std::fmt::Write;

use sinew_import::{Imported, NoFiles};

/// What the file says. The default is sound.
#[derive(Clone)]
pub(crate) struct Gltf {
    pub(crate) weights: [[f32; 4]; 3],
    pub(crate) joints: [[u8; 4]; 3],
    /// Members of the node that draws the triangle, beside mesh and skin.
    pub(crate) mesh_node: &'static str,
    /// Members of the root joint, beside its children.
    pub(crate) root_joint: &'static str,
    /// Nodes after the three that there are.
    pub(crate) more_nodes: &'static str,
    pub(crate) scene: &'static str,
    pub(crate) times: [f32; 3],
    pub(crate) rotations: [[f32; 4]; 3],
    pub(crate) channels: &'static str,
    /// Members at the root of the document.
    pub(crate) more: &'static str,
}

impl Default for Gltf {
    fn default() -> Self {
        let half = std::f32::consts::FRAC_PI_8;
        Self {
            weights: [[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.25, 0.75, 0.0, 0.0]],
            joints: [[0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]],
            mesh_node: "",
            root_joint: "",
            more_nodes: "",
            scene: "0,1",
            times: [0.0, 0.5, 1.0],
            rotations: [
                [0.0, 0.0, 0.0, 1.0],
                [0.0, 0.0, half.sin(), half.cos()],
                [0.0, 0.0, 0.0, 1.0],
            ],
            channels: r#"{"sampler":0,"target":{"node":2,"path":"rotation"}}"#,
            more: "",
        }
    }
}

impl Gltf {
    /// The file, read as a check reads it.
    pub(crate) fn read(&self) -> Imported {
        let text = self.text();
        sinew_check::options()
            .read(text.as_bytes(), &NoFiles)
            .unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    fn text(&self) -> String {
        let (bytes, views) = self.buffer();
        let mut list = String::new();
        for (at, (start, length)) in views.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            let _ =
                write!(list, r#"{comma}{{"buffer":0,"byteOffset":{start},"byteLength":{length}}}"#);
        }
        let accessor = |view: usize, kind: &str, component: u32, count: usize| {
            format!(
                r#"{{"bufferView":{view},"componentType":{component},"count":{count},"type":"{kind}"}}"#
            )
        };
        let accessors = [
            accessor(0, "VEC3", 5126, 3),
            accessor(1, "VEC4", 5121, 3),
            accessor(2, "VEC4", 5126, 3),
            accessor(3, "MAT4", 5126, 2),
            accessor(4, "SCALAR", 5126, 3),
            accessor(5, "VEC4", 5126, 3),
        ];
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[{}]}}],
            "nodes":[{{"name":"skin","mesh":0,"skin":0{}}},{{"name":"root","children":[2]{}}},
            {{"name":"tip","translation":[0,1,0]}}{}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}}}]}}],
            "skins":[{{"joints":[1,2],"inverseBindMatrices":3}}],
            "animations":[{{"name":"bend","channels":[{}],"samplers":[{{"input":4,"output":5}}]}}],
            "accessors":[{}],"bufferViews":[{list}],
            "buffers":[{{"byteLength":{},"uri":"data:application/octet-stream;base64,{}"}}]{}}}"#,
            self.scene,
            self.mesh_node,
            self.root_joint,
            self.more_nodes,
            self.channels,
            accessors.join(","),
            bytes.len(),
            base64(&bytes),
            self.more,
        )
    }

    /// All data, and where each part of it begins and how long it is.
    fn buffer(&self) -> (Vec<u8>, Vec<(usize, usize)>) {
        let mut bytes = Vec::new();
        let mut views = Vec::new();
        let floats = |numbers: &[f32]| {
            numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>()
        };
        let mut identity = [0.0_f32; 16];
        [0, 5, 10, 15].into_iter().for_each(|at| identity[at] = 1.0);
        let mut tip = identity;
        tip[13] = -1.0;
        let parts = [
            floats(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 2.0, 0.0]),
            self.joints.concat(),
            floats(&self.weights.concat()),
            floats(&[identity, tip].concat()),
            floats(&self.times),
            floats(&self.rotations.concat()),
        ];
        for part in parts {
            views.push((bytes.len(), part.len()));
            bytes.extend(part);
        }
        (bytes, views)
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let at = |index: usize| u32::from(three.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for letter in 0..4 {
            let used = letter <= three.len();
            let index = (bits >> (18 - 6 * letter)) & 63;
            text.push(if used { char::from(LETTERS[index as usize]) } else { '=' });
        }
    }
    text
}
