//! Whole files, made by code: each test's name is a rule that a reader of glTF must hold.

mod accessor;
mod clip;
mod compressed;
mod mend;
mod mesh;
mod pointer;
mod scene;
mod skin;
mod surface;

use std::sync::Arc;

use glam::{Vec3, Vec4};
use sinew_scene::{InstanceId, Interpolation, JointId};

use super::testing::{plain, rigged};
use crate::testing::survives_damage;
use crate::{Format, NoFiles};

#[test]
fn a_rigged_file_is_read_whole() {
    let imported = rigged().read();
    assert_eq!(imported.notes, []);
    let scene = imported.scene;
    assert_eq!(scene.skeleton().len(), 3);
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.indices.len(), 12);
    assert_eq!(primitive.positions[5], Vec3::new(1.0, 2.0, 0.0));
    assert_eq!(primitive.influences.of(2).len(), 2);
    assert_eq!(primitive.morphs[0].positions[3], Vec3::Z);
    assert_eq!(scene.meshes[0].morph_names, ["bulge"]);
    assert_eq!(scene.instances[0].weights, [0.25]);
    assert_eq!(scene.skins[0].joints, [JointId::new(1), JointId::new(2)]);
    assert_eq!(Vec3::from(scene.skins[0].joint_from_mesh[1].translation), Vec3::NEG_Y);
    assert_eq!(scene.materials[0].base_color, Vec4::new(1.0, 0.5, 0.25, 1.0));
    let clip = &scene.clips[0];
    assert_eq!((clip.name.as_str(), clip.start, clip.duration), ("wave", 0.0, 1.0));
    assert_eq!(clip.translations[0].curve.interpolation(), Interpolation::Cubic);
    assert_eq!(clip.translations[0].curve.values()[4], Vec3::new(12.0, 13.0, 14.0) / 16.0);
    assert_eq!(clip.scales[0].curve.interpolation(), Interpolation::Step);
    assert_eq!(clip.weights[0].instance, InstanceId::new(0));
    assert_eq!(clip.weights[0].rows.row(1), [1.0]);
}

#[test]
fn binary_and_text_give_the_same_scene() {
    let file = rigged();
    let binary = plain().read_as(Format::Gltf, &file.glb(), &NoFiles).expect("a good file");
    assert_eq!(binary.scene, file.read().scene);
}

#[test]
fn tracks_with_the_same_input_share_their_times() {
    let scene = rigged().read().scene;
    let clip = &scene.clips[0];
    assert!(Arc::ptr_eq(clip.translations[0].curve.times(), clip.rotations[0].curve.times()));
}

#[test]
fn every_prefix_and_damaged_copy_of_a_text_file_is_an_error_or_a_scene() {
    survives_damage(Format::Gltf, &rigged().gltf(), &NoFiles);
}

#[test]
fn every_prefix_and_damaged_copy_of_a_binary_file_is_an_error_or_a_scene() {
    survives_damage(Format::Gltf, &rigged().glb(), &NoFiles);
}
