//! The two models that are compared, and the map between their joints.

use std::path::Path;

use sinew::retarget::JointMap;
use sinew::{Fit, Model, Options, Scene};

use super::args::{Diff, Pair};
use crate::fault::Fault;
use crate::model::{self, Given};

/// The two models.
pub(crate) struct Opened {
    pub(crate) scenes: [Scene; 2],
    /// Whether B is a packed clip: the model of A with that clip alone.
    pub(crate) packed: bool,
}

/// Opens both models.
pub(crate) fn models(args: &Diff, a: &Path, b: &Path) -> Result<Opened, Fault> {
    let options = Options { allow: args.allow.clone(), ..Options::default() };
    let mut first = model::open_one(a, &options)?;
    let (mut second, packed) = match model::open_any(b, &options)? {
        Given::Model(model) => (*model, false),
        Given::Packed(bytes) => {
            let mut bare = without_clips(&first.scene)?;
            bare.add_packed(&b.to_string_lossy(), &bytes)?;
            (bare, true)
        }
    };
    add_clips(&mut first, &args.anim_a, &options)?;
    add_clips(&mut second, &args.anim_b, &options)?;
    Ok(Opened { scenes: [first.scene, second.scene], packed })
}

/// The clips that are compared: those that were asked for; of a packed clip that of its name, since nobody misses the
/// others. None for all.
pub(crate) fn clips(args: &Diff, opened: &Opened) -> Vec<(String, String)> {
    let [a, b] = &opened.scenes;
    let asked: Vec<_> = args.clip.iter().map(|pair| (pair.a.clone(), pair.b.clone())).collect();
    if !asked.is_empty() || !opened.packed {
        return asked;
    }
    let known = b.clips.iter().filter(|clip| a.find_clip(&clip.name).is_some());
    known.map(|clip| (clip.name.clone(), clip.name.clone())).collect()
}

fn without_clips(scene: &Scene) -> Result<Model, Fault> {
    let mut parts = scene.clone().into_parts();
    parts.clips.clear();
    let scene = Scene::new(parts).map_err(|error| Fault::Work(error.to_string()))?;
    Ok(Model::from(scene))
}

fn add_clips(
    model: &mut Model,
    files: &[std::path::PathBuf],
    options: &Options,
) -> Result<(), Fault> {
    for file in files {
        model.add_clips_with(file, options, Fit::Best)?;
    }
    Ok(())
}

/// Pairs of joints by the names of `--map`.
pub(crate) fn map(args: &Diff, scenes: [&Scene; 2]) -> Result<Vec<(String, String)>, Fault> {
    let mut pairs = Vec::new();
    for given in &args.map {
        if Path::new(given).is_file() {
            pairs.extend(from_file(Path::new(given), scenes)?);
        } else {
            pairs.push(pair(given).ok_or_else(|| {
                Fault::Usage(format!(
                    "--map {given}: expected two joints with = between them, or a file; there is no such file"
                ))
            })?);
        }
    }
    Ok(pairs)
}

fn pair(text: &str) -> Option<(String, String)> {
    let pair: Pair = text.contains('=').then(|| text.parse().ok())??;
    let plain = |name: &str| name.trim().trim_matches('"').to_owned();
    Some((plain(&pair.a), plain(&pair.b)))
}

/// The map that `sinew retarget` writes, or lines of A=B.
fn from_file(file: &Path, [a, b]: [&Scene; 2]) -> Result<Vec<(String, String)>, Fault> {
    let text = model::read_map(file)?;
    match JointMap::from_text(&text, a, b) {
        Ok(map) => Ok(of_bodies(&map, a, b)),
        Err(_) => lines(&text).map_err(|(line, found)| {
            Fault::Work(format!(
                "cannot read {}: line {line}: expected two joints with = between them, or a map as sinew retarget writes it, found {found:?}",
                file.display()
            ))
        }),
    }
}

fn lines(text: &str) -> Result<Vec<(String, String)>, (usize, String)> {
    let used = text.lines().enumerate().filter(|(_, line)| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    used.map(|(at, line)| pair(line).ok_or_else(|| (at + 1, line.trim().to_owned()))).collect()
}

/// The joints that two bodies have in the same place, one by one.
fn of_bodies(map: &JointMap, a: &Scene, b: &Scene) -> Vec<(String, String)> {
    let name = |scene: &Scene, joint: &sinew::JointId| scene.skeleton().node(*joint).name.clone();
    let pairs = map.shared().flat_map(|slot| {
        let joints = map.from.joints(slot).iter().zip(map.to.joints(slot));
        joints.map(|(of_a, of_b)| (name(a, of_a), name(b, of_b))).collect::<Vec<_>>()
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_of_lines_has_comments_and_quotes() {
        let text = "# joints\nHips = mixamorig:Hips\n\n\"Left Arm\"=\"arm.L\"\n";
        let found = lines(text).expect("two pairs");
        let expected = [("Hips", "mixamorig:Hips"), ("Left Arm", "arm.L")];
        assert_eq!(found, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
        assert_eq!(lines("a=b\nc"), Err((2, "c".to_owned())));
    }
}
