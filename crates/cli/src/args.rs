//! What a person may type.

use std::path::PathBuf;

use clap::{ArgAction, Parser, Subcommand};

use crate::batch::Batch;
use crate::check::Check;
use crate::convert::Convert;
use crate::crowd::Crowd;
use crate::diff::Diff;
use crate::pack::Pack;
use crate::render::Render;
use crate::retarget::Retarget;
use crate::run::Run;
use crate::survey::Survey;

/// What `sinew` alone says.
pub(crate) const WELCOME: &str = "\
Sinew: skeletal animation from any common file (glTF, FBX, COLLADA, MD5, BVH, .skeleton_anim, OBJ)

  sinew view FILE          a window: watch it move, take it apart
  sinew info FILE          what is in a file: nodes, skins, clips, meshes, materials, notes
  sinew check FILE         what is wrong with a rig, where, how much, and how to mend it
  sinew eval FILE          joint matrices and skinned vertices, as JSON
  sinew render FILE -o OUT an image, contact sheet or film: .png, .apng, .gif, .mp4
  sinew run SCRIPT.lua     a script in Lua: in a window, or as an image or film
  sinew retarget CLIP --onto FILE   a clip of one skeleton onto another: the joint map, and how good it is
  sinew diff A B           two models against each other: how far each clip is off, where and when
  sinew convert FILE -o OUT  another format: .glb, .gltf, .fbx, .bvh; fewer keys, and how far off it is
  sinew pack FILE -o OUT   its clips made small, with a stated error at the skin
  sinew crowd FILE -o OUT  a thousand of them, posed and drawn by the GPU; what each takes, and how exact it is
  sinew batch TASK DIR -o OUT  a whole folder tree: convert, retarget, check, pack, render or sample; goes on where it was
  sinew survey DIR         what a whole folder of files holds, and what of it breaks
  sinew bench import DIR   how fast a folder of files is read
  sinew bench motion       how fast characters move, beside ozz-animation
  sinew bench render       what drawing costs, with one character and with 10,000
  sinew bench ecs          how long ten thousand characters take, system by system
  sinew bench crowd-gpu    how many characters a GPU poses in a millisecond
  sinew help CMD           all options of a command, with examples

Try:  sinew view                          (the built-in character, in a window)
      sinew render ossi -o ossi.png       (the same, as an image)
";

#[derive(Debug, Parser)]
#[command(name = "sinew", version, about = "Skeletal animation from any common file")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Say nothing but results and errors.
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Say more: which notes there are, in full.
    #[arg(short, long, global = true, action = ArgAction::Count)]
    verbose: u8,
}

/// How much to say beside the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Talk {
    Quiet,
    Normal,
    Verbose,
}

