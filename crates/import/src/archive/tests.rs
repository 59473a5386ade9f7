//! Archives made by code: what is found in them, and what is refused.

use std::path::Path;

use miniz_oxide::deflate::compress_to_vec;

use super::inflate::crc32;
use crate::testing::damaged_copies;
use crate::{ErrorKind, ImportError, Imported, InMemory, NoFiles, open, read};

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";

/// One file as it is filed.
struct Filed {
    name: Vec<u8>,
    bytes: Vec<u8>,
    method: u16,
    flags: u16,
    /// What the directory claims.
    size: Option<u32>,
}

fn packed(name: &str, bytes: &[u8]) -> Filed {
    Filed { name: name.into(), bytes: bytes.to_vec(), method: 8, flags: 0x800, size: None }
}

fn stored(name: &str, bytes: &[u8]) -> Filed {
    Filed { method: 0, ..packed(name, bytes) }
}

/// A zip archive; with data descriptors, as programs write that cannot go back.
fn zip(files: &[Filed]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for file in files {
        let offset = (out.len() as u32).to_le_bytes();
        let data =
            if file.method == 8 { compress_to_vec(&file.bytes, 6) } else { file.bytes.clone() };
        let size = file.size.unwrap_or(file.bytes.len() as u32).to_le_bytes();
        let crc = crc32(&file.bytes).to_le_bytes();
        let length = (file.name.len() as u16).to_le_bytes();
        let flags = (file.flags | 8).to_le_bytes();
        let method = file.method.to_le_bytes();
        let head = [&[20, 0][..], &flags, &method, &[0; 4]].concat();
        out.extend([&b"PK\x03\x04"[..], &head, &[0; 12], &length, &[0, 0], &file.name].concat());
        out.extend_from_slice(&data);
        let packed = (data.len() as u32).to_le_bytes();
        out.extend([&b"PK\x07\x08"[..], &crc, &packed, &size].concat());
        directory.extend([&b"PK\x01\x02\x14\0"[..], &head, &crc, &packed, &size, &length].concat());
        directory.extend([&[0; 12][..], &offset, &file.name].concat());
    }
    let count = (files.len() as u16).to_le_bytes();
    let at = (out.len() as u32).to_le_bytes();
    let length = (directory.len() as u32).to_le_bytes();
    out.extend(directory);
    out.extend(
        [&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &length, &at, &[3, 0], b"end"].concat(),
    );
    out
}

fn gzip(bytes: &[u8], name: Option<&str>) -> Vec<u8> {
    let flag = if name.is_some() { 8 } else { 0 };
    let name = name.map_or(Vec::new(), |name| [name.as_bytes(), &[0]].concat());
    let tail = [crc32(bytes).to_le_bytes(), (bytes.len() as u32).to_le_bytes()].concat();
    [&[0x1f, 0x8b, 8, flag, 0, 0, 0, 0, 0, 3][..], &name, &compress_to_vec(bytes, 6), &tail]
        .concat()
}

fn notes(imported: &Imported) -> Vec<String> {
    imported.notes.iter().map(ToString::to_string).collect()
}

fn refused(bytes: &[u8]) -> ImportError {
    read(bytes, &NoFiles).expect_err("refused")
}

fn shop() -> Vec<u8> {
    let gltf = br#"{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "buffers": [{"uri": "scene.bin", "byteLength": 36}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "images": [{"uri": "../textures/skin.png"}, {"uri": "C:/art/Wood.png"}, {"uri": "gone.png"}]}"#;
    let corners = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let corners: Vec<u8> = corners.iter().flat_map(|number| number.to_le_bytes()).collect();
    zip(&[
        packed("robot/source/scene.gltf", gltf),
        stored("robot/source/scene.bin", &corners),
        stored("robot/textures/skin.png", b"\x89PNG skin"),
        stored("robot/textures/wood.png", b"\x89PNG wood"),
        packed("robot/source/old.obj", TRIANGLE.as_bytes()),
        packed("__MACOSX/robot/source/._scene.glb", b"rubbish"),
        packed("license.txt", b"be nice"),
    ])
}

