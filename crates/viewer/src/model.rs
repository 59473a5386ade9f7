//! One open model: where it came from, how it moves, and what panels read about it.
//!
//! In:  a [`sinew::Model`], or one that a scene file places.
//! Out: an [`Actor`] with everything that panels read, worked out once, off the window's thread.
//!
//! What plays is the actor's own; nothing of it is kept twice.

mod facts;
mod morphs;
mod playback;
mod source;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sinew::glam::{Affine3A, Vec3};
use sinew::motion::RootMode;
use sinew::render::GpuScene;
use sinew::stage::{Landmarks, Mannequin, MannequinPose, Member};
use sinew::{Actor, Bounds, ClipId, JointId, RootMotionPolicy, Scene, Transition};

pub(crate) use self::facts::Facts;
pub(crate) use self::source::{Placement, Report, Source};
use crate::graph::LoadedGraph;
use crate::reach::ReachTarget;
use crate::root_path::RootPath;

/// One open model.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// Another one whenever the scene is another.
    pub(crate) id: u64,
    pub(crate) title: String,
    pub(crate) source: Source,
    pub(crate) report: Report,
    pub(crate) placement: Placement,
    pub(crate) facts: Facts,
    /// The scene, and what plays.
    pub(crate) actor: Actor,
    /// The file of the graph that plays, if one does.
    pub(crate) graph: Option<LoadedGraph>,
    /// Where that graph's root motion leads.
    pub(crate) root_path: RootPath,
    /// What its joints reach for.
    pub(crate) targets: Vec<ReachTarget>,
    /// Around it over its whole clip, in the world.
    pub(crate) bounds: Bounds,
    /// Ready to be drawn; uploaded where the file was read.
    pub(crate) uploaded: Option<GpuScene>,
    /// What is drawn of a skeleton that has no surface.
    pub(crate) mannequin: Option<Mannequin>,
    /// Where it faces in its rest pose, in the model; `None` where its joints do not tell.
    front: Option<Vec3>,
    /// The joint that a camera goes along with: the hips, or else the first; `None` where there is no joint.
    pub(crate) anchor: Option<JointId>,
}

fn fresh_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Model {
    /// Ready to be shown, with its first clip that moves.
    pub(crate) fn new(opened: sinew::Model, title: String, source: Source) -> Self {
        let report = Report::of(&opened);
        let mut model = Self::of(Actor::new(opened.scene), title, source);
        model.report = report;
        model.start(model.first_clip(), Transition::Cut);
        model
    }

    /// One of those that a scene file places.
    pub(crate) fn member(member: Member, source: Source) -> Self {
        let placement = Placement::of(&member);
        let mut model = Self::of(member.actor, member.name, source);
        model.placement = placement;
        model.facts.bones = member.bones;
        model.bounds = model.whole_bounds();
        model.seek(member.start as f32);
        model
    }

    fn of(mut actor: Actor, title: String, source: Source) -> Self {
        // A graph's character stays in its place; its path is drawn.
        actor.set_root_motion(None, RootMode::Floor, RootMotionPolicy::Remove);
        let landmarks = Landmarks::find(actor.scene());
        let first = actor.scene().skeleton().ids().next();
        Self {
            id: fresh_id(),
            title,
            source,
            report: Report::default(),
            placement: Placement::default(),
            facts: Facts::of(actor.scene()),
            graph: None,
            root_path: RootPath::default(),
            targets: Vec::new(),
            bounds: Bounds::EMPTY,
            uploaded: None,
            mannequin: Mannequin::of_bare(actor.scene()),
            front: landmarks.facing(actor.pose().model_from_joint()),
            anchor: landmarks.hips().or(first),
            actor,
        }
    }

    /// A model made by code.
    pub(crate) fn built_in(name: &str, scene: Scene) -> Self {
        Self::new(scene.into(), name.to_owned(), Source::default())
    }

    fn world_from_joints(&self) -> Vec<Affine3A> {
        let world = self.actor.world_from_model();
        self.actor.pose().model_from_joint().iter().map(|joint| world * *joint).collect()
    }

    /// Where it faces, however it moves; `None` where its joints do not tell.
    pub(crate) fn facing(&self) -> Option<Vec3> {
        let front = self.actor.world_from_model().transform_vector3(self.front?);
        front.with_y(0.0).try_normalize()
    }

    /// Its mannequin as it is now.
    pub(crate) fn mannequin_pose(&self) -> Option<MannequinPose> {
        Some(self.mannequin.as_ref()?.pose(&self.world_from_joints()))
    }

    /// The scene that is uploaded for it.
    pub(crate) fn drawn(&self) -> &Arc<Scene> {
        self.mannequin.as_ref().map_or(self.scene(), Mannequin::scene)
    }

    pub(crate) fn scene(&self) -> &Arc<Scene> {
        self.actor.scene()
    }

    /// The first clip that moves, or else the first.
    fn first_clip(&self) -> Option<ClipId> {
        let scene = self.scene();
        scene.first_moving_clip().or_else(|| scene.clip_ids().next())
    }

    /// As it was opened, to add clips to.
    pub(crate) fn opened(&self) -> sinew::Model {
        let mut model = sinew::Model::from((**self.scene()).clone());
        model.name.clone_from(&self.title);
        self.report.write_to(&mut model);
        model
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_clip_that_moves_is_shown_and_one_without_keys_where_there_is_no_other() {
        let mut parts = sinew::demo().into_parts();
        let empty = sinew::Clip { name: "still".into(), ..sinew::Clip::default() };
        parts.clips.insert(0, empty.clone());
        let model = Model::built_in("demo", Scene::new(parts.clone()).expect("whole"));
        assert_eq!(model.clip(), Some(ClipId::new(1)));
        parts.clips = vec![empty];
        let model = Model::built_in("still", Scene::new(parts).expect("whole"));
        assert_eq!(model.clip(), Some(ClipId::new(0)));
    }

    #[test]
    fn a_scene_of_nothing_is_a_model() {
        let model = Model::built_in("nothing", Scene::default());
        assert!(model.bounds.is_empty() && model.clip().is_none() && !model.can_move());
    }

    #[test]
    fn everything_below_the_root_is_everything() {
        let model = Model::built_in("demo", sinew::demo());
        let all: usize = model.facts.children.iter().map(Vec::len).sum();
        let roots = model.scene().skeleton().parents().iter().filter(|parent| parent.is_none());
        assert_eq!(all + roots.count(), model.scene().skeleton().len());
        assert_eq!(model.below(JointId::new(0))[0], JointId::new(0));
    }
}
