//! Whole files, made by hand, read through the door: what the tests below share.

mod broken;
mod looks;
mod mesh;
mod motion;
mod skin;

use glam::{Affine3A, Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, Scene};

use crate::{Files, Format, ImportError, Imported, InMemory, NoFiles, Normals, Options};

/// A document in metres and Y up around these elements.
fn document(body: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" \
         version=\"1.4.1\">\n<asset><unit meter=\"1\"/><up_axis>Y_UP</up_axis></asset>\n{body}\n</COLLADA>"
    )
}

fn read(text: &str) -> Result<Imported, ImportError> {
    read_with(text.as_bytes(), &NoFiles)
}

fn read_with(bytes: &[u8], files: &dyn Files) -> Result<Imported, ImportError> {
    // Without normals of our own making, vertices are those of the file.
    let options = Options { normals: Normals::Keep, ..Options::default() };
    options.read_as(Format::Collada, bytes, files)
}

fn open(body: &str) -> Imported {
    read(&document(body)).expect("a good file")
}

/// A visual scene with these nodes, and what shows it.
fn shown(nodes: &str) -> String {
    format!(
        "<library_visual_scenes><visual_scene id=\"scene\">{nodes}</visual_scene>\
         </library_visual_scenes><scene><instance_visual_scene url=\"#scene\"/></scene>"
    )
}

/// A source of numbers.
fn floats(id: &str, stride: usize, values: &str) -> String {
    let count = values.split_whitespace().count();
    let rows = count / stride;
    format!(
        "<source id=\"{id}\"><float_array id=\"{id}-array\" count=\"{count}\">{values}</float_array>\
         <technique_common><accessor source=\"#{id}-array\" count=\"{rows}\" stride=\"{stride}\"/>\
         </technique_common></source>"
    )
}

/// A source of names.
fn names(id: &str, words: &str) -> String {
    let count = words.split_whitespace().count();
    format!(
        "<source id=\"{id}\"><Name_array id=\"{id}-array\" count=\"{count}\">{words}</Name_array>\
         <technique_common><accessor source=\"#{id}-array\" count=\"{count}\"/></technique_common>\
         </source>"
    )
}

/// A geometry with positions `id-p` in `<vertices>` and this inside its mesh.
fn geometry(id: &str, positions: &str, inside: &str) -> String {
    let source = floats(&format!("{id}-p"), 3, positions);
    format!(
        "<geometry id=\"{id}\"><mesh>{source}<vertices id=\"{id}-v\"><input semantic=\"POSITION\" \
         source=\"#{id}-p\"/></vertices>{inside}</mesh></geometry>"
    )
}

/// An animation of `target` with keys as written; `extra` is for tangents.
fn animation(
    id: &str,
    target: &str,
    times: &str,
    stride: usize,
    values: &str,
    word: &str,
) -> String {
    let count = times.split_whitespace().count();
    let words = if word.contains(' ') { word.to_owned() } else { vec![word; count].join(" ") };
    format!(
        "<animation id=\"{id}\">{}{}{}<sampler id=\"{id}-s\">\
         <input semantic=\"INPUT\" source=\"#{id}-i\"/><input semantic=\"OUTPUT\" source=\"#{id}-o\"/>\
         <input semantic=\"INTERPOLATION\" source=\"#{id}-n\"/></sampler>\
         <channel source=\"#{id}-s\" target=\"{target}\"/></animation>",
        floats(&format!("{id}-i"), 1, times),
        floats(&format!("{id}-o"), stride, values),
        names(&format!("{id}-n"), &words),
    )
}

fn animations(all: &[String]) -> String {
    format!("<library_animations>{}</library_animations>", all.concat())
}

fn notes(imported: &Imported) -> String {
    imported.notes.iter().map(|note| format!("{note}\n")).collect()
}

/// The value of a curve at a time, as any player has it.
fn at<V: Copy>(
    curve: &Curve<V>,
    time: f32,
    mix: impl Fn(V, V, f32) -> V,
    spline: impl Fn([V; 4], f32, f32) -> V,
) -> V {
    let each = curve.interpolation().values_per_key();
    let value = |key: usize, slot: usize| curve.values()[key * each + slot];
    let times = curve.times();
    let after = times.partition_point(|&key| key <= time);
    if after == 0 || after == times.len() {
        return value(after.saturating_sub(1), each / 2);
    }
    let span = times[after] - times[after - 1];
    let part = (time - times[after - 1]) / span;
    match curve.interpolation() {
        Interpolation::Step => value(after - 1, 0),
        Interpolation::Linear => mix(value(after - 1, 0), value(after, 0), part),
        Interpolation::Cubic => spline(
            [value(after - 1, 1), value(after - 1, 2), value(after, 1), value(after, 0)],
            part,
            span,
        ),
    }
}

/// The four weights of a cubic Hermite spline.
fn weights(s: f32, span: f32) -> [f32; 4] {
    let (s2, s3) = (s * s, s * s * s);
    [2.0 * s3 - 3.0 * s2 + 1.0, (s3 - 2.0 * s2 + s) * span, 3.0 * s2 - 2.0 * s3, (s3 - s2) * span]
}

fn vector_at(curve: &Curve<Vec3>, time: f32) -> Vec3 {
    let spline = |v: [Vec3; 4], s: f32, span: f32| {
        v.iter().zip(weights(s, span)).map(|(value, weight)| *value * weight).sum()
    };
    at(curve, time, |one, other, part| one.lerp(other, part), spline)
}

fn rotation_at(curve: &Curve<Quat>, time: f32) -> Quat {
    let spline = |v: [Quat; 4], s: f32, span: f32| {
        let sum = v.iter().zip(weights(s, span)).map(|(value, weight)| *value * weight);
        sum.reduce(|one, other| one + other).expect("four").normalize()
    };
    at(curve, time, |one, other, part| one.slerp(other, part), spline)
}

/// Where a node of this name is in the world at a time of a clip.
fn world(scene: &Scene, clip: Option<(&Clip, f32)>, name: &str) -> Affine3A {
    let joint = scene.skeleton().find(name).unwrap_or_else(|| panic!("no node {name}"));
    let chain = std::iter::successors(Some(joint), |joint| scene.skeleton().node(*joint).parent);
    chain.fold(Affine3A::IDENTITY, |below, joint| {
        let mut node = scene.skeleton().node(joint).clone();
        if let Some((clip, time)) = clip {
            let rotated = clip.rotations.iter().find(|track| track.joint == joint);
            let moved = clip.translations.iter().find(|track| track.joint == joint);
            let scaled = clip.scales.iter().find(|track| track.joint == joint);
            let rest = &mut node.rest;
            rest.rotation = rotated.map_or(rest.rotation, |track| rotation_at(&track.curve, time));
            rest.translation =
                moved.map_or(rest.translation, |track| vector_at(&track.curve, time));
            rest.scale = scaled.map_or(rest.scale, |track| vector_at(&track.curve, time));
        }
        node.parent_from_node() * below
    })
}

#[track_caller]
fn close(found: Affine3A, expected: Affine3A, tolerance: f32) {
    assert!(found.abs_diff_eq(expected, tolerance), "{found:?}\nis not\n{expected:?}");
}

fn rotate(axis: Vec3, degrees: f32) -> Affine3A {
    Affine3A::from_quat(Quat::from_axis_angle(axis, degrees.to_radians()))
}

fn translate(x: f32, y: f32, z: f32) -> Affine3A {
    Affine3A::from_translation(Vec3::new(x, y, z))
}
