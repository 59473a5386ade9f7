//! Instances: geometries and controllers under nodes, with their materials and skeletons bound.
//!
//! In:  an `<instance_geometry>` or `<instance_controller>`.
//! Out: a mesh, a skin and an instance. Geometries, skins and morphs are read once; a mesh is made
//! once for every binding of its materials, and a skin for every skeleton.

use std::collections::HashMap;
use std::rc::Rc;

use sinew_scene::{
    Instance, InstanceId, JointId, MaterialId, Mesh, MeshId, Skin, SkinId, SkinMethod,
};

use super::bind::Binding;
use super::controller::{self, Body};
use super::geometry::{self, Geometry, Part};
use super::graph::Graph;
use super::material::Materials;
use super::mesh::{Layers, Over};
use super::morph::{self, MorphData};
use super::skin::{self, SkinData};
use super::source::Sources;
use super::trs::single;
use super::xml::{self, ElementId, Tag, Xml};
use crate::ImportError;
use crate::open::Context;

type Cache<T> = HashMap<ElementId, Rc<T>>;
/// A mesh by its geometry, skin, morph and materials.
type MeshKey = (ElementId, Option<ElementId>, Option<ElementId>, Vec<Option<MaterialId>>);

/// A mesh, and whether its skin needs a joint for what stays with the bind shape.
#[derive(Clone, Copy)]
struct Made {
    mesh: MeshId,
    uses_bind_shape: bool,
}

#[derive(Default)]
pub(super) struct Instances<'a> {
    meshes: Vec<Mesh>,
    /// What lies over the primitives of each mesh.
    overs: Vec<Vec<Over>>,
    pub(super) skins: Vec<Skin>,
    pub(super) instances: Vec<Instance>,
    pub(super) materials: Materials,
    /// Instances with morphs, and each one's `<morph>`.
    pub(super) morphed: Vec<(InstanceId, Tag<'a>)>,
    geometries: Cache<Geometry>,
    skin_data: Cache<SkinData>,
    morph_data: Cache<MorphData>,
    known_meshes: HashMap<MeshKey, Made>,
    known_skins: HashMap<(ElementId, Vec<JointId>), SkinId>,
}

impl<'a> Instances<'a> {
    pub(super) fn add(
        &mut self,
        xml: &Xml<'a>,
        graph: &Graph<'_>,
        joint: JointId,
        tag: Tag<'a>,
        sources: &mut Sources,
        context: &mut Context<'_>,
    ) -> Result<(), ImportError> {
        let Some(body) = controller::resolve(xml, tag, &mut context.notes) else { return Ok(()) };
        let geometry = self.geometry(xml, body.geometry, sources, context)?;
        if geometry.parts.is_empty() {
            return Ok(());
        }
        let skin = self.skin_data(xml, body, sources, context)?;
        let morph = self.morph_data(xml, body, sources, context)?;
        let mut materials = Vec::new();
        for part in &geometry.parts {
            materials.push(self.material(xml, tag, part, context)?);
        }
        let id = |tag: Option<Tag<'_>>| tag.map(|tag| tag.id());
        let key = (body.geometry.id(), id(body.skin), id(body.morph), materials);
        let made = match self.known_meshes.get(&key) {
            Some(made) => *made,
            None => {
                let layers = Layers { skin: skin.as_deref(), morph: morph.as_deref() };
                let place = || xml.place(tag);
                let (mesh, over, uses_bind_shape) =
                    layers.mesh(&geometry, &key.3, &place, context)?;
                let made = Made { mesh: MeshId::new(self.meshes.len()), uses_bind_shape };
                self.meshes.push(mesh);
                self.overs.push(over);
                self.known_meshes.insert(key, made);
                made
            }
        };
        let skin = match (skin, body.skin) {
            (Some(data), Some(skin)) => {
                let bound = Binding { xml, graph, joint, tag, skin };
                Some(self.skin(&bound, &data, made.uses_bind_shape, context))
            }
            _ => None,
        };
        let weights = morph.map(|morph| morph.weights.clone()).unwrap_or_default();
        if let Some(morph) = body.morph {
            self.morphed.push((InstanceId::new(self.instances.len()), morph));
        }
        self.instances.push(Instance { joint, mesh: made.mesh, skin, weights });
        Ok(())
    }

