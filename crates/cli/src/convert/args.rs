//! What a person may ask of `sinew convert`.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use sinew::edit::{ClipChoice, Keep, Up};

use crate::args::Model;
use crate::fault::Fault;
use crate::pack::length;

pub(crate) const EXAMPLES: &str = "\
Examples:
  sinew convert hero.fbx -o hero.glb                       keys fewer, within 0.1 mm at the skin; what came of it is measured
  sinew convert hero.fbx -o hero.glb --exact               every key as filed
  sinew convert hero.glb -o hero.fbx                       for Blender, Unity, Unreal, Maya
  sinew convert hero.glb -o all.glb --anim walk.bvh --anim run.fbx
  sinew convert walk.bvh -o walk.glb --onto hero.glb       the clips of one on the body of another
  sinew convert take.fbx -o hero.glb --clip idle=0..2s --clip 'run=Take 001@40f..80f'
  sinew convert take.fbx -o hero.glb --split clips.txt --loop --in-place
  sinew convert hero.glb -o '{clip}.bvh'                   a file for each clip
  sinew convert models -o small --to glb --textures 1024   a whole folder, on all cores

A clip is NAME, NAME=FROM..TO (a part of it, or of the only clip, under that name), NAME=CLIP (another name) or
NAME=CLIP@FROM..TO; times are 1.2s, 500ms or 30f. A split file has one of these on each line, or NAME, FROM, TO; fps = 24
above them says what a frame is.";

#[derive(Debug, clap::Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(super) model: Model,
    /// Where to write; its ending says how: .glb, .gltf, .fbx, .bvh, .skeleton_anim. For a folder or a pattern, a folder.
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: PathBuf,
    /// What the files of a folder become; for one file, in place of what its ending says.
    #[arg(long, value_name = "FORMAT")]
    pub(super) to: Option<Target>,
    /// Put the clips on this character, by joint names or retargeted; its own clips are left out.
    #[arg(long, value_name = "RIG")]
    pub(super) onto: Option<PathBuf>,
    /// Keep this clip, whole or a part, under this name. May be given several times; without it, all clips.
    #[arg(long, value_name = "CLIP")]
    pub(super) clip: Vec<String>,
    /// Cut clips as the lines of this file say.
    #[arg(long, value_name = "FILE", conflicts_with = "clip")]
    pub(super) split: Option<PathBuf>,
    /// Frames a second, for times in frames.
    #[arg(long, value_name = "HZ", default_value_t = 30.0, value_parser = frames)]
    pub(super) fps: f32,
    /// Take off the still time at both ends of clips.
    #[arg(long)]
    pub(super) trim: bool,
    /// Begin clips at their first key.
    #[arg(long)]
    pub(super) shift: bool,
    /// Make the end of clips meet their start.
    #[arg(long = "loop")]
    pub(super) close: bool,
    /// Take root motion out of clips: the character stays over its place.
    #[arg(long)]
    pub(super) in_place: bool,
    /// The joint that root motion comes from; without it, the topmost that moves.
    #[arg(long, value_name = "JOINT")]
    pub(super) root: Option<String>,
    /// Make everything so many times as large.
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    pub(super) scale: Option<f32>,
    /// Which axis points up in the file.
    #[arg(long, value_name = "AXIS", default_value = "y")]
    pub(super) up: Axis,
    /// Keep at most so many influences of each vertex; what that loses is said.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(super) influences: Option<u32>,
    /// Make images at most so many pixels long.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=16384))]
    pub(super) textures: Option<u32>,
    /// How far the skin may be off for fewer keys, as 0.1mm. Without it, 0.1 mm or a 20,000th of the model's size, whichever is
    /// less. A result that is farther off is not written.
    #[arg(long, value_name = "LENGTH", value_parser = length, conflicts_with = "exact")]
    pub(super) error: Option<f32>,
    /// Keep every key as filed.
    #[arg(long)]
    pub(super) exact: bool,
    /// Write positions, normals, morph targets, weights, texture coordinates, colours and rotation keys in fewer bits;
    /// readers need KHR_mesh_quantization.
    #[arg(long)]
    pub(super) quantise: bool,
    /// Compress vertices, triangles and keys without loss; readers need EXT_meshopt_compression. Smallest with --quantise.
    #[arg(long)]
    pub(super) meshopt: bool,
    /// Compress vertices and triangles, rounded to 16 bits; readers need KHR_draco_mesh_compression.
    #[arg(long, conflicts_with = "meshopt")]
    pub(super) draco: bool,
    /// Keep what nothing uses: joints (nodes without names), names (materials, images, meshes), extras (texture coordinates and
    /// tangents that no texture needs).
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(super) keep: Vec<Kept>,
    /// Keep to the limits of an engine: three, babylon, bevy, godot, unity or unreal.
    #[arg(long = "for", value_name = "ENGINE")]
    pub(super) engine: Option<String>,
    /// As JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// glTF in one file.
    Glb,
    /// glTF with files beside it.
    Gltf,
    /// FBX 7.4, binary.
    Fbx,
    /// A skeleton and one clip.
    Bvh,
    /// A skeleton and one clip at 24 frames a second.
    #[value(name = "skeleton_anim")]
    SkeletonAnim,
}

