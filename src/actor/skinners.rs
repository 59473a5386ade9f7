//! What skins a scene's primitives on the processor: made when first asked for, shared by clones.

use std::sync::{Arc, OnceLock};

use rayon::iter::{ParallelIterator, split};
use sinew_deform::{Batch, Skinner};
use sinew_scene::{InstanceId, Scene, SkinMethod};

/// One place per primitive of each instance.
#[derive(Clone, Debug)]
pub(super) struct Skinners(Arc<[Vec<OnceLock<Option<Skinner>>>]>);

impl Skinners {
    pub(super) fn new(scene: &Scene) -> Self {
        let places = scene.instances.iter().map(|instance| {
            let primitives = &scene.meshes[instance.mesh.index()].primitives;
            primitives.iter().map(|_| OnceLock::new()).collect()
        });
        Self(places.collect())
    }

    /// The skinner of a primitive under a linear skin; `None` where only
    /// [`deform`](sinew_deform::deform) will do.
    pub(super) fn of(
        &self,
        scene: &Scene,
        instance: InstanceId,
        primitive: usize,
    ) -> Option<&Skinner> {
        let place = &self.0[instance.index()][primitive];
        let made = place.get_or_init(|| {
            let drawn = &scene.instances[instance.index()];
            let skin = &scene.skins[drawn.skin?.index()];
            let primitive = &scene.meshes[drawn.mesh.index()].primitives[primitive];
            let linear = skin.method == SkinMethod::Linear;
            let skinner = || Skinner::new(primitive, skin.joints.len()).ok();
            linear.then(skinner).flatten()
        });
        made.as_ref()
    }
}

/// Skins with all cores; what is too small to be shared, without waking anyone.
pub(super) fn on_all_cores(batch: Batch<'_>) {
    match batch.halves() {
        (whole, None) => whole.skin(),
        (front, Some(back)) => {
            let share = |batch| split(batch, Batch::halves).for_each(Batch::skin);
            rayon::join(|| share(front), || share(back));
        }
    }
}
