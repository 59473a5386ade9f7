//! One opened model: its scene, how it moves, and what people ask about it.
//!
//! In:  what an importer gave.
//! Out: an [`Actor`] with everything that panels read, worked out once, off the window's thread.

mod asked;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sinew::glam::{Affine3A, Vec3};
use sinew::import::Format;
use sinew::render::GpuScene;
use sinew::stage::Member;
use sinew::{Actor, Bounds, Imported, InstanceId, JointId, Note, Scene};

pub(crate) use self::asked::Totals;
use self::asked::totals;
use crate::graph::Followed;
use crate::reach::Target;
use crate::timeline::Timeline;
use crate::walk::Walk;

/// How often a clip is looked at to find the box around it.
const LOOKS: usize = 24;

/// Where a model came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Source {
    /// `None` for what is built in.
    pub(crate) file: Option<PathBuf>,
    /// Whose clips were added.
    pub(crate) clips: Vec<PathBuf>,
    /// The joint map that they were retargeted by.
    pub(crate) map: Option<PathBuf>,
    /// Of the file, in bytes.
    pub(crate) size: u64,
}

/// One opened model.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// Another one whenever the scene is another.
    pub(crate) id: u64,
    pub(crate) title: String,
    pub(crate) source: Source,
    pub(crate) format: Format,
    pub(crate) extensions: Vec<String>,
    pub(crate) notes: Vec<Note>,
    pub(crate) actor: Actor,
    pub(crate) clip: Option<usize>,
    /// One for each clip.
    pub(crate) timelines: Vec<Timeline>,
    /// Around it over its whole clip, in the world.
    pub(crate) bounds: Bounds,
    /// Which nodes are drawn as bones.
    pub(crate) bones: Vec<bool>,
    pub(crate) children: Vec<Vec<JointId>>,
    /// What hangs under each node: meshes.
    pub(crate) root_motion: Vec<Vec<InstanceId>>,
    /// Morph weights held by hand; one for each weight of the pose.
    pub(crate) held: Vec<Option<f32>>,
    pub(crate) totals: Totals,
    /// How fast its time runs beside that of the others.
    pub(crate) pace: f32,
    /// Ground and the like: not what an eye looks for.
    pub(crate) scenery: bool,
    /// A scene file says where it stands.
    pub(crate) fixed: bool,
    /// The lights of its file shine, whatever is switched.
    pub(crate) lit: bool,
    /// Ready to be drawn; whoever read the file has seen to it.
    pub(crate) uploaded: Option<GpuScene>,
    /// The graph that it follows instead of a clip.
    pub(crate) graph: Option<Followed>,
    /// Where that graph has moved it.
    pub(crate) walk: Walk,
    /// What its joints reach for.
    pub(crate) targets: Vec<Target>,
    /// Seconds until a change of clips is done.
    pub(crate) fading: f32,
    /// Another one whenever a graph has moved it.
    pub(crate) moved: u64,
    /// What could not be shown as filed, beside the notes of the reader.
    pub(crate) more_notes: Vec<String>,
}

