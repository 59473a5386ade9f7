//! One file, in a process of its own: opened, sampled, skinned, read again.
//!
//! Out: one line of JSON on standard output.

use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use sinew::import::ErrorKind;
use sinew::{Actor, InstanceId, Model, Options, Transition, Vertices};

use crate::fault::Fault;
use crate::output;

/// Times of each clip that are looked at.
const MOMENTS: usize = 5;
/// Clips that are looked at, and vertices of a mesh that are skinned: enough to meet every kind of fault.
const MAX_CLIPS: usize = 32;
const MAX_VERTICES: usize = 2_000_000;

/// What was found.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Found {
    /// What the file is; empty when it was refused.
    #[serde(default)]
    pub(super) format: String,
    /// Why it was refused.
    #[serde(default)]
    pub(super) refused: Option<String>,
    /// Of what kind that is.
    #[serde(default)]
    pub(super) refusal: Option<String>,
    pub(super) open_ms: f64,
    #[serde(default)]
    pub(super) nodes: usize,
    #[serde(default)]
    pub(super) clips: usize,
    #[serde(default)]
    pub(super) vertices: usize,
    /// Where a number was not finite.
    #[serde(default)]
    pub(super) not_finite: Vec<String>,
    /// A second reading gave another scene.
    #[serde(default)]
    pub(super) differs: bool,
    #[serde(default)]
    pub(super) notes: Vec<String>,
}

pub(super) fn run(file: &Path) -> Result<(), Fault> {
    let found = look(file);
    output::write(|out| {
        serde_json::to_writer(&mut *out, &found)?;
        out.push(b'\n');
        Ok(())
    })
}

fn look(file: &Path) -> Found {
    let begun = Instant::now();
    let opened = Model::open_with(file, &Options::default());
    let open_ms = begun.elapsed().as_secs_f64() * 1e3;
    let model = match opened {
        Ok(model) => model,
        Err(error) => {
            let kind = match error.kind {
                ErrorKind::Unrecognised => "unrecognised",
                ErrorKind::Unsupported => "unsupported",
                ErrorKind::Truncated => "truncated",
                ErrorKind::Missing => "missing",
                ErrorKind::Refused => "refused",
                ErrorKind::Io => "unreadable",
                _ => "malformed",
            };
            let refused = Some(error.message.clone());
            return Found { refused, refusal: Some(kind.into()), open_ms, ..Found::default() };
        }
    };
    let again = Model::open_with(file, &Options::default()).map(|again| again.scene != model.scene);
    let mut found = Found {
        format: model.format.to_string(),
        open_ms,
        nodes: model.scene.skeleton().len(),
        clips: model.scene.clips.len(),
        differs: again.unwrap_or(true),
        notes: model.notes.iter().map(|note| note.text.clone()).collect(),
        ..Found::default()
    };
    let primitives = model.scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    found.vertices = primitives.map(|primitive| primitive.positions.len()).sum();
    play(model, &mut found);
    found
}

/// Samples every clip at some times and skins what is drawn.
fn play(model: Model, found: &mut Found) {
    let mut actor = Actor::new(model.scene);
    check(&actor, "at rest", found);
    let clips: Vec<_> = actor.scene().clip_ids().take(MAX_CLIPS).collect();
    for clip in clips {
        actor.start(clip, Transition::Cut);
        for moment in 0..MOMENTS {
            let time = actor.duration() * moment as f32 / (MOMENTS - 1) as f32;
            actor.seek(time);
            let name = actor.clip().map_or("", |clip| &clip.name).to_owned();
            check(&actor, &format!("clip \"{name}\" at {time} s"), found);
        }
    }
}

fn check(actor: &Actor, when: &str, found: &mut Found) {
    let pose = actor.pose();
    let joints = pose.model_from_joint().iter().all(|joint| joint.is_finite());
    let weights = pose.all_weights().iter().all(|weight| weight.is_finite());
    let mut vertices = Vertices::default();
    let mut skinned = true;
    if found.vertices <= MAX_VERTICES {
        for (index, instance) in actor.scene().instances.iter().enumerate() {
            for primitive in 0..actor.scene()[instance.mesh].primitives.len() {
                actor.skin(InstanceId::new(index), primitive, &mut vertices);
                skinned &= vertices.positions.iter().all(|point| point.is_finite());
                skinned &= vertices.normals.iter().all(|normal| normal.is_finite());
            }
        }
    }
    for (good, what) in [(joints, "joints"), (weights, "morph weights"), (skinned, "vertices")] {
        if !good && found.not_finite.len() < 20 {
            found.not_finite.push(format!("{what}, {when}"));
        }
    }
}
