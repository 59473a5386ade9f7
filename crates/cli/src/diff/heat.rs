//! The heat map: the model of A, coloured by how far B is off.
//!
//! In:  a comparison.
//! Out: an image of the worst moment, where every vertex has the colour of its worst over the whole clip; or a film of
//! the worst clip, where it has that of the moment.
//!
//! Every image is drawn from a mesh of its own: the vertices in their pose, with colours. Models without a mesh are
//! drawn as bones.

use std::path::Path;
use std::sync::Arc;
use std::thread;

use sinew::compare::{Comparer, Comparison};
use sinew::film::{self, Film, FilmSettings, Palette};
use sinew::glam::{Affine3A, Vec2, Vec3};
use sinew::motion::{Cursor, sample};
use sinew::render::{Bone, Camera, Frame, Gpu, Image, Target, View};
use sinew::scene::{
    Geometry, Instance, Material, MaterialId, Mesh, MeshId, Node, Primitive, SceneParts,
};
use sinew::stage::{CameraSetup, Member, Stage, heat_color};
use sinew::{Actor, ClipId, InstanceId, JointId, Model, Scene, Transform, Transition, Vertices};

use super::args::Diff;
use super::legend;
use super::text::{error, millimetres};
use crate::args::Talk;
use crate::fault::Fault;
use crate::info::named;
use crate::render::args::{Kind, Viewpoint};
use crate::render::plan::{self, Form};
use crate::render::studio::Studio;
use crate::render::{Progress, driver, save};

/// The camera's vertical angle, in radians.
const FOV: f32 = 0.55;
/// How many images a GIF takes its colours from.
const PALETTE_IMAGES: usize = 6;

/// Whether such an image can be made; asked before the work begins.
pub(super) fn check(args: &Diff, out: &Path) -> Result<(), Fault> {
    let kind = plan::kind(None, out)?;
    plan::check_size(plan::fitted(args.size, kind), Form::Still)?;
    if args.camera == Viewpoint::Own {
        return Err(Fault::Usage(
            "--camera: expected a side to look from, not the file's own".into(),
        ));
    }
    driver::hush();
    Ok(())
}

/// Everything that an image needs.
struct Set<'a> {
    comparer: &'a Comparer<'a>,
    /// The number of the pair of clips; `None` for the rest poses.
    clip: Option<usize>,
    actor: Actor,
    cursor: Cursor,
    /// Metres of the hottest colour.
    hottest: f32,
    camera: Camera,
    target: Target,
    title: String,
}

pub(super) fn run(
    args: &Diff,
    out: &Path,
    scene: &Scene,
    comparer: &Comparer<'_>,
    found: &Comparison,
    talk: Talk,
) -> Result<(), Fault> {
    let device = thread::spawn(Gpu::headless);
    let worst = |clip: &usize| error(&found.clips[*clip].measure);
    let clip = (0..found.clips.len()).max_by(|a, b| worst(a).total_cmp(&worst(b)));
    let measure = clip.map_or(&found.rest, |clip| &found.clips[clip].measure);
    let most = args.max.filter(|max| *max > 0.0).unwrap_or_else(|| error(measure));
    let of_a = clip.map(|clip| comparer.clip_of_a(clip));
    let kind = plan::kind(None, out)?;
    let size = plan::fitted(args.size, kind);
    let aspect = size.width as f32 / size.height as f32;
    let camera = camera(scene, of_a, args.camera.view(), aspect);
    let gpu = device.join().map_err(|_| Fault::Work("the graphics driver failed".into()))??;
    let mut studio = Studio::new(gpu);
    let mut set = Set {
        comparer,
        clip,
        actor: Actor::new(scene.clone()),
        cursor: Cursor::new(),
        hottest: if most > 0.0 && most.is_finite() { most as f32 } else { 1e-3 },
        camera,
        target: studio.target(size)?,
        title: clip.map_or_else(|| "rest pose".into(), |clip| title(&found.clips[clip])),
    };
    let bytes = if kind == Kind::Png {
        let time = moment(measure);
        let whole_clip = Some(&measure.vertices[..]).filter(|vertices| !vertices.is_empty());
        film::still(&set.image(&mut studio, time, whole_clip)?)?
    } else {
        let seconds = clip.map_or(0.0, |clip| {
            let [a, b] = found.clips[clip].durations;
            f64::from(a.min(b))
        });
        film(&mut set, &mut studio, kind, seconds, talk)?
    };
    save::save(out, &bytes)?;
    studio.keep_cache();
    Ok(())
}

