//! Pictures of the view as PNG files, beside the model.

use std::path::{Path, PathBuf};

use sinew::render::Picture;

/// The first name that is not taken: `hero-0001.png` beside `hero.glb`; in the working folder where there is no file or
/// no right to write.
pub(crate) fn save(picture: &Picture, model: Option<&Path>) -> Result<PathBuf, String> {
    let stem = model.and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    let stem = stem.unwrap_or_else(|| "sinew".to_owned());
    let beside = model.and_then(Path::parent).map(Path::to_owned);
    let here = std::env::current_dir().unwrap_or_default();
    let mut last = String::new();
    for folder in beside.into_iter().chain([here]) {
        match save_in(picture, &folder, &stem) {
            Ok(path) => return Ok(path),
            Err(why) => last = why,
        }
    }
    Err(last)
}

fn save_in(picture: &Picture, folder: &Path, stem: &str) -> Result<PathBuf, String> {
    let free = (1..10_000).map(|number| folder.join(format!("{stem}-{number:04}.png")));
    let path =
        free.into_iter().find(|path| !path.exists()).ok_or("ten thousand pictures are enough")?;
    let (width, height) = (picture.width, picture.height);
    image::save_buffer(&path, &picture.rgba, width, height, image::ColorType::Rgba8)
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_picture_is_written_over_another() {
        let folder = std::env::temp_dir().join(format!("sinew-pictures-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let picture = Picture { width: 2, height: 1, rgba: vec![255; 8] };
        let model = folder.join("hero.glb");
        let first = save(&picture, Some(&model)).expect("saved");
        let second = save(&picture, Some(&model)).expect("saved");
        assert!(first.ends_with("hero-0001.png") && second.ends_with("hero-0002.png"));
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
