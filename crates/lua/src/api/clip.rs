//! `AnimationClip`, as the engine course has it: frames of a `.skeleton_anim`, shown one after the other.
//!
//! In:  a file, `Play`, and `Update` once a frame.
//! Out: the bone matrices of the frame that plays: `parent · T-pose · offset`, in file order.
//!
//! Frames are not interpolated. A clip plays once and then stays at its last frame. Its bones are on the stage.

use std::rc::Rc;

use mlua::{UserData, UserDataMethods, Value};
use sinew::glam::Affine3A;
use sinew::import::Format;
use sinew::{Actor, Clip, ClipId, JointId, Transition};

use super::{Shared, fault, fields, scene};
use crate::log;

/// Frames a second where the file does not say: the course's own.
const DEFAULT_FRAME_RATE: f64 = 24.0;
/// What rounding may take from a whole number of frames.
const FRAME_EPSILON: f64 = 1e-6;

/// A clip in a script's hands.
#[derive(Debug)]
pub(super) struct AnimationClip {
    shared: Rc<Shared>,
    loaded: Option<Loaded>,
    /// When it began to play.
    start: f64,
    playing: bool,
    frame: Option<usize>,
}

#[derive(Debug)]
struct Loaded {
    actor: u64,
    bones: Vec<JointId>,
    frames: usize,
    /// Frames a second.
    rate: f64,
}

impl AnimationClip {
    pub(super) fn new(shared: Rc<Shared>) -> Self {
        Self { shared, loaded: None, start: 0.0, playing: false, frame: None }
    }

    fn load(&mut self, file: String) -> Result<(), String> {
        let opened = scene::open(&self.shared, vec![file])?;
        if opened.format != Format::SkeletonAnim {
            return Err(format!(
                "LoadFromFile: expected a .skeleton_anim, found {}; sinew.open reads it",
                opened.format
            ));
        }
        let found = &opened.scene;
        let (Some(skin), Some(clip)) = (found.skins.first(), found.clips.first()) else {
            return Err(format!("LoadFromFile: there are no bones in \"{}\"", opened.name));
        };
        let (frames, rate) = frames(clip);
        let mut world = self.shared.world.borrow_mut();
        let actor = world.add(&opened.name, found, false)?;
        world.of(actor)?.0.actor.start(ClipId::new(0), Transition::Cut);
        if let Some(old) = &self.loaded {
            world.remove(old.actor);
        }
        let bones = skin.joints.clone();
        self.loaded = Some(Loaded { actor, bones, frames, rate });
        (self.playing, self.frame) = (false, None);
        Ok(())
    }

    fn loaded(&self, what: &str) -> mlua::Result<&Loaded> {
        let missing =
            || fault(format!("{what}: expected a clip with a file: call LoadFromFile first"));
        self.loaded.as_ref().ok_or_else(missing)
    }

    fn play(&mut self) -> mlua::Result<()> {
        self.loaded("Play")?;
        self.start = self.shared.world.borrow().time;
        (self.playing, self.frame) = (true, None);
        Ok(())
    }

    /// The frame of now; the same again, or one after the last, changes nothing.
    fn update(&mut self) -> mlua::Result<()> {
        let loaded = self.loaded("Update")?;
        if !self.playing {
            return Ok(());
        }
        let passed = self.shared.world.borrow().time - self.start;
        let frame = (passed * loaded.rate + FRAME_EPSILON).floor().max(0.0) as usize;
        if frame >= loaded.frames || self.frame == Some(frame) {
            return Ok(());
        }
        let time = frame as f64 / loaded.rate;
        let mut world = self.shared.world.borrow_mut();
        world.of(loaded.actor).map_err(fault)?.0.actor.seek(time as f32);
        drop(world);
        if self.shared.log {
            self.log_frame(frame)?;
        }
        self.frame = Some(frame);
        Ok(())
    }

    fn log_frame(&self, frame: usize) -> mlua::Result<()> {
        let say = |words: &str| (self.shared.say)(words.as_bytes());
        say(&format!("current_frame_index:{frame}"));
        self.bones("Update", |name, matrix| say(&log::bone(name, matrix)))
    }

