//! Text files made of random numbers: chains of nodes with every mode of rotating, inheriting and moving.

use std::fmt::Write;

/// Small numbers that look random and are always the same.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    /// From -1 to 1.
    pub(super) fn number(&mut self) -> f64 {
        self.below(2_000_001) as f64 / 1e6 - 1.0
    }
}

/// What a made file exercises.
#[derive(Clone, Copy, Default)]
pub(super) struct Kind {
    pub(super) pivots: bool,
    pub(super) inherit: bool,
    pub(super) jumps: bool,
    pub(super) layers: bool,
    pub(super) cycles: bool,
}

const LINEAR: u32 = 0x4;
const AUTO: u32 = 0x108;
const USER: u32 = 0x408;
/// Both handles have lengths of their own.
const WEIGHTED: u32 = 0x0300_0000;
const HOLD: u32 = 0x2;
const HOLD_NEXT: u32 = 0x102;

const SECOND: f64 = 46_186_158_000.0;

/// A chain of six nodes, each translated, rotated and scaled by random curves over three seconds.
pub(super) fn chain(seed: u64, kind: Kind) -> String {
    let mut dice = Dice(seed);
    let mut objects = String::new();
    let mut links = String::new();
    for node in 0..6_u64 {
        let id = 1000 + node;
        let above = if node == 0 { 0 } else { id - 1 };
        let _ = writeln!(links, "C: \"OO\",{id},{above}");
        let _ =
            write!(objects, "Model: {id}, \"Model::n{node}\", \"LimbNode\" {{\nProperties70: {{\n");
        let vector = |dice: &mut Dice, by: f64| {
            format!("{},{},{}", by * dice.number(), by * dice.number(), by * dice.number())
        };
        let mut put = |name: &str, value: String| {
            let _ = writeln!(objects, "P: \"{name}\", \"Vector3D\", \"Vector\", \"\",{value}");
        };
        put("Lcl Translation", vector(&mut dice, 2.0));
        put("Lcl Rotation", vector(&mut dice, 90.0));
        put("Lcl Scaling", format!("{},1,1.1", 1.0 + 0.2 * dice.number()));
        put("PreRotation", vector(&mut dice, 60.0));
        put("PostRotation", vector(&mut dice, 60.0));
        if kind.pivots {
            put("RotationPivot", vector(&mut dice, 1.0));
            put("ScalingPivot", vector(&mut dice, 1.0));
            put("ScalingOffset", vector(&mut dice, 1.0));
        }
        let order = dice.below(6);
        let _ = writeln!(objects, "P: \"RotationActive\", \"bool\", \"\", \"\",1");
        let _ = writeln!(objects, "P: \"RotationOrder\", \"enum\", \"\", \"\",{order}");
        let inherit = if kind.inherit { dice.below(3) } else { 1 };
        let _ = write!(objects, "P: \"InheritType\", \"enum\", \"\", \"\",{inherit}\n}}\n}}\n");
    }
    take(&mut dice, kind, &mut objects, &mut links);
    format!(
        "; FBX 7.4.0 project file\nFBXHeaderExtension: {{\nFBXVersion: 7400\n}}\nObjects: {{\n{objects}}}\nConnections: {{\n{links}}}\n"
    )
}

