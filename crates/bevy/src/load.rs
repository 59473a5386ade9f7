//! Files of any format that Sinew reads, as assets.
//!
//! In:  bytes, and companions through Bevy's asset source.
//! Out: a [`SinewScene`] with its shapes and bind poses as assets of their own.
//!
//! Sinew asks for companions while it reads, and Bevy hands them over later: so a file is read until it asks for
//! nothing new.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, Handle, LoadContext};
use bevy_ecs::error::BevyError;
use bevy_mesh::Mesh;
use bevy_mesh::skinning::SkinnedMeshInverseBindposes;
use bevy_reflect::TypePath;
use sinew::import::Files;
use sinew::{Imported, Options, Scene};

use crate::shape;

/// A file that Sinew has read.
#[derive(Asset, Debug, TypePath)]
pub struct SinewScene {
    /// All there is in it.
    pub scene: Arc<Scene>,
    /// What had to be mended, and what Bevy has no place for.
    pub notes: Vec<String>,
    /// Of each mesh, one for each primitive.
    pub(crate) shapes: Vec<Vec<Handle<Mesh>>>,
    /// Of each skin, with one more for what no joint influences.
    pub(crate) bind_poses: Vec<Handle<SkinnedMeshInverseBindposes>>,
}

/// Reads glTF, FBX, COLLADA, MD5, BVH, `.skeleton_anim` and OBJ.
#[derive(Clone, Copy, Debug, Default, TypePath)]
pub struct SinewLoader;

/// Companions that have arrived, and names that were asked for and have not.
#[derive(Default)]
struct Arrived {
    own_name: Option<String>,
    files: HashMap<String, Option<Vec<u8>>>,
    missing: Mutex<Vec<String>>,
}

impl Files for Arrived {
    fn fetch(&self, name: &str) -> io::Result<Vec<u8>> {
        match self.files.get(name) {
            Some(Some(bytes)) => Ok(bytes.clone()),
            Some(None) => Err(io::ErrorKind::NotFound.into()),
            None => {
                let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
                missing.push(name.to_owned());
                Err(io::ErrorKind::NotFound.into())
            }
        }
    }

    fn own_name(&self) -> Option<&str> {
        self.own_name.as_deref()
    }
}

impl AssetLoader for SinewLoader {
    type Asset = SinewScene;
    type Settings = ();
    type Error = BevyError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<SinewScene, BevyError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let path = context.path().clone();
        let own_name = path.path().file_name().and_then(|name| name.to_str()).map(str::to_owned);
        let mut arrived = Arrived { own_name, ..Arrived::default() };
        let imported = loop {
            let read = Options::default().read(&bytes, &arrived);
            let missing =
                std::mem::take(arrived.missing.get_mut().unwrap_or_else(PoisonError::into_inner));
            if missing.is_empty() {
                break read?;
            }
            for name in missing {
                let found = match path.resolve_embed_str(&name) {
                    Ok(beside) => context.read_asset_bytes(beside).await.ok(),
                    Err(_) => None,
                };
                arrived.files.insert(name, found);
            }
        };
        Ok(finish(imported, context))
    }

    fn extensions(&self) -> &[&str] {
        &["gltf", "glb", "vrm", "fbx", "dae", "md5mesh", "md5anim", "bvh", "skeleton_anim", "obj"]
    }
}

fn finish(imported: Imported, context: &mut LoadContext<'_>) -> SinewScene {
    let Imported { scene, notes, .. } = imported;
    let mut notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
    let mut shapes = Vec::with_capacity(scene.meshes.len());
    for (mesh, source) in scene.meshes.iter().enumerate() {
        let joints = shape::joints_of(&scene, mesh);
        let primitives = source.primitives.iter().enumerate();
        let made = primitives.map(|(index, primitive)| {
            let shape = shape::shape(primitive, joints, &mut notes);
            context.add_labeled_asset(format!("Mesh{mesh}/Primitive{index}"), shape)
        });
        shapes.push(made.collect());
    }
    let bind_poses = scene.skins.iter().enumerate().map(|(index, skin)| {
        context.add_labeled_asset(format!("Skin{index}"), shape::bind_poses(skin))
    });
    let bind_poses = bind_poses.collect();
    shape::report_what_is_lost(&scene, &mut notes);
    SinewScene { scene: Arc::new(scene), notes, shapes, bind_poses }
}
