//! The whole document, from the lists that the other files make.

use sinew_scene::Scene;

use super::bin::Bin;
use super::buffer::{Buffers, Filed};
use super::clip::Clips;
use super::extension::{DRACO, Extensions, LIGHTS, MESHOPT, QUANTIZATION, VARIANTS};
use super::grid::Grids;
use super::json::Object;
use super::layout::Layout;
use super::names::Names;
use super::note::Notes;
use super::texture::{self, ImagesGo};
use super::{
    GltfCompression, GltfOptions, GltfPrecision, camera, light, material, mesh, node, skin, variant,
};
use crate::{ExportError, ExportedFile};

/// A document and what it refers to.
pub(super) struct Document<'a> {
    pub(super) json: Vec<u8>,
    pub(super) bin: Bin<'a>,
    /// Files beside it.
    pub(super) images: Vec<ExportedFile>,
    pub(super) notes: Vec<String>,
}

impl<'a> Document<'a> {
    /// With names, the buffer and the images are files of their own.
    pub(super) fn write(
        scene: &'a Scene,
        options: &GltfOptions,
        mut names: Option<&mut Names>,
    ) -> Result<Self, ExportError> {
        let mut notes = Notes::default();
        let mut extensions = Extensions::default();
        let mut buffers = Buffers::new(options.compression == GltfCompression::Meshopt);
        let mut images = Vec::new();
        let mut layout = Layout::new(scene, options.skinned_at_root, &mut notes);
        let mut grids = Grids::default();
        if options.precision >= GltfPrecision::Quantized && !layout.meshes.is_empty() {
            grids = Grids::new(scene, &mut layout);
            extensions.require(QUANTIZATION);
        }

        let nodes = node::write_all(&layout, &mut extensions);
        let mut meshes = Vec::with_capacity(layout.meshes.len());
        for (at, placed) in layout.meshes.iter().enumerate() {
            let grid = grids.of_mesh(at);
            meshes.push(mesh::write(scene, placed, grid, options, &mut buffers, &mut notes)?);
        }
        if options.compression == GltfCompression::Draco && !meshes.is_empty() {
            extensions.require(DRACO);
        }
        let skins = layout.skins.iter().enumerate().map(|(at, placed)| {
            skin::write(scene, placed, grids.of_skin(at), &mut buffers, &mut notes)
        });
        let skins: Vec<Object> = skins.collect();
        let animations =
            write_clips(scene, &layout, options, &mut buffers, &mut extensions, &mut notes);
        let materials = material::write_all(scene, &mut extensions, &mut notes);
        let go = match &mut names {
            Some(names) => ImagesGo::Beside(names, &mut images),
            None => ImagesGo::Inside(&mut buffers),
        };
        let surfaces = texture::write(scene, go, &mut extensions, &mut notes);
        let cameras = scene.cameras.iter().map(|camera| camera::write(camera, &mut notes));
        let cameras: Vec<Object> = cameras.collect();
        let lights = scene.lights.iter().map(|light| light::write(light, &mut notes));
        let lights: Vec<Object> = lights.collect();

        let filed = buffers.finish();
        let buffers = write_buffers(&filed, names, &mut extensions);
        if !scene.variants.is_empty() {
            extensions.add(VARIANTS);
        }
        let (used, required) = extensions.into_lists();
        let mut document = start(&layout)
            .filled("nodes", nodes)
            .filled("meshes", meshes)
            .filled("skins", skins)
            .filled("animations", animations)
            .filled("materials", materials)
            .filled("textures", surfaces.textures)
            .filled("samplers", surfaces.samplers)
            .filled("images", surfaces.images)
            .filled("cameras", cameras)
            .filled("accessors", filed.accessors)
            .filled("bufferViews", filed.views)
            .filled("buffers", buffers)
            .filled("extensionsUsed", used)
            .filled("extensionsRequired", required);
        if !lights.is_empty() {
            document = document.extension(LIGHTS, Object::new().with("lights", lights));
        }
        if !scene.variants.is_empty() {
            document = document.extension(VARIANTS, variant::names(scene));
        }
        let (json, bin) = (document.into_bytes(), filed.bin);
        Ok(Self { json, bin, images, notes: notes.into_sentences() })
    }
}

/// The buffer that the file has, and one that stands for what its compressed views were.
fn write_buffers(
    filed: &Filed<'_>,
    names: Option<&mut Names>,
    extensions: &mut Extensions,
) -> Vec<Object> {
    if filed.bin.len() == 0 {
        return Vec::new();
    }
    let name = names.map(|names| names.own("bin"));
    let mut buffers = vec![Object::new().with("byteLength", filed.bin.len()).some("uri", name)];
    if filed.uncompressed > 0 {
        extensions.require(MESHOPT);
        let fallback = Object::new().with("fallback", true);
        let buffer = Object::new().with("byteLength", filed.uncompressed);
        buffers.push(buffer.extension(MESHOPT, fallback));
    }
    buffers
}

/// The asset and its one scene.
fn start(layout: &Layout) -> Object {
    let generator = concat!("Sinew ", env!("CARGO_PKG_VERSION"));
    let asset = Object::new().with("version", "2.0").with("generator", generator);
    let document = Object::new().with("asset", asset);
    if layout.nodes.is_empty() {
        return document;
    }
    let scene = Object::new().with("nodes", layout.roots());
    document.with("scene", 0_usize).with("scenes", vec![scene])
}

fn write_clips(
    scene: &Scene,
    layout: &Layout,
    options: &GltfOptions,
    buffers: &mut Buffers<'_>,
    extensions: &mut Extensions,
    notes: &mut Notes,
) -> Vec<Object> {
    let rounded = options.precision >= GltfPrecision::Rounded && !options.exact_rotation_keys;
    let mut clips = Clips { scene, layout, buffers, extensions, notes, rounded };
    scene.clips.iter().filter_map(|clip| clips.write(clip)).collect()
}
