//! Meshes: what is drawn, and where.
//!
//! A [`Mesh`] is a list of primitives, one draw each; an [`Instance`] puts it under a node.
//! An attribute list is either empty or as long as `positions`. Primitives that differ in their
//! material alone share one [`Geometry`], which is copied when one of them is edited.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};

use crate::{Influences, JointId, MaterialId, MeshId, MorphTarget, SkinId, VariantId};

/// A shape: one or more primitives that move, morph and are skinned together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// As the file has it; may be empty.
    pub name: String,
    /// One draw each.
    pub primitives: Vec<Primitive>,
    /// The name of each morph target, the same for all primitives; empty names where the file has none.
    pub morph_names: Vec<String>,
}

impl Mesh {
    /// How many morph targets each primitive has.
    #[must_use]
    pub fn morph_count(&self) -> usize {
        self.morph_names.len()
    }
}

/// What three (or two, or one) indices make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// Three indices a triangle, counter-clockwise seen from the front.
    #[default]
    Triangles,
    /// Two indices a line.
    Lines,
    /// One index a point.
    Points,
}

/// Vertices and how they are joined: what primitives can share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Geometry {
    /// What the indices make.
    pub topology: Topology,
    /// Into the vertex lists, all in range, in whole triangles, lines or points.
    pub indices: Vec<u32>,
    /// In mesh space, metres.
    pub positions: Vec<Vec3>,
    /// Unit length.
    pub normals: Vec<Vec3>,
    /// Unit length, with the side of the bitangent in `w` (1 or -1).
    pub tangents: Vec<Vec4>,
    /// Texture coordinates, set by set; (0, 0) is the image's top left corner.
    pub uvs: Vec<Vec<Vec2>>,
    /// Vertex colours, set by set; linear, with alpha.
    pub colors: Vec<Vec<Vec4>>,
    /// Which joints influence each vertex; empty when the mesh is rigid.
    pub influences: Influences,
    /// For [`SkinMethod::Blended`](crate::SkinMethod::Blended): per vertex, 0 for linear and 1
    /// for dual quaternions; else empty.
    pub dual_weights: Vec<f32>,
    /// Shapes to blend to; as many for every primitive of a mesh.
    pub morphs: Vec<MorphTarget>,
}

/// A geometry, perhaps shared with others, and one material. Its lists are read and edited as if they were its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Primitive {
    /// Vertices and how they are joined.
    pub geometry: Arc<Geometry>,
    /// How the surface looks; `None` is the default material.
    pub material: Option<MaterialId>,
    /// How it looks in some of the scene's [variants](crate::SceneParts::variants); in the others as always.
    pub variants: Vec<(VariantId, MaterialId)>,
}

impl From<Geometry> for Primitive {
    /// A primitive in the default material.
    fn from(geometry: Geometry) -> Self {
        Self { geometry: Arc::new(geometry), ..Self::default() }
    }
}

impl Deref for Primitive {
    type Target = Geometry;

    fn deref(&self) -> &Geometry {
        &self.geometry
    }
}

impl DerefMut for Primitive {
    /// To edit it; a geometry that others share is copied first.
    fn deref_mut(&mut self) -> &mut Geometry {
        Arc::make_mut(&mut self.geometry)
    }
}

impl Primitive {
    /// How the surface looks in a variant, or without one.
    #[must_use]
    pub fn material_in(&self, variant: Option<VariantId>) -> Option<MaterialId> {
        let own = self.variants.iter().find(|(id, _)| Some(*id) == variant);
        own.map(|(_, material)| *material).or(self.material)
    }

    /// Every material that it may have.
    pub fn materials(&self) -> impl Iterator<Item = MaterialId> + '_ {
        self.material.into_iter().chain(self.variants.iter().map(|(_, material)| *material))
    }
}

/// A mesh under a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The node that carries the mesh.
    pub joint: JointId,
    /// What is drawn.
    pub mesh: MeshId,
    /// What bends it. A skinned mesh goes where its joints go, not where its node goes.
    pub skin: Option<SkinId>,
    /// The morph weights when nothing drives them; as many as the mesh has morph targets.
    pub weights: Vec<f32>,
}
