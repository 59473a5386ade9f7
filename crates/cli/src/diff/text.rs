//! What a comparison found, on one screen: files, table, sentences, verdict.

use std::fmt::Write;

use sinew::compare::{
    ClipComparison, Comparison, Counts, JointMatch, Measure, MeshMatch, MeshPair,
};

use super::sentences;
use super::verdict::Over;
use crate::info::named;

/// Clips that are shown; the worst of more.
const MAX_CLIPS: usize = 20;

/// A length in millimetres, with as many digits as are worth reading.
pub(crate) fn millimetres(metres: f64) -> String {
    digits(1e3 * metres)
}

/// An angle in degrees, likewise.
pub(crate) fn degrees(degrees: f64) -> String {
    digits(degrees)
}

/// A number with as many digits as are worth reading.
pub(super) fn digits(number: f64) -> String {
    match number {
        0.0 => "0".into(),
        number if number < 0.001 => "<0.001".into(),
        // What would be rounded to 10 or 1000 is written like these.
        number if number < 9.9995 => format!("{number:.3}"),
        number if number < 999.95 => format!("{number:.1}"),
        number => format!("{number:.0}"),
    }
}

/// Everything that is said of two models. `all` shows every clip and name.
pub(crate) fn write(names: [&str; 2], found: &Comparison, over: &[Over], all: bool) -> String {
    let mut out = String::new();
    for (side, name) in names.iter().enumerate() {
        let counts = counts(&found.structure.counts[side]);
        let _ = writeln!(out, "{}  {}: {counts}", ['A', 'B'][side], named(name));
    }
    let _ = writeln!(out, "   {}\n", paired(found));
    table(&mut out, found, all);
    out.push('\n');
    sentences::worst(&mut out, found);
    sentences::clips(&mut out, found);
    sentences::structure(&mut out, found, all);
    if over.is_empty() {
        out.push_str("within the limits\n");
    }
    for over in over {
        let clip = over.clip.as_ref().map_or_else(String::new, |clip| format!("{}: ", named(clip)));
        let _ = writeln!(out, "OVER     {clip}{}", named(&over.text));
    }
    out
}

fn counts(counts: &Counts) -> String {
    let many = |count: usize, one: &str, more: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {more}"),
    };
    let mut parts = vec![many(counts.nodes, "node", "nodes"), many(counts.clips, "clip", "clips")];
    if counts.meshes > 0 {
        let meshes = many(counts.meshes, "mesh", "meshes");
        parts.push(format!("{meshes} with {}", many(counts.vertices, "vertex", "vertices")));
        parts.push(many(counts.materials, "material", "materials"));
    }
    parts.join(", ")
}

/// How joints and vertices were paired.
fn paired(found: &Comparison) -> String {
    let JointMatch { mapped, by_name, by_stem, by_order, .. } = found.joints;
    let kinds = [
        (mapped, "by the map"),
        (by_name, "by name"),
        (by_stem, "by name without prefixes"),
        (by_order, "by order"),
    ];
    let said = kinds.iter().filter(|(count, _)| *count > 0);
    let joints: Vec<_> = said.map(|(count, how)| format!("{count} {how}")).collect();
    let mut text = match joints.len() {
        0 => "no joints paired".into(),
        _ => format!("joints paired: {}", joints.join(", ")),
    };
    let by_index = |mesh: &&MeshPair| mesh.how == MeshMatch::Index;
    let count: usize = found.meshes.iter().filter(by_index).map(|mesh| mesh.vertices[0]).sum();
    if count > 0 {
        let _ = write!(text, "; {count} vertices by index");
    }
    let nearest = found.meshes.iter().filter_map(|mesh| match mesh.how {
        MeshMatch::Nearest { gap } => Some((mesh, gap)),
        _ => None,
    });
    let nearest: Vec<(&MeshPair, f64)> = nearest.collect();
    if !nearest.is_empty() {
        let sum = |side: usize| nearest.iter().map(|(mesh, _)| mesh.vertices[side]).sum::<usize>();
        let names: Vec<String> = nearest.iter().map(|(mesh, _)| mesh.a.clone()).collect();
        let gap = nearest.iter().map(|(_, gap)| *gap).fold(0.0, f64::max);
        let _ = write!(
            text,
            "; {} vertices with the nearest of {} at bind ({}), {} mm away at most",
            sum(0),
            sum(1),
            sentences::some(&names, false),
            millimetres(gap)
        );
    }
    if found.scale != 1.0 {
        let _ = write!(text, "; B scaled by {:.5}", found.scale);
    }
    text
}

