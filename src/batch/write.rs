//! Results into the output folder: whole, or not at all.

use std::path::Path;

use super::report::BatchRow;

/// Writes one file of a row; `name` is in the output folder, with `/` between folders.
pub(super) fn write(
    out: &Path,
    name: &str,
    bytes: &[u8],
    row: &mut BatchRow,
) -> Result<(), String> {
    let path = out.join(name);
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let file = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let part = path.with_file_name(format!(".{file}.{}.tmp", std::process::id()));
    let written = std::fs::write(&part, bytes).and_then(|()| std::fs::rename(&part, &path));
    if written.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    written.map_err(failed)?;
    row.outputs.push(name.to_owned());
    *row.figures.entry("bytes".into()).or_default() += bytes.len() as f64;
    Ok(())
}

/// The name of a clip as part of a file's name.
pub(super) fn plain(name: &str) -> String {
    let safe = |sign: char| sign.is_alphanumeric() || matches!(sign, '-' | '_' | ' ' | '(' | ')');
    let plain: String =
        name.chars().take(80).map(|sign| if safe(sign) { sign } else { '_' }).collect();
    let plain = plain.trim();
    if plain.is_empty() { "clip".into() } else { plain.into() }
}
