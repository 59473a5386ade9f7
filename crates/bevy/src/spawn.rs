//! Loaded models become Bevy's entities: one for each node, and below them one for each primitive.

use std::sync::Arc;

use bevy_asset::{Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_mesh::Mesh3d;
use bevy_mesh::morph::{MeshMorphWeights, MorphWeights};
use bevy_mesh::skinning::SkinnedMesh;
use bevy_transform::components::Transform;
use sinew::Scene;
use sinew::scene::{InstanceId, JointId, MaterialId};
use sinew_ecs::{AnimationPlayer, Driven, SceneElement};

use crate::SinewScene;

/// A model to be spawned below this entity, as soon as its file is there.
#[derive(Clone, Component, Debug)]
#[require(Transform)]
pub struct SinewModel(pub Handle<SinewScene>);

/// The entities of a spawned model; on the entity of its [`SinewModel`].
#[derive(Clone, Component, Debug)]
pub struct SinewNodes {
    scene: Arc<Scene>,
    nodes: Vec<Entity>,
}

/// How a primitive looks in its file, on the entity with its `Mesh3d`: give it a material of your own by it.
#[derive(Clone, Component, Debug)]
pub struct Surface {
    /// Whose materials and images.
    pub scene: Arc<Scene>,
    /// Which; `None` is the default material.
    pub material: Option<MaterialId>,
}

impl SinewNodes {
    /// The entity of the first node of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Entity> {
        self.scene.skeleton().find(name).and_then(|joint| self.nodes.get(joint.index()).copied())
    }

    /// The entity of each node, by its number in the scene.
    #[must_use]
    pub fn nodes(&self) -> &[Entity] {
        &self.nodes
    }
}

/// Bevy's transform of Sinew's.
pub(crate) fn transform(from: sinew::Transform) -> Transform {
    Transform { translation: from.translation, rotation: from.rotation, scale: from.scale }
}

/// Sinew's transform of Bevy's.
pub(crate) fn sinew_transform(from: &Transform) -> sinew::Transform {
    sinew::Transform { translation: from.translation, rotation: from.rotation, scale: from.scale }
}

pub(crate) fn spawn(
    mut commands: Commands<'_, '_>,
    scenes: Res<'_, Assets<SinewScene>>,
    waiting: Query<'_, '_, (Entity, &SinewModel), Without<SinewNodes>>,
) {
    for (root, model) in &waiting {
        if let Some(loaded) = scenes.get(&model.0) {
            let nodes = spawn_nodes(&mut commands, root, &loaded.scene);
            spawn_meshes(&mut commands, root, loaded, &nodes);
            let player = AnimationPlayer::new(Arc::clone(&loaded.scene));
            let nodes = SinewNodes { scene: Arc::clone(&loaded.scene), nodes };
            commands.entity(root).insert((nodes, player));
        }
    }
}

fn spawn_nodes(commands: &mut Commands<'_, '_>, root: Entity, scene: &Scene) -> Vec<Entity> {
    let mut nodes: Vec<Entity> = Vec::with_capacity(scene.skeleton().len());
    for (index, node) in scene.skeleton().nodes().iter().enumerate() {
        let parent = node.parent.map_or(root, |parent| nodes[parent.index()]);
        let driven = Driven { player: root, element: SceneElement::Node(JointId::new(index)) };
        let name = Name::new(node.name.clone());
        let made = commands.spawn((transform(node.rest), driven, name, ChildOf(parent)));
        nodes.push(made.id());
    }
    nodes
}

fn spawn_meshes(
    commands: &mut Commands<'_, '_>,
    root: Entity,
    loaded: &SinewScene,
    nodes: &[Entity],
) {
    for (index, instance) in loaded.scene.instances.iter().enumerate() {
        let node = nodes[instance.joint.index()];
        let shapes = &loaded.shapes[instance.mesh.index()];
        let primitives = &loaded.scene.meshes[instance.mesh.index()].primitives;
        let element = SceneElement::Mesh(InstanceId::new(index));
        let mut group = commands.spawn((Transform::IDENTITY, ChildOf(node)));
        let weights = MorphWeights::new(instance.weights.clone(), shapes.first().cloned());
        // Bevy refuses more morph targets than its shaders take; then there are none.
        let weights = weights.ok().filter(|weights| !weights.weights().is_empty());
        let morphs = weights.is_some();
        if let Some(weights) = weights {
            group.insert((weights, Driven { player: root, element }));
        }
        let group = group.id();
        for (shape, primitive) in shapes.iter().zip(primitives) {
            let surface =
                Surface { scene: Arc::clone(&loaded.scene), material: primitive.material };
            let mesh = Mesh3d(shape.clone());
            let mut made = commands.spawn((mesh, surface, Transform::IDENTITY, ChildOf(group)));
            if morphs {
                made.insert(MeshMorphWeights::Reference(group));
            }
            if let Some(skin) = instance.skin {
                let joints = loaded.scene.skins[skin.index()].joints.iter();
                let joints = joints.map(|joint| nodes[joint.index()]).chain([node]);
                made.insert(SkinnedMesh {
                    inverse_bindposes: loaded.bind_poses[skin.index()].clone(),
                    joints: joints.collect(),
                });
            }
        }
    }
}
