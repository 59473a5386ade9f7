//! What is done with each file of a batch.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sinew_check::{CheckOptions, Engine, Severity};
use sinew_export::{BvhOptions, FbxOptions, GltfOptions};
use sinew_import::{Imported, Options};
use sinew_motion::{Cursor, Pose, sample};
use sinew_render::{Gpu, Renderer, Target};
use sinew_retarget::JointMap;
use sinew_scene::{Clip, Scene};

use super::BatchError;
use super::files::Input;
use super::npz::Npz;
use super::report::BatchRow;
use super::write::{plain, write};
use crate::{Model, Stage};

/// A format that a batch writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchFormat {
    /// Models with all their clips.
    Glb,
    /// Models with all their clips.
    Fbx,
    /// A file for each clip.
    Bvh,
    /// A file for each clip.
    SkeletonAnim,
}

impl BatchFormat {
    /// The ending of its files.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Glb => "glb",
            Self::Fbx => "fbx",
            Self::Bvh => "bvh",
            Self::SkeletonAnim => "skeleton_anim",
        }
    }

    /// The format with this ending.
    #[must_use]
    pub fn named(ending: &str) -> Option<Self> {
        let all = [Self::Glb, Self::Fbx, Self::Bvh, Self::SkeletonAnim];
        all.into_iter().find(|format| format.ending() == ending)
    }
}

/// What is done with each file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BatchTask {
    /// Written in another format.
    Convert {
        /// Which.
        format: BatchFormat,
        /// Frames a second of formats that have frames.
        rate: Option<f32>,
    },
    /// Its clips onto a character.
    Retarget {
        /// The character's file.
        onto: PathBuf,
        /// What is written.
        format: BatchFormat,
        /// Keys a second; `None` takes each clip's own.
        rate: Option<f32>,
        /// Whether feet are kept where they stand.
        plant_feet: bool,
    },
    /// Checked; what is found is counted, nothing is written.
    Check {
        /// An engine that the models are meant for.
        engine: Option<Engine>,
    },
    /// Its clips packed.
    Pack {
        /// The largest error at the skin, in metres.
        error: f32,
    },
    /// An image of it.
    Render {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
    },
    /// Its clips as arrays, a .npz for each: `local` (translation, quaternion x y z w, scale), `times`, `names`, `parents`.
    Sample {
        /// Frames a second.
        rate: f32,
    },
}

impl BatchTask {
    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Convert { .. } => "convert",
            Self::Retarget { .. } => "retarget",
            Self::Check { .. } => "check",
            Self::Pack { .. } => "pack",
            Self::Render { .. } => "render",
            Self::Sample { .. } => "sample",
        }
    }

    /// The task with all it depends on, in words: the same where the same comes out.
    pub(super) fn fingerprint(&self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        let onto = match self {
            Self::Retarget { onto, .. } => std::fs::metadata(onto).ok(),
            _ => None,
        };
        let onto = onto
            .map_or(String::new(), |facts| format!(" {} {:?}", facts.len(), facts.modified().ok()));
        format!("{version} {self:?}{onto}")
    }
}

