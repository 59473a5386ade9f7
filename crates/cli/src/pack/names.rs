//! Which file each clip goes to.
//!
//! In:  the name that a person gave, with `{clip}` in it for several.
//! Out: a file for every clip, no two of them the same, whatever the clips are called.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use sinew::{Clip, Scene};

use crate::fault::Fault;

/// What stands for a clip's name.
const NAME: &str = "{clip}";

/// A file for each of these clips.
pub(crate) fn outs(pattern: &Path, scene: &Scene, chosen: &[usize]) -> Result<Vec<PathBuf>, Fault> {
    match pattern.to_str().filter(|pattern| pattern.contains(NAME)) {
        Some(pattern) => {
            let mut taken = HashSet::new();
            let names = chosen.iter().map(|&at| free(&file_name(&scene.clips[at], at), &mut taken));
            Ok(names.map(|name| pattern.replace(NAME, &name).into()).collect())
        }
        None if chosen.len() > 1 => Err(Fault::Usage(format!(
            "the file has {} clips: choose one with --clip, or put {NAME} in the name, as -o '{}'",
            chosen.len(),
            with_name(pattern).display()
        ))),
        None => Ok(vec![pattern.to_owned(); chosen.len()]),
    }
}

/// What the person may have meant: `out/walk.bvh` becomes `out/{clip}.bvh`.
fn with_name(pattern: &Path) -> PathBuf {
    let ending = pattern.extension().map(|ending| ending.to_string_lossy());
    pattern.with_file_name(format!("{NAME}.{}", ending.as_deref().unwrap_or("sinewclip")))
}

/// The clip's name as a part of a file's; its number where it has none.
fn file_name(clip: &Clip, at: usize) -> String {
    let plain = |letter: char| {
        if letter.is_alphanumeric() || " -_.".contains(letter) { letter } else { '_' }
    };
    let name: String = clip.name.chars().map(plain).collect();
    if name.trim_matches(['.', ' ']).is_empty() { at.to_string() } else { name }
}

/// `wanted`, with a number where it is taken. Many systems take `Walk` and `walk` for one file.
fn free(wanted: &str, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{wanted} ({number})"));
    let mut names = [wanted.to_owned()].into_iter().chain(numbered);
    names.find(|name| taken.insert(name.to_lowercase())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Clip {
        Clip { name: name.into(), ..Clip::default() }
    }

    #[test]
    fn the_name_to_put_keeps_folder_and_ending() {
        assert_eq!(with_name(Path::new("out/walk.bvh")), Path::new("out/{clip}.bvh"));
        assert_eq!(with_name(Path::new("walk")), Path::new("{clip}.sinewclip"));
    }

    #[test]
    fn a_clips_name_makes_a_files() {
        assert_eq!(file_name(&named("Armature|Walk 1"), 3), "Armature_Walk 1");
        assert_eq!(file_name(&named("../up"), 3), ".._up");
        assert_eq!(file_name(&named(".."), 3), "3");
    }

    #[test]
    fn no_two_clips_go_to_one_file() {
        let mut taken = HashSet::new();
        let names = ["a_b", "a_b", "a_b (2)", "A_B", "c"];
        let found = names.map(|name| free(name, &mut taken));
        assert_eq!(found, ["a_b", "a_b (2)", "a_b (2) (2)", "A_B (3)", "c"]);
    }
}