#[cfg(feature = "gltf")]
#[test]
fn a_model_in_a_shops_archive_is_read_with_its_buffers_and_images() {
    let files = InMemory { own_name: Some("robot.zip".into()), ..InMemory::default() };
    let imported = read(&shop(), &files).expect("a model");
    assert_eq!(imported.scene.meshes[0].primitives[0].positions.len(), 3);
    assert_eq!((imported.name.as_str(), imported.format), ("robot", crate::Format::Gltf));
    let found = |at: usize| match &imported.scene.images[at].data {
        sinew_scene::ImageData::Encoded { bytes, .. } => bytes.to_vec(),
        _ => Vec::new(),
    };
    assert_eq!([found(0), found(1)], [b"\x89PNG skin".to_vec(), b"\x89PNG wood".to_vec()]);
    assert_eq!(
        notes(&imported),
        [
            "the archive has several models: \"robot/source/scene.gltf\" is read, not \"robot/source/old.obj\"",
            "not found: \"gone.png\"; looked for in the archive, as named and by base name",
        ]
    );
}

#[cfg(feature = "obj")]
#[test]
fn an_archive_on_disk_is_opened_by_its_content() {
    let path = std::env::temp_dir().join(format!("sinew-archive-{}.any", std::process::id()));
    std::fs::write(&path, zip(&[packed("a.obj", TRIANGLE.as_bytes())])).expect("a file");
    let imported = open(&path);
    let stem = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
    std::fs::remove_file(&path).expect("cleaned up");
    assert_eq!(Some(imported.expect("a model").name), stem);
}

#[cfg(feature = "collada")]
#[test]
fn the_manifest_of_a_zae_names_its_document() {
    let dae = |unit: &str| {
        format!(
            "<COLLADA version=\"1.4.1\"><asset><unit meter=\"{unit}\"/></asset><library_visual_scenes><visual_scene id=\"v\"><node name=\"unit {unit}\"/></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#v\"/></scene></COLLADA>"
        )
    };
    let manifest = br#"<?xml version="1.0"?><dae_root>./models/b%20c.dae#scene</dae_root>"#;
    let bytes = zip(&[
        packed("a.dae", dae("1").as_bytes()),
        packed("models/b c.dae", dae("2").as_bytes()),
        packed("manifest.xml", manifest),
    ]);
    let scene = read(&bytes, &NoFiles).expect("a model").scene;
    let names: Vec<&str> = scene.skeleton().nodes().iter().map(|node| node.name.as_str()).collect();
    assert!(names.contains(&"unit 2"), "{names:?}");
}

#[cfg(feature = "obj")]
#[test]
fn gzip_is_unpacked_and_its_name_counts_without_the_ending() {
    let mtl = InMemory {
        files: [("red.mtl".to_owned(), b"newmtl red\nKd 1 0 0\n".to_vec())].into(),
        own_name: Some("walk.obj.GZ".into()),
    };
    let text = format!("mtllib red.mtl\n{TRIANGLE}");
    let imported = read(&gzip(text.as_bytes(), None), &mtl).expect("a model");
    assert_eq!((imported.name.as_str(), imported.notes.len()), ("walk", 0));
    let parts =
        [gzip(&text.as_bytes()[..20], Some("walk.obj")), gzip(&text.as_bytes()[20..], None)];
    let imported = read(&parts.concat(), &NoFiles).expect("two parts");
    assert_eq!(imported.scene.meshes.len(), 1);
}

#[test]
fn archives_inside_archives_are_not_opened() {
    let inner = zip(&[packed("a.obj", TRIANGLE.as_bytes())]);
    for bytes in [
        zip(&[packed("source/model.zip", &inner)]),
        zip(&[packed("a.obj", &gzip(TRIANGLE.as_bytes(), None))]),
        gzip(&inner, None),
        gzip(&gzip(TRIANGLE.as_bytes(), None), None),
    ] {
        let error = refused(&bytes);
        assert!(error.message.contains("unpack the outer one first"), "{error}");
    }
}

#[test]
fn what_cannot_be_unpacked_is_refused_with_a_sentence() {
    let file = |method: u16, flags: u16| Filed { method, flags, ..stored("a.obj", b"v 0 0 0") };
    let error = refused(&zip(&[file(0, 1)]));
    assert_eq!(
        error.message,
        "\"a.obj\" in the archive: it is encrypted: unpack the archive first"
    );
    let error = refused(&zip(&[file(14, 0)]));
    assert!(error.message.contains("it is packed by LZMA (14), which is not read"), "{error}");
    let error = refused(&zip(&[packed("readme.txt", b"hello")]));
    assert_eq!(error.message, "expected a model in the archive, found \"readme.txt\"");
    assert!(refused(&zip(&[])).message.contains("found no files in it"));
    let mut broken = zip(&[stored("a.obj", TRIANGLE.as_bytes())]);
    broken[40] ^= 1;
    assert!(refused(&broken).message.contains("its length or check sum is another"));
}

