//! Many files at once: what a folder or a pattern stands for, and work on all of it.
//!
//! In:  a folder, or a pattern like `models/**/*.fbx`.
//! Out: the model files it stands for, in order; what came of each. One that fails never stops the rest.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;
use std::{fs, io};

use rayon::prelude::*;

use crate::args::Talk;
use crate::fault::Fault;
use crate::glob;
use crate::render::Progress;

/// Endings of files that may be models, in lower case.
const ENDINGS: &[&str] = &[
    "gltf",
    "glb",
    "vrm",
    "fbx",
    "dae",
    "zae",
    "md5mesh",
    "md5anim",
    "bvh",
    "obj",
    "mesh",
    "skeleton_anim",
    "zip",
    "gz",
];

/// Folders deeper than this are not looked into: links may lead in circles.
const MAX_DEPTH: usize = 64;

/// A file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Where it is below the folder, or below the part of the pattern without stars: what its result is called.
    pub(crate) name: PathBuf,
}

/// Whether a name stands for many files: a folder, or a pattern that is not the name of a file.
pub(crate) fn is_many(given: &Path) -> bool {
    given.is_dir() || (glob::is_pattern(&given.to_string_lossy()) && !given.exists())
}

/// The model files that a folder or a pattern stands for, in order; a file stands for itself.
///
/// # Errors
/// When the folder cannot be read, or there is no model file.
pub(crate) fn find(given: &Path) -> Result<Vec<Found>, Fault> {
    let root = if given.is_dir() { given.to_owned() } else { fixed_part(given) };
    let cannot = |error| Fault::Work(format!("cannot read {}: {error}", root.display()));
    let mut paths = models(&root).map_err(cannot)?;
    if is_many(given) && !given.is_dir() {
        paths.retain(|path| glob::path_fits(given, path));
    }
    if paths.is_empty() {
        return Err(Fault::Work(format!("there is no model file in {}", given.display())));
    }
    let name = |path: &Path| {
        let below = path.strip_prefix(&root).ok().filter(|below| below.components().count() > 0);
        below.map_or_else(|| path.file_name().map(PathBuf::from), |below| Some(below.to_owned()))
    };
    let found = paths.into_iter().filter_map(|path| Some(Found { name: name(&path)?, path }));
    Ok(found.collect())
}

/// The folders of a pattern before its first star; the whole of a name without any.
fn fixed_part(pattern: &Path) -> PathBuf {
    let plain = |part: &Component<'_>| !glob::is_pattern(&part.as_os_str().to_string_lossy());
    if pattern.components().all(|part| plain(&part)) {
        return pattern.to_owned();
    }
    let fixed: PathBuf = pattern.components().take_while(plain).collect();
    if fixed.as_os_str().is_empty() { PathBuf::from(".") } else { fixed }
}

/// All files below a folder that may be models, in order; a file stands for itself.
pub(crate) fn models(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !fs::metadata(path)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    below(path, 0, &mut found)?;
    found.sort();
    Ok(found)
}

fn below(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // `./hero.fbx` fits the pattern `*.fbx`.
        let path = if folder == Path::new(".") { entry.file_name().into() } else { entry.path() };
        let kind = entry.file_type()?;
        if kind.is_dir() && depth < MAX_DEPTH {
            // What may not be looked into is nobody's fault here.
            let _ = below(&path, depth + 1, found);
        } else if kind.is_file() && is_model(&path) {
            found.push(path);
        }
    }
    Ok(())
}

fn is_model(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ENDINGS.contains(&&ending.to_ascii_lowercase()[..]))
}

/// Does the same with every item, on all cores and with a bar; gives what came of each, in order. Work that panics
/// is one more that failed.
pub(crate) fn each<T: Sync, R: Send>(
    items: &[T],
    talk: Talk,
    work: impl Fn(&T) -> Result<R, String> + Sync,
) -> Vec<Result<R, String>> {
    let progress = Mutex::new((Progress::new(items.len(), talk == Talk::Quiet), 0));
    let done = items.par_iter().map(|item| {
        let result = catch_unwind(AssertUnwindSafe(|| work(item)));
        if let Ok(mut progress) = progress.lock() {
            progress.1 += 1;
            let done = progress.1;
            progress.0.show(done);
        }
        result.unwrap_or_else(|_| Err("the work broke off; please report this".into()))
    });
    done.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own with these files, empty.
    fn made(name: &str, files: &[&str]) -> PathBuf {
        let root = std::env::temp_dir().join(format!("sinew-folder-{name}-{}", std::process::id()));
        for file in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, []).expect("a file");
        }
        root
    }

    fn names(found: &[Found]) -> Vec<String> {
        found.iter().map(|found| found.name.display().to_string().replace('\\', "/")).collect()
    }

    #[test]
    fn a_folder_stands_for_the_models_below_it_and_a_pattern_for_those_that_fit() {
        let files = ["b.glb", "a.FBX", "men/c.fbx", "men/skin.png", "men/old/d.fbx"];
        let root = made("find", &files);
        let found = find(&root).expect("a folder");
        assert_eq!(names(&found), ["a.FBX", "b.glb", "men/c.fbx", "men/old/d.fbx"]);
        assert_eq!(found[1].path, root.join("b.glb"));
        assert_eq!(
            names(&find(&root.join("**/*.fbx")).expect("two")),
            ["men/c.fbx", "men/old/d.fbx"]
        );
        assert_eq!(names(&find(&root.join("men/*.fbx")).expect("one")), ["c.fbx"]);
        assert_eq!(names(&find(&root.join("b.glb")).expect("itself")), ["b.glb"]);
        assert!(find(&root.join("*.dae")).is_err());
        assert!(is_many(&root) && is_many(&root.join("*.dae")) && !is_many(&root.join("b.glb")));
        fs::remove_dir_all(root).expect("it is ours");
    }

    #[test]
    fn what_fails_or_panics_stops_nothing_else() {
        let work = |item: &u32| match item {
            2 => Err("two".to_owned()),
            3 => panic!("on purpose"),
            other => Ok(10 * other),
        };
        let found = each(&[1, 2, 3, 4], Talk::Quiet, work);
        assert_eq!((&found[0], &found[3]), (&Ok(10), &Ok(40)));
        assert_eq!(found[1], Err("two".to_owned()));
        assert!(found[2].is_err());
    }
}
