//! The images beside a model, as textures; each is fetched once.
//!
//! In:  names as a file has them, often with folders of a machine long gone.
//! Out: textures; one whose image is not to be had is kept as missing, with a note.
#![allow(dead_code, reason = "each format uses its own few of these")]

use std::collections::{HashMap, HashSet};

use sinew_scene::{Image, ImageData, ImageId, Sampler, SceneParts, Texture, TextureId};

use crate::Place;
use crate::files::{base_name, fetch_named, plain_name};
use crate::finish::hash::Seed;
use crate::image::media_type;
use crate::open::Context;

/// The textures and images of one scene, as they are found.
#[derive(Default)]
pub(crate) struct Textures {
    textures: Vec<Texture>,
    images: Vec<Image>,
    /// By name; `None` for one that is known not to be there.
    named: HashMap<String, Option<ImageId>, Seed>,
    /// By base name, of images that are not where their names say.
    searched: HashMap<String, ImageId, Seed>,
    /// What is in each folder, in small letters, for systems that make no difference; `None` for a
    /// folder that cannot be listed.
    folders: HashMap<String, Option<HashSet<String, Seed>>, Seed>,
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
        let named = names.iter().find_map(|name| self.named(name, context));
        let image = named.or_else(|| names.iter().find_map(|name| self.searched(name, context)))?;
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

    /// The image where its name says.
    fn named(&mut self, name: &str, context: &mut Context<'_>) -> Option<ImageId> {
        let plain = plain_name(name, &Place::Whole).ok();
        // Most names are guesses, and not worth remembering. What leads out of the folder is not listed: it is
        // asked for and perhaps refused.
        if plain.as_ref().is_some_and(|plain| !self.may_be_there(plain, context)) {
            return None;
        }
        let key = plain.unwrap_or_else(|| name.to_owned());
        if let Some(known) = self.named.get(&key) {
            return *known;
        }
        let bytes = fetch_named(context.files, name, &Place::Whole).ok();
        let image = bytes.map(|bytes| self.encoded(&key, bytes, context));
        self.named.insert(key, image);
        image
    }

    /// The image anywhere, by its base name.
    fn searched(&mut self, name: &str, context: &mut Context<'_>) -> Option<ImageId> {
        let base = base_name(name);
        if let Some(known) = self.searched.get(base) {
            return Some(*known);
        }
        let bytes = context.files.search(base)?;
        let plain = plain_name(name, &Place::Whole).unwrap_or_else(|_| name.to_owned());
        let image = self.encoded(&plain, bytes, context);
        self.searched.insert(base.to_owned(), image);
        Some(image)
    }

    fn encoded(&mut self, name: &str, bytes: Vec<u8>, context: &mut Context<'_>) -> ImageId {
        context.budget.add_file(bytes.len());
        let media_type = media_type(&bytes).unwrap_or_default().to_owned();
        self.add(name, ImageData::Encoded { media_type, bytes: bytes.into() })
    }

    /// Whether a file may be in its folder: readers guess at many names, of which few are there.
    fn may_be_there(&mut self, name: &str, context: &Context<'_>) -> bool {
        let (folder, file) = name.rsplit_once('/').unwrap_or((".", name));
        if !self.folders.contains_key(folder) {
            let names = context.files.list(if folder == "." { "" } else { folder });
            let names = names.map(|all| all.iter().map(|name| name.to_lowercase()).collect());
            self.folders.insert(folder.to_owned(), names);
        }
        let known = self.folders.get(folder).and_then(Option::as_ref);
        known.is_none_or(|names| names.contains(&file.to_lowercase()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::note::Notes;
    use crate::{Files, Options};
    use std::cell::Cell;

    /// One file in the main folder, and a count of what was asked for.
    #[derive(Default)]
    struct Counting {
        lists: bool,
        fetched: Cell<usize>,
        listed: Cell<usize>,
    }

    impl Files for Counting {
        fn fetch(&self, name: &str) -> std::io::Result<Vec<u8>> {
            self.fetched.set(self.fetched.get() + 1);
            match name.eq_ignore_ascii_case("arm_d.tga") {
                true => Ok(vec![0]),
                false => Err(std::io::ErrorKind::NotFound.into()),
            }
        }

        fn list(&self, folder: &str) -> Option<Vec<String>> {
            self.listed.set(self.listed.get() + 1);
            let names = if folder.is_empty() { vec!["Arm_D.tga".to_owned()] } else { Vec::new() };
            self.lists.then_some(names)
        }
    }

    #[test]
    fn a_listed_folder_is_asked_only_for_what_it_has() {
        for (lists, fetched) in [(true, 1), (false, 3)] {
            let files = Counting { lists, ..Counting::default() };
            let options = Options::default();
            let mut context = Context {
                files: &files,
                options: &options,
                notes: Notes::default(),
                budget: Budget::for_file(0),
                extensions: Vec::new(),
                missing: Default::default(),
            };
            let mut textures = Textures::default();
            let names = ["models/arm.tga", "arm.tga", "arm_d.tga"].map(str::to_owned);
            assert!(textures.find(names, Sampler::default(), &mut context).is_some());
            assert_eq!((files.fetched.get(), files.listed.get()), (fetched, 2));
        }
    }
}
