//! Meshes encoded by the same crate, whole and damaged.

use super::*;
use draco_core::{
    DataType, EncoderBuffer, EncoderOptions, FaceIndex, GeometryAttributeType, Mesh, MeshEncoder,
    PointAttribute, PointIndex,
};

const SIDE: u32 = 9;

/// An attribute of the grid: kind, component type, components, normalized, unique id.
type Layout = (GeometryAttributeType, DataType, u8, bool, u32);

fn add(mesh: &mut Mesh, (kind, data_type, components, normalized, id): Layout, bytes: &[u8]) {
    let mut attribute = PointAttribute::new();
    let vertices = (SIDE * SIDE) as usize;
    attribute.init(kind, components, data_type, normalized, vertices);
    attribute.buffer_mut().write(0, bytes);
    attribute.set_unique_id(id);
    mesh.add_attribute_preserve_unique_id(attribute);
}

fn grid_positions() -> Vec<f32> {
    let vertex = |i| [(i % SIDE) as f32, (i / SIDE) as f32, (i * i % 7) as f32];
    (0..SIDE * SIDE).flat_map(vertex).collect()
}

fn bytes_of(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|f| f.to_le_bytes()).collect()
}

/// The stream of a grid whose positions have the id 4.
pub(in crate::gltf) fn grid() -> Vec<u8> {
    stream(5)
}

/// A grid with positions, joints and byte weights; speed 0 is edgebreaker, 10 sequential.
fn stream(speed: i32) -> Vec<u8> {
    let mut mesh = Mesh::new();
    mesh.set_num_points((SIDE * SIDE) as usize);
    let joints: Vec<u8> =
        (0..SIDE * SIDE).flat_map(|i| [i as u16, 2, 1, 300]).flat_map(u16::to_le_bytes).collect();
    let weights: Vec<u8> = (0..SIDE * SIDE).flat_map(|i| [255 - i as u8, i as u8]).collect();
    use GeometryAttributeType::{Generic, Position};
    let positions = bytes_of(&grid_positions());
    add(&mut mesh, (Position, DataType::Float32, 3, false, 4), &positions);
    add(&mut mesh, (Generic, DataType::Uint16, 4, false, 9), &joints);
    add(&mut mesh, (Generic, DataType::Uint8, 2, true, 2), &weights);
    let mut face = 0;
    mesh.set_num_faces(((SIDE - 1) * (SIDE - 1) * 2) as usize);
    for corner in (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| y * SIDE + x)) {
        for triangle in [[0, 1, SIDE], [SIDE, 1, SIDE + 1]] {
            mesh.set_face(FaceIndex(face), triangle.map(|step| (corner + step).into()));
            face += 1;
        }
    }

    let mut options = EncoderOptions::new();
    options.set_global_int("encoding_speed", speed);
    options.set_global_int("decoding_speed", speed);
    let mut encoder = MeshEncoder::new();
    encoder.set_mesh(mesh);
    let mut buffer = EncoderBuffer::new();
    encoder.encode(&options, &mut buffer).unwrap();
    buffer.data().to_vec()
}

#[test]
fn a_mesh_comes_back_whatever_the_coder() {
    for speed in [0, 5, 10] {
        let primitive = decode(&stream(speed), &[9, 4, 2]).unwrap();
        assert_eq!(primitive.vertices, 81, "speed {speed}");
        assert_eq!(primitive.indices.len(), 8 * 8 * 6);

        let [joints, positions, weights] = &primitive.attributes[..] else {
            panic!("three attributes");
        };
        assert_eq!((positions.component, positions.components), (Component::F32, 3));
        assert_eq!((joints.component, joints.components), (Component::U16, 4));
        assert_eq!((weights.component, weights.normalized), (Component::U8, true));
        // The coder may number the vertices anew: compare them as a set, attribute by attribute.
        let budget = &mut crate::budget::Budget::for_file(0);
        let elements = |attribute: &Attribute| attribute.elements(true, Place::Whole).count;
        assert_eq!([elements(positions), elements(joints), elements(weights)], [81; 3]);
        let positions: Vec<[f32; 3]> =
            positions.elements(false, Place::Whole).floats(budget, |v| v).unwrap();
        let joints: Vec<[u32; 4]> = joints.elements(false, Place::Whole).wholes(budget).unwrap();
        let weights: Vec<[f32; 2]> =
            weights.elements(true, Place::Whole).floats(budget, |v| v).unwrap();
        let mut found: Vec<([f32; 3], [u32; 4], [f32; 2])> =
            (0..81).map(|v| (positions[v], joints[v], weights[v])).collect();
        found.sort_by_key(|vertex| vertex.1[0]);
        for (i, (expected, (position, joints, weights))) in
            grid_positions().as_chunks::<3>().0.iter().zip(&found).enumerate()
        {
            assert_eq!(position, expected);
            assert_eq!(joints, &[i as u32, 2, 1, 300]);
            assert_eq!(weights, &[(255 - i) as f32 / 255.0, i as f32 / 255.0]);
        }
    }
}

#[test]
fn an_attribute_that_is_not_there_is_named() {
    let error = decode(&stream(5), &[4, 7]).unwrap_err();
    assert!(error.contains("no attribute 7, only [4, 9, 2]"), "{error}");
}

#[test]
fn a_point_cloud_is_refused() {
    let mut source = stream(5);
    source[7] = 0;
    assert!(decode(&source, &[]).unwrap_err().contains("point cloud"));
}

#[test]
fn every_prefix_is_an_error() {
    for speed in [0, 5, 10] {
        let source = stream(speed);
        for end in 0..source.len() {
            assert!(
                decode(&source[..end], &[4, 9, 2]).is_err(),
                "{end} of {}, speed {speed}",
                source.len()
            );
        }
    }
}

#[test]
fn flipped_bytes_never_panic() {
    let mut state = 1_u64;
    let mut below = |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % end
    };
    for speed in [0, 5, 10] {
        let source = stream(speed);
        for _ in 0..3000 {
            let mut bytes = source.clone();
            for _ in 0..=below(3) {
                let at = below(bytes.len());
                bytes[at] = below(256) as u8;
            }
            if let Ok(primitive) = decode(&bytes, &[4, 9, 2]) {
                assert!(primitive.indices.iter().all(|&i| (i as usize) < primitive.vertices));
            }
        }
    }
}

#[test]
fn a_tiny_stream_that_claims_billions_of_triangles_is_refused() {
    // Sequential connectivity states its counts first, edgebreaker the kind of its traversal.
    for method in [&[0, 0, 0][..], &[1, 0, 0, 0]] {
        let mut source = b"DRACO\x02\x02\x01".to_vec();
        source.extend(method);
        source.extend([0xff, 0xff, 0xff, 0xff, 0x07].repeat(2));
        source.extend([0; 64]);
        let error = decode(&source, &[]).unwrap_err();
        assert!(error.to_lowercase().contains("exceed"), "{error}");
    }
}
