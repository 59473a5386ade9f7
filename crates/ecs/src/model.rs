//! A model, and its copies in a world: spawning makes entities, the scene behind them is shared.
//!
//! A copy is a root with a [`Character`] and an [`AnimationPlayer`]; below it one entity for each node of the scene,
//! and below those the meshes, skins, cameras and lights. Despawning the root takes them all.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use sinew::scene::{CameraId, Instance, InstanceId, JointId, LightId, SkinId};
use sinew::{Scene, Transform};

use crate::{
    AnimationPlayer, Camera, Driven, Light, LocalTransform, Mesh, MorphWeights, SceneElement,
    Shear, Skin,
};

/// A scene to be spawned any number of times. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Model {
    /// Of which every copy's player is a clone, so that rest poses are shared.
    player: Arc<AnimationPlayer>,
}

/// The entities of one copy; on its root, which is where to move the whole.
#[derive(Clone, Component, Debug)]
pub struct Character {
    scene: Arc<Scene>,
    nodes: Box<[Entity]>,
    meshes: Box<[Entity]>,
    skins: Box<[Entity]>,
    cameras: Box<[Entity]>,
    lights: Box<[Entity]>,
}

impl Model {
    /// From a scene, or one that others share already.
    #[must_use]
    pub fn new(scene: impl Into<Arc<Scene>>) -> Self {
        Self { player: Arc::new(AnimationPlayer::new(scene)) }
    }

    /// The scene, shared by all copies.
    #[must_use]
    pub fn scene(&self) -> &Arc<Scene> {
        self.player.scene()
    }

    /// One more copy, at rest at the origin; gives its root.
    pub fn spawn(&self, world: &mut World) -> Entity {
        let root = self.spawn_by(&mut world.commands());
        world.flush();
        root
    }

    /// The same from within a system; the entities are there once its commands are applied.
    pub fn spawn_by(&self, commands: &mut Commands<'_, '_>) -> Entity {
        let scene = self.scene();
        let root = commands.spawn(LocalTransform::default()).id();
        let mut copy = Copy { commands, scene, root, nodes: Vec::new() };
        copy.nodes();
        let skins = copy.skins();
        let character = Character {
            meshes: copy.meshes(&skins),
            cameras: copy.cameras(),
            lights: copy.lights(),
            nodes: copy.nodes.into(),
            skins,
            scene: Arc::clone(scene),
        };
        commands.entity(root).insert((character, AnimationPlayer::clone(&self.player)));
        root
    }
}

impl From<sinew::Model> for Model {
    fn from(model: sinew::Model) -> Self {
        Self::new(model.scene)
    }
}

impl Character {
    /// The scene, shared by all copies.
    #[must_use]
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// The entity of the first node of this name. For set-up, not for every frame.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Entity> {
        self.scene.skeleton().find(name).map(|joint| self.nodes[joint.index()])
    }

    /// The entity of each node, by [`JointId`].
    #[must_use]
    pub fn nodes(&self) -> &[Entity] {
        &self.nodes
    }

    /// The entity of each mesh, by [`InstanceId`].
    #[must_use]
    pub fn meshes(&self) -> &[Entity] {
        &self.meshes
    }

    /// The entity of each skin, by [`SkinId`].
    #[must_use]
    pub fn skins(&self) -> &[Entity] {
        &self.skins
    }

    /// The entity of each camera, by [`CameraId`].
    #[must_use]
    pub fn cameras(&self) -> &[Entity] {
        &self.cameras
    }

    /// The entity of each light, by [`LightId`].
    #[must_use]
    pub fn lights(&self) -> &[Entity] {
        &self.lights
    }
}

/// One copy while it is made.
struct Copy<'a, 'w, 's> {
    commands: &'a mut Commands<'w, 's>,
    scene: &'a Arc<Scene>,
    root: Entity,
    nodes: Vec<Entity>,
}

impl Copy<'_, '_, '_> {
    fn nodes(&mut self) {
        for (index, node) in self.scene.skeleton().nodes().iter().enumerate() {
            let parent = node.parent.map_or(self.root, |parent| self.nodes[parent.index()]);
            let driven =
                Driven { player: self.root, element: SceneElement::Node(JointId::new(index)) };
            let mut made =
                self.commands.spawn((LocalTransform(node.rest), driven, ChildOf(parent)));
            if let Some(shear) = node.shear {
                made.insert(Shear(shear));
            }
            self.nodes.push(made.id());
        }
    }

    fn skins(&mut self) -> Box<[Entity]> {
        let parents = (0..self.scene.skins.len()).map(SkinId::new).map(|skin| {
            // The node of the first mesh that the skin deforms.
            let deformed = |instance: &&Instance| instance.skin == Some(skin);
            let first = self.scene.instances.iter().find(deformed);
            (skin, first.map_or(self.root, |instance| self.nodes[instance.joint.index()]))
        });
        let parents: Vec<_> = parents.collect();
        let mut made = Vec::with_capacity(parents.len());
        for (id, parent) in parents {
            let joints = self.scene.skins[id.index()].joints.iter();
            let joints: Vec<Entity> = joints.map(|joint| self.nodes[joint.index()]).collect();
            let mut entity = self.commands.spawn((LocalTransform::default(), ChildOf(parent)));
            if let Some(skin) = Skin::new(Arc::clone(self.scene), id, joints) {
                entity.insert(skin);
            }
            made.push(entity.id());
        }
        made.into()
    }

    fn meshes(&mut self, skins: &[Entity]) -> Box<[Entity]> {
        let scene = self.scene;
        let instances = scene.instances.iter().enumerate();
        let made = instances.map(|(index, instance)| {
            let skin = instance.skin.map(|skin| skins[skin.index()]);
            let mesh = Mesh { scene: Arc::clone(scene), mesh: instance.mesh, skin };
            let element = SceneElement::Mesh(InstanceId::new(index));
            let entity = self.under(instance.joint, mesh);
            if !instance.weights.is_empty() {
                let driven = Driven { player: self.root, element };
                let weights = MorphWeights(instance.weights.clone());
                self.commands.entity(entity).insert((weights, driven));
            }
            entity
        });
        made.collect()
    }

    fn cameras(&mut self) -> Box<[Entity]> {
        let scene = self.scene;
        let made = scene.cameras.iter().enumerate().map(|(index, camera)| {
            let driven =
                Driven { player: self.root, element: SceneElement::Camera(CameraId::new(index)) };
            let component = Camera { projection: camera.projection, on: false };
            self.under(camera.joint, (component, driven))
        });
        made.collect()
    }

    fn lights(&mut self) -> Box<[Entity]> {
        let scene = self.scene;
        let made = scene.lights.iter().enumerate().map(|(index, light)| {
            let driven =
                Driven { player: self.root, element: SceneElement::Light(LightId::new(index)) };
            let component = Light {
                kind: light.kind,
                color: light.color,
                intensity: light.intensity,
                range: light.range,
                on: false,
            };
            self.under(light.joint, (component, driven))
        });
        made.collect()
    }

    fn under(&mut self, joint: JointId, what: impl Bundle) -> Entity {
        let parent = ChildOf(self.nodes[joint.index()]);
        self.commands.spawn((what, LocalTransform(Transform::IDENTITY), parent)).id()
    }
}
