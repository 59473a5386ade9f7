//! The checks that make parts a scene: every index in range, every length right, every number finite.
//!
//! They run once, when a scene is made; no other code looks again.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use glam::{Vec3, Vec4};

use crate::{
    Clip, Curve, Decimal, Geometry, ImageData, LightKind, Mesh, Projection, Property, SceneParts,
    Skin, Topology,
};

/// What does not hold in the parts of a scene, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SceneError {
    /// Such as `meshes[2].primitives[0].indices[17]`.
    pub place: String,
    /// What was expected and what was found.
    pub message: String,
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for SceneError {}

type Checked = Result<(), SceneError>;

fn fault(place: impl Into<String>, message: impl Into<String>) -> SceneError {
    SceneError { place: place.into(), message: message.into() }
}

fn below(place: impl FnOnce() -> String, index: usize, count: usize) -> Checked {
    if index < count {
        return Ok(());
    }
    Err(fault(place(), format!("expected an index below {count}, found {index}")))
}

fn length(place: impl FnOnce() -> String, found: usize, expected: usize) -> Checked {
    if found == expected {
        return Ok(());
    }
    Err(fault(place(), format!("expected {expected} entries, found {found}")))
}

fn finite(place: impl FnOnce() -> String, good: bool) -> Checked {
    if good {
        return Ok(());
    }
    Err(fault(place(), "expected finite numbers, found one that is not"))
}

/// `checked` are geometries that were found good and that others hold, so that nobody can have changed them since.
pub(crate) fn check(parts: &SceneParts, mut checked: HashSet<*const Geometry>) -> Checked {
    nodes(parts)?;
    for (at, mesh) in parts.meshes.iter().enumerate() {
        check_mesh(parts, mesh, &format!("meshes[{at}]"), &mut checked)?;
    }
    for (at, skin) in parts.skins.iter().enumerate() {
        check_skin(parts, skin, &format!("skins[{at}]"))?;
    }
    instances(parts)?;
    surfaces(parts)?;
    lights_and_cameras(parts)?;
    properties(parts)?;
    for (at, clip) in parts.clips.iter().enumerate() {
        check_clip(parts, clip, &format!("clips[{at}]"))?;
    }
    finite(|| "file_from_world".into(), parts.file_from_world.is_finite())
}

fn nodes(parts: &SceneParts) -> Checked {
    for (at, node) in parts.nodes.iter().enumerate() {
        let place = || format!("nodes[{at}]");
        if let Some(parent) = node.parent
            && parent.index() >= at
        {
            let found = parent.index();
            return Err(fault(
                place(),
                format!("expected a parent before the node, found {found}"),
            ));
        }
        let shear = node.shear.is_none_or(|shear| shear.is_finite());
        finite(place, node.rest.is_finite() && shear)?;
        if !node.rest.rotation.is_normalized() {
            let found = Decimal(node.rest.rotation.length().into());
            return Err(fault(place(), format!("expected a unit rotation, found length {found}")));
        }
    }
    Ok(())
}

/// `checked` holds the shared geometries that were found good.
fn check_mesh(
    parts: &SceneParts,
    mesh: &Mesh,
    place: &str,
    checked: &mut HashSet<*const Geometry>,
) -> Checked {
    for (at, primitive) in mesh.primitives.iter().enumerate() {
        let place = format!("{place}.primitives[{at}]");
        length(|| format!("{place}.morphs"), primitive.morphs.len(), mesh.morph_count())?;
        let geometry = &primitive.geometry;
        if Arc::strong_count(geometry) == 1 || checked.insert(Arc::as_ptr(geometry)) {
            check_geometry(geometry, &place)?;
        }
        if let Some(material) = primitive.material {
            below(|| format!("{place}.material"), material.index(), parts.materials.len())?;
        }
        for (variant, material) in &primitive.variants {
            let place = || format!("{place}.variants");
            below(place, variant.index(), parts.variants.len())?;
            below(place, material.index(), parts.materials.len())?;
        }
    }
    Ok(())
}

