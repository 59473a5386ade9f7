//! The images beside a model, as textures; each is fetched once.
//!
//! In:  names as a file has them, often with folders of a machine long gone.
//! Out: textures; one whose image is not to be had is kept as missing, and reported.
#![allow(dead_code, reason = "each format uses its own few of these")]

use std::collections::HashMap;

use sinew_scene::{Image, ImageData, ImageId, Sampler, SceneParts, Texture, TextureId};

use crate::Place;
use crate::open::Context;
use crate::files::{base_name, fetch_named, plain_name};
use crate::image::media_type;

/// The textures and images of one scene, as they are found.
#[derive(Default)]
pub(crate) struct Textures {
    textures: Vec<Texture>,
    images: Vec<Image>,
    /// By name; `None` for one that is known not to be there.
    fetched: HashMap<(String, How), Option<ImageId>>,
}

/// How an image is looked for: where its name says, or anywhere by its base name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum How {
    Named,
    Searched,
}

impl Textures {
    /// The texture with the first of these images that is there.
    pub(crate) fn find(
        &mut self,
        names: impl IntoIterator<Item = String>,
        sampler: Sampler,
        context: &mut Context<'_>,
    ) -> Option<TextureId> {
        let names: Vec<String> = names.into_iter().collect();
        let mut first = |how: How| names.iter().find_map(|name| self.image(name, how, context));
        let image = first(How::Named).or_else(|| first(How::Searched))?;
        Some(self.texture(image, sampler))
    }

    /// A texture that a file names but that is not to be had.
    pub(crate) fn missing(
        &mut self,
        name: &str,
        sampler: Sampler,
        context: &mut Context<'_>,
    ) -> TextureId {
        context.missing.add(name);
        let image = self.add(name, ImageData::Missing);
        self.texture(image, sampler)
    }

    /// Hands all textures and images to the scene.
    pub(crate) fn give(self, parts: &mut SceneParts) {
        parts.textures = self.textures;
        parts.images = self.images;
    }

    fn image(&mut self, name: &str, how: How, context: &mut Context<'_>) -> Option<ImageId> {
        let plain = plain_name(name, &Place::Whole).unwrap_or_else(|_| name.to_owned());
        let key = (plain, how);
        if let Some(known) = self.fetched.get(&key) {
            return *known;
        }
        let bytes = match how {
            How::Named => fetch_named(context.files, name, &Place::Whole).ok(),
            How::Searched => context.files.search(base_name(name)),
        };
        let image = bytes.map(|bytes| {
            context.budget.add_file(bytes.len());
            let media_type = media_type(&bytes).unwrap_or_default().to_owned();
            self.add(&key.0, ImageData::Encoded { media_type, bytes: bytes.into() })
        });
        self.fetched.insert(key, image);
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