    /// All meshes, when nothing is added any more.
    pub(super) fn take_meshes(&mut self) -> Vec<Mesh> {
        self.morph_data.clear();
        self.geometries.clear();
        let mut meshes = std::mem::take(&mut self.meshes);
        for (mesh, overs) in meshes.iter_mut().zip(self.overs.drain(..)) {
            let each = mesh.primitives.iter_mut().zip(overs);
            each.for_each(|(primitive, over)| over.put(primitive));
        }
        meshes
    }

    fn geometry(
        &mut self,
        xml: &Xml<'a>,
        tag: Tag<'a>,
        sources: &mut Sources,
        context: &mut Context<'_>,
    ) -> Result<Rc<Geometry>, ImportError> {
        read_once(&mut self.geometries, tag, || {
            geometry::read(xml, tag, sources, &mut context.notes)
        })
    }

    fn skin_data(
        &mut self,
        xml: &Xml<'a>,
        body: Body<'a>,
        sources: &mut Sources,
        context: &mut Context<'_>,
    ) -> Result<Option<Rc<SkinData>>, ImportError> {
        let Some(tag) = body.skin else { return Ok(None) };
        let read = || skin::read(xml, tag, sources, &mut context.notes);
        read_once(&mut self.skin_data, tag, read).map(Some)
    }

    fn morph_data(
        &mut self,
        xml: &Xml<'a>,
        body: Body<'a>,
        sources: &mut Sources,
        context: &mut Context<'_>,
    ) -> Result<Option<Rc<MorphData>>, ImportError> {
        let Some(tag) = body.morph else { return Ok(None) };
        let geometries = &mut self.geometries;
        let read = || {
            morph::read(xml, tag, sources, &mut context.notes, &mut |tag, sources, notes| {
                read_once(geometries, tag, || geometry::read(xml, tag, sources, notes))
            })
        };
        read_once(&mut self.morph_data, tag, read).map(Some)
    }

    /// The material that an instance binds to a part's symbol. Where nothing is bound, a material
    /// whose id is the symbol itself is meant.
    fn material(
        &mut self,
        xml: &Xml<'a>,
        instance: Tag<'a>,
        part: &Part,
        context: &mut Context<'_>,
    ) -> Result<Option<MaterialId>, ImportError> {
        let bound = xml::descend(instance, &["bind_material", "technique_common"])
            .into_iter()
            .flat_map(|tag| xml::children(tag, "instance_material"))
            .find(|tag| tag.attribute("symbol") == Some(part.symbol.as_str()));
        let target = match bound {
            Some(tag) => xml.follow(tag, "target", "material", &mut context.notes),
            None => xml.find("material", &part.symbol),
        };
        let uv_of = |word: &str| {
            let set = bound.and_then(|tag| {
                xml::children(tag, "bind_vertex_input")
                    .find(|bind| bind.attribute("semantic") == Some(word))
                    .map(|bind| xml::count(bind, "input_set", 0))
            });
            let found = part.uv_sets.iter().position(|known| Some(*known) == set);
            found.unwrap_or(0) as u32
        };
        let Some(target) = target else { return Ok(None) };
        self.materials.material(xml, target, &uv_of, context).map(Some)
    }

    fn skin(
        &mut self,
        bound: &Binding<'_, '_>,
        data: &SkinData,
        uses_bind_shape: bool,
        context: &mut Context<'_>,
    ) -> SkinId {
        let (mut joints, mut joint_from_mesh) = bound.joints(data, context);
        if uses_bind_shape {
            joints.push(bound.joint);
            joint_from_mesh.push(data.bind_from_mesh);
        }
        let key = (bound.skin.id(), joints);
        if let Some(known) = self.known_skins.get(&key) {
            return *known;
        }
        let id = SkinId::new(self.skins.len());
        let holder = bound.skin.parent().map(xml::label).unwrap_or_default();
        self.skins.push(Skin {
            name: holder.to_owned(),
            joints: key.1.clone(),
            joint_from_mesh: joint_from_mesh.into_iter().map(single).collect(),
            method: SkinMethod::Linear,
        });
        self.known_skins.insert(key, id);
        id
    }
}

fn read_once<T>(
    cache: &mut Cache<T>,
    tag: Tag<'_>,
    read: impl FnOnce() -> Result<T, ImportError>,
) -> Result<Rc<T>, ImportError> {
    if let Some(known) = cache.get(&tag.id()) {
        return Ok(Rc::clone(known));
    }
    let made = Rc::new(read()?);
    cache.insert(tag.id(), Rc::clone(&made));
    Ok(made)
}