fn check_geometry(geometry: &Geometry, place: &str) -> Checked {
    let vertices = geometry.positions.len();
    let each = match geometry.topology {
        Topology::Triangles => 3,
        Topology::Lines => 2,
        Topology::Points => 1,
    };
    if !geometry.indices.len().is_multiple_of(each) {
        let found = geometry.indices.len();
        return Err(fault(
            format!("{place}.indices"),
            format!("expected a multiple of {each}, found {found}"),
        ));
    }
    let highest = geometry.indices.iter().copied().max();
    if highest.is_some_and(|index| index as usize >= vertices) {
        for (at, &index) in geometry.indices.iter().enumerate() {
            below(|| format!("{place}.indices[{at}]"), index as usize, vertices)?;
        }
    }
    let optional = |name: &str, found: usize| match found {
        0 => Ok(()),
        found => length(|| format!("{place}.{name}"), found, vertices),
    };
    optional("normals", geometry.normals.len())?;
    optional("tangents", geometry.tangents.len())?;
    optional("influences", geometry.influences.len())?;
    optional("dual_weights", geometry.dual_weights.len())?;
    for (set, uvs) in geometry.uvs.iter().enumerate() {
        optional(&format!("uvs[{set}]"), uvs.len())?;
        finite(|| format!("{place}.uvs[{set}]"), are_finite(uvs, |uv| uv.to_array()))?;
    }
    for (set, colors) in geometry.colors.iter().enumerate() {
        optional(&format!("colors[{set}]"), colors.len())?;
        finite(|| format!("{place}.colors[{set}]"), all_finite4(colors))?;
    }
    for (at, morph) in geometry.morphs.iter().enumerate() {
        optional(&format!("morphs[{at}].positions"), morph.positions.len())?;
        optional(&format!("morphs[{at}].normals"), morph.normals.len())?;
        optional(&format!("morphs[{at}].tangents"), morph.tangents.len())?;
        let good = all_finite(&morph.positions) && all_finite(&morph.normals);
        finite(|| format!("{place}.morphs[{at}]"), good && all_finite(&morph.tangents))?;
    }
    finite(|| format!("{place}.positions"), all_finite(&geometry.positions))?;
    finite(|| format!("{place}.normals"), all_finite(&geometry.normals))?;
    finite(|| format!("{place}.tangents"), all_finite4(&geometry.tangents))?;
    finite(|| format!("{place}.dual_weights"), geometry.dual_weights.iter().all(|w| w.is_finite()))
}

fn all_finite(values: &[Vec3]) -> bool {
    are_finite(values, |value| value.to_array())
}

fn all_finite4(values: &[Vec4]) -> bool {
    are_finite(values, |value| value.to_array())
}

/// Looks at every number, which without a way out is several at once.
fn are_finite<V: Copy, const N: usize>(values: &[V], numbers: impl Fn(V) -> [f32; N]) -> bool {
    const EXPONENT: u32 = 0x7f80_0000;
    let is_bad = |number: f32| number.to_bits() & EXPONENT == EXPONENT;
    !values.iter().fold(false, |bad, &value| {
        numbers(value).into_iter().fold(bad, |bad, number| bad | is_bad(number))
    })
}

fn check_skin(parts: &SceneParts, skin: &Skin, place: &str) -> Checked {
    length(|| format!("{place}.joint_from_mesh"), skin.joint_from_mesh.len(), skin.joints.len())?;
    for (at, joint) in skin.joints.iter().enumerate() {
        below(|| format!("{place}.joints[{at}]"), joint.index(), parts.nodes.len())?;
        finite(|| format!("{place}.joint_from_mesh[{at}]"), skin.joint_from_mesh[at].is_finite())?;
    }
    Ok(())
}

