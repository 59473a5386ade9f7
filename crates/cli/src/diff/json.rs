//! What a comparison found, as JSON: millimetres, degrees, seconds.

use serde_json::{Value, json};
use sinew::compare::{
    ClipComparison, ClipMatch, Comparison, Measure, MeshMatch, MeshPair, OnlyIn, Structure,
};

use super::verdict::Over;

/// Everything that is known of two models.
pub(crate) fn value(names: [&str; 2], found: &Comparison, over: &[Over]) -> Value {
    json!({
        "a": names[0],
        "b": names[1],
        "within": over.is_empty(),
        "over": over.iter().map(|over| json!({ "clip": over.clip, "text": over.text })).collect::<Vec<_>>(),
        "joints": {
            "paired": found.joints.count(),
            "by_map": found.joints.mapped,
            "by_name": found.joints.by_name,
            "by_stem": found.joints.by_stem,
            "by_order": found.joints.by_order,
        },
        "meshes": found.meshes.iter().map(mesh).collect::<Vec<_>>(),
        "scale": number(found.scale),
        "rest": measure(&found.rest),
        "clips": found.clips.iter().map(clip).collect::<Vec<_>>(),
        "structure": structure(&found.structure),
    })
}

/// Two models that could not be compared.
pub(crate) fn failed(names: [&str; 2], error: &str) -> Value {
    json!({ "a": names[0], "b": names[1], "within": false, "error": error })
}

/// A number without the noise of its last digits; `null` for one that is not finite.
fn number(number: f64) -> Value {
    format!("{number:.8e}").parse::<f64>().map_or(Value::Null, Value::from)
}

fn millimetres(metres: f64) -> Value {
    number(1e3 * metres)
}

fn seconds(seconds: f32) -> Value {
    number(f64::from(seconds))
}

fn mesh(pair: &MeshPair) -> Value {
    let (how, gap) = match pair.how {
        MeshMatch::Index => ("index", Value::Null),
        MeshMatch::Nearest { gap } => ("nearest", millimetres(gap)),
    };
    json!({ "a": pair.a, "b": pair.b, "vertices": pair.vertices, "paired_by": how, "gap_mm": gap })
}

fn clip(clip: &ClipComparison) -> Value {
    let how = match clip.how {
        ClipMatch::Asked => "asked",
        ClipMatch::Name => "name",
        ClipMatch::Stem => "stem",
        ClipMatch::OnlyOnes => "only_ones",
    };
    let mut value = measure(&clip.measure);
    value["a"] = json!(clip.a);
    value["b"] = json!(clip.b);
    value["paired_by"] = json!(how);
    value["seconds"] = json!(clip.durations.map(seconds));
    value["compared_seconds"] = seconds(clip.durations[0].min(clip.durations[1]));
    value["moments"] = json!(clip.moments);
    value["skin_moments"] = json!(clip.skin_moments);
    value["loop_gap_mm"] = json!(clip.loop_gaps.map(millimetres));
    value
}

fn measure(measure: &Measure) -> Value {
    let joints = &measure.joints;
    let each = joints.each.iter().map(|joint| {
        json!({
            "a": joint.a,
            "b": joint.b,
            "mm": millimetres(joint.metres),
            "mm_at": seconds(joint.metres_at),
            "degrees": number(joint.degrees),
            "degrees_at": seconds(joint.degrees_at),
            "degrees_from_rest": joint.from_rest,
        })
    });
    json!({
        "skin": measure.skin.as_ref().map(|skin| json!({
            "worst_mm": millimetres(skin.worst.metres),
            "p99_mm": millimetres(skin.p99),
            "rms_mm": millimetres(skin.rms),
            "time": seconds(skin.worst.time),
            "mesh": skin.worst.mesh,
            "vertex": skin.worst.vertex,
            "joint": skin.worst.joint,
            "position": skin.worst.position.map(number),
        })),
        "joints": {
            "worst_mm": joints.worst.as_ref().map(|worst| millimetres(worst.metres)),
            "worst_joint": joints.worst.as_ref().map(|worst| &worst.joint),
            "worst_time": joints.worst.as_ref().map(|worst| seconds(worst.time)),
            "p99_mm": millimetres(joints.p99),
            "rms_mm": millimetres(joints.rms),
            "worst_degrees": joints.worst_angle.as_ref().map(|worst| number(worst.degrees)),
            "worst_degrees_joint": joints.worst_angle.as_ref().map(|worst| &worst.joint),
            "worst_degrees_time": joints.worst_angle.as_ref().map(|worst| seconds(worst.time)),
            "each": each.collect::<Vec<_>>(),
        },
        "root": measure.root.as_ref().map(|root| json!({
            "joint": root.joint,
            "end_mm": millimetres(root.end),
            "worst_mm": millimetres(root.worst),
            "time": seconds(root.time),
        })),
        "speed": measure.speed.as_ref().map(|speed| json!({
            "metres_per_second": number(speed.metres_per_second),
            "from": seconds(speed.from),
            "to": seconds(speed.to),
            "joint": speed.joint,
            "mesh": speed.vertex.as_ref().map(|vertex| &vertex.0),
            "vertex": speed.vertex.as_ref().map(|vertex| vertex.1),
        })),
    })
}

fn structure(structure: &Structure) -> Value {
    let only = |list: &OnlyIn| json!({ "only_a": list.a, "only_b": list.b });
    let counts = structure.counts.map(|counts| {
        json!({
            "nodes": counts.nodes,
            "clips": counts.clips,
            "meshes": counts.meshes,
            "vertices": counts.vertices,
            "materials": counts.materials,
        })
    });
    let reparented = structure
        .reparented
        .iter()
        .map(|joint| json!({ "joint": joint.joint, "a": joint.parents[0], "b": joint.parents[1] }));
    json!({
        "counts": { "a": counts[0], "b": counts[1] },
        "joints": only(&structure.joints),
        "clips": only(&structure.clips),
        "meshes": only(&structure.meshes),
        "materials": only(&structure.materials),
        "morph_targets": only(&structure.morphs),
        "reparented": reparented.collect::<Vec<_>>(),
    })
}
