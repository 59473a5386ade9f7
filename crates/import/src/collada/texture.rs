//! Images, and how materials read them.
//!
//! In:  a `<texture>` of an effect, which names a sampler, which names a surface, which names an image.
//! Out: textures and images, each made once. An image that cannot be had is a note, not an error.

use std::collections::HashMap;

use glam::Vec2;
use sinew_scene::{
    Filter, Image, ImageData, ImageId, Sampler, Texture, TextureId, TextureUse, UvTransform, Wrap,
};

use super::xml::{self, ElementId, Tag, Xml};
use crate::files::{self, shorten};
use crate::image::media_type;
use crate::open::Context;
use crate::{ErrorKind, ImportError};

#[derive(Default)]
pub(super) struct Textures {
    pub(super) textures: Vec<Texture>,
    pub(super) images: Vec<Image>,
    known_textures: HashMap<(ElementId, Option<ElementId>), TextureId>,
    known_images: HashMap<ElementId, ImageId>,
}

impl Textures {
    /// The texture that a `<texture>` means. `profile` holds the effect's parameters.
    pub(super) fn texture(
        &mut self,
        xml: &Xml<'_>,
        profile: Tag<'_>,
        tag: Tag<'_>,
        uv_set: u32,
        context: &mut Context<'_>,
    ) -> Option<TextureUse> {
        let word = tag.attribute("texture").unwrap_or_default();
        let sampler = parameter(profile, word).and_then(|param| xml::child(param, "sampler2D"));
        let Some(image) = image_of(xml, profile, sampler, word) else {
            let text = format!("there is no image for the texture \"{}\"", shorten(word));
            context.notes.add(xml.place(tag), text);
            return None;
        };
        let key = (image.id(), sampler.map(|sampler| sampler.id()));
        let texture = match self.known_textures.get(&key) {
            Some(known) => *known,
            None => {
                let id = TextureId::new(self.textures.len());
                let image_id = self.image(xml, image, context);
                self.textures.push(Texture {
                    name: xml::label(image).to_owned(),
                    image: Some(image_id),
                    sampler: sampler.map(read_sampler).unwrap_or_default(),
                });
                self.known_textures.insert(key, id);
                id
            }
        };
        Some(TextureUse { texture, uv_set, transform: uv_transform(tag) })
    }

    fn image(&mut self, xml: &Xml<'_>, tag: Tag<'_>, context: &mut Context<'_>) -> ImageId {
        if let Some(known) = self.known_images.get(&tag.id()) {
            return *known;
        }
        let path = path_of(tag);
        let data = match fetch(xml, tag, path.trim(), context) {
            Ok(bytes) => {
                context.budget.add_file(bytes.len());
                ImageData::Encoded {
                    media_type: media_type(&bytes).unwrap_or_default().into(),
                    bytes: bytes.into(),
                }
            }
            Err(error) => {
                match path.trim() {
                    "" => context.notes.add(error.place, error.message),
                    path => context.missing.add(path),
                }
                ImageData::Missing
            }
        };
        let id = ImageId::new(self.images.len());
        let name = if path.trim().is_empty() { xml::label(tag) } else { base_name(path.trim()) };
        self.images.push(Image { name: name.to_owned(), data });
        self.known_images.insert(tag.id(), id);
        id
    }
}

/// The parameter of an effect with this name: inside the profile, or the effect around it.
pub(super) fn parameter<'a>(profile: Tag<'a>, sid: &str) -> Option<Tag<'a>> {
    let around = std::iter::successors(Some(profile), |tag| tag.parent()).take(2);
    around
        .chain(xml::child(profile, "technique"))
        .flat_map(|tag| xml::children(tag, "newparam"))
        .find(|param| param.attribute("sid") == Some(sid))
}

/// Some exporters leave out the sampler or the surface and name the image at once.
fn image_of<'a>(
    xml: &Xml<'a>,
    profile: Tag<'a>,
    sampler: Option<Tag<'a>>,
    word: &str,
) -> Option<Tag<'a>> {
    let Some(sampler) = sampler else { return xml.find("image", word) };
    if let Some(instance) = xml::child(sampler, "instance_image") {
        return xml.find("image", instance.attribute("url")?);
    }
    let source = xml::child(sampler, "source")?.text();
    let surface = parameter(profile, source.trim()).and_then(|param| xml::child(param, "surface"));
    let named = surface.and_then(|surface| xml::child(surface, "init_from"));
    named.and_then(|tag| xml.find("image", &tag.text())).or_else(|| xml.find("image", &source))
}

fn path_of<'a>(image: Tag<'a>) -> std::borrow::Cow<'a, str> {
    let Some(tag) = xml::child(image, "init_from") else { return "".into() };
    xml::child(tag, "ref").unwrap_or(tag).text()
}

/// As the file names it, when that is inside its folder; else by its bare name beside the file,
/// since exporters write the paths of their own machine.
fn fetch(
    xml: &Xml<'_>,
    tag: Tag<'_>,
    path: &str,
    context: &mut Context<'_>,
) -> Result<Vec<u8>, ImportError> {
    let place = xml.place(tag);
    if path.is_empty() {
        let text = "an image names no file".to_owned();
        return Err(ImportError::new(ErrorKind::Missing, place, text));
    }
    let named = path.strip_prefix("file://").unwrap_or(path);
    let whole = files::fetch(context.files, named, &place);
    match whole {
        Err(error) if base_name(named) != named => {
            let beside = files::fetch(context.files, base_name(named), &place);
            beside.map_err(|missing| if error.kind == ErrorKind::Refused { missing } else { error })
        }
        whole => whole,
    }
}

fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn read_sampler(tag: Tag<'_>) -> Sampler {
    let word = |name: &str| xml::child(tag, name).map(|tag| tag.text().trim().to_owned());
    let wrap = |name: &str| match word(name).as_deref() {
        Some("MIRROR") => Wrap::Mirror,
        Some("CLAMP" | "BORDER") => Wrap::Clamp,
        _ => Wrap::Repeat,
    };
    let filter = |text: &str| {
        if text.starts_with("NEAREST") { Filter::Nearest } else { Filter::Linear }
    };
    let small = word("minfilter").unwrap_or_default();
    let mipmap = match small.split_once("_MIPMAP_") {
        Some((_, between)) => Some(filter(between)),
        None => Some(Filter::Linear),
    };
    Sampler {
        wrap_u: wrap("wrap_s"),
        wrap_v: wrap("wrap_t"),
        magnify: filter(&word("magfilter").unwrap_or_default()),
        minify: filter(&small),
        mipmap,
    }
}

/// Repeats and offsets as the extras of Maya and 3ds Max have them. The file's v runs up, ours
/// down: v' = r v + o becomes 1 - v' = r (1 - v) + (1 - r - o).
fn uv_transform(texture: Tag<'_>) -> UvTransform {
    let extras = || xml::children(texture, "extra").flat_map(|tag| xml::children(tag, "technique"));
    let number = |names: [&str; 2], default: f32| {
        let found = extras().find_map(|tag| names.iter().find_map(|name| xml::child(tag, name)));
        let value = found.and_then(|tag| tag.text().trim().parse::<f32>().ok());
        value.filter(|value| value.is_finite()).unwrap_or(default)
    };
    let scale = Vec2::new(number(["repeatU", "scaleu"], 1.0), number(["repeatV", "scalev"], 1.0));
    let offset =
        Vec2::new(number(["offsetU", "offsetu"], 0.0), number(["offsetV", "offsetv"], 0.0));
    UvTransform { offset: Vec2::new(offset.x, 1.0 - scale.y - offset.y), rotation: 0.0, scale }
}
