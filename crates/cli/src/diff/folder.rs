//! Two folders against each other: files paired by where they lie below them, on all cores.
//!
//! In:  two folders or patterns.
//! Out: a row for each pair; what cannot be read or has no counterpart is said, and the rest goes on.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::args::Diff;
use super::text::{error, millimetres};
use super::{Outcome, json, junit, outcome};
use crate::args::Talk;
use crate::fault::Fault;
use crate::folder::{self, Found};
use crate::output;
use crate::render::save;

/// Two files that lie in the same place, or one whose place is empty on the other side.
#[derive(Debug, PartialEq)]
struct FilePair {
    name: String,
    a: Option<PathBuf>,
    b: Option<PathBuf>,
}

/// Compares, reports, and says how many pairs are over the limits.
pub(super) fn compare(args: &Diff, talk: Talk) -> Result<usize, Fault> {
    if args.out.is_some() || !args.anim_a.is_empty() || !args.anim_b.is_empty() {
        return Err(Fault::Usage("--out and --anim are for two models, not for folders".into()));
    }
    let files = [folder::find(&args.a)?, folder::find(&args.b)?];
    let pairs = pair(&files);
    let results = folder::each(&pairs, talk, |pair| match (&pair.a, &pair.b) {
        (Some(a), Some(b)) => outcome(args, a, b).map_err(Fault::into_message),
        (Some(_), None) => Err("is in A alone".into()),
        _ => Err("is in B alone".into()),
    });
    if let Some(file) = &args.junit {
        let mut report = junit::Report::default();
        for (pair, result) in pairs.iter().zip(&results) {
            match result {
                Ok(Outcome { found, over }) => report.add(&pair.name, found, over),
                Err(error) => report.add_error(&pair.name, error),
            }
        }
        save::save(file, report.finish().as_bytes())?;
    }
    output::write(|out| {
        if args.json {
            let rows: Vec<_> =
                pairs.iter().zip(&results).map(|(pair, result)| row(pair, result)).collect();
            serde_json::to_writer_pretty(&mut *out, &json!(rows))?;
            out.push(b'\n');
        } else {
            out.extend(table(&pairs, &results).as_bytes());
        }
        Ok(())
    })?;
    judge(&results)
}

fn row(pair: &FilePair, result: &Result<Outcome, String>) -> serde_json::Value {
    let name = |file: &Option<PathBuf>| {
        file.as_ref().map_or_else(String::new, |file| file.display().to_string())
    };
    let [a, b] = [name(&pair.a), name(&pair.b)];
    match result {
        Ok(Outcome { found, over }) => json::value([&a, &b], found, over),
        Err(error) => json::failed([&a, &b], error),
    }
}

/// Files of the same name; where the endings differ, of the same name without them.
fn pair(files: &[Vec<Found>; 2]) -> Vec<FilePair> {
    let mut left: Vec<Option<&Found>> = files[1].iter().map(Some).collect();
    let mut partners: Vec<Option<PathBuf>> = vec![None; files[0].len()];
    let keys: [fn(&Path) -> PathBuf; 2] = [Path::to_path_buf, |name| name.with_extension("")];
    for key in keys {
        let mut known: HashMap<PathBuf, Vec<usize>> = HashMap::new();
        for (at, found) in left.iter().enumerate().rev() {
            if let Some(found) = found {
                known.entry(key(&found.name)).or_default().push(at);
            }
        }
        for (found, partner) in files[0].iter().zip(&mut partners) {
            let other = || known.get_mut(&key(&found.name)).and_then(Vec::pop);
            if let (None, Some(at)) = (&partner, (partner.is_none()).then(other).flatten()) {
                *partner = left[at].take().map(|other| other.path.clone());
            }
        }
    }
    let of_a = files[0].iter().zip(partners).map(|(found, b)| FilePair {
        name: found.name.display().to_string(),
        a: Some(found.path.clone()),
        b,
    });
    let of_b = left.into_iter().flatten().map(|found| FilePair {
        name: found.name.display().to_string(),
        a: None,
        b: Some(found.path.clone()),
    });
    of_a.chain(of_b).collect()
}

