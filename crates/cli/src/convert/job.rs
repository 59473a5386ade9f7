//! One model made into its files: opened, shaped, thinned, written into memory, read again and measured.
//!
//! In:  a file, and what the person asked for.
//! Out: bytes that keep the bound, with what came of them; nothing is on disk yet.

use std::path::{Path, PathBuf};

use sinew::edit::{self, ClipChoice, SkinPoints};
use sinew::export::{GltfCompression, GltfOptions, GltfPrecision};
use sinew::import::{Normals, Tangents};
use sinew::motion::Pose;
use sinew::{Fit, Model, Options, Scene};

use super::args::{Convert, Target};
use super::engine;
use super::open::open_whole;
use super::prove::{Proof, prove};
use super::report::{self, Counts, Row};
use super::shape::{self, shaped};
use super::thin::Thin;
use super::write::{Written, written};
use crate::args::Talk;
use crate::fault::Fault;
use crate::render::save;
use crate::{model, pack};

/// How far the skin may be off where nobody said, in metres; for small models less, by their size.
const DEFAULT_ERROR: f32 = 1e-4;
const SIZE_SHARE: f32 = 5e-5;
/// Of the size of a model, what single precision may put it off with every key as it was.
const ROUNDING: f32 = 2e-6;
const EXACT_KEYS: &str = "rotation keys stay in single precision: in 16 bits the skin would be off by more than the bound";
const EXACT_MORPHS: &str = "morph targets stay in single precision: in 16 bits the skin would be off by more than the bound";
/// Of the bound, what weights of one byte each may take; and about what a key takes in a file.
const SHARE_OF_WEIGHTS: f32 = 0.7;
const KEY_BYTES: usize = 10;
/// A file that was made: where it goes, what it is, and what came of it.
pub(super) type Made = (PathBuf, Written, Row);

/// What is to be done with every file.
pub(super) struct Job<'a> {
    args: &'a Convert,
    target: Target,
    choices: Vec<ClipChoice>,
    map: Option<String>,
    engine: Option<&'static sinew::check::EngineProfile>,
}

impl<'a> Job<'a> {
    pub(super) fn new(args: &'a Convert, target: Target) -> Result<Self, Fault> {
        let asked =
            [("--quantise", args.quantise), ("--meshopt", args.meshopt), ("--draco", args.draco)];
        if let Some((name, _)) = asked.iter().find(|(_, asked)| *asked && !target.is_gltf()) {
            let ending = target.ending();
            return Err(Fault::Usage(format!("{name} is for glTF; .{ending} has no such numbers")));
        }
        Ok(Self {
            args,
            target,
            choices: args.choices()?,
            map: args.model.map.as_deref().map(model::read_map).transpose()?,
            engine: args.engine.as_deref().map(engine::named).transpose()?,
        })
    }

    /// Makes the files of one model; nothing is on disk yet.
    pub(super) fn convert(&self, file: &Path, out: &Path, talk: Talk) -> Result<Vec<Made>, Fault> {
        let opened = self.open(file, talk)?;
        let before = Counts::of(&opened.scene, size_of(file));
        let mut said: Vec<String> = Vec::new();
        if talk >= Talk::Verbose {
            said.extend(opened.notes.iter().map(ToString::to_string));
        }
        let wanted = shaped(opened.scene, self.args, &self.choices, self.limits(), &mut said)?;
        if let Some(profile) = self.engine {
            engine::say(profile, &wanted, &mut said);
        }
        let chosen: Vec<usize> = (0..wanted.clips.len()).collect();
        let outs = self.outs(out, &wanted, &chosen)?;
        self.check_outs(file, &outs.iter().map(|(out, _)| out.clone()).collect::<Vec<_>>())?;
        let (pruned, more) = self.pruned(&wanted)?;
        said.extend(more);
        let points = SkinPoints::new(&pruned);
        let size = size(&pruned, &points);
        let mut pruned = Some(pruned);
        outs.into_iter()
            .map(|(out, clip)| {
                let (written, proof, bound) =
                    self.make(&wanted, &mut pruned, (&points, size), clip, &out)?;
                let mut after = Counts::of(&wanted, written.size() as u64);
                after.keys = proof.keys;
                after.nodes = proof.nodes;
                after.clips =
                    clip.map_or(after.clips - proof.missing.len().min(after.clips), |_| 1);
                let mut row = Row::new(model::shown(file), &out, [before, after], &proof);
                row.bound_mm = bound.map(|bound| report::shown_mm(f64::from(bound)));
                row.notes = said.clone();
                row.notes.extend(written.notes.iter().cloned());
                row.notes.extend(
                    proof
                        .missing
                        .iter()
                        .map(|clip| format!("clip {clip:?} is left out: it drives nothing")),
                );
                Ok((out, written, row))
            })
            .collect()
    }