fn instances(parts: &SceneParts) -> Checked {
    for (at, instance) in parts.instances.iter().enumerate() {
        let place = format!("instances[{at}]");
        below(|| format!("{place}.joint"), instance.joint.index(), parts.nodes.len())?;
        below(|| format!("{place}.mesh"), instance.mesh.index(), parts.meshes.len())?;
        let mesh = &parts.meshes[instance.mesh.index()];
        length(|| format!("{place}.weights"), instance.weights.len(), mesh.morph_count())?;
        finite(|| format!("{place}.weights"), instance.weights.iter().all(|w| w.is_finite()))?;
        let Some(skin) = instance.skin else { continue };
        below(|| format!("{place}.skin"), skin.index(), parts.skins.len())?;
        let joints = parts.skins[skin.index()].joints.len();
        for primitive in &mesh.primitives {
            let highest = primitive.influences.all().iter().map(|influence| influence.joint).max();
            if let Some(joint) = highest {
                below(|| format!("{place}: influence of its mesh"), joint as usize, joints)?;
            }
        }
    }
    Ok(())
}

fn surfaces(parts: &SceneParts) -> Checked {
    for (at, material) in parts.materials.iter().enumerate() {
        let place = || format!("materials[{at}]");
        for used in material.textures() {
            below(place, used.texture.index(), parts.textures.len())?;
            let uv = used.transform;
            finite(
                place,
                uv.offset.is_finite() && uv.scale.is_finite() && uv.rotation.is_finite(),
            )?;
        }
        let factors = [
            material.metallic,
            material.roughness,
            material.normal_scale,
            material.occlusion_strength,
            material.emissive_strength,
            material.alpha_cutoff,
        ];
        let colors = material.base_color.is_finite() && material.emissive.is_finite();
        finite(place, colors && factors.iter().all(|factor| factor.is_finite()))?;
    }
    for (at, texture) in parts.textures.iter().enumerate() {
        if let Some(image) = texture.image {
            below(|| format!("textures[{at}].image"), image.index(), parts.images.len())?;
        }
    }
    for (at, image) in parts.images.iter().enumerate() {
        if let ImageData::Pixels { width, height, rgba } = &image.data {
            let expected = *width as usize * *height as usize * 4;
            length(|| format!("images[{at}].rgba"), rgba.len(), expected)?;
        }
    }
    Ok(())
}

fn lights_and_cameras(parts: &SceneParts) -> Checked {
    for (at, light) in parts.lights.iter().enumerate() {
        below(|| format!("lights[{at}].joint"), light.joint.index(), parts.nodes.len())?;
        let range = light.range.is_none_or(f32::is_finite);
        finite(
            || format!("lights[{at}]"),
            light.color.is_finite() && light.intensity.is_finite() && range,
        )?;
        if let LightKind::Spot { inner, outer } = light.kind {
            finite(|| format!("lights[{at}].kind"), inner.is_finite() && outer.is_finite())?;
        }
    }
    for (at, camera) in parts.cameras.iter().enumerate() {
        below(|| format!("cameras[{at}].joint"), camera.joint.index(), parts.nodes.len())?;
        let numbers = match camera.projection {
            Projection::Perspective { fov_y, aspect, near, far } => {
                [fov_y, aspect.unwrap_or(1.0), near, far.unwrap_or(1.0)]
            }
            Projection::Orthographic { half_width, half_height, near, far } => {
                [half_width, half_height, near, far]
            }
        };
        let good = numbers.iter().all(|number| number.is_finite());
        finite(|| format!("cameras[{at}].projection"), good)?;
    }
    Ok(())
}

