//! Writes what the project's own code makes as GLB and glTF, for the validator: `gltf_samples FOLDER [MODEL...]`.
//!
//! Further models, of any format, are written as GLB beside the samples, exact and quantised. Prints what glTF could not say.

#[path = "../tests/common/mod.rs"]
mod common;

use std::error::Error;
use std::path::Path;

use sinew_export::{GltfCompression, GltfOptions, GltfPrecision, glb, gltf};
use sinew_scene::Scene;

fn write(
    scene: &Scene,
    folder: &Path,
    name: &str,
    options: &GltfOptions,
) -> Result<(), Box<dyn Error>> {
    let written = glb(scene, options)?;
    std::fs::write(folder.join(format!("{name}.glb")), written.bytes)?;
    written.notes.iter().for_each(|note| println!("{name}: {note}"));
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: gltf_samples FOLDER [MODEL...]")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;

    let mut rounded = GltfOptions::default();
    rounded.precision = GltfPrecision::Rounded;
    let mut quantized = GltfOptions::default();
    quantized.precision = GltfPrecision::Quantized;
    let mut meshopt = quantized.clone();
    meshopt.compression = GltfCompression::Meshopt;
    let mut draco = GltfOptions::default();
    draco.compression = GltfCompression::Draco;
    let everything = common::scene(common::everything());
    let samples =
        [("ossi", sinew_ossi::ossi()), ("demo", sinew_ossi::demo()), ("everything", everything)];
    for (name, scene) in &samples {
        write(scene, folder, name, &GltfOptions::default())?;
        write(scene, folder, &format!("{name}_rounded"), &rounded)?;
        write(scene, folder, &format!("{name}_quantized"), &quantized)?;
        write(scene, folder, &format!("{name}_meshopt"), &meshopt)?;
        write(scene, folder, &format!("{name}_draco"), &draco)?;
        let files = gltf(scene, name, &GltfOptions::default())?;
        std::fs::write(folder.join(format!("{name}.gltf")), files.bytes)?;
        for file in files.files {
            std::fs::write(folder.join(file.name), file.bytes)?;
        }
    }
    for model in arguments {
        let name = model.trim_start_matches(['.', '/']).replace(['/', ' '], "_");
        match sinew_import::open(&model) {
            Ok(imported) => {
                write(&imported.scene, folder, &name, &GltfOptions::default())?;
                write(&imported.scene, folder, &format!("{name}_quantized"), &quantized)?;
            }
            Err(error) => eprintln!("{error}"),
        }
    }
    Ok(())
}
