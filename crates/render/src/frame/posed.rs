//! One character as it stands now.

use glam::Affine3A;
use sinew_deform::{Bounds, SkinBounds};
use sinew_scene::{InstanceId, JointId, Scene};

use crate::GpuScene;

/// One character as it stands now; borrowed from whoever moves it.
#[derive(Clone, Copy, Debug)]
pub struct ActorView<'a> {
    /// Where every node of the scene stands in the model.
    pub model_from_joint: &'a [Affine3A],
    /// Where the model stands in the world.
    pub world_from_model: Affine3A,
    /// `world_from_mesh` of each joint, one list for each skin, by whoever has them already; `None` makes them here.
    pub palettes: Option<&'a [Vec<Affine3A>]>,
    /// The morph weights of all instances, in order.
    pub weights: &'a [f32],
    /// Which instances are not to be drawn, in order; empty when all are.
    pub hidden: &'a [bool],
    /// A box around it in the world; `None` is never left out of the image.
    pub bounds: Option<Bounds>,
    /// Shows how strongly this joint influences each vertex instead of the surface's own colours.
    pub heat: Option<JointId>,
}

impl ActorView<'_> {
    pub(crate) fn check(&self, scene: &GpuScene) {
        assert_eq!(self.model_from_joint.len(), scene.joint_count(), "one matrix per node");
        assert_eq!(self.weights.len(), scene.weight_count(), "one weight per morph target");
        let hidden = self.hidden.len();
        assert!(hidden == 0 || hidden == scene.instances().len(), "one flag per instance, or none");
        if let Some(palettes) = self.palettes {
            assert_eq!(palettes.len(), scene.skins().len(), "one palette per skin");
            for (palette, skin) in palettes.iter().zip(scene.skins()) {
                assert_eq!(palette.len(), skin.joints.len(), "one matrix per joint of the skin");
            }
        }
    }

    /// Calls `each` with `world_from_mesh` of every joint of a skin.
    pub(crate) fn each_matrix(
        &self,
        scene: &GpuScene,
        skin: usize,
        mut each: impl FnMut(Affine3A),
    ) {
        if let Some(palettes) = self.palettes {
            palettes[skin].iter().for_each(|matrix| each(*matrix));
            return;
        }
        let skin = &scene.skins()[skin];
        for (joint, joint_from_mesh) in skin.joints.iter().zip(&skin.joint_from_mesh) {
            let model_from_mesh = self.model_from_joint[joint.index()] * *joint_from_mesh;
            each(self.world_from_model * model_from_mesh);
        }
    }

    pub(crate) fn first_matrix(&self, scene: &GpuScene, skin: usize) -> Option<Affine3A> {
        if let Some(palettes) = self.palettes {
            return palettes[skin].first().copied();
        }
        let skin = &scene.skins()[skin];
        let (joint, joint_from_mesh) = skin.joints.first().zip(skin.joint_from_mesh.first())?;
        Some(self.world_from_model * self.model_from_joint[joint.index()] * *joint_from_mesh)
    }
}

/// A scene in its rest pose: for what never moves.
#[derive(Clone, Debug)]
pub struct RestPose {
    model_from_joint: Vec<Affine3A>,
    weights: Vec<f32>,
    bounds: Bounds,
}

impl RestPose {
    /// The rest pose of a scene.
    #[must_use]
    pub fn new(scene: &Scene) -> Self {
        let mut model_from_joint: Vec<Affine3A> = Vec::with_capacity(scene.skeleton().len());
        for node in scene.skeleton().nodes() {
            let own = node.parent_from_node();
            let whole = node.parent.map_or(own, |parent| model_from_joint[parent.index()] * own);
            model_from_joint.push(whole);
        }
        let all = scene.instances.iter().flat_map(|instance| &instance.weights);
        let weights: Vec<f32> = all.copied().collect();
        let mut bounds = Bounds::EMPTY;
        for (index, instance) in scene.instances.iter().enumerate() {
            let skin = instance.skin.map(|skin| &scene.skins[skin.index()]);
            let palette: Vec<Affine3A> = skin.map_or_else(Vec::new, |skin| {
                let pairs = skin.joints.iter().zip(&skin.joint_from_mesh);
                pairs.map(|(joint, bind)| model_from_joint[joint.index()] * *bind).collect()
            });
            let reach = SkinBounds::new(&scene.meshes[instance.mesh.index()], palette.len());
            let own = &weights[scene.weight_range(InstanceId::new(index))];
            let node = model_from_joint[instance.joint.index()];
            bounds = bounds.union(reach.bounds(&palette, node, own));
        }
        Self { model_from_joint, weights, bounds }
    }

    /// A box around it in the model.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Where every node stands in the model.
    #[must_use]
    pub fn model_from_joint(&self) -> &[Affine3A] {
        &self.model_from_joint
    }

    /// As it stands in the world.
    #[must_use]
    pub fn view(&self, world_from_model: Affine3A) -> ActorView<'_> {
        let bounds = (!self.bounds.is_empty()).then(|| self.bounds.moved(world_from_model));
        ActorView {
            model_from_joint: &self.model_from_joint,
            world_from_model,
            palettes: None,
            weights: &self.weights,
            hidden: &[],
            bounds,
            heat: None,
        }
    }
}
