//! The whole: everything one file holds, checked once.

use std::collections::HashSet;
use std::ops::{Deref, Index};
use std::sync::Arc;

use glam::Affine3A;

use crate::{
    AnimatedProperty, Camera, CameraId, Clip, ClipId, Geometry, Image, ImageId, Instance,
    InstanceId, JointId, Light, LightId, Material, MaterialId, Mesh, MeshId, Node, PropertyId,
    SceneError, Skeleton, Skin, SkinId, Texture, TextureId, VariantId, check,
};

/// What a scene is made of. Importers and programs fill one in and hand it to [`Scene::new`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneParts {
    /// The node tree, parents before children. A [`Scene`] keeps it in its [`Skeleton`] instead.
    pub nodes: Vec<Node>,
    /// What is drawn, and under which node.
    pub instances: Vec<Instance>,
    /// Shapes.
    pub meshes: Vec<Mesh>,
    /// Which joints bend which mesh.
    pub skins: Vec<Skin>,
    /// Animations.
    pub clips: Vec<Clip>,
    /// Surfaces.
    pub materials: Vec<Material>,
    /// The names of material variants: other looks of the same shapes, of which one is shown at a time
    /// (glTF's `KHR_materials_variants`).
    pub variants: Vec<String>,
    /// Images as materials use them.
    pub textures: Vec<Texture>,
    /// Images.
    pub images: Vec<Image>,
    /// Lights.
    pub lights: Vec<Light>,
    /// Cameras.
    pub cameras: Vec<Camera>,
    /// Every value of a material, light, camera or node that some clip drives.
    pub properties: Vec<AnimatedProperty>,
    /// From Sinew's space (metres, Y up) back to the file's own.
    pub file_from_world: Affine3A,
}

/// A checked whole. Its parts are read through [`Deref`], and changed through [`into_parts`](Self::into_parts).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    parts: SceneParts,
    skeleton: Skeleton,
    weight_starts: Vec<usize>,
}

impl Scene {
    /// Checks every index, length and number, and makes the parts a whole.
    ///
    /// # Errors
    /// The first thing that does not hold, with its place.
    pub fn new(parts: SceneParts) -> Result<Self, SceneError> {
        Self::checked(parts, HashSet::new())
    }

    /// The same of parts that were another scene's: a geometry that both share was checked for that one, and is not looked at again.
    ///
    /// # Errors
    /// The first thing that does not hold, with its place.
    pub fn from_edited(parts: SceneParts, known: &Self) -> Result<Self, SceneError> {
        let primitives = known.meshes.iter().flat_map(|mesh| &mesh.primitives);
        Self::checked(parts, primitives.map(|it| Arc::as_ptr(&it.geometry)).collect())
    }

    /// `good` are geometries that hold, as long as whoever has them does not let go of them.
    fn checked(mut parts: SceneParts, good: HashSet<*const Geometry>) -> Result<Self, SceneError> {
        check::check(&parts, good)?;
        let mut weight_starts = vec![0];
        let mut total = 0;
        for instance in &parts.instances {
            total += instance.weights.len();
            weight_starts.push(total);
        }
        let skeleton = Skeleton::new(std::mem::take(&mut parts.nodes));
        Ok(Self { parts, skeleton, weight_starts })
    }

    /// The node tree.
    #[must_use]
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// The clip of this name; the first, where several have it.
    #[must_use]
    pub fn clip(&self, name: &str) -> Option<&Clip> {
        self.find_clip(name).map(|clip| &self[clip])
    }

    /// The same as an id.
    #[must_use]
    pub fn find_clip(&self, name: &str) -> Option<ClipId> {
        self.clips.iter().position(|clip| clip.name == name).map(ClipId::new)
    }

    /// The material variant of this name.
    #[must_use]
    pub fn find_variant(&self, name: &str) -> Option<VariantId> {
        self.variants.iter().position(|variant| variant == name).map(VariantId::new)
    }

    /// The ids of all clips, in order.
    pub fn clip_ids(&self) -> impl ExactSizeIterator<Item = ClipId> + use<> {
        (0..self.clips.len()).map(ClipId::new)
    }

    /// The first clip that drives anything: what to play where nobody says. Some files begin with an empty take.
    #[must_use]
    pub fn first_moving_clip(&self) -> Option<ClipId> {
        self.clip_ids().find(|clip| self[*clip].track_count() > 0)
    }

    /// How many morph weights a pose of this scene has: those of every instance, in order.
    #[must_use]
    pub fn weight_count(&self) -> usize {
        self.weight_starts.last().copied().unwrap_or(0)
    }

    /// Where an instance's morph weights lie in a pose.
    #[must_use]
    pub fn weight_range(&self, instance: InstanceId) -> std::ops::Range<usize> {
        self.weight_starts[instance.index()]..self.weight_starts[instance.index() + 1]
    }

    /// The parts, to be changed and made a scene again.
    #[must_use]
    pub fn into_parts(self) -> SceneParts {
        SceneParts { nodes: self.skeleton.into_nodes(), ..self.parts }
    }
}

impl Deref for Scene {
    type Target = SceneParts;

    /// Everything but the nodes, which are in [`Scene::skeleton`].
    fn deref(&self) -> &SceneParts {
        &self.parts
    }
}

macro_rules! index_by_ids {
    ($($id:ident => $list:ident: $item:ty;)*) => {$(
        impl Index<$id> for Scene {
            type Output = $item;

            fn index(&self, id: $id) -> &$item {
                &self.parts.$list[id.index()]
            }
        }
    )*};
}

index_by_ids! {
    InstanceId => instances: Instance;
    MeshId => meshes: Mesh;
    SkinId => skins: Skin;
    ClipId => clips: Clip;
    MaterialId => materials: Material;
    TextureId => textures: Texture;
    ImageId => images: Image;
    LightId => lights: Light;
    CameraId => cameras: Camera;
    PropertyId => properties: AnimatedProperty;
}

impl Index<JointId> for Scene {
    type Output = Node;

    fn index(&self, joint: JointId) -> &Node {
        self.skeleton.node(joint)
    }
}