    /// Every bone in file order, with its matrix.
    fn bones(&self, what: &str, mut each: impl FnMut(&str, Affine3A)) -> mlua::Result<()> {
        let loaded = self.loaded(what)?;
        let mut world = self.shared.world.borrow_mut();
        let actor = world.posed(loaded.actor).map_err(fault)?;
        self.shared.meter.spend(actor.pose().len() as u64)?;
        for bone in &loaded.bones {
            each(bone_name(actor, *bone), actor.pose().model_from_joint()[bone.index()]);
        }
        Ok(())
    }

    fn matrix(&self, wanted: &Value) -> mlua::Result<Vec<f32>> {
        let text = wanted.as_string().map(mlua::LuaString::to_string_lossy);
        let number = wanted.as_integer();
        let (mut found, mut index) = (None, 0);
        self.bones("BoneMatrix", |name, matrix| {
            index += 1;
            if found.is_none() && (text.as_deref() == Some(name) || number == Some(index)) {
                found = Some(log::columns(matrix).to_vec());
            }
        })?;
        let wanted = fields::found(wanted);
        found.ok_or_else(|| fault(format!("BoneMatrix: there is no bone {wanted}")))
    }
}

/// How many frames a clip has, and how many a second.
fn frames(clip: &Clip) -> (usize, f64) {
    let rotations = clip.rotations.iter().map(|track| track.curve.times().len());
    let translations = clip.translations.iter().map(|track| track.curve.times().len());
    let scales = clip.scales.iter().map(|track| track.curve.times().len());
    let keys = rotations.chain(translations).chain(scales).max().unwrap_or(1);
    let duration = f64::from(clip.duration);
    match keys {
        // Nothing moves: every frame is the same.
        0 | 1 => ((duration * DEFAULT_FRAME_RATE).round() as usize + 1, DEFAULT_FRAME_RATE),
        _ if duration <= 0.0 => (keys, DEFAULT_FRAME_RATE),
        _ => (keys, (keys - 1) as f64 / duration),
    }
}

fn bone_name(actor: &Actor, bone: JointId) -> &str {
    &actor.scene().skeleton().node(bone).name
}

impl Drop for AnimationClip {
    /// A clip that no script holds leaves the stage.
    fn drop(&mut self) {
        if let (Some(loaded), Ok(mut world)) = (&self.loaded, self.shared.world.try_borrow_mut()) {
            world.remove(loaded.actor);
        }
    }
}

impl UserData for AnimationClip {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method_mut("LoadFromFile", |_, this, file: Value| {
            let file = scene::name("LoadFromFile", &file)?;
            this.load(file).map_err(fault)
        });
        methods.add_method("duration", |_, this, ()| {
            Ok(this.loaded.as_ref().map_or(0.0, |loaded| loaded.frames as f64 / loaded.rate))
        });
        methods.add_method_mut("Play", |_, this, ()| this.play());
        methods.add_method_mut("Stop", |_, this, ()| {
            this.playing = false;
            Ok(())
        });
        methods.add_method_mut("Update", |_, this, ()| this.update());
        methods.add_method("IsPlaying", |_, this, ()| Ok(this.playing));
        methods.add_method("FrameCount", |_, this, ()| {
            Ok(this.loaded.as_ref().map_or(0, |loaded| loaded.frames))
        });
        methods.add_method("CurrentFrame", |_, this, ()| Ok(this.frame));
        methods.add_method("BoneNames", |_, this, ()| {
            let mut names = Vec::new();
            this.bones("BoneNames", |name, _| names.push(name.to_owned()))?;
            Ok(names)
        });
        methods.add_method("BoneMatrix", |_, this, wanted: Value| this.matrix(&wanted));
        methods.add_method("BoneMatrices", |_, this, ()| {
            let mut all = Vec::new();
            this.bones("BoneMatrices", |_, matrix| all.push(log::columns(matrix).to_vec()))?;
            Ok(all)
        });
    }
}
