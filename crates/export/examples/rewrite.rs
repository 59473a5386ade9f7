//! Reads a model, writes it as FBX or BVH, reads that again, and prints how far apart the two are.
//!
//! `cargo run -p sinew-export --example rewrite -- IN OUT.fbx|OUT.bvh`

#[path = "../tests/corners/mod.rs"]
#[allow(dead_code)]
mod corners;

use std::error::Error;
use std::path::Path;

use sinew_export::{BvhOptions, Exported, FbxOptions, bvh, fbx};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = arguments.as_slice() else {
        return Err("expected two names: IN and OUT.fbx or OUT.bvh".into());
    };
    let scene = match from.as_str() {
        "ossi" => sinew_ossi::ossi(),
        from => sinew_import::open(from)?.scene,
    };
    let is_bvh = to.ends_with(".bvh");
    let file: Exported = if is_bvh {
        let clip = scene.clips.first().ok_or("a BVH file needs a clip")?;
        bvh(&scene, clip, &BvhOptions::default())?
    } else {
        fbx(&scene, &FbxOptions::default())?
    };
    for note in &file.notes {
        println!("note: {note}");
    }
    std::fs::write(to, &file.bytes)?;
    for beside in &file.files {
        let folder = Path::new(to).parent().unwrap_or(Path::new("."));
        std::fs::write(folder.join(&beside.name), &beside.bytes)?;
    }
    let back = sinew_import::open(to)?;
    for note in &back.notes {
        println!("read again: {note}");
    }
    if is_bvh {
        return Ok(());
    }
    let apart = corners::compare(&scene, &back.scene, 12)?;
    println!(
        "{} bytes, {} keys then {}: {:.6} m apart of {:.3} m, {:.1e}",
        file.bytes.len(),
        scene.clips.iter().map(|clip| clip.key_count()).sum::<usize>(),
        back.scene.clips.iter().map(|clip| clip.key_count()).sum::<usize>(),
        apart.worst,
        apart.size,
        apart.relative()
    );
    Ok(())
}