/// The names of two clips, or the one that both have.
fn title(clip: &sinew::compare::ClipComparison) -> String {
    let [a, b] = [&clip.a, &clip.b].map(|name| named(name));
    if a == b { a } else { format!("{a} = {b}") }
}

/// When the worst is.
fn moment(measure: &sinew::compare::Measure) -> f32 {
    let joints = || measure.joints.worst.as_ref().map_or(0.0, |worst| worst.time);
    measure.skin.as_ref().map_or_else(joints, |skin| skin.worst.time)
}

/// A camera that has the model in the image wherever a clip takes it.
fn camera(scene: &Scene, clip: Option<ClipId>, view: Option<View>, aspect: f32) -> Camera {
    let mut stage = Stage::of(Model::from(scene.clone()));
    if let Some(Member { actor, looped, .. }) = stage.members.first_mut() {
        *looped = false;
        match clip {
            Some(clip) => actor.start(clip, Transition::Cut),
            None => actor.stop(),
        }
    }
    stage.camera_setup =
        Some(CameraSetup::View { view: view.unwrap_or(View::ThreeQuarter), fov_y: FOV });
    stage.camera_for(aspect)
}

fn film(
    set: &mut Set<'_>,
    studio: &mut Studio,
    kind: Kind,
    seconds: f64,
    talk: Talk,
) -> Result<Vec<u8>, Fault> {
    let fps = plan::rate(None, kind)?;
    let frames = (seconds * fps).round().clamp(1.0, plan::MOST_FRAMES) as usize;
    let time = |frame: usize| (frame as f64 / fps).min(seconds) as f32;
    let mut palette = Palette::default();
    if kind == Kind::Gif {
        let count = frames.min(PALETTE_IMAGES);
        let chosen = (0..count).map(|at| set.image(studio, time(at * frames / count), None));
        let images = chosen.collect::<Result<Vec<Image>, Fault>>()?;
        palette = Palette::of(images.iter());
    }
    let (width, height) = set.target.size();
    let settings =
        FilmSettings { kind: kind.of_film(), width, height, frames, fps, transparent: false };
    let mut film = Film::new(settings, palette)?;
    let mut progress = Progress::new(frames, talk == Talk::Quiet);
    for frame in 0..frames {
        progress.show(frame);
        film.add(&set.image(studio, time(frame), None)?)?;
    }
    Ok(film.finish()?)
}