    /// Opens a model with its clips, or the character that they are put on.
    fn open(&self, file: &Path, talk: Talk) -> Result<Model, Fault> {
        let args = &self.args.model;
        let options = Options {
            normals: Normals::Keep,
            tangents: Tangents::Keep,
            // What is welded later is joined then.
            join_vertices: self.args.exact,
            ..args.options()
        };
        let mut given = open_whole(file, &options)?;
        let fit = match (&self.map, &args.map) {
            (Some(text), Some(file)) => Fit::Map(text, file),
            _ if args.no_retarget => Fit::Names,
            _ => Fit::Best,
        };
        if let Some(onto) = &self.args.onto {
            let mut rig = open_whole(onto, &options)?;
            let own = rig.scene.clips.len();
            rig.add_model(&file.display().to_string(), given, fit)?;
            let mut parts = rig.scene.into_parts();
            parts.clips.drain(..own);
            rig.scene = scene(parts)?;
            rig.clips.drain(..own.min(rig.clips.len()));
            given = rig;
        }
        let known = given.notes.len();
        for anim in &args.anim {
            given.add_clips_with(anim, &Options { scene: None, ..args.options() }, fit)?;
        }
        // Worth saying unasked: the clips are not what is filed.
        let from = if self.args.onto.is_some() { 0 } else { known };
        for note in given.notes[from..].iter().filter(|note| note.text.starts_with("retargeted")) {
            if talk == Talk::Normal {
                crate::output::tell!("note: {note}");
            }
        }
        Ok(given)
    }

    fn gltf_options(&self) -> GltfOptions {
        let mut options = GltfOptions::default();
        if self.args.quantise {
            options.precision = GltfPrecision::Quantized;
        }
        options.compression = match (self.args.meshopt, self.args.draco) {
            (true, _) => GltfCompression::Meshopt,
            (_, true) => GltfCompression::Draco,
            _ => GltfCompression::None,
        };
        options
    }

    /// Whether numbers are rounded, so that not even the rest pose comes back to the last bit.
    fn rounds(&self) -> bool {
        self.args.quantise || self.args.draco
    }

    fn limits(&self) -> shape::Limits {
        let least = |a: Option<u32>, b: Option<u32>| a.into_iter().chain(b).min();
        let engine = self.engine;
        shape::Limits {
            influences: least(self.args.influences, engine.map(|it| it.influences as u32))
                .map(|most| most as usize),
            image_side: least(self.args.textures, engine.map(|it| it.image_side)),
        }
    }

    /// Where the results go: one file, or one for each clip.
    fn outs(
        &self,
        out: &Path,
        scene: &Scene,
        chosen: &[usize],
    ) -> Result<Vec<(PathBuf, Option<usize>)>, Fault> {
        if !self.target.is_one_clip() {
            return Ok(vec![(out.to_owned(), None)]);
        }
        if chosen.is_empty() {
            return Err(Fault::Work(format!(
                "there are no clips, and a .{} file holds one; --anim FILE adds those of another file",
                self.target.ending()
            )));
        }
        let outs = pack::outs(out, scene, chosen)?;
        Ok(outs.into_iter().zip(chosen).map(|(out, &clip)| (out, Some(clip))).collect())
    }

