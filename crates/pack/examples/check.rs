//! Packs every clip of every model below a folder and checks it by another program: `cargo run --release -p sinew-pack
//! --example check -- FOLDER [--error MILLIMETRES] …`.
//!
//! In:  a folder of models.
//! Out: a line for each clip; exit code 1 where one is farther off than its file says, or is refused below 100 m.

#[path = "../tests/checker/mod.rs"]
mod checker;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use sinew_pack::{Options, PackError, even_shells, pack, shells};
use sinew_scene::{Clip, Scene};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1)?.parse::<f32>().ok()
    };
    let Some(folder) = arguments.first().filter(|folder| !folder.starts_with('-')) else {
        eprintln!(
            "expected: check FOLDER [--error MILLIMETRES] [--shell METRES] [--rate HZ] [--exact-curves]"
        );
        return ExitCode::from(2);
    };
    let options = Options {
        error: value("--error").unwrap_or(0.1) * 1e-3,
        shell: value("--shell"),
        rate: value("--rate"),
        exact_curves: arguments.iter().any(|argument| argument == "--exact-curves"),
    };
    let mut files = Vec::new();
    find(Path::new(folder), &mut files);
    let (mut checked, mut bad) = (0, 0);
    for file in &files {
        let Ok(imported) = sinew_import::open(file) else { continue };
        for (at, clip) in imported.scene.clips.iter().enumerate() {
            checked += 1;
            let name = format!("{}\t{at}", file.display());
            bad += usize::from(!check(&name, &imported.scene, clip, &options));
        }
    }
    println!("{checked} clips, {bad} bad");
    ExitCode::from(u8::from(bad > 0))
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return files.push(folder.to_owned()) };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() { find(&path, files) } else { files.push(path) }
    }
}

/// Packs a clip and says what came of it; whether that is as it should be.
fn check(name: &str, scene: &Scene, clip: &Clip, options: &Options) -> bool {
    let start = Instant::now();
    let packed = pack(scene, clip, options, &|_| {});
    let seconds = start.elapsed().as_secs_f64();
    let (packed, _) = match packed {
        Ok(found) => found,
        Err(error) => {
            println!("{name}\trefused\t{seconds:.3}\t{error}");
            return matches!(error, PackError::OutOfReach { span, .. } if span > 100.0);
        }
    };
    let shells = options.shell.map_or_else(|| shells(scene), |shell| even_shells(scene, shell));
    let found = checker::verdict(scene, clip, &shells, packed.bytes());
    let millimetres = [found.error, found.stated_error, found.loss, found.stated_loss];
    let [error, stated_error, loss, stated_loss] = millimetres.map(|metres| metres * 1e3);
    let verdict = if found.holds() { "good" } else { "BAD" };
    println!(
        "{name}\t{verdict}\t{seconds:.3}\t{}\t{}\t{:.2}\t{error:.5}\t{stated_error:.5}\t{loss:.4}\t{stated_loss:.4}",
        packed.bytes().len(),
        packed.frames(),
        packed.rate()
    );
    found.holds()
}