impl Target {
    const ALL: [Self; 5] = [Self::Glb, Self::Gltf, Self::Fbx, Self::Bvh, Self::SkeletonAnim];

    /// As a file's name ends.
    pub(super) fn ending(self) -> &'static str {
        match self {
            Self::Glb => "glb",
            Self::Gltf => "gltf",
            Self::Fbx => "fbx",
            Self::Bvh => "bvh",
            Self::SkeletonAnim => "skeleton_anim",
        }
    }

    /// Whether it is glTF, in one file or several.
    pub(super) fn is_gltf(self) -> bool {
        matches!(self, Self::Glb | Self::Gltf)
    }

    /// Whether a file holds one clip alone, in frames.
    pub(super) fn is_one_clip(self) -> bool {
        matches!(self, Self::Bvh | Self::SkeletonAnim)
    }

    /// By the ending of a name.
    pub(super) fn of(out: &Path) -> Result<Self, Fault> {
        let ending = out.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let known =
            Self::ALL.into_iter().find(|target| target.ending().eq_ignore_ascii_case(ending));
        known.ok_or_else(|| {
            let also = if ending.eq_ignore_ascii_case("sinewclip") {
                "; sinew pack writes .sinewclip"
            } else {
                ""
            };
            Fault::Usage(format!(
                "cannot write {}: expected .glb, .gltf, .fbx, .bvh or .skeleton_anim{also}",
                out.display()
            ))
        })
    }
}

/// An axis that may point up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Axis {
    Y,
    Z,
}

/// What stays although nothing uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kept {
    Joints,
    Names,
    Extras,
}

impl Convert {
    pub(super) fn up(&self) -> Up {
        match self.up {
            Axis::Y => Up::Y,
            Axis::Z => Up::Z,
        }
    }

    pub(super) fn keep(&self) -> Keep {
        Keep {
            joints: self.keep.contains(&Kept::Joints),
            names: self.keep.contains(&Kept::Names),
            attributes: self.keep.contains(&Kept::Extras),
        }
    }

    /// The clips that are to be had; none where all are.
    pub(super) fn choices(&self) -> Result<Vec<ClipChoice>, Fault> {
        let usage = |error: sinew::edit::EditError| Fault::Usage(format!("--clip {error}"));
        if let Some(file) = &self.split {
            let text = std::fs::read_to_string(file)
                .map_err(|error| Fault::Work(format!("cannot read {}: {error}", file.display())))?;
            let lines = sinew::edit::read_split(&text, self.fps);
            return lines.map_err(|error| Fault::Work(format!("{}, {error}", file.display())));
        }
        self.clip.iter().map(|text| ClipChoice::parse(text, self.fps).map_err(usage)).collect()
    }

    /// Every file that is read beside the model itself.
    pub(super) fn also_read(&self) -> impl Iterator<Item = &PathBuf> {
        self.model.anim.iter().chain(&self.model.map).chain(&self.onto).chain(&self.split)
    }
}

fn factor(text: &str) -> Result<f32, String> {
    let found = text.trim().parse().ok().filter(|factor: &f32| *factor > 0.0 && factor.is_finite());
    found.ok_or_else(|| "expected a number above zero, as 0.01".into())
}

fn frames(text: &str) -> Result<f32, String> {
    let found = text.trim().parse().ok().filter(|rate: &f32| *rate > 0.0 && *rate <= 1000.0);
    found.ok_or_else(|| "expected frames a second, above 0 and up to 1000".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_what_is_written() {
        assert_eq!(Target::of(Path::new("a/hero.GLB")).ok(), Some(Target::Glb));
        assert_eq!(Target::of(Path::new("walk.skeleton_anim")).ok(), Some(Target::SkeletonAnim));
        for bad in ["hero", "hero.dae", "walk.sinewclip", ".glb"] {
            assert!(matches!(Target::of(Path::new(bad)), Err(Fault::Usage(_))), "{bad}");
        }
    }
}
