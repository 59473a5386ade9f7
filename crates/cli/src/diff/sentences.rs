//! What a comparison found, in words: the worst place, clips that differ in length or loop, and the structure.

use std::fmt::Write;

use sinew::compare::{ClipMatch, Comparison, OnlyIn};

use super::text::{degrees, digits, error, millimetres};
use crate::info::named;

/// Names of a list that are shown.
const MAX_NAMES: usize = 8;
/// Metres between the first and the last pose of a clip that loops.
const LOOPS: f64 = 1e-3;

/// The worst place of all clips in words; of the rest pose, where there are no clips.
pub(super) fn worst(out: &mut String, found: &Comparison) {
    let worst_clip =
        found.clips.iter().max_by(|a, b| error(&a.measure).total_cmp(&error(&b.measure)));
    let (measure, name) = match worst_clip {
        Some(clip) => (&clip.measure, format!("{} at ", named(&clip.a))),
        None => (&found.rest, String::new()),
    };
    if error(measure) == 0.0 {
        out.push_str("same     every vertex and joint is where it was\n");
        return;
    }
    let when = |time: f32| match worst_clip {
        Some(_) => format!("{name}{time:.3} s"),
        None => "at rest".into(),
    };
    if let Some(skin) = &measure.skin {
        let place = &skin.worst;
        let [x, y, z] = place.position;
        let _ = writeln!(
            out,
            "worst    {}: vertex {} of {}, near joint {}, {} mm off; in A it is at {x:.3} {y:.3} {z:.3}",
            when(place.time),
            place.vertex,
            named(&place.mesh),
            named(&place.joint),
            millimetres(place.metres)
        );
    }
    if let Some(joint) = measure.joints.worst.as_ref().filter(|worst| worst.metres > 0.0) {
        let _ = writeln!(
            out,
            "joint    {}: {} is {} mm off",
            when(joint.time),
            named(&joint.joint),
            millimetres(joint.metres)
        );
    }
    if let Some(joint) = measure.joints.worst_angle.as_ref().filter(|worst| worst.degrees > 0.0) {
        let _ = writeln!(
            out,
            "angle    {}: {} is rotated {}° off",
            when(joint.time),
            named(&joint.joint),
            degrees(joint.degrees)
        );
    }
    let turned = measure.joints.each.iter().filter(|joint| joint.from_rest).count();
    if turned > 0 {
        let _ = writeln!(
            out,
            "axes     {turned} joints have other axes at rest: their rotation is compared from there"
        );
    }
    if let Some(speed) = measure.speed.as_ref().filter(|speed| speed.metres_per_second > 0.01) {
        let _ = writeln!(
            out,
            "speed    {}{:.3} to {:.3} s: {} m/s apart near joint {}",
            name,
            speed.from,
            speed.to,
            digits(speed.metres_per_second),
            named(&speed.joint)
        );
    }
}

/// Lengths, loops, and how clips were paired where that is not plain.
pub(super) fn clips(out: &mut String, found: &Comparison) {
    for clip in &found.clips {
        let name = named(&clip.a);
        let [a, b] = clip.durations;
        if (a - b).abs() > 1e-3 {
            let end = a.min(b);
            let _ = writeln!(
                out,
                "length   {name} lasts {a:.3} s in A and {b:.3} s in B: compared up to {end:.3} s"
            );
        }
        let [a, b] = clip.loop_gaps;
        if (a <= LOOPS) != (b <= LOOPS) {
            let (which, other, gap) = if a <= LOOPS { ('A', 'B', b) } else { ('B', 'A', a) };
            let _ = writeln!(
                out,
                "loop     {name} closes in {which}; in {other} its ends are {} mm apart",
                millimetres(gap)
            );
        }
        if clip.how == ClipMatch::OnlyOnes {
            let _ = writeln!(
                out,
                "pair     {name} and {} have other names, and are the only ones left",
                named(&clip.b)
            );
        }
        if clip.skin_moments < clip.moments && clip.skin_moments > 0 {
            let _ = writeln!(
                out,
                "moments  {name}: joints compared at {}, vertices at {} of them",
                clip.moments, clip.skin_moments
            );
        }
    }
}

pub(super) fn structure(out: &mut String, found: &Comparison, all: bool) {
    let structure = &found.structure;
    let lists: [(&str, &OnlyIn); 5] = [
        ("joints", &structure.joints),
        ("clips", &structure.clips),
        ("meshes", &structure.meshes),
        ("materials", &structure.materials),
        ("morph targets", &structure.morphs),
    ];
    for side in ['A', 'B'] {
        for (what, list) in lists {
            let names = if side == 'A' { &list.a } else { &list.b };
            if !names.is_empty() {
                let _ = writeln!(out, "only {side}   {what}: {}", some(names, all));
            }
        }
    }
    if !structure.reparented.is_empty() {
        let moved = structure.reparented.iter().map(|joint| {
            let [a, b] = joint.parents.each_ref().map(|name| match &name[..] {
                "" => "nothing".to_owned(),
                name => named(name),
            });
            format!("{} (under {a} in A, under {b} in B)", joint.joint)
        });
        let _ = writeln!(out, "parents  {}", some(&moved.collect::<Vec<_>>(), all));
    }
}

/// The first few names of a list.
pub(super) fn some(names: &[String], all: bool) -> String {
    let most = if all { usize::MAX } else { MAX_NAMES };
    let shown: Vec<String> = names.iter().take(most).map(|name| named(name)).collect();
    let mut text = shown.join(", ");
    if names.len() > most {
        let _ = write!(text, " and {} more", names.len() - most);
    }
    text
}
