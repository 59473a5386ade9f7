//! Sampled clips, and crowds that play them, stay within their stated error of the exact sampler: on the built-in
//! character, and on every clip of a folder of models (environment variable `SINEW_MODELS`, or the shared files
//! beside the checkout) where there is one.

use std::path::{Path, PathBuf};

use sinew::crowd::{CharacterState, Crowd};
use sinew::glam::Affine3A;
use sinew::motion::{Cursor, SampledClip, sample};
use sinew::{Clip, Pose, Scene};

/// What is asked for: a tenth of a millimetre, or as much of a large model.
const ERROR: f32 = 0.000_1;

/// The farthest that a joint's place is from where it should be.
fn apart(found: &[Affine3A], exact: &[Affine3A]) -> f32 {
    let pairs = found.iter().zip(exact);
    pairs.map(|(a, b)| a.translation.distance(b.translation)).fold(0.0, f32::max)
}

fn size(scene: &Scene, clip: &Clip) -> f32 {
    let (mut pose, mut cursor, mut most) = (Pose::new(scene), Cursor::new(), 0.0_f32);
    for step in 0..=4 {
        sample(clip, clip.duration * step as f32 / 4.0, &mut cursor, &mut pose);
        pose.to_model(scene.skeleton());
        let places = pose.model_from_joint().iter().map(|joint| joint.translation.length());
        most = places.fold(most, f32::max);
    }
    most
}

/// One clip as a sampled clip and in a crowd, at many times between frames and keys: whether it is as near as asked for.
/// A clip that jumps, or turns half round between two keys, cannot be; then the sampled clip says so.
fn check(scene: &Scene, clip: &Clip) -> Result<bool, String> {
    let bound = ERROR * size(scene, clip).max(1.0);
    let sampled = SampledClip::new(scene, clip, bound);
    let (mut exact, mut found, mut cursor) = (Pose::new(scene), Pose::new(scene), Cursor::new());
    let mut crowd = Crowd::new(scene.skeleton(), vec![sampled.clone()]);
    crowd.resize(16);
    for (index, part) in crowd.states_mut().iter_mut().enumerate() {
        *part = CharacterState::new(0, clip.duration * (index as f32 + 0.37) / 17.0);
    }
    crowd.pose();
    for character in 0..crowd.len() {
        let time = crowd.states()[character].times[0];
        sample(clip, time, &mut cursor, &mut exact);
        exact.to_model(scene.skeleton());
        sampled.sample(time, &mut found);
        found.to_model(scene.skeleton());
        let stated = sampled.error() + bound * 0.1;
        let off = apart(found.model_from_joint(), exact.model_from_joint());
        if off > stated {
            return Err(format!("off by {off} m at {time} s, not {}", sampled.error()));
        }
        let ids = scene.skeleton().ids();
        let models: Vec<_> = ids.map(|id| crowd.model_from_joint(character, id)).collect();
        let off = apart(&models, found.model_from_joint());
        if off > bound * 0.1 {
            return Err(format!("in a crowd off by {off} m at {time} s"));
        }
    }
    Ok(sampled.error() <= bound)
}

#[test]
fn the_built_in_characters_clips_are_reels_within_a_tenth_of_a_millimetre() {
    let scene = sinew::ossi();
    for clip in &scene.clips {
        assert_eq!(check(&scene, clip), Ok(true), "{}", clip.name);
    }
}

fn models() -> Option<PathBuf> {
    let given = std::env::var_os("SINEW_MODELS").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/files");
    given.or_else(|| beside.is_dir().then_some(beside))
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            gather(&path, files);
        } else {
            files.push(path);
        }
    }
}

#[test]
fn every_clip_of_a_folder_is_a_reel_within_its_stated_error() {
    let Some(folder) = models() else {
        println!("no folder of models is at hand: set SINEW_MODELS to one");
        return;
    };
    let mut files = Vec::new();
    gather(&folder, &mut files);
    files.sort();
    let (mut clips, mut near, mut wrong) = (0, 0, Vec::new());
    for file in &files {
        let Ok(imported) = sinew::open(file) else { continue };
        for clip in &imported.scene.clips {
            clips += 1;
            match check(&imported.scene, clip) {
                Ok(within) => near += usize::from(within),
                Err(why) => wrong.push(format!("{} {}: {why}", file.display(), clip.name)),
            }
        }
    }
    println!("{near} of {clips} clips are within {ERROR} of their size, the others as they say");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