    /// Nothing is written over what is read, and all folders are there.
    fn check_outs(&self, file: &Path, outs: &[PathBuf]) -> Result<(), Fault> {
        let read = self.args.also_read().map(PathBuf::as_path).chain([file]);
        for read in read {
            if outs.iter().any(|out| pack::same(out, read)) {
                return Err(Fault::Usage(format!(
                    "{} is read, and cannot be written as well: expected another OUT",
                    read.display()
                )));
            }
        }
        if outs.iter().any(|out| out == Path::new("-")) && self.target == Target::Gltf {
            return Err(Fault::Usage(
                "a .gltf has files beside it: expected a file, or .glb".into(),
            ));
        }
        outs.iter()
            .filter(|out| {
                out.parent().is_none_or(|folder| folder.as_os_str().is_empty() || folder.is_dir())
            })
            .try_for_each(|out| save::check(out))
    }

    /// The scene without what nothing uses, and what to say of that.
    fn pruned(&self, wanted: &Scene) -> Result<(Scene, Vec<String>), Fault> {
        let mut parts = wanted.clone().into_parts();
        let said = edit::prune(&mut parts, self.args.keep());
        Ok((edited(parts, wanted)?, said))
    }

    /// The scene with the keys of its clips thinned, and for glTF weights that are written in one byte or two; with what to say. Its meshes
    /// stay those of `wanted`.
    fn thinned(
        &self,
        wanted: &Scene,
        pruned: Scene,
        points: &SkinPoints,
        thin: &mut Thin,
        gltf: &mut GltfOptions,
    ) -> Result<(Scene, Option<String>), Fault> {
        let short_values = self.target.is_gltf();
        let mut said = None;
        let mut error = thin.error;
        if short_values {
            (said, gltf.influences) = weights_rounded(&pruned, &mut error);
            gltf.rounded_weights = true;
        }
        let options = edit::ReduceOptions { error, short_values };
        let clips = thin.clips(&pruned, points, options);
        let mut parts = pruned.into_parts();
        parts.clips = clips;
        Ok((edited(parts, wanted)?, said))
    }

    /// Makes a file that keeps the bound, if there is one; with its proof and the bound. `known` is the scene without what nothing uses, and
    /// is used up where keys are thinned: two of a large scene are in memory then, not three. `points` are of its skin, which is
    /// so large at rest.
    fn make(
        &self,
        wanted: &Scene,
        known: &mut Option<Scene>,
        (points, size): (&SkinPoints, f32),
        clip: Option<usize>,
        out: &Path,
    ) -> Result<(Written, Proof, Option<f32>), Fault> {
        // Frames of one clip cannot follow any curve: a bound is kept there when it is asked for.
        let bound = match self.args.error {
            Some(error) => Some(error),
            None if self.target.is_one_clip() => None,
            None if self.args.exact && !self.rounds() => Some((ROUNDING * size).max(1e-7)),
            None => Some(DEFAULT_ERROR.min(SIZE_SHARE * size).max(ROUNDING * size)),
        };
        let can_thin = !self.args.exact && !self.target.is_one_clip();
        let mut thin = bound.filter(|_| can_thin).map(Thin::new);
        let mut options = self.gltf_options();
        let (proof, bound) = loop {
            let pruned = match known.take() {
                Some(pruned) => pruned,
                None => self.pruned(wanted)?.0,
            };
            options.influences = Vec::new();
            options.rounded_weights = false;
            let (scene, said) = match &mut thin {
                Some(thin) => self.thinned(wanted, pruned, points, thin, &mut options)?,
                None => (pruned, None),
            };
            let mut written = written(&scene, clip, self.target, out, bound, &options)?;
            options.influences = Vec::new();
            match &mut thin {
                Some(thin) => thin.known = scene.into_parts().clips,
                None => *known = Some(scene),
            }
            // What is proven is written already when it is: it only has to take its name.
            let allowed = bound.map_or(f64::INFINITY, f64::from);
            let (proof, part) = rayon::join(
                || prove(wanted, &written, clip, allowed),
                || (out != Path::new("-")).then(|| save::Part::write(out, &written.bytes)),
            );
            let proof = proof?;
            written.part = part.and_then(Result::ok);
            let Some(kept) = bound.filter(|bound| proof.metres > f64::from(*bound)) else {
                if options.exact_rotation_keys {
                    written.notes.push(EXACT_KEYS.to_owned());
                }
                if options.exact_morph_targets {
                    written.notes.push(EXACT_MORPHS.to_owned());
                }
                written.notes.extend(said);
                return Ok((written, proof, bound));
            };
            // Rounded rotations add up along a chain of joints.
            if self.args.quantise && !options.exact_rotation_keys {
                options.exact_rotation_keys = true;
                continue;
            }
            // Rounded morph targets add up where many are on.
            let morphs = wanted.instances.iter().any(|instance| !instance.weights.is_empty());
            if self.args.quantise && morphs && !options.exact_morph_targets {
                options.exact_morph_targets = true;
                continue;
            }
            let Some(tried) = thin else { break (proof, kept) };
            thin = tried.after(&proof, kept);
        };
        Err(Fault::Work(format!(
            "{} is not written: it would be {} mm off {}, and at most {} mm are allowed; --error allows more",
            out.display(),
            report::shown_mm(proof.metres),
            proof.place,
            report::shown_mm(f64::from(bound))
        )))
    }
}

