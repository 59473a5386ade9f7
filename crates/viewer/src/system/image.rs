//! Images and films of the view as files: beside the model or, in a browser, as a download.
//!
//! In:  the bytes of a whole file.
//! Out: where it is now. Nothing is written over what was there.

#[cfg(not(target_arch = "wasm32"))]
use std::fs::File;
#[cfg(not(target_arch = "wasm32"))]
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Where files go, in words.
pub(crate) const WHERE: &str =
    if cfg!(target_arch = "wasm32") { "as a download" } else { "beside the model" };

fn stem(model: Option<&Path>) -> String {
    let stem = model.and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    stem.unwrap_or_else(|| "sinew".to_owned())
}

/// A download of the model's name: `hero.png` for `hero.glb`. The browser finds a name that is not taken.
#[cfg(target_arch = "wasm32")]
pub(crate) fn save(bytes: &[u8], extension: &str, model: Option<&Path>) -> Result<PathBuf, String> {
    let name = format!("{}.{extension}", stem(model));
    crate::web::save(&name, bytes)?;
    Ok(name.into())
}

/// The first name that is not taken: `hero-0001.png` beside `hero.glb`; in the working folder where there is no file or
/// no right to write.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn save(bytes: &[u8], extension: &str, model: Option<&Path>) -> Result<PathBuf, String> {
    let stem = stem(model);
    let beside = model.and_then(Path::parent).map(Path::to_owned);
    let here = std::env::current_dir().unwrap_or_default();
    let mut last = String::new();
    for folder in beside.into_iter().chain([here]) {
        match save_in(bytes, &folder, &stem, extension) {
            Ok(path) => return Ok(path),
            Err(why) => last = why,
        }
    }
    Err(last)
}

#[cfg(not(target_arch = "wasm32"))]
fn save_in(bytes: &[u8], folder: &Path, stem: &str, extension: &str) -> Result<PathBuf, String> {
    for number in 1..10_000 {
        let path = folder.join(format!("{stem}-{number:04}.{extension}"));
        let mut file = match File::create_new(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(format!("cannot write {}: {error}", path.display())),
        };
        if let Err(error) = file.write_all(bytes) {
            // No half file is left.
            let _ = std::fs::remove_file(&path);
            return Err(format!("cannot write {}: {error}", path.display()));
        }
        return Ok(path);
    }
    Err("there are ten thousand images of that name already".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_image_is_written_over_another() {
        let folder = std::env::temp_dir().join(format!("sinew-images-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let model = folder.join("hero.glb");
        let first = save(b"one", "png", Some(&model)).expect("saved");
        let second = save(b"two", "png", Some(&model)).expect("saved");
        let film = save(b"three", "gif", Some(&model)).expect("saved");
        assert!(first.ends_with("hero-0001.png") && second.ends_with("hero-0002.png"));
        assert!(film.ends_with("hero-0001.gif"));
        assert_eq!(std::fs::read(first).expect("there"), b"one");
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
