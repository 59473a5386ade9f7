//! Materials that blend without need.

use sinew_scene::{AlphaMode, ImageData, MaterialId, Property, SceneParts};

use crate::finding::counted;

/// Materials whose alpha is all opaque become opaque, and those whose alpha is clear or opaque become a mask.
pub(super) fn opaque_or_mask(parts: &mut SceneParts) -> Option<String> {
    let mut changed = 0;
    for at in 0..parts.materials.len() {
        if let Some(mode) = better_mode(parts, MaterialId::new(at)) {
            parts.materials[at].alpha_mode = mode;
            changed += 1;
        }
    }
    (changed > 0)
        .then(|| format!("{} no longer", counted(changed, "material blends", "materials blend")))
}

fn better_mode(parts: &SceneParts, id: MaterialId) -> Option<AlphaMode> {
    let material = &parts.materials[id.index()];
    let animated = parts.properties.iter().any(|entry| entry.property == Property::BaseColor(id));
    let colors = parts.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let tinted = colors
        .filter(|primitive| primitive.material == Some(id))
        .any(|primitive| primitive.colors.iter().flatten().any(|color| color.w < 0.995));
    if material.alpha_mode != AlphaMode::Blend
        || animated
        || tinted
        || material.base_color.w < 0.995
    {
        return None;
    }
    let image =
        material.base_color_texture.and_then(|used| parts.textures[used.texture.index()].image);
    let Some(image) = image else { return Some(AlphaMode::Opaque) };
    let alphas = alphas(&parts.images[image.index()].data)?;
    match (
        alphas.iter().any(|alpha| (8..248).contains(alpha)),
        alphas.iter().any(|alpha| *alpha < 8),
    ) {
        (true, _) => None,
        (false, true) => Some(AlphaMode::Mask),
        (false, false) => Some(AlphaMode::Opaque),
    }
}

fn alphas(data: &ImageData) -> Option<Vec<u8>> {
    let of = |rgba: &[u8]| rgba.chunks_exact(4).map(|pixel| pixel[3]).collect();
    match data {
        ImageData::Pixels { rgba, .. } => Some(of(rgba)),
        #[cfg(feature = "images")]
        ImageData::Encoded { bytes, .. } => {
            sinew_import::image::decode(bytes).ok().map(|pixels| of(&pixels.rgba))
        }
        _ => None,
    }
}
