//! Textures, their samplers and images.
//!
//! In:  the scene's. Out: the document's; images as views of the buffer or as files beside the document.
//!
//! An image that cannot be had is left out, and its textures have no source then: as in the scene.

use sinew_scene::{Filter, Sampler, Scene, Wrap};

use super::buffer::Buffers;
use super::extension::{BASISU, Extensions, WEBP};
use super::image::{self, Kind};
use super::json::Object;
use super::names::Names;
use super::note::Notes;
use crate::ExportedFile;

/// Where images go.
pub(super) enum ImagesGo<'a, 's> {
    /// Into the buffer.
    Inside(&'a mut Buffers<'s>),
    /// Into files beside the document.
    Beside(&'a mut Names, &'a mut Vec<ExportedFile>),
}

/// The lists of the document.
#[derive(Default)]
pub(super) struct Surfaces {
    pub(super) textures: Vec<Object>,
    pub(super) samplers: Vec<Object>,
    pub(super) images: Vec<Object>,
}

pub(super) fn write(
    scene: &Scene,
    mut go: ImagesGo<'_, '_>,
    extensions: &mut Extensions,
    notes: &mut Notes,
) -> Surfaces {
    let mut surfaces = Surfaces::default();
    // By image of the scene: its number and kind.
    let mut written: Vec<Option<(usize, Kind)>> = Vec::new();
    for filed in &scene.images {
        let (kind, bytes) = match image::file(&filed.data) {
            Ok(found) => found,
            Err(why) => {
                notes.add(format!("the image \"{}\" is left out: {why}", filed.name));
                written.push(None);
                continue;
            }
        };
        let object = Object::new().filled("name", filed.name.as_str());
        let object = match &mut go {
            ImagesGo::Inside(buffers) => object
                .with("bufferView", buffers.add_whole(bytes))
                .with("mimeType", kind.media_type()),
            ImagesGo::Beside(names, all) => {
                let known = all.iter().find(|known| *known.bytes == *bytes);
                let name = known.map(|known| known.name.clone()).unwrap_or_else(|| {
                    let name = names.fresh(&filed.name, kind.ending());
                    all.push(ExportedFile { name: name.clone(), bytes: bytes.into_vec() });
                    name
                });
                object.with("uri", name)
            }
        };
        written.push(Some((surfaces.images.len(), kind)));
        surfaces.images.push(object);
    }
    for texture in &scene.textures {
        let sampler = sampler(texture.sampler, &mut surfaces.samplers);
        let object = Object::new().filled("name", texture.name.as_str()).some("sampler", sampler);
        let image = texture.image.and_then(|image| written[image.index()]);
        let object = match image {
            None => object,
            Some((image, Kind::Png | Kind::Jpeg)) => object.with("source", image),
            Some((image, kind)) => {
                let name = if kind == Kind::WebP { WEBP } else { BASISU };
                extensions.require(name);
                object.extension(name, Object::new().with("source", image))
            }
        };
        surfaces.textures.push(object);
    }
    surfaces
}

/// The number of a sampler, which is listed once; what glTF takes without one needs none.
fn sampler(filed: Sampler, samplers: &mut Vec<Object>) -> Option<usize> {
    if filed == (Sampler { mipmap: Some(Filter::Linear), ..Sampler::default() }) {
        return None;
    }
    let wrap = |wrap: Wrap| match wrap {
        Wrap::Repeat => 10497_usize,
        Wrap::Mirror => 33648,
        Wrap::Clamp => 33071,
    };
    let magnify = match filed.magnify {
        Filter::Nearest => 9728_usize,
        Filter::Linear => 9729,
    };
    let minify = match (filed.minify, filed.mipmap) {
        (Filter::Nearest, None) => 9728_usize,
        (Filter::Linear, None) => 9729,
        (Filter::Nearest, Some(Filter::Nearest)) => 9984,
        (Filter::Linear, Some(Filter::Nearest)) => 9985,
        (Filter::Nearest, Some(Filter::Linear)) => 9986,
        (Filter::Linear, Some(Filter::Linear)) => 9987,
    };
    let object = Object::new()
        .with("magFilter", magnify)
        .with("minFilter", minify)
        .unless("wrapS", wrap(filed.wrap_u), 10497)
        .unless("wrapT", wrap(filed.wrap_v), 10497);
    let known = samplers.iter().position(|known| *known == object);
    Some(known.unwrap_or_else(|| {
        samplers.push(object);
        samplers.len() - 1
    }))
}