/// Influences of a primitive of a mesh, by their numbers.
type Weights = Vec<(usize, usize, sinew::scene::Influences)>;

/// Rounds weights to bytes where that saves more than the keys lose by it; takes what it puts the skin off from the bound, and says what
/// was not measured.
fn weights_rounded(pruned: &Scene, error: &mut f32) -> (Option<String>, Weights) {
    let primitives = pruned.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let saved = 4 * primitives.map(|primitive| primitive.influences.len()).sum::<usize>();
    let keys: usize = pruned.clips.iter().map(sinew::Clip::key_count).sum();
    if saved < KEY_BYTES * keys / 4 {
        return (None, Weights::new());
    }
    let (done, weights) = edit::find_byte_weights(pruned, SHARE_OF_WEIGHTS * *error);
    *error -= done.farthest;
    let said = (done.farthest_bent > *error).then(|| {
        let bent = report::shown_mm(f64::from(done.farthest_bent));
        format!("weights have one byte each: with every joint bent by 30° the skin is off by up to {bent} mm; --exact keeps them")
    });
    (said, weights)
}

/// A scene of parts that share their meshes with another.
fn edited(parts: sinew::scene::SceneParts, known: &Scene) -> Result<Scene, Fault> {
    Scene::from_edited(parts, known).map_err(|error| Fault::Work(error.to_string()))
}

fn scene(parts: sinew::scene::SceneParts) -> Result<Scene, Fault> {
    Scene::new(parts).map_err(|error| Fault::Work(error.to_string()))
}

/// How large a model is at rest, in metres. Nodes that all lie in one place, as in files of clips alone, say nothing of a size: a metre.
fn size(scene: &Scene, points: &SkinPoints) -> f32 {
    let rest = Pose::new(scene);
    let first = rest.model_from_joint().first().map(|root| root.translation);
    let apart = |node: &sinew::glam::Affine3A| Some(node.translation) != first;
    if scene.instances.is_empty() && !rest.model_from_joint().iter().any(apart) {
        return 1.0;
    }
    points.extent(&rest)
}

/// The bytes of a model; a scene file only names those that it is made of.
fn size_of(file: &Path) -> u64 {
    if sinew::stage::is_scene_file(file) {
        return 0;
    }
    std::fs::metadata(file).map_or(0, |known| known.len())
}
