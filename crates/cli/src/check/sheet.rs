//! A contact sheet of findings: each seen on the model, in the pose and at the place where it is.

use std::path::Path;

use sinew::check::{Finding, Place, Severity};
use sinew::glam::{Vec2, Vec3, Vec4};
use sinew::render::{Gpu, Image};
use sinew::stage::Stage;
use sinew::{Bounds, InstanceId, Transition, Vertices, film};

use super::Checked;
use crate::args::Talk;
use crate::fault::Fault;
use crate::render::screen::Screen;
use crate::render::sheet::Sheet;
use crate::render::studio::Studio;
use crate::render::{Progress, Size, driver, save};

const CELL: Size = Size { width: 480, height: 400 };
const COLUMNS: u32 = 3;
/// Findings that are drawn at most, one for each rule.
const CELLS: usize = 12;
/// Radius of a ring around a place, in pixels.
const RING: f32 = 20.0;
/// Letters of a place's words that are shown.
const LETTERS: usize = 48;
const WHITE: Vec4 = Vec4::new(0.75, 0.77, 0.80, 1.0);

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
        let part = part(&stage, &finding.place).filter(|_| spot.is_none());
        let camera = stage.camera_now(target.aspect());
        let color = color(finding.severity);
        let words = finding.place.words(&checked.model.scene);
        let image = studio.marked(&mut stage, camera, &target, |frame| {
            let size = Vec2::new(CELL.width as f32, CELL.height as f32);
            let screen = Screen::new(&camera, size);
            if let Some(at) = spot {
                screen.ring(&mut frame.overlay, at, RING, color);
            }
            if let Some(part) = part {
                frame.overlay.bounds(part, color);
            }
            frame.overlay.labels.height = 9.0;
            screen.text(&mut frame.overlay, Vec2::new(10.0, 22.0), &label(finding), color);
            let below = Vec2::new(10.0, size.y - 14.0);
            screen.text(&mut frame.overlay, below, &shortened(&words), WHITE);
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

/// The box of the mesh that a place names.
fn part(stage: &Stage, place: &Place) -> Option<Bounds> {
    let actor = &stage.members.first()?.actor;
    let instance = place.instance.filter(|at| at.index() < actor.scene().instances.len())?;
    let mesh = &actor.scene()[actor.scene()[instance].mesh];
    let (mut bounds, mut vertices) = (Bounds::EMPTY, Vertices::default());
    for primitive in 0..mesh.primitives.len() {
        actor.skin(instance, primitive, &mut vertices);
        for place in vertices.positions.iter().filter(|place| place.is_finite()) {
            bounds.min = bounds.min.min(*place);
            bounds.max = bounds.max.max(*place);
        }
    }
    Some(bounds).filter(|bounds| !bounds.is_empty())
}

/// As many letters as a cell has room for.
fn shortened(words: &str) -> String {
    let mut short: String = words.chars().take(LETTERS).collect();
    if short.len() < words.len() {
        short.push_str("...");
    }
    short
}
