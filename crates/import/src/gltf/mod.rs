//! glTF 2.0, `.gltf` and `.glb`.
//!
//! In:  the file. Out: its parts, already in metres and Y up.
//!
//! `json` parses the document once into plain types; every other file turns one noun of it into
//! one noun of the scene. Indices are followed only through functions that check them.

mod accessor;
mod attribute;
mod buffer;
mod camera;
mod clip;
mod component;
mod container;
mod data_uri;
mod document;
mod draco;
mod draco_primitive;
mod element;
mod extension;
mod extras;
mod influence;
mod instance;
mod json;
mod keys;
mod layers;
mod light;
mod material;
mod mesh;
#[cfg(feature = "meshopt")]
mod meshopt;
mod node;
mod pointer;
mod primitive;
mod property;
mod rare;
mod scene;
mod skin;
mod texture;
mod topology;
mod variant;
mod weight;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use sinew_scene::SceneParts;

use crate::ImportError;
use crate::axes::WorldFromFile;
use crate::open::{Context, Raw};
use accessor::Source;
use buffer::{Buffers, Views};

pub(crate) fn read(bytes: &[u8], context: &mut Context<'_>) -> Result<Raw, ImportError> {
    let container = container::open(bytes, &mut context.notes)?;
    let text = document::text(container.json, &mut context.notes);
    match document::parse(&text) {
        Ok(document) => read_document(&document, &text, container.bin, context),
        // What is not laid out as 2.0 may be of version 1.
        #[cfg(feature = "gltf1")]
        Err(error) => crate::gltf1::read(&text, container.bin, context)?.ok_or(error),
        #[cfg(not(feature = "gltf1"))]
        Err(error) => Err(error),
    }
}

/// Reads a document that is already text.
#[cfg(feature = "gltf1")]
pub(crate) fn read_text(
    text: &str,
    bin: Option<&[u8]>,
    context: &mut Context<'_>,
) -> Result<Raw, ImportError> {
    read_document(&document::parse(text)?, text, bin, context)
}

fn read_document(
    document: &json::Document<'_>,
    text: &str,
    bin: Option<&[u8]>,
    context: &mut Context<'_>,
) -> Result<Raw, ImportError> {
    extension::check(document, text, context)?;
    let buffers = Buffers::load(document, bin, context);
    let views = Views::new(document, &buffers, &mut context.budget);
    let parts = parts(&Source { document, views }, context)?;
    // The specification asks for flat faces where normals are missing.
    Ok(Raw { usual_crease: 0.0, ..Raw::new(parts, WorldFromFile::SAME) })
}

fn parts(source: &Source<'_>, context: &mut Context<'_>) -> Result<SceneParts, ImportError> {
    let document = source.document;
    let tree = node::read(&document.nodes, &mut context.notes)?;
    let drawn = scene::drawn(document, context)?;
    skin::note_outside(source, &drawn, &mut context.notes);
    let mut parts = SceneParts {
        skins: skin::read(source, &tree, context)?,
        meshes: mesh::read(source, context)?,
        materials: material::read(document, context)?,
        variants: variant::names(document),
        textures: texture::read(source, &mut context.notes)?,
        images: texture::read_images(source, context)?,
        ..SceneParts::default()
    };
    let bound = instance::place_all(source, tree, &drawn, &mut parts, context)?;
    skin::fit_meshes(&mut parts, context)?;
    property::add_hidden(document, &bound, &mut parts);
    clip::read(source, &bound, &mut parts, context)?;
    Ok(parts)
}