impl Set<'_> {
    /// The model at a moment; `vertices` are the differences to show, or else those of the moment.
    fn image(
        &mut self,
        studio: &mut Studio,
        time: f32,
        vertices: Option<&[f32]>,
    ) -> Result<Image, Fault> {
        let clip = self.clip.map(|clip| self.comparer.clip_of_a(clip));
        let scene = Arc::clone(self.actor.scene());
        let cursor = &mut self.cursor;
        self.actor.modify(|pose, skeleton| {
            match clip {
                Some(clip) => sample(&scene[clip], time, cursor, pose),
                None => pose.to_rest(),
            }
            pose.to_model(skeleton);
        });
        let at = self.comparer.at(self.clip, time);
        let shown = vertices.unwrap_or(&at.vertices);
        let mut stage = Stage::of(Model::from(self.painted(shown)?));
        studio.upload(&mut stage)?;
        let mut frame = stage.frame(self.camera);
        frame.floor = floor(&stage, &self.actor);
        stage.fill(&mut frame);
        if scene.instances.is_empty() {
            self.bones(&at.joints, &mut frame);
        }
        let (width, height) = self.target.size();
        let size = Vec2::new(width as f32, height as f32);
        let ends = ["0 mm".to_owned(), format!("{} mm", millimetres(f64::from(self.hottest)))];
        let title = match (self.clip, vertices) {
            (None, _) => self.title.clone(),
            (Some(_), Some(_)) => format!("{}, worst of the clip, at {time:.2} s", self.title),
            (Some(_), None) => format!("{}, {time:.2} s", self.title),
        };
        legend::draw(&mut frame.overlay, &self.camera, size, [&ends[0], &ends[1]], &title);
        studio.shoot(&mut frame, &self.target)
    }

    /// The vertices in their pose, coloured.
    fn painted(&self, differences: &[f32]) -> Result<Scene, Fault> {
        let scene = self.actor.scene();
        let mut parts = SceneParts {
            nodes: vec![Node::new("", None, Transform::IDENTITY)],
            materials: vec![Material { unlit: true, double_sided: true, ..Material::default() }],
            ..SceneParts::default()
        };
        let (mut posed, mut first) = (Vertices::default(), 0);
        for (index, instance) in scene.instances.iter().enumerate() {
            let instance_id = InstanceId::new(index);
            let mesh = &scene.meshes[instance.mesh.index()];
            let hidden = self.actor.hides(instance_id);
            for (at, primitive) in mesh.primitives.iter().enumerate() {
                self.actor.skin(instance_id, at, &mut posed);
                let own = differences.get(first..first + primitive.positions.len());
                first += primitive.positions.len();
                if !hidden && posed.positions.iter().all(|place| place.is_finite()) {
                    let colors = self.colors(&posed, own.unwrap_or(&[]));
                    let painted = Primitive {
                        material: Some(MaterialId::new(0)),
                        ..Primitive::from(Geometry {
                            topology: primitive.topology,
                            indices: primitive.indices.clone(),
                            positions: posed.positions.clone(),
                            colors: vec![colors],
                            ..Geometry::default()
                        })
                    };
                    let id = MeshId::new(parts.meshes.len());
                    parts.meshes.push(Mesh { primitives: vec![painted], ..Mesh::default() });
                    let joint = JointId::new(0);
                    let drawn = Instance { joint, mesh: id, skin: None, weights: Vec::new() };
                    parts.instances.push(drawn);
                }
            }
        }
        Scene::new(parts).map_err(|error| Fault::Work(error.to_string()))
    }

    /// A colour for each vertex, darker where the surface is seen from the side.
    fn colors(&self, posed: &Vertices, differences: &[f32]) -> Vec<sinew::glam::Vec4> {
        let color = |(vertex, place): (usize, &Vec3)| {
            let normal = posed.normals.get(vertex).copied().unwrap_or(Vec3::ZERO);
            let facing = normal.dot((self.camera.position - *place).normalize_or_zero()).abs();
            let shade = if normal == Vec3::ZERO { 0.8 } else { 0.3 + 0.7 * facing };
            let difference = differences.get(vertex).copied().unwrap_or(f32::NAN);
            (heat_color(difference / self.hottest) * shade).extend(1.0)
        };
        posed.positions.iter().enumerate().map(color).collect()
    }

    /// Bones and joints, coloured.
    fn bones(&self, differences: &[f32], frame: &mut Frame) {
        let skeleton = self.actor.scene().skeleton();
        let places: Vec<Vec3> = self
            .actor
            .pose()
            .model_from_joint()
            .iter()
            .map(|joint: &Affine3A| joint.translation.into())
            .collect();
        for (joint, parent) in skeleton.parents().iter().enumerate() {
            let share = differences.get(joint).copied().unwrap_or(f32::NAN) / self.hottest;
            let color = heat_color(share).extend(1.0);
            if let Some(parent) = parent {
                let (from, to) = (places[parent.index()], places[joint]);
                frame.overlay.bones.push(Bone::new(from, to, color));
                frame.overlay.balls.push(Bone::ball(to, 0.08 * from.distance(to), color));
            }
        }
    }
}

/// The floor under the model.
fn floor(stage: &Stage, actor: &Actor) -> sinew::render::Floor {
    let bounds = stage.bounds().union(actor.bounds());
    let height = if bounds.is_empty() { 0.0 } else { bounds.min.y };
    sinew::render::Floor { height, shadow: true, ..sinew::render::Floor::under(bounds) }
}