impl Args {
    pub(crate) fn talk(&self) -> Talk {
        match (self.quiet, self.verbose) {
            (true, _) => Talk::Quiet,
            (false, 0) => Talk::Normal,
            (false, _) => Talk::Verbose,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// What is in a file, on one screen.
    #[command(
        after_help = "Examples:\n  sinew info walk.fbx\n  sinew info --json hero.glb | jq .clips\n  sinew info hero.md5mesh --anim run.md5anim\n  sinew info walk.sinewclip                  a packed clip: what it holds and needs\n  curl … | sinew info -"
    )]
    Info(Info),
    /// What is wrong with a rigged model: where, how much, why it matters, how to mend it.
    #[command(after_help = crate::check::EXAMPLES)]
    Check(Check),
    /// Joint matrices and skinned vertices at given times, as JSON.
    #[command(
        after_help = "Examples:\n  sinew eval hero.glb                                the rest pose\n  sinew eval hero.glb --clip walk --at=0 --at=0.5    two moments of a clip\n  sinew eval hero.md5mesh --anim run.md5anim --clip 0 --at=1\n  sinew eval ossi --layer walk:1@0.5 --layer run:3@0.35    a blend of two clips\n  sinew eval ossi --graph moves.toml --set speed=2 --at=1  a graph"
    )]
    Eval(Eval),
    /// A picture, a contact sheet or a film of a model or a scene file.
    #[command(
        after_help = "Examples:\n  sinew render hero.glb -o hero.png                        its first clip, from the front\n  sinew render hero.glb -o walk.gif --clip walk            a whole clip, as a GIF that loops\n  sinew render hero.fbx -o sheet.png --sheet 4x2           eight moments on one image\n  sinew render hero.glb -o turn.mp4 --turntable            once around\n  sinew render hero.glb -o cut.png --background transparent --camera side --size 1000x1000\n  sinew render walk.bvh -o bones.png --show axes,names,grid\n  sinew render hero.glb -o arm.png --show skeleton,weights:LeftArm\n  sinew render ossi -o - --eye 2,1.5,3 --look-at 0,1,0 > ossi.png\n  sinew render examples/scenes/walk.toml -o walk.png       several models, light, sky and fog"
    )]
    Render(Box<Render>),
    /// A clip of one skeleton onto another: the joint map, and how good the result is.
    #[command(after_help = crate::retarget::EXAMPLES)]
    Retarget(Retarget),
    /// Two models against each other: how far every clip is off at the skin and at the joints, where and when.
    #[command(after_help = crate::diff::EXAMPLES)]
    Diff(Diff),
    /// Another file of the same model: .glb, .gltf, .fbx, .bvh; small, and measured against its source.
    #[command(after_help = crate::convert::EXAMPLES)]
    Convert(Convert),
    /// Clips made small: packed with a stated error at the skin.
    #[command(
        after_help = "Examples:\n  sinew pack hero.glb -o walk.sinewclip --clip walk --error 0.1mm\n  sinew pack hero.fbx -o '{clip}.sinewclip' --error 1mm       every clip, a file each\n  sinew pack hero.fbx -o '{clip}.sinewclip' --exact-curves     curves as they are between samples, too\n  sinew pack models -o packed                                  every clip of every model below a folder\n  sinew view hero.glb --anim walk.sinewclip"
    )]
    Pack(Pack),
    /// A crowd of one model, posed on the GPU or on all cores: a picture, memory, times, errors.
    #[command(after_help = crate::crowd::EXAMPLES)]
    Crowd(Crowd),
    /// A window on models: watch them move, take them apart.
    #[command(
        after_help = "Examples:\n  sinew view                                  the built-in character\n  sinew view ossi --graph examples/graphs/ossi.toml\n  sinew view hero.glb\n  sinew view hero.md5mesh --anim run.md5anim\n  sinew view a.fbx b.fbx                       side by side\n\nPress ? in the window for its keys."
    )]
    View(View),
    /// A script in Lua that opens, plays and shows characters: in a window, or without one.
    #[command(after_help = crate::run::EXAMPLES)]
    Run(Run),
    /// A whole folder tree through one task, on all cores; goes on where it was stopped.
    #[command(after_help = crate::batch::EXAMPLES)]
    Batch(Batch),
    /// A whole folder of files: what breaks, what is refused and why, what is slow.
    #[command(after_help = crate::survey::EXAMPLES)]
    Survey(Survey),
    /// How fast Sinew is, measured here and now.
    #[command(
        args_conflicts_with_subcommands = true,
        after_help = "Examples:\n  sinew bench\n  sinew bench --json | jq '.[] | select(.ns > .limit_ns)'\n  sinew bench --count\n  sinew bench motion"
    )]
    #[cfg(feature = "bench")]
    Bench(sinew_bench::BenchArgs),
}