fn take(dice: &mut Dice, kind: Kind, objects: &mut String, links: &mut String) {
    let _ = write!(
        objects,
        "AnimationStack: 1, \"AnimStack::Take\", \"\" {{\nProperties70: {{\nP: \"LocalStart\", \"KTime\", \"Time\", \"\",{SECOND}\nP: \"LocalStop\", \"KTime\", \"Time\", \"\",{}\n}}\n}}\n",
        4.0 * SECOND
    );
    let layers = if kind.layers { 5 } else { 1 };
    let mut next = 10_000;
    for layer in 0..layers {
        let id = 2 + layer as u64;
        let _ = write!(
            objects,
            "AnimationLayer: {id}, \"AnimLayer::L{layer}\", \"\" {{\nProperties70: {{\nP: \"Weight\", \"Number\", \"\", \"A\",40\nP: \"BlendMode\", \"enum\", \"\", \"\",{}\nP: \"RotationAccumulationMode\", \"enum\", \"\", \"\",{}\nP: \"ScaleAccumulationMode\", \"enum\", \"\", \"\",{}\n}}\n}}\n",
            // The first replaces; the others add, override or let through what is below.
            [0, 1, 0, 2, 2][layer],
            layer / 2 % 2,
            layer / 3 % 2
        );
        let _ = writeln!(links, "C: \"OO\",{id},1");
        for node in 1000..1006 {
            for (name, middle, by) in [
                ("Lcl Translation", 0.0, 2.0),
                ("Lcl Rotation", 0.0, 200.0),
                ("Lcl Scaling", 1.0, 0.3),
            ] {
                let value = next;
                next += 1;
                let _ = write!(
                    objects,
                    "AnimationCurveNode: {value}, \"AnimCurveNode::X\", \"\" {{\nProperties70: {{\nP: \"d|X\", \"Number\", \"\", \"A\",{middle}\nP: \"d|Y\", \"Number\", \"\", \"A\",{middle}\nP: \"d|Z\", \"Number\", \"\", \"A\",{middle}\n}}\n}}\n"
                );
                let _ =
                    writeln!(links, "C: \"OO\",{value},{id}\nC: \"OP\",{value},{node}, \"{name}\"");
                for axis in ["X", "Y", "Z"] {
                    if dice.below(4) == 0 {
                        continue;
                    }
                    curve(dice, kind, next, middle, by, objects);
                    let _ = writeln!(links, "C: \"OP\",{next},{value}, \"d|{axis}\"");
                    next += 1;
                }
            }
        }
    }
}

fn curve(dice: &mut Dice, kind: Kind, id: u64, middle: f64, by: f64, objects: &mut String) {
    let keys = 2 + dice.below(6);
    let last = if kind.cycles { 2.0 } else { 3.5 };
    let mut times = String::new();
    let mut values = String::new();
    let mut flags = String::new();
    let mut slopes = String::new();
    let mut counts = String::new();
    for key in 0..keys {
        let comma = if key == 0 { "" } else { "," };
        let time =
            (0.7 + (last - 0.7) * key as f64 / (keys - 1) as f64 + 0.05 * dice.number()) * SECOND;
        let _ = write!(times, "{comma}{}", time as i64);
        let _ = write!(values, "{comma}{}", middle + by * dice.number());
        let flag = match dice.below(if kind.jumps { 6 } else { 4 }) {
            0 => LINEAR,
            1 => AUTO,
            2 => USER,
            3 => USER | WEIGHTED,
            4 => HOLD,
            _ => HOLD_NEXT,
        };
        let _ = write!(flags, "{comma}{flag}");
        // Text files keep the bits of these floats as whole numbers; weights are two shorts in
        // ten-thousandths of the distance between keys.
        let bits = |slope: f64| (slope as f32).to_bits() as i32;
        let (leave, arrive) = (bits(by * dice.number()), bits(by * dice.number()));
        let weights = (500 + dice.below(8000)) | (500 + dice.below(8000)) << 16;
        let slopes_here = match flag & USER == USER {
            true => format!("{leave},{arrive},{weights},0"),
            false => "0,0,0,0".to_owned(),
        };
        let _ = write!(slopes, "{comma}{slopes_here}");
        let _ = write!(counts, "{comma}1");
    }
    let cycle =
        if kind.cycles { "Post-Extrapolation: {\nType: R\nRepetition: -1\n}\n" } else { "" };
    let _ = write!(
        objects,
        "AnimationCurve: {id}, \"AnimCurve::\", \"\" {{\n{cycle}KeyTime: *{keys} {{\na: {times}\n}}\nKeyValueFloat: *{keys} {{\na: {values}\n}}\nKeyAttrFlags: *{keys} {{\na: {flags}\n}}\nKeyAttrDataFloat: *{} {{\na: {slopes}\n}}\nKeyAttrRefCount: *{keys} {{\na: {counts}\n}}\n}}\n",
        keys * 4
    );
}