/// A task with what it needs, opened once.
pub(super) struct Worker<'a> {
    task: &'a BatchTask,
    character: Option<Arc<Scene>>,
    studio: Mutex<Option<(Gpu, Renderer)>>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(task: &'a BatchTask) -> Result<Self, BatchError> {
        let failed = |error: &dyn std::fmt::Display| BatchError::new(error.to_string());
        let character = match task {
            BatchTask::Retarget { onto, .. } => {
                Some(Model::open(onto).map_err(|error| failed(&error))?.scene.into())
            }
            _ => None,
        };
        let studio = match task {
            BatchTask::Render { .. } => {
                let gpu = Gpu::headless().map_err(|error| failed(&error))?;
                let renderer = Renderer::new(&gpu);
                Some((gpu, renderer))
            }
            _ => None,
        };
        Ok(Self { task, character, studio: Mutex::new(studio) })
    }

    /// Opens a file and does the task; what comes of it goes into the row.
    pub(super) fn run(&self, input: &Input, out: &Path, row: &mut BatchRow) -> Result<(), String> {
        let options = match self.task {
            BatchTask::Check { .. } => sinew_check::options(),
            BatchTask::Render { .. } => Options { decode_images: true, ..Options::default() },
            _ => Options::default(),
        };
        let opened = options.open(&input.path).map_err(|error| error.to_string())?;
        row.clips = opened.scene.clips.len();
        row.frames = opened.scene.clips.iter().map(frames).sum();
        match self.task {
            BatchTask::Convert { format, rate } => {
                self.convert(&opened.scene, *format, *rate, &input.stem, out, row)
            }
            BatchTask::Retarget { format, rate, plant_feet, .. } => {
                let options = sinew_retarget::Options {
                    plant_feet: *plant_feet,
                    rate: *rate,
                    ..sinew_retarget::Options::default()
                };
                let scene = self.retarget(&opened.scene, &options, row)?;
                self.convert(&scene, *format, *rate, &input.stem, out, row)
            }
            BatchTask::Check { engine } => {
                check(&opened, *engine, row);
                Ok(())
            }
            BatchTask::Pack { error } => {
                let options = sinew_pack::Options { error: *error, ..Default::default() };
                each_clip(&opened.scene, &input.stem, "sinewclip", out, row, |clip, row| {
                    let packed = sinew_pack::pack(&opened.scene, clip, &options, &|_| {});
                    let (packed, report) = packed.map_err(|error| error.to_string())?;
                    most(row, "error", f64::from(report.error));
                    Ok(packed.bytes().to_vec())
                })
            }
            BatchTask::Render { width, height } => {
                let png = self.image(opened, [*width, *height])?;
                write(out, &format!("{}.png", input.stem), &png, row)
            }
            BatchTask::Sample { rate } => {
                let scene = &opened.scene;
                each_clip(scene, &input.stem, "npz", out, row, |clip, _| arrays(scene, clip, *rate))
            }
        }
    }

    fn convert(
        &self,
        scene: &Scene,
        format: BatchFormat,
        rate: Option<f32>,
        stem: &str,
        out: &Path,
        row: &mut BatchRow,
    ) -> Result<(), String> {
        let whole = |exported: Result<sinew_export::Exported, sinew_export::ExportError>| {
            exported.map_err(|error| error.to_string())
        };
        let exported = match format {
            BatchFormat::Glb => whole(sinew_export::glb(scene, &GltfOptions::default()))?,
            BatchFormat::Fbx => whole(sinew_export::fbx(scene, &FbxOptions::default()))?,
            BatchFormat::Bvh => {
                let options = BvhOptions { frame_rate: rate, ..BvhOptions::default() };
                return each_clip(scene, stem, "bvh", out, row, |clip, _| {
                    Ok(whole(sinew_export::bvh(scene, clip, &options))?.bytes)
                });
            }
            BatchFormat::SkeletonAnim => {
                return each_clip(scene, stem, "skeleton_anim", out, row, |clip, _| {
                    sinew_export::skeleton_anim(scene, clip).map_err(|error| error.to_string())
                });
            }
        };
        let folder = stem.rsplit_once('/').map_or("", |(folder, _)| folder);
        for file in &exported.files {
            let name = if folder.is_empty() {
                file.name.clone()
            } else {
                format!("{folder}/{}", file.name)
            };
            write(out, &name, &file.bytes, row)?;
        }
        write(out, &format!("{stem}.{}", format.ending()), &exported.bytes, row)
    }

    /// The character with the clips of a file.
    fn retarget(
        &self,
        from: &Scene,
        options: &sinew_retarget::Options,
        row: &mut BatchRow,
    ) -> Result<Scene, String> {
        let onto = self.character.as_ref().ok_or("there is no character")?;
        if from.clips.is_empty() {
            return Err("expected a clip to retarget, found none".into());
        }
        let map = JointMap::find(from, onto).map_err(|error| error.to_string())?;
        let mut clips = Vec::with_capacity(from.clips.len());
        for clip in &from.clips {
            let made = sinew_retarget::retarget(clip, from, onto, &map, options);
            let made = made.map_err(|error| error.to_string())?;
            most(row, "foot_slide", f64::from(made.quality.slide.mean));
            most(row, "direction", f64::from(made.quality.mean_direction));
            most(row, "key_error", f64::from(made.quality.key_error));
            clips.push(made.clip);
        }
        let mut parts = Scene::clone(onto).into_parts();
        parts.clips = clips;
        Scene::new(parts).map_err(|error| error.to_string())
    }

    /// The middle of the first clip that moves.
    fn image(&self, opened: Imported, [width, height]: [u32; 2]) -> Result<Vec<u8>, String> {
        let words = |error: &dyn std::fmt::Display| error.to_string();
        let mut stage = Stage::of(opened);
        stage.seek(stage.duration() / 2.0);
        let mut studio = self.studio.lock().unwrap_or_else(PoisonError::into_inner);
        let (gpu, renderer) = studio.as_mut().ok_or("there is no GPU")?;
        let target = Target::new(gpu, width, height).map_err(|error| words(&error))?;
        stage.upload(renderer).map_err(|error| words(&error))?;
        stage.dress(gpu);
        let camera = stage.camera_now(target.aspect());
        let mut frame = stage.frame_on_floor(camera, stage.bounds());
        stage.fill(&mut frame);
        for member in stage.members.iter().filter(|member| member.is_bare()) {
            let style = sinew_render::BoneStyle { shown: &member.bones, ..Default::default() };
            let joints = member.actor.pose().model_from_joint();
            frame.overlay.skeleton(member.actor.scene().skeleton(), joints, &style);
        }
        renderer.draw(&mut frame, &target).map_err(|error| words(&error))?;
        let image = target.read(gpu).map_err(|error| words(&error))?;
        sinew_film::still(&image).map_err(|error| words(&error))
    }
}