#[test]
fn bombs_are_bounded_by_the_size_of_the_archive() {
    // Two hundred megabytes of blanks in two hundred kilobytes.
    let blank = vec![b' '; 200 << 20];
    let bomb = zip(&[packed("a.obj", &blank)]);
    assert!(bomb.len() < 1 << 20);
    assert_eq!(refused(&bomb).kind, ErrorKind::TooLarge);
    assert_eq!(refused(&gzip(&blank, None)).kind, ErrorKind::TooLarge);
    // A directory that lies about the size gets no more than it claims.
    let liar = zip(&[Filed { size: Some(64), ..packed("a.obj", &blank) }]);
    assert_eq!(refused(&liar).kind, ErrorKind::TooLarge);
}

#[cfg(feature = "gltf")]
#[test]
fn many_names_for_the_same_bytes_come_out_of_one_allowance() {
    let images: Vec<String> = (0..40).map(|at| format!("{{\"uri\": \"{at}.png\"}}")).collect();
    let gltf =
        format!("{{\"asset\": {{\"version\": \"2.0\"}}, \"images\": [{}]}}", images.join(","));
    let blank = vec![0; 2 << 20];
    let mut files = vec![packed("a.gltf", gltf.as_bytes())];
    files.extend((0..40).map(|at| packed(&format!("{at}.png"), &blank)));
    let error = refused(&zip(&files));
    assert_eq!(error.kind, ErrorKind::TooLarge, "{error}");
}

#[test]
fn names_that_lead_out_of_an_archive_are_no_files() {
    for name in ["../a.obj", "/a.obj", "C:\\a.obj", "b/../../a.obj"] {
        let error = refused(&zip(&[packed(name, TRIANGLE.as_bytes())]));
        assert!(error.message.contains("found no files in it"), "{name}: {error}");
    }
    assert!(!Path::new("../a.obj").exists());
}

#[test]
fn every_prefix_and_damaged_copy_of_an_archive_is_an_error_or_a_scene() {
    for bytes in [shop(), gzip(TRIANGLE.as_bytes(), Some("a.obj"))] {
        damaged_copies(&bytes, |bytes| drop(read(bytes, &NoFiles)));
    }
}

#[cfg(feature = "obj")]
#[test]
fn large_numbers_in_fields_of_zip64_are_followed() {
    let name = b"a.obj";
    let data = TRIANGLE.as_bytes();
    let size = (data.len() as u64).to_le_bytes();
    let crc = crc32(data).to_le_bytes();
    let mut out =
        [&b"PK\x03\x04\x2d\0\0\x08\0\0\0\0\0\0"[..], &crc, &[0xff; 8], &[5, 0, 0, 0], name, data]
            .concat();
    let at = (out.len() as u64).to_le_bytes();
    let extra = [&[1, 0, 24, 0][..], &size, &size, &[0; 8]].concat();
    let entry = [
        &b"PK\x01\x02\x2d\0\x2d\0\0\x08\0\0\0\0\0\0"[..],
        &crc,
        &[0xff; 8],
        &[5, 0, 28, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        &[0xff; 4],
        name,
        &extra,
    ]
    .concat();
    let end = ((out.len() + entry.len()) as u64).to_le_bytes();
    let length = (entry.len() as u64).to_le_bytes();
    out.extend(&entry);
    let one = 1_u64.to_le_bytes();
    out.extend(
        [
            &b"PK\x06\x06"[..],
            &44_u64.to_le_bytes(),
            &[45, 0, 45, 0],
            &[0; 8],
            &one,
            &one,
            &length,
            &at,
        ]
        .concat(),
    );
    out.extend([&b"PK\x06\x07"[..], &[0; 4], &end, &[1, 0, 0, 0]].concat());
    out.extend([&b"PK\x05\x06\0\0\0\0"[..], &[0xff; 12], &[0, 0]].concat());
    assert_eq!(read(&out, &NoFiles).expect("a model").scene.meshes.len(), 1);
}
