//! `sinew retarget`: a clip of one skeleton onto another.
//!
//! In:  a file with a clip, a character, and a joint map where a person has changed one.
//! Out: the map and how good the result is, on standard output; the map, the clip, images of the result in files.

use std::io::Write;
use std::path::{Path, PathBuf};

use sinew::retarget::{JointMap, Options, Quality, RetargetError, Retargeted, Slot, retarget};
use sinew::{Clip, Model, Scene};

use crate::args::Talk;
use crate::fault::Fault;
use crate::render::{driver, look, save};
use crate::{eval, json, model, output};

pub(crate) const EXAMPLES: &str = "\
Examples:
  sinew retarget walk.bvh --onto hero.glb                        the joint map and the figures
  sinew retarget walk.bvh --onto hero.glb -o hero.toml           the map in a file, to be changed by hand
  sinew retarget walk.bvh --onto hero.glb --map hero.toml        by that map
  sinew retarget walk.bvh --onto hero.glb -o walk.gif            a look at the result
  sinew retarget walk.bvh --onto hero.glb -o walk.skeleton_anim  the clip in a file, 24 frames a second
  sinew retarget dance.fbx --onto ossi -o map.toml -o sheet.png
  sinew render hero.glb --anim walk.bvh --map hero.toml -o walk.mp4";

#[derive(Debug, clap::Args)]
pub(crate) struct Retarget {
    /// Where the clip is from: a file, `-` for standard input, or built in: `ossi`.
    #[arg(value_name = "CLIPFILE")]
    file: PathBuf,
    /// The character that shall move so.
    #[arg(long, value_name = "CHARACTER")]
    onto: PathBuf,
    /// The clip, by number (from 0) or name. Without it, the first.
    #[arg(long, value_name = "NAME|INDEX")]
    clip: Option<String>,
    /// What to write: `.toml` the joint map, `.skeleton_anim` the clip on the character's bones, `.png` a contact sheet,
    /// `.gif`, `.apng` or `.mp4` a film. May be given several times.
    #[arg(short, long, value_name = "OUT")]
    out: Vec<PathBuf>,
    /// A joint map to go by, as this command writes it.
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// A folder outside of a model's own that it may read companions from. May be given several times.
    #[arg(long, value_name = "DIR")]
    allow: Vec<PathBuf>,
    /// Leave the feet where the joints put them.
    #[arg(long)]
    no_plant: bool,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// What a result file holds, by its extension.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Map,
    Clip,
    Look,
}

pub(crate) fn run(args: &Retarget, talk: Talk) -> Result<(), Fault> {
    let kinds = args.out.iter().map(|out| kind(out)).collect::<Result<Vec<Kind>, Fault>>()?;
    for out in &args.out {
        save::check(out)?;
    }
    if kinds.contains(&Kind::Look) {
        driver::hush();
    }
    let plain = sinew::Options { allow: args.allow.clone(), ..sinew::Options::default() };
    let from = model::open_one(&args.file, &plain)?;
    let images = sinew::Options { decode_images: true, ..plain };
    let onto = model::open_one(&args.onto, &images)?;
    let clips = clips(args, &from.scene)?;
    let map = map(args, &from.scene, &onto.scene)?;
    let options = Options { plant_feet: !args.no_plant, ..Options::default() };
    let mut made =
        clips.iter().map(|clip| retarget(clip, &from.scene, &onto.scene, &map, &options));
    // Without a word on which, the first that moves the body: some files begin with an empty take.
    let first =
        made.next().unwrap_or_else(|| Err(RetargetError::EmptyClip("it has no clips".into())));
    let made = first.or_else(|error| made.find_map(Result::ok).ok_or(error));
    let made = made.map_err(|error| cannot(&args.file, &error))?;
    let text = map.to_text(&from.scene, &onto.scene);
    for (out, _) in args.out.iter().zip(&kinds).filter(|(_, kind)| **kind == Kind::Map) {
        save::save(out, text.as_bytes())?;
    }
    for (out, _) in args.out.iter().zip(&kinds).filter(|(_, kind)| **kind == Kind::Clip) {
        let bytes = sinew::export::skeleton_anim(&onto.scene, &made.clip)
            .map_err(|error| Fault::Work(format!("cannot write {}: {error}", out.display())))?;
        save::save(out, &bytes)?;
    }
    let to_terminal = args.out.iter().any(|out| out == Path::new("-"));
    if !to_terminal {
        output::write(|out| match args.json {
            true => write_json(out, &map, &from.scene, &onto.scene, &made.quality),
            false => writeln!(out, "{text}\n{}", made.quality),
        })?;
    }
    tell(&made.quality, talk);
    for (out, _) in args.out.iter().zip(&kinds).filter(|(_, kind)| **kind == Kind::Look) {
        look(dressed(&onto, &made)?, out, talk)?;
    }
    Ok(())
}

fn kind(out: &Path) -> Result<Kind, Fault> {
    let extension = out.extension().and_then(|extension| extension.to_str());
    match extension.map(str::to_ascii_lowercase).as_deref() {
        _ if out == Path::new("-") => Ok(Kind::Map),
        Some("toml") => Ok(Kind::Map),
        Some("skeleton_anim") => Ok(Kind::Clip),
        Some("png" | "apng" | "gif" | "mp4") => Ok(Kind::Look),
        _ => Err(Fault::Usage(format!(
            "cannot tell from the name \"{}\" what to write: expected .toml (the map), .skeleton_anim (the clip), .png, .gif, .apng or .mp4 (a look)",
            out.display()
        ))),
    }
}

