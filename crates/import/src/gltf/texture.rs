//! Textures and images. Images stay packed, as filed; one that cannot be had is told, not fatal.

use std::collections::HashMap;
use std::sync::Arc;

use sinew_scene::{Filter, Image, ImageData, ImageId, Sampler, Texture, Wrap};

use super::accessor::Source;
use super::buffer::no_such;
use super::data_uri::DataUri;
use super::json::{self, Whole};
use crate::note::Notes;
use crate::open::Context;
use crate::{ErrorKind, ImportError, NoteCode, Place, files};

pub(super) fn read(source: &Source<'_>, notes: &mut Notes) -> Result<Vec<Texture>, ImportError> {
    let document = source.document;
    let each = document.textures.iter().enumerate().map(|(at, filed)| {
        let place = Place::part(format!("textures[{at}]"));
        let sampler = match filed.sampler {
            None => Sampler { mipmap: Some(Filter::Linear), ..Sampler::default() },
            Some(Whole(index)) => match document.samplers.get(index) {
                Some(sampler) => read_sampler(sampler),
                None => return Err(no_such("sampler", index, document.samplers.len(), &place)),
            },
        };
        let image = filed.image().map(|image| image.0);
        match image {
            Some(image) if image >= document.images.len() => {
                return Err(no_such("image", image, document.images.len(), &place));
            }
            None => notes.add(place, "a texture has no image that can be used"),
            _ => {}
        }
        let name = filed.name.clone().unwrap_or_default();
        Ok(Texture { name, image: image.map(ImageId::new), sampler })
    });
    each.collect()
}

/// The numbers are OpenGL's; those that mean nothing read as the default.
fn read_sampler(filed: &json::Sampler) -> Sampler {
    let wrap = |code: Option<Whole>| match code {
        Some(Whole(33071)) => Wrap::Clamp,
        Some(Whole(33648)) => Wrap::Mirror,
        _ => Wrap::Repeat,
    };
    let magnify = match filed.mag_filter {
        Some(Whole(9728)) => Filter::Nearest,
        _ => Filter::Linear,
    };
    let (minify, mipmap) = match filed.min_filter {
        Some(Whole(9728)) => (Filter::Nearest, None),
        Some(Whole(9729)) => (Filter::Linear, None),
        Some(Whole(9984)) => (Filter::Nearest, Some(Filter::Nearest)),
        Some(Whole(9985)) => (Filter::Linear, Some(Filter::Nearest)),
        Some(Whole(9986)) => (Filter::Nearest, Some(Filter::Linear)),
        _ => (Filter::Linear, Some(Filter::Linear)),
    };
    Sampler { wrap_u: wrap(filed.wrap_s), wrap_v: wrap(filed.wrap_t), magnify, minify, mipmap }
}

pub(super) fn read_images(
    source: &Source<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<Image>, ImportError> {
    // Bytes that several images share, by where they come from.
    let mut known: HashMap<&str, Arc<[u8]>> = HashMap::new();
    let mut images = Vec::with_capacity(source.document.images.len());
    for (at, filed) in source.document.images.iter().enumerate() {
        let place = Place::part(format!("images[{at}]"));
        if !context.options.surfaces {
            filed.buffer_view.map(|view| source.views.whole(view.0, &place)).transpose()?;
            images.push(Image { name: name(filed), data: ImageData::Missing });
            continue;
        }
        let uri = filed.uri.as_deref();
        let data = uri.and_then(DataUri::parse);
        let bytes = match (uri, filed.buffer_view) {
            (Some(uri), _) if known.contains_key(uri) => Ok(known[uri].clone()),
            (Some(_), _) if data.is_some() => {
                data.as_ref().map_or(Ok(Vec::new()), |data| data.bytes(&place)).map(Arc::from)
            }
            (Some(uri), _) => fetch(uri, &place, context),
            (None, Some(view)) => copy(source, view.0, &place, context),
            (None, None) => {
                let text = "the image has neither a uri nor a bufferView";
                Err(ImportError::malformed(place.clone(), text))
            }
        };
        let media = filed.mime_type.as_deref().or(data.map(|data| data.media_type));
        let data = match bytes {
            Ok(bytes) => {
                known.extend(uri.map(|uri| (uri, bytes.clone())));
                ImageData::Encoded { media_type: media_type(media, &bytes), bytes }
            }
            Err(error) if error.kind == ErrorKind::TooLarge => return Err(error),
            Err(error) => {
                match (uri, error.kind) {
                    (Some(uri), ErrorKind::Missing | ErrorKind::Refused) => {
                        context.missing.add(uri);
                    }
                    _ => {
                        let text = format!("an image cannot be had: {}", error.message);
                        context.notes.add_as(NoteCode::ImageUnreadable, place, text);
                    }
                }
                ImageData::Missing
            }
        };
        images.push(Image { name: name(filed), data });
    }
    Ok(images)
}

fn fetch(uri: &str, place: &Place, context: &mut Context<'_>) -> Result<Arc<[u8]>, ImportError> {
    let bytes = files::fetch(context.files, uri, place)?;
    context.budget.add_file(bytes.len());
    Ok(Arc::from(bytes))
}

fn copy(
    source: &Source<'_>,
    view: usize,
    place: &Place,
    context: &mut Context<'_>,
) -> Result<Arc<[u8]>, ImportError> {
    let bytes = source.views.whole(view, place)?;
    context.budget.take(bytes.len(), 1, place)?;
    Ok(Arc::from(bytes))
}

/// What the file says, else what the bytes look like.
fn media_type(said: Option<&str>, bytes: &[u8]) -> String {
    let seen = match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        [0xab, b'K', b'T', b'X', b' ', b'2', b'0', ..] => "image/ktx2",
        _ => said.filter(|said| said.starts_with("image/")).unwrap_or_default(),
    };
    seen.to_owned()
}

/// The image's own name, or its file's.
fn name(filed: &json::Image<'_>) -> String {
    let file = filed.uri.as_deref().filter(|uri| DataUri::parse(uri).is_none());
    filed.name.as_deref().or(file).unwrap_or_default().to_owned()
}