/// The model that a command works on.
#[derive(Debug, clap::Args)]
pub(crate) struct Model {
    /// The model: a file, `-` for standard input, or built in: `ossi`, `demo`.
    pub(crate) file: PathBuf,
    /// Add the clips of another file, bound to joints by name, or retargeted where names do not bind. May be given several times.
    #[arg(long, value_name = "FILE")]
    pub(crate) anim: Vec<PathBuf>,
    /// Retarget the clips of --anim by this joint map, as `sinew retarget` writes it.
    #[arg(long, value_name = "FILE", requires = "anim", conflicts_with = "no_retarget")]
    pub(crate) map: Option<PathBuf>,
    /// Bind the clips of --anim by name or not at all.
    #[arg(long, requires = "anim")]
    pub(crate) no_retarget: bool,
    /// Which of a glTF file's scenes to show, counted from 0.
    #[arg(long, value_name = "INDEX")]
    pub(crate) scene: Option<usize>,
    /// A folder outside of the model's own that it may read companions from. May be given several times.
    #[arg(long, value_name = "DIR")]
    pub(crate) allow: Vec<PathBuf>,
    /// What one unit of the file is: m, cm, mm, in, ft, or a number of metres; in place of what the file says or its size suggests.
    #[arg(long, value_name = "UNIT", value_parser = unit)]
    pub(crate) unit: Option<f32>,
}

impl Model {
    /// How the file is to be read.
    pub(crate) fn options(&self) -> sinew::Options {
        sinew::Options {
            scene: self.scene,
            unit: self.unit,
            allow: self.allow.clone(),
            ..sinew::Options::default()
        }
    }
}

/// A unit by name or in metres.
pub(crate) fn unit(text: &str) -> Result<f32, String> {
    let metres = match text {
        "m" => Some(1.0),
        "cm" => Some(0.01),
        "mm" => Some(0.001),
        "in" => Some(0.0254),
        "ft" => Some(0.3048),
        number => number.parse().ok().filter(|unit: &f32| *unit > 0.0 && unit.is_finite()),
    };
    metres.ok_or_else(|| "expected m, cm, mm, in, ft or a number of metres above zero".to_owned())
}

#[derive(Debug, clap::Args)]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) model: Model,
    /// As JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Eval {
    #[command(flatten)]
    pub(crate) model: Model,
    /// The clip, by number (from 0) or name; without it, the rest pose.
    #[arg(long, value_name = "NAME|INDEX", group = "timed")]
    pub(crate) clip: Option<String>,
    #[command(flatten)]
    pub(crate) mixed: crate::mixed::Mixed,
    /// Seconds from the clip's or the graph's start; outside a clip its ends hold. May be given several times.
    #[arg(long, value_name = "SECONDS", requires = "timed", allow_negative_numbers = true)]
    pub(crate) at: Vec<f32>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct View {
    /// Models; files of clips alone are attached to the first. None opens the built-in character.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Add the clips of another file to the first model. May be given several times.
    #[arg(long, value_name = "FILE")]
    pub(crate) anim: Vec<PathBuf>,
    /// Retarget the clips of --anim by this joint map, as `sinew retarget` writes it.
    #[arg(long, value_name = "FILE", requires = "anim")]
    pub(crate) map: Option<PathBuf>,
    /// Have the first model follow a graph: a .toml, .ron or .json file.
    #[arg(long, value_name = "FILE")]
    pub(crate) graph: Option<PathBuf>,
    /// Show the model over this one, coloured by how far the two are apart.
    #[arg(long, value_name = "FILE")]
    pub(crate) diff: Option<PathBuf>,
    /// A folder outside of the model's own that it may read companions from. May be given several times.
    #[arg(long, value_name = "DIR")]
    pub(crate) allow: Vec<PathBuf>,
    /// Width and height of the window, as 1280x800.
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    pub(crate) size: Option<String>,
    /// Neither read nor keep window size and switches.
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Lose the graphics device after so many seconds; for tests.
    #[arg(long, value_name = "SECONDS", hide = true)]
    pub(crate) lose_device: Option<f32>,
    /// How often the graphics device was lost before.
    #[arg(long, value_name = "TIMES", hide = true, default_value_t = 0)]
    pub(crate) lost: u8,
}
