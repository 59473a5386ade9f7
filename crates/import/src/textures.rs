//! The pictures that stand beside a model, as textures; each is fetched once.
//!
//! In:  names as a file has them, often with folders of a machine long gone.
//! Out: textures; one whose picture is not to be had is kept as missing, with a note.
#![allow(dead_code, reason = "each format uses its own few of these")]

use std::collections::HashMap;

use sinew_scene::{Image, ImageData, ImageId, Sampler, SceneParts, Texture, TextureId};

use crate::Place;
use crate::door::Context;
use crate::files::{plain_name, shorten};
use crate::picture::media_type;

/// The textures and images of one scene, as they are found.
#[derive(Default)]
pub(crate) struct Textures {
    textures: Vec<Texture>,
    images: Vec<Image>,
    /// By name; `None` for one that is known not to be there.
    fetched: HashMap<String, Option<ImageId>>,
}

impl Textures {
    /// The texture with the first of these pictures that is there.
    pub(crate) fn find(
        &mut self,
        names: impl IntoIterator<Item = String>,
        sampler: Sampler,
        context: &mut Context<'_>,
    ) -> Option<TextureId> {
        let image = names.into_iter().find_map(|name| self.image(&name, context))?;
        Some(self.texture(image, sampler))
    }

    /// A texture that a file names but that is not to be had.
    pub(crate) fn missing(
        &mut self,
        name: &str,
        sampler: Sampler,
        place: Place,
        context: &mut Context<'_>,
    ) -> TextureId {
        let note = format!("the picture \"{}\" is not beside the model", shorten(name));
        context.notes.add(place, note);
        let image = self.add(name, ImageData::Missing);
        self.texture(image, sampler)
    }

    /// Hands all textures and images to the scene.
    pub(crate) fn give(self, parts: &mut SceneParts) {
        parts.textures = self.textures;
        parts.images = self.images;
    }

    fn image(&mut self, name: &str, context: &mut Context<'_>) -> Option<ImageId> {
        let name = plain_name(name, &Place::Whole).ok()?;
        if let Some(known) = self.fetched.get(&name) {
            return *known;
        }
        let image = context.files.fetch(&name).ok().map(|bytes| {
            context.budget.add_file(bytes.len());
            let media_type = media_type(&bytes).unwrap_or_default().to_owned();
            self.add(&name, ImageData::Encoded { media_type, bytes: bytes.into() })
        });
        self.fetched.insert(name, image);
        image
    }

    fn add(&mut self, name: &str, data: ImageData) -> ImageId {
        self.images.push(Image { name: name.to_owned(), data });
        ImageId::new(self.images.len() - 1)
    }

    fn texture(&mut self, image: ImageId, sampler: Sampler) -> TextureId {
        let same = |texture: &Texture| texture.image == Some(image) && texture.sampler == sampler;
        let known = self.textures.iter().position(same);
        TextureId::new(known.unwrap_or_else(|| {
            let name = self.images[image.index()].name.clone();
            self.textures.push(Texture { name, image: Some(image), sampler });
            self.textures.len() - 1
        }))
    }
}

/// The last step of a path in either slash.
pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
