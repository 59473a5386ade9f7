//! Reads a model of any format and writes it as GLB: `to_glb IN OUT.glb`.
//!
//! With several models, OUT is a folder: `to_glb IN... FOLDER`. Prints what glTF could not say.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sinew_export::{GltfOptions, glb};

fn convert(from: &str, to: &Path) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let imported = sinew_import::open(from)?;
    let written = glb(&imported.scene, &GltfOptions::default())?;
    std::fs::write(to, written.bytes)?;
    Ok(written.notes)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((to, models)) = arguments.split_last().filter(|(_, models)| !models.is_empty()) else {
        eprintln!("usage: to_glb IN... OUT.glb|FOLDER");
        return ExitCode::from(2);
    };
    let mut good = true;
    for model in models {
        let stem = Path::new(model).file_name().unwrap_or_default().to_string_lossy();
        let to = PathBuf::from(to);
        let to = if to.is_dir() { to.join(format!("{stem}.glb")) } else { to };
        match convert(model, &to) {
            Ok(notes) => notes.iter().for_each(|note| println!("{model}: {note}")),
            Err(error) => {
                eprintln!("{model}: {error}");
                good = false;
            }
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
