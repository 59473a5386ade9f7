//! A contact sheet of findings: each seen on the model, in the pose and at the place where it is.

use std::path::Path;

use sinew::check::{Finding, Place, Severity};
use sinew::glam::{Vec3, Vec4};
use sinew::render::{Bone, Camera, Gpu, Image};
use sinew::stage::Stage;
use sinew::{InstanceId, Transition, Vertices, film};

use super::Checked;
use crate::args::Talk;
use crate::fault::Fault;
use crate::render::sheet::Sheet;
use crate::render::studio::Studio;
use crate::render::{Progress, Size, driver, save};

const CELL: Size = Size { width: 480, height: 400 };
const COLUMNS: u32 = 3;
/// So many findings are drawn, one for each rule.
const CELLS: usize = 12;
/// The vertical angle of the camera, in radians.
const FOV: f32 = 0.55;
/// How near the camera goes to a place, as a share of where it sees everything.
const NEAR: f32 = 0.45;

pub(super) fn run(checked: &Checked, out: &Path, talk: Talk) -> Result<(), Fault> {
    driver::hush();
    save::check(out)?;
    let chosen = choose(&checked.findings);
    if chosen.is_empty() {
        return Err(Fault::Usage("nothing was found, so there is nothing to draw".into()));
    }
    let gpu = Gpu::headless()?;
    let mut stage = Stage::of(model(checked)?);
    let mut studio = Studio::new(gpu);
    studio.upload(&mut stage)?;
    let target = studio.target(CELL)?;
    let rows = (chosen.len() as u32).div_ceil(COLUMNS);
    let columns = COLUMNS.min(chosen.len() as u32);
    let mut sheet = Sheet::new(Size { width: columns, height: rows }, CELL);
    let mut progress = Progress::new(chosen.len(), talk == Talk::Quiet);
    for (done, finding) in chosen.iter().enumerate() {
        progress.show(done);
        pose(&mut stage, &finding.place);
        let spot = spot(&stage, &finding.place);
        let camera = camera(&mut stage, &finding.place, spot, target.aspect());
        let bounds = stage.bounds();
        let size = if bounds.is_empty() { 1.0 } else { bounds.size().length() };
        let image = studio.marked(&mut stage, camera, &target, |frame| {
            let at = spot.unwrap_or(camera.target);
            if spot.is_some() {
                frame.overlay.balls.push(Bone::ball(at, size * 0.012, color(finding.severity)));
            }
            frame.overlay.labels.add(at, &label(finding), color(finding.severity));
        })?;
        sheet.add(&image);
    }
    drop(progress);
    let image: Image = sheet.finish();
    save::save(out, &film::still(&image)?)?;
    studio.keep_cache();
    Ok(())
}

/// The model once more, with images and tangents as it is drawn.
fn model(checked: &Checked) -> Result<sinew::Model, Fault> {
    if checked.path.exists() {
        return Ok(sinew::Model::open(&checked.path)?);
    }
    Ok(checked.model.scene.clone().into())
}

/// The worst finding of each rule, worst rules first.
fn choose(findings: &[Finding]) -> Vec<&Finding> {
    let mut chosen: Vec<&Finding> = Vec::new();
    for finding in findings {
        if chosen.len() < CELLS && chosen.iter().all(|known| known.rule != finding.rule) {
            chosen.push(finding);
        }
    }
    chosen
}

fn label(finding: &Finding) -> String {
    format!("{} {}", finding.severity, finding.code())
}

fn color(severity: Severity) -> Vec4 {
    match severity {
        Severity::Error => Vec4::new(0.85, 0.03, 0.03, 1.0),
        Severity::Warning => Vec4::new(0.90, 0.40, 0.02, 1.0),
        Severity::Info => Vec4::new(0.05, 0.25, 0.80, 1.0),
    }
}

/// Puts the model into the pose of a place: a moment of a clip, or the rest pose.
fn pose(stage: &mut Stage, place: &Place) {
    let Some(member) = stage.members.first_mut() else { return };
    member.looped = false;
    match place.clip {
        Some(clip) => {
            member.actor.start(clip, Transition::Cut);
        }
        None => {
            member.actor.stop();
        }
    }
    stage.seek(f64::from(place.time.unwrap_or(0.0)));
}

/// Where in the world a place is.
fn spot(stage: &Stage, place: &Place) -> Option<Vec3> {
    let actor = &stage.members.first()?.actor;
    if let (Some(instance), Some(vertex)) = (place.instance, place.vertex) {
        return vertex_at(stage, instance, vertex);
    }
    let joint = place.joint?;
    let model_from_joint = actor.pose().model_from_joint().get(joint.index())?;
    Some((actor.world_from_model() * *model_from_joint).translation.into())
}

fn vertex_at(stage: &Stage, instance: InstanceId, mut vertex: usize) -> Option<Vec3> {
    let actor = &stage.members.first()?.actor;
    let scene = actor.scene();
    let mesh = &scene[scene.instances.get(instance.index())?.mesh];
    let mut vertices = Vertices::default();
    for primitive in 0..mesh.primitives.len() {
        let count = mesh.primitives[primitive].positions.len();
        if vertex < count {
            actor.skin(instance, primitive, &mut vertices);
            return vertices.positions.get(vertex).copied();
        }
        vertex -= count;
    }
    None
}

/// The whole model in this pose, or from nearer where one vertex is meant.
fn camera(stage: &mut Stage, place: &Place, spot: Option<Vec3>, aspect: f32) -> Camera {
    let whole = stage.camera_now(aspect);
    match spot.filter(|spot| spot.is_finite() && place.vertex.is_some()) {
        None => whole,
        Some(spot) => Camera::look_at(spot + (whole.eye - whole.target) * NEAR, spot, FOV),
    }
}