/// How many frames a clip has, by the track with the most keys.
fn frames(clip: &Clip) -> usize {
    clip.all_times().map(<[f32]>::len).max().unwrap_or(0)
}

/// The largest of what is measured for the clips of a file.
fn most(row: &mut BatchRow, name: &str, value: f64) {
    let known = row.figures.entry(name.to_owned()).or_insert(value);
    *known = known.max(value);
}

fn each_clip(
    scene: &Scene,
    stem: &str,
    ending: &str,
    out: &Path,
    row: &mut BatchRow,
    bytes: impl Fn(&Clip, &mut BatchRow) -> Result<Vec<u8>, String>,
) -> Result<(), String> {
    if scene.clips.is_empty() {
        return Err("expected a clip, found none".into());
    }
    for (number, clip) in scene.clips.iter().enumerate() {
        let written = bytes(clip, row)?;
        let mut name = format!("{stem}.{ending}");
        if scene.clips.len() > 1 {
            name = format!("{stem}.{}.{ending}", plain(&clip.name));
            if row.outputs.contains(&name) {
                name = format!("{stem}.{}.{number}.{ending}", plain(&clip.name));
            }
        }
        write(out, &name, &written, row)?;
    }
    Ok(())
}

fn check(opened: &Imported, engine: Option<Engine>, row: &mut BatchRow) {
    let findings = sinew_check::check(opened, &CheckOptions { engine, ..CheckOptions::default() });
    for severity in [Severity::Error, Severity::Warning] {
        let count = findings.iter().filter(|finding| finding.severity == severity).count();
        row.figures.insert(format!("{}s", severity.word()), count as f64);
    }
    for finding in &findings {
        row.figures.insert(finding.code().to_owned(), finding.measured.value);
    }
}

/// A clip as the bytes of a .npz.
fn arrays(scene: &Scene, clip: &Clip, rate: f32) -> Result<Vec<u8>, String> {
    const MAX_FRAMES: f64 = 4e6;
    let skeleton = scene.skeleton();
    let frames = (f64::from(clip.duration) * f64::from(rate) + 1e-3).floor() + 1.0;
    if frames * skeleton.len().max(1) as f64 > 64.0 * MAX_FRAMES {
        return Err(format!("expected an array that can be kept, found {frames} frames"));
    }
    let times: Vec<f32> = (0..frames as usize).map(|frame| frame as f32 / rate).collect();
    let mut local = Vec::with_capacity(times.len() * skeleton.len() * 10);
    let mut pose = Pose::new(scene);
    let mut cursor = Cursor::with_capacity(clip.track_count());
    for &time in &times {
        sample(clip, time, &mut cursor, &mut pose);
        for joint in skeleton.ids() {
            let transform = pose.local(joint);
            local.extend(transform.translation.to_array());
            local.extend(transform.rotation.to_array());
            local.extend(transform.scale.to_array());
        }
    }
    let names: Vec<&str> = skeleton.nodes().iter().map(|node| node.name.as_str()).collect();
    let parent =
        |parent: &Option<_>| parent.map_or(-1, |id: sinew_scene::JointId| id.index() as i32);
    let parents: Vec<i32> = skeleton.parents().iter().map(parent).collect();
    let mut npz = Npz::default();
    npz.texts("name", &[&clip.name]);
    npz.floats("times", &[times.len()], &times);
    npz.floats("local", &[times.len(), skeleton.len(), 10], &local);
    npz.texts("names", &names);
    npz.integers("parents", &parents);
    npz.finish().ok_or_else(|| "expected arrays of less than 4 GiB, found more".to_owned())
}