fn fresh_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Model {
    /// Ready to be shown, with its first clip that moves.
    pub(crate) fn new(imported: Imported, title: String, source: Source) -> Self {
        let Imported { scene, notes, format, extensions, .. } = imported;
        let mut model = Self::of(Actor::new(scene), title, source);
        (model.notes, model.format, model.extensions) = (notes, format, extensions);
        let clips = &model.scene().clips;
        // Some files begin with a clip without keys.
        let moving = clips.iter().position(|clip| clip.track_count() > 0);
        model.choose(moving.or(if clips.is_empty() { None } else { Some(0) }));
        model
    }

    /// One of those that a scene file places.
    pub(crate) fn member(member: Member, source: Source) -> Self {
        let playing = member.actor.clip();
        let clips = &member.actor.scene().clips;
        let clip = playing.and_then(|clip| clips.iter().position(|one| std::ptr::eq(one, clip)));
        let bones = member.bones;
        let mut model = Self::of(member.actor, member.name, source);
        model.bones = bones;
        model.choose(clip);
        model.seek(member.start as f32);
        model.pace = member.speed as f32;
        model.scenery = member.scenery;
        model.lit = member.lights == sinew::stage::Lights::On;
        model.fixed = true;
        model
    }

    fn of(actor: Actor, title: String, source: Source) -> Self {
        let scene = Arc::clone(actor.scene());
        let count = scene.skeleton().len();
        let mut children = vec![Vec::new(); count];
        for joint in scene.skeleton().ids() {
            if let Some(parent) = scene.skeleton().parents()[joint.index()] {
                children[parent.index()].push(joint);
            }
        }
        let mut root_motion = vec![Vec::new(); count];
        for (index, instance) in scene.instances.iter().enumerate() {
            carried[instance.joint.index()].push(InstanceId::new(index));
        }
        Self {
            id: fresh_id(),
            title,
            source,
            format: Format::Demo,
            extensions: Vec::new(),
            notes: Vec::new(),
            timelines: scene.clips.iter().map(Timeline::new).collect(),
            bones: sinew::stage::bones(&scene),
            children,
            root_motion,
            held: vec![None; scene.weight_count()],
            totals: totals(&scene),
            clip: None,
            bounds: Bounds::EMPTY,
            pace: 1.0,
            scenery: false,
            fixed: false,
            lit: false,
            uploaded: None,
            graph: None,
            walk: Walk::default(),
            targets: Vec::new(),
            fading: 0.0,
            moved: 0,
            more_notes: Vec::new(),
            actor,
        }
    }

    /// Everything that had to be mended or left out, in words.
    pub(crate) fn all_notes(&self) -> impl Iterator<Item = String> {
        self.notes.iter().map(ToString::to_string).chain(self.more_notes.iter().cloned())
    }

    /// How many notes there are.
    pub(crate) fn note_count(&self) -> usize {
        self.notes.len() + self.more_notes.len()
    }

    /// The built-in character.
    pub(crate) fn built_in(name: &str, scene: Scene) -> Self {
        let imported = Imported {
            scene,
            notes: Vec::new(),
            name: name.to_owned(),
            format: Format::Demo,
            extensions: Vec::new(),
        };
        Self::new(imported, name.to_owned(), Source::default())
    }

    pub(crate) fn scene(&self) -> &Arc<Scene> {
        self.actor.scene()
    }

    /// As it was imported, to attach clips to.
    pub(crate) fn imported(&self) -> Imported {
        Imported {
            scene: (**self.scene()).clone(),
            notes: self.notes.clone(),
            name: self.title.clone(),
            format: self.format,
            extensions: self.extensions.clone(),
        }
    }

    /// Another clip from its start, or the rest pose.
    pub(crate) fn choose(&mut self, clip: Option<usize>) {
        self.clip = clip.filter(|index| *index < self.scene().clips.len());
        self.bounds = self.whole_bounds();
        (self.graph, self.fading) = (None, 0.0);
        match self.clip {
            Some(index) => self.actor.play_index(index),
            None => self.actor.stop(),
        }
    }

    pub(crate) fn timeline(&self) -> Option<&Timeline> {
        self.clip.map(|index| &self.timelines[index])
    }

    /// A box around everything, over the whole clip. Models without meshes have one around their joints.
    pub(crate) fn whole_bounds(&self) -> Bounds {
        let mut actor = self.actor.clone();
        let mut bounds = Bounds::EMPTY;
        let Some(clip) = self.clip else {
            actor.stop();
            return bounds_of(&actor, &self.bones);
        };
        actor.play_index(clip);
        let duration = self.timelines[clip].duration;
        for look in 0..=LOOKS {
            actor.seek(duration * look as f32 / LOOKS as f32);
            bounds = bounds.union(bounds_of(&actor, &self.bones));
        }
        bounds
    }

    /// Puts the model elsewhere.
    pub(crate) fn place(&mut self, at: Vec3) {
        self.actor.place(Affine3A::from_translation(at));
        self.bounds = self.whole_bounds();
        let time = self.actor.player().time();
        self.actor.seek(time);
    }

    /// Lets time pass, and holds what is held by hand.
    pub(crate) fn advance(&mut self, seconds: f32) {
        self.actor.advance(seconds);
        self.fading = (self.fading - seconds).max(0.0);
        if self.graph.is_some() && seconds > 0.0 {
            self.moved += 1;
            self.walk.step(self.actor.root_motion(), self.carrier(self.actor.pose()), seconds);
        }
        self.hold();
    }

    pub(crate) fn seek(&mut self, time: f32) {
        self.end_fade();
        self.actor.seek(time);
        self.hold();
    }

    /// What is held by hand: weights, then whatever joints reach for.
    pub(crate) fn hold(&mut self) {
        self.hold_weights();
        self.reach();
    }

    fn hold_weights(&mut self) {
        if self.held.iter().all(Option::is_none) {
            return;
        }
        let scene = self.scene().clone();
        let held = &self.held;
        self.actor.adjust(|pose| {
            for index in 0..scene.instances.len() {
                let instance = InstanceId::new(index);
                let own = &held[scene.weight_range(instance)];
                for (weight, held) in pose.weights_mut(instance).iter_mut().zip(own) {
                    *weight = held.unwrap_or(*weight);
                }
            }
        });
    }
}

