//! How fast a glTF file becomes a scene, in bytes of the file a second.
//!
//! `character` is mostly vertices (100,000, with 60 joints) with 50 tracks of 1,000 keys beside
//! them; `clips` is nothing but keys.

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew_import::{NoFiles, Options, Tangents, read};

const FLOAT: u32 = 5126;

/// A binary glTF file in the making.
#[derive(Default)]
struct File {
    bin: Vec<u8>,
    views: String,
    accessors: String,
    count: usize,
}

impl File {
    fn accessor(&mut self, bytes: &[u8], code: u32, kind: &str, count: usize) -> usize {
        let comma = if self.count > 0 { "," } else { "" };
        let (offset, length, view) = (self.bin.len(), bytes.len(), self.count);
        let _ = write!(
            self.views,
            "{comma}{{\"buffer\":0,\"byteOffset\":{offset},\"byteLength\":{length}}}"
        );
        let _ = write!(
            self.accessors,
            "{comma}{{\"bufferView\":{view},\"componentType\":{code},\"type\":\"{kind}\",\"count\":{count}}}"
        );
        self.bin.extend_from_slice(bytes);
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        self.count += 1;
        view
    }

    fn floats(&mut self, kind: &str, each: usize, numbers: &[f32]) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.accessor(&bytes, FLOAT, kind, numbers.len() / each)
    }

    /// `tracks` rotations of `keys` keys each, on nodes from 1 on.
    fn animation(&mut self, tracks: usize, keys: usize) -> String {
        let times: Vec<f32> = (0..keys).map(|key| key as f32 / 30.0).collect();
        let input = self.floats("SCALAR", 1, &times);
        let (mut samplers, mut channels) = (String::new(), String::new());
        for track in 0..tracks {
            let angle = |key: usize| (key + track) as f32 * 0.01;
            let turn = |key| [0.0, 0.0, f32::sin(angle(key)), f32::cos(angle(key))];
            let values: Vec<f32> = (0..keys).flat_map(turn).collect();
            let output = self.floats("VEC4", 4, &values);
            let comma = if track > 0 { "," } else { "" };
            let _ = write!(samplers, "{comma}{{\"input\":{input},\"output\":{output}}}");
            let node = track + 1;
            let _ = write!(
                channels,
                "{comma}{{\"sampler\":{track},\"target\":{{\"node\":{node},\"path\":\"rotation\"}}}}"
            );
        }
        format!("{{\"samplers\":[{samplers}],\"channels\":[{channels}]}}")
    }

    fn finish(self, rest: &str) -> Vec<u8> {
        let mut json = format!(
            "{{\"asset\":{{\"version\":\"2.0\"}},\"buffers\":[{{\"byteLength\":{}}}],\
             \"bufferViews\":[{}],\"accessors\":[{}],{rest}}}",
            self.bin.len(),
            self.views,
            self.accessors
        )
        .into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let word = |value: usize| (value as u32).to_le_bytes();
        let length = 28 + json.len() + self.bin.len();
        let head = [&b"glTF"[..], &word(2), &word(length), &word(json.len()), b"JSON"].concat();
        [head, json, [&word(self.bin.len())[..], b"BIN\0"].concat(), self.bin].concat()
    }
}

/// A mesh node, and a chain of `joints` nodes after it.
fn nodes(joints: usize) -> String {
    let mut nodes = String::from("\"nodes\":[{\"mesh\":0,\"skin\":0}");
    for joint in 1..=joints {
        let next =
            if joint < joints { format!(",\"children\":[{}]", joint + 1) } else { String::new() };
        let _ = write!(nodes, ",{{\"translation\":[0,0.1,0]{next}}}");
    }
    nodes + "]"
}

fn character() -> Vec<u8> {
    let (vertices, joints) = (100_000_usize, 60);
    let mut file = File::default();
    let wave = |at: usize| (at as f32 * 0.1).sin();
    let positions: Vec<f32> = (0..vertices * 3).map(wave).collect();
    let uvs: Vec<f32> = (0..vertices * 2).map(wave).collect();
    let of_vertex: Vec<u8> = (0..vertices * 4).map(|at| (at % joints) as u8).collect();
    let attributes = format!(
        "\"POSITION\":{},\"NORMAL\":{},\"TEXCOORD_0\":{},\"JOINTS_0\":{},\"WEIGHTS_0\":{}",
        file.floats("VEC3", 3, &positions),
        file.floats("VEC3", 3, &[0.0, 0.0, 1.0].repeat(vertices)),
        file.floats("VEC2", 2, &uvs),
        file.accessor(&of_vertex, 5121, "VEC4", vertices),
        file.floats("VEC4", 4, &[0.4, 0.3, 0.2, 0.1].repeat(vertices)),
    );
    let indices: Vec<u8> = (0..vertices - 2)
        .flat_map(|at| [at, at + 1, at + 2])
        .flat_map(|index| (index as u32).to_le_bytes())
        .collect();
    let indices = file.accessor(&indices, 5125, "SCALAR", (vertices - 2) * 3);
    let animation = file.animation(50, 1000);
    let list: Vec<String> = (1..=joints).map(|joint| joint.to_string()).collect();
    file.finish(&format!(
        "\"meshes\":[{{\"primitives\":[{{\"attributes\":{{{attributes}}},\"indices\":{indices}}}]}}],\
         \"skins\":[{{\"joints\":[{}]}}],{},\"scenes\":[{{\"nodes\":[0,1]}}],\"animations\":[{animation}]",
        list.join(","),
        nodes(joints)
    ))
}

fn clips() -> Vec<u8> {
    let mut file = File::default();
    let animations: Vec<String> = (0..10).map(|_| file.animation(60, 2000)).collect();
    let nodes = nodes(60).replace("\"mesh\":0,\"skin\":0", "");
    file.finish(&format!(
        "{nodes},\"scenes\":[{{\"nodes\":[0,1]}}],\"animations\":[{}]",
        animations.join(",")
    ))
}

fn import(criterion: &mut Criterion) {
    // Nothing is completed or made: what is measured is reading.
    let options = Options { tangents: Tangents::Keep, ..Options::default() };
    let mut group = criterion.benchmark_group("import/gltf");
    group.sample_size(20);
    for (name, file) in [("character", character()), ("clips", clips())] {
        let imported = read(&file, &NoFiles).expect("a good file");
        assert!(imported.notes.is_empty(), "{:?}", imported.notes);
        group.throughput(Throughput::Bytes(file.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| options.read(black_box(&file), &NoFiles).expect("a good file"));
        });
    }
    group.finish();
}

criterion_group!(benches, import);
criterion_main!(benches);