fn table(pairs: &[FilePair], results: &[Result<Outcome, String>]) -> String {
    let width = pairs.iter().map(|pair| pair.name.chars().count()).max().unwrap_or(0).max(4);
    let mut out = format!(
        "{:<width$}  {:>5}  {:>10}  {:>10}  {:>8}\n",
        "file", "clips", "worst mm", "joints mm", "degrees"
    );
    for (pair, result) in pairs.iter().zip(results) {
        let name = crate::info::named(&pair.name);
        let Ok(Outcome { found, over }) = result else {
            let error = result.as_ref().err().map_or("", |error| &error[..]);
            let _ = writeln!(out, "{name:<width$}  {}", shortened(error, pair));
            continue;
        };
        let measures = || {
            let rest = found.clips.is_empty().then_some(&found.rest);
            found.clips.iter().map(|clip| &clip.measure).chain(rest)
        };
        let joints = measures().filter_map(|measure| measure.joints.worst.as_ref());
        let angles = measures().filter_map(|measure| measure.joints.worst_angle.as_ref());
        let _ = write!(
            out,
            "{name:<width$}  {:>5}  {:>10}  {:>10}  {:>8}",
            found.clips.len(),
            millimetres(measures().map(error).fold(0.0, f64::max)),
            millimetres(joints.map(|worst| worst.metres).fold(0.0, f64::max)),
            super::text::degrees(angles.map(|worst| worst.degrees).fold(0.0, f64::max)),
        );
        match over.first() {
            Some(first) => {
                let clip = first.clip.as_ref().map_or_else(String::new, |clip| format!("{clip}: "));
                let _ = writeln!(
                    out,
                    "  OVER {}",
                    crate::info::named(&format!("{clip}{}", first.text))
                );
            }
            None => out.push('\n'),
        }
    }
    let over = results.iter().flatten().filter(|outcome| !outcome.over.is_empty()).count();
    let failed = results.iter().filter(|result| result.is_err()).count();
    let within = results.len() - over - failed;
    let _ = writeln!(
        out,
        "\n{} pairs: {within} within the limits, {over} over, {failed} not compared",
        results.len()
    );
    out
}

/// An error without the path of its file, which the row has already.
fn shortened(error: &str, pair: &FilePair) -> String {
    let sides = [('A', &pair.a), ('B', &pair.b)].into_iter();
    let found =
        sides.filter_map(|(side, path)| Some((side, path.as_ref()?))).find_map(|(side, path)| {
            let rest = error.strip_prefix(&format!("cannot read {}: ", path.display()))?;
            Some(format!("cannot read {side}: {rest}"))
        });
    found.unwrap_or_else(|| error.to_owned())
}

/// How many are over the limits; what could not be compared is worse than that.
fn judge(results: &[Result<Outcome, String>]) -> Result<usize, Fault> {
    let failed = results.iter().filter(|result| result.is_err()).count();
    if failed > 0 {
        let all = results.len();
        return Err(Fault::Unreadable(format!("{failed} of {all} pairs could not be compared")));
    }
    Ok(results.iter().flatten().map(|outcome| outcome.over.len()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_paired_by_place_and_then_without_their_endings() {
        let found = |names: &[&str], root: &str| {
            let one = |name: &&str| Found { path: Path::new(root).join(name), name: name.into() };
            names.iter().map(one).collect::<Vec<_>>()
        };
        let a = found(&["a.fbx", "b.glb", "c.fbx", "men/a.fbx"], "old");
        let b = found(&["a.glb", "a.fbx", "b.fbx", "d.glb"], "new");
        let pairs = pair(&[a, b]);
        let shown: Vec<_> = pairs
            .iter()
            .map(|pair| {
                let path = |path: &Option<PathBuf>| {
                    path.as_ref().map_or_else(String::new, |path| {
                        path.display().to_string().replace('\\', "/")
                    })
                };
                (path(&pair.a), path(&pair.b))
            })
            .collect();
        let expected = [
            ("old/a.fbx", "new/a.fbx"),
            ("old/b.glb", "new/b.fbx"),
            ("old/c.fbx", ""),
            ("old/men/a.fbx", ""),
            ("", "new/a.glb"),
            ("", "new/d.glb"),
        ];
        assert_eq!(shown, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }
}