/// Around what is drawn; where nothing is, around the joints.
fn bounds_of(actor: &Actor, bones: &[bool]) -> Bounds {
    let bounds = actor.bounds();
    if !bounds.is_empty() {
        return bounds;
    }
    let mut bounds = Bounds::EMPTY;
    for (joint, shown) in actor.pose().model_from_joint().iter().zip(bones) {
        if *shown {
            bounds.add(actor.world_from_model().transform_point3a(joint.translation).into());
        }
    }
    if !bounds.is_empty() {
        // The last bone of a chain is drawn beyond its joint; the floor stays where it is.
        let room = bounds.size().length() * 0.1;
        bounds.min -= Vec3::new(room, 0.0, room);
        bounds.max += Vec3::splat(room);
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_box_of_a_clip_holds_every_moment_of_it() {
        let mut model = Model::built_in("demo", sinew::demo());
        let whole = model.bounds;
        for step in 0..=LOOKS {
            let duration = model.timelines[0].duration;
            model.seek(duration * step as f32 / LOOKS as f32);
            let now = model.actor.bounds();
            assert!(whole.union(now) == whole, "{step}: {now:?} is not within {whole:?}");
        }
    }

    #[test]
    fn bones_without_a_mesh_have_a_box_too() {
        let mut parts = sinew::demo().into_parts();
        parts.instances.clear();
        for clip in &mut parts.clips {
            clip.weights.clear();
        }
        let model = Model::built_in("bones", Scene::new(parts).expect("still whole"));
        assert!(!model.bounds.is_empty());
        assert_eq!(model.totals, Totals::default());
    }

    #[test]
    fn the_first_clip_that_moves_is_shown_and_one_without_keys_where_there_is_no_other() {
        let mut parts = sinew::demo().into_parts();
        let empty = sinew::Clip { name: "still".into(), ..sinew::Clip::default() };
        parts.clips.insert(0, empty.clone());
        let model = Model::built_in("demo", Scene::new(parts.clone()).expect("whole"));
        assert_eq!(model.clip, Some(1));
        parts.clips = vec![empty];
        let model = Model::built_in("still", Scene::new(parts).expect("whole"));
        assert_eq!(model.clip, Some(0));
    }

    #[test]
    fn a_scene_of_nothing_is_a_model() {
        let model = Model::built_in("nothing", Scene::default());
        assert!(model.bounds.is_empty() && model.clip.is_none() && !model.moves());
    }

    #[test]
    fn everything_below_the_root_is_everything() {
        let model = Model::built_in("demo", sinew::demo());
        let all: usize = model.children.iter().map(Vec::len).sum();
        let roots = model.scene().skeleton().parents().iter().filter(|parent| parent.is_none());
        assert_eq!(all + roots.count(), model.scene().skeleton().len());
        assert_eq!(model.below(JointId::new(0))[0], JointId::new(0));
    }
}