fn table(out: &mut String, found: &Comparison, all: bool) {
    let mut rows = vec![
        ["", "", "skin mm", "", "", "joints", "", "root", "speed"].map(String::from).to_vec(),
        ["clip", "seconds", "worst", "99 %", "RMS", "mm", "degrees", "drift mm", "m/s"]
            .map(String::from)
            .to_vec(),
        row("rest pose", String::new(), &found.rest),
    ];
    let (shown, hidden) = chosen(&found.clips, if all { usize::MAX } else { MAX_CLIPS });
    rows.extend(shown.iter().map(|clip| {
        let name = if clip.a == clip.b {
            named(&clip.a)
        } else {
            format!("{} = {}", named(&clip.a), named(&clip.b))
        };
        row(&name, format!("{:.2}", clip.durations[0].min(clip.durations[1])), &clip.measure)
    }));
    let columns = rows[0].len();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    for row in &rows {
        let mut line = format!("{:<1$}", row[0], widths[0]);
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            let _ = write!(line, "  {cell:>width$}");
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    if hidden > 0 {
        let _ = writeln!(out, "… and {hidden} clips that are no worse (-v shows all)");
    }
}

/// The worst clips, in order, and how many others there are.
fn chosen(clips: &[ClipComparison], most: usize) -> (Vec<&ClipComparison>, usize) {
    let mut order: Vec<usize> = (0..clips.len()).collect();
    order.sort_by(|a, b| error(&clips[*b].measure).total_cmp(&error(&clips[*a].measure)));
    order.truncate(most);
    order.sort_unstable();
    let hidden = clips.len() - order.len();
    (order.into_iter().map(|clip| &clips[clip]).collect(), hidden)
}

/// What a measure is judged by: the skin, or the joints where there is none.
pub(crate) fn error(measure: &Measure) -> f64 {
    let joints = || measure.joints.worst.as_ref().map_or(0.0, |worst| worst.metres);
    measure.skin.as_ref().map_or_else(joints, |skin| skin.worst.metres)
}

fn row(name: &str, seconds: String, measure: &Measure) -> Vec<String> {
    let skin = measure.skin.as_ref();
    let of_skin = |pick: fn(&sinew::compare::SkinMeasure) -> f64| {
        skin.map_or_else(|| "-".to_owned(), |skin| millimetres(pick(skin)))
    };
    let joints = &measure.joints;
    vec![
        name.to_owned(),
        seconds,
        of_skin(|skin| skin.worst.metres),
        of_skin(|skin| skin.p99),
        of_skin(|skin| skin.rms),
        joints.worst.as_ref().map_or_else(|| "-".into(), |worst| millimetres(worst.metres)),
        joints.worst_angle.as_ref().map_or_else(|| "-".into(), |worst| degrees(worst.degrees)),
        measure.root.as_ref().map_or_else(String::new, |root| millimetres(root.worst)),
        measure.speed.as_ref().map_or_else(String::new, |speed| digits(speed.metres_per_second)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_as_many_digits_as_are_worth_reading() {
        let found = [0.0, 4e-7, 1.2341e-3, 0.009_999_9, 0.01234, 12.3].map(millimetres);
        assert_eq!(found, ["0", "<0.001", "1.234", "10.0", "12.3", "12300"]);
    }
}