fn properties(parts: &SceneParts) -> Checked {
    for (at, entry) in parts.properties.iter().enumerate() {
        let place = || format!("properties[{at}]");
        let (index, count) = match entry.property {
            Property::LightColor(id)
            | Property::LightIntensity(id)
            | Property::LightRange(id)
            | Property::SpotInner(id)
            | Property::SpotOuter(id) => (id.index(), parts.lights.len()),
            Property::FovY(id)
            | Property::Aspect(id)
            | Property::Near(id)
            | Property::Far(id)
            | Property::HalfWidth(id)
            | Property::HalfHeight(id) => (id.index(), parts.cameras.len()),
            Property::Visible(id) => (id.index(), parts.nodes.len()),
            Property::BaseColor(id)
            | Property::Metallic(id)
            | Property::Roughness(id)
            | Property::NormalScale(id)
            | Property::OcclusionStrength(id)
            | Property::Emissive(id)
            | Property::EmissiveStrength(id)
            | Property::AlphaCutoff(id)
            | Property::UvOffset(id, _)
            | Property::UvRotation(id, _)
            | Property::UvScale(id, _) => (id.index(), parts.materials.len()),
        };
        below(place, index, count)?;
        finite(place, entry.rest.iter().all(|number| number.is_finite()))?;
    }
    Ok(())
}

fn check_clip(parts: &SceneParts, clip: &Clip, place: &str) -> Checked {
    let joints = parts.nodes.len();
    if !(clip.duration >= 0.0 && clip.duration.is_finite() && clip.start.is_finite()) {
        return Err(fault(
            place,
            format!("expected a length from zero up, found {}", Decimal(clip.duration.into())),
        ));
    }
    check_markers(clip, place)?;
    for (at, track) in clip.translations.iter().enumerate() {
        let place = || format!("{place}.translations[{at}]");
        below(place, track.joint.index(), joints)?;
        finite(place, all_finite(track.curve.values()))?;
    }
    for (at, track) in clip.scales.iter().enumerate() {
        let place = || format!("{place}.scales[{at}]");
        below(place, track.joint.index(), joints)?;
        finite(place, all_finite(track.curve.values()))?;
    }
    for (at, track) in clip.rotations.iter().enumerate() {
        let place = || format!("{place}.rotations[{at}]");
        below(place, track.joint.index(), joints)?;
        finite(place, track.curve.values().iter().all(|key| key.is_finite()))?;
        if let Some(key) = keys_of(&track.curve).find(|key| !key.is_normalized()) {
            return Err(fault(
                place(),
                format!("expected unit rotations, found length {}", Decimal(key.length().into())),
            ));
        }
    }
    for (at, track) in clip.weights.iter().enumerate() {
        let place = || format!("{place}.weights[{at}]");
        below(place, track.instance.index(), parts.instances.len())?;
        length(place, track.rows.width(), parts.instances[track.instance.index()].weights.len())?;
        finite(place, track.rows.values().iter().all(|value| value.is_finite()))?;
    }
    for (at, track) in clip.properties.iter().enumerate() {
        let place = || format!("{place}.properties[{at}]");
        below(place, track.property.index(), parts.properties.len())?;
        length(
            place,
            track.rows.width(),
            parts.properties[track.property.index()].property.width(),
        )?;
        finite(place, track.rows.values().iter().all(|value| value.is_finite()))?;
    }
    Ok(())
}

fn check_markers(clip: &Clip, place: &str) -> Checked {
    let mut before = 0.0;
    for (at, marker) in clip.markers.iter().enumerate() {
        if !(before..=clip.duration).contains(&marker.time) {
            let [before, end, found] =
                [before, clip.duration, marker.time].map(|time| Decimal(time.into()));
            let message = format!("expected a time from {before} to {end} s, found {found}");
            return Err(fault(format!("{place}.markers[{at}]"), message));
        }
        before = marker.time;
    }
    Ok(())
}

/// The values at the keys, without tangents.
fn keys_of<V: Copy>(curve: &Curve<V>) -> impl Iterator<Item = V> {
    let each = curve.interpolation().values_per_key();
    curve.values().iter().skip(each / 2).step_by(each).copied()
}