/// The clip that is asked for, or all.
fn clips<'a>(args: &Retarget, scene: &'a Scene) -> Result<&'a [Clip], Fault> {
    match args.clip.as_deref() {
        None if scene.clips.is_empty() => Err(no_clip(args, scene)),
        None => Ok(&scene.clips),
        Some(wanted) => {
            let clip = eval::find_clip(scene, wanted).map_err(|_| no_clip(args, scene))?;
            Ok(std::slice::from_ref(&scene[clip]))
        }
    }
}

fn no_clip(args: &Retarget, scene: &Scene) -> Fault {
    let wanted = args.clip.as_deref();
    let names: Vec<&str> = scene.clips.iter().map(|clip| clip.name.as_str()).collect();
    Fault::Work(match (names.len(), wanted) {
        (0, _) => format!("cannot retarget {}: it has no clips", args.file.display()),
        (count, wanted) => {
            let wanted = wanted.unwrap_or_default();
            format!("there is no clip \"{wanted}\" among the {count}: {names:?}")
        }
    })
}

fn map(args: &Retarget, from: &Scene, onto: &Scene) -> Result<JointMap, Fault> {
    match &args.map {
        None => JointMap::find(from, onto).map_err(|error| {
            let name = |file: &Path| file.display().to_string();
            Fault::Work(format!(
                "cannot retarget {} onto {}: {error}",
                name(&args.file),
                name(&args.onto)
            ))
        }),
        Some(file) => JointMap::from_text(&model::read_map(file)?, from, onto)
            .map_err(|error| Fault::Work(format!("cannot read {}: {error}", file.display()))),
    }
}

fn cannot(file: &Path, error: &RetargetError) -> Fault {
    Fault::Work(format!("cannot retarget {}: {error}", file.display()))
}

/// The character with the new clip alone.
fn dressed(onto: &Model, made: &Retargeted) -> Result<Model, Fault> {
    let mut parts = onto.scene.clone().into_parts();
    parts.clips = vec![made.clip.clone()];
    let scene = Scene::new(parts).map_err(|error| Fault::Work(error.to_string()))?;
    Ok(Model::from(scene))
}

fn tell(quality: &Quality, talk: Talk) {
    if talk == Talk::Quiet {
        return;
    }
    let whose = ["the clip's skeleton", "the character"];
    for (whose, swapped) in whose.iter().zip(quality.sides_swapped) {
        if swapped {
            crate::output::tell!(
                "note: {whose} names left what is right, as its toes show: its sides are swapped in the map"
            );
        }
    }
    for (whose, stands) in whose.iter().zip(quality.stands) {
        if !stands {
            crate::output::tell!(
                "note: {whose} rests in no standing pose: how its joints are twisted is guessed"
            );
        }
    }
}

fn write_json(
    out: &mut Vec<u8>,
    map: &JointMap,
    from: &Scene,
    onto: &Scene,
    quality: &Quality,
) -> std::io::Result<()> {
    out.write_all(b"{\"map\":{")?;
    for (at, slot) in map.shared().enumerate() {
        write!(out, "{}\"{slot}\":{{", if at == 0 { "" } else { "," })?;
        names(out, "from", map.from.joints(slot), from)?;
        out.write_all(b",")?;
        names(out, "to", map.to.joints(slot), onto)?;
        write!(out, ",\"confidence\":{}}}", confidence(map, slot))?;
    }
    let slides =
        [("clip", quality.source_slide), ("plain", quality.plain_slide), ("result", quality.slide)];
    write!(out, "}},\"hip_ratio\":{},\"foot_slide_cm_s\":{{", quality.hip_ratio)?;
    for (at, (name, slide)) in slides.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        let (mean, worst) = (100.0 * slide.mean, 100.0 * slide.worst);
        write!(out, "{comma}\"{name}\":{{\"mean\":{mean},\"worst\":{worst}}}")?;
    }
    writeln!(
        out,
        "}},\"contact\":{},\"ground_m_s\":{},\"direction_degrees\":{{\"mean\":{},\"worst\":{}}},\"keys\":{},\"key_error_mm\":{},\"joints\":{},\"tracks_left_out\":{}}}",
        quality.contact,
        quality.ground_speed,
        quality.mean_direction,
        quality.worst_direction,
        quality.keys,
        1000.0 * quality.key_error,
        quality.joints,
        quality.tracks_left_out
    )
}

fn confidence(map: &JointMap, slot: Slot) -> f32 {
    let of = |why: Option<sinew::retarget::Why>| why.map_or(0.0, |why| why.confidence());
    of(map.from.why(slot)).min(of(map.to.why(slot)))
}

fn names(
    out: &mut Vec<u8>,
    key: &str,
    joints: &[sinew::JointId],
    scene: &Scene,
) -> std::io::Result<()> {
    write!(out, "\"{key}\":")?;
    json::list(out, joints, |out, &joint| json::string(out, &scene.skeleton().node(joint).name))
}
