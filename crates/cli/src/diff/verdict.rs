//! Whether a comparison is within the limits, and what is over.

use sinew::compare::{Comparison, Measure};

use super::args::{Diff, JointLimit, Structural};
use super::text::{degrees, millimetres};
use crate::fault::Fault;
use crate::glob;

/// Metres at the skin where nobody said.
const DEFAULT_MAX: f64 = 1e-4;

/// What is allowed.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Metres at the skin, or at the joints where there is none.
    pub(crate) max: Option<f64>,
    degrees: Option<f64>,
    joints: Vec<JointLimit>,
    structure: Structural,
    /// Seconds that two clips may differ in length.
    seconds: f64,
}

/// Something that is over a limit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Over {
    /// The clip of A; `None` for the rest pose and the structure.
    pub(crate) clip: Option<String>,
    /// What is over, and by how much.
    pub(crate) text: String,
}

impl Limits {
    pub(crate) fn new(args: &Diff) -> Self {
        let asked = args.max.is_some() || args.max_angle.is_some() || !args.max_joint.is_empty();
        Self {
            max: if asked { args.max } else { Some(DEFAULT_MAX) },
            degrees: args.max_angle,
            joints: args.max_joint.clone(),
            structure: args.structure,
            seconds: 1.0 / args.rate,
        }
    }

    /// Everything that is over. The rest pose counts where no clips are compared.
    pub(crate) fn over(&self, found: &Comparison) -> Vec<Over> {
        let mut over = Vec::new();
        self.structure(found, &mut over);
        for clip in &found.clips {
            let mut add = |text| over.push(Over { clip: Some(clip.a.clone()), text });
            let [a, b] = clip.durations.map(f64::from);
            if self.structure != Structural::None && (a - b).abs() > self.seconds + 1e-6 {
                add(format!("lasts {b:.3} s, not {a:.3} s"));
            }
            self.measure(&clip.measure, &mut add);
        }
        if found.clips.is_empty() {
            self.measure(&found.rest, &mut |text| over.push(Over { clip: None, text }));
        }
        over
    }

    fn measure(&self, measure: &Measure, add: &mut impl FnMut(String)) {
        let joints = &measure.joints;
        if let Some(max) = self.max {
            match (&measure.skin, &joints.worst) {
                (Some(skin), _) if skin.worst.metres > max => add(format!(
                    "skin is {} mm off, and {} mm is the limit",
                    millimetres(skin.worst.metres),
                    millimetres(max)
                )),
                (None, Some(worst)) if worst.metres > max => {
                    add(beyond(&worst.joint, worst.metres, max));
                }
                _ => {}
            }
        }
        if let (Some(max), Some(worst)) = (self.degrees, &joints.worst_angle)
            && worst.degrees > max
        {
            add(format!(
                "joint {} is rotated {}° off, and {}° is the limit",
                worst.joint,
                degrees(worst.degrees),
                degrees(max)
            ));
        }
        for limit in &self.joints {
            let named = joints.each.iter().filter(|joint| glob::fits(&limit.joints, &joint.a));
            let worst = named.max_by(|a, b| a.metres.total_cmp(&b.metres));
            if let Some(worst) = worst.filter(|worst| worst.metres > limit.most) {
                add(beyond(&worst.a, worst.metres, limit.most));
            }
        }
    }

    fn structure(&self, found: &Comparison, over: &mut Vec<Over>) {
        let structure = &found.structure;
        let mut add = |what: &str, names: &[String], which: &str| {
            if !names.is_empty() {
                let text = format!("{} {which}: {}", what, names.join(", "));
                over.push(Over { clip: None, text });
            }
        };
        let lists = [
            ("clips", &structure.clips),
            ("meshes", &structure.meshes),
            ("joints", &structure.joints),
            ("materials", &structure.materials),
            ("morph targets", &structure.morphs),
        ];
        let lost = match self.structure {
            Structural::None => 0,
            Structural::Lost => 2,
            Structural::Any => lists.len(),
        };
        for (what, list) in &lists[..lost] {
            add(what, &list.a, "are in A alone");
            if self.structure == Structural::Any {
                add(what, &list.b, "are in B alone");
            }
        }
        if self.structure == Structural::Any {
            let joints: Vec<_> =
                structure.reparented.iter().map(|joint| joint.joint.clone()).collect();
            add("joints", &joints, "have another parent");
        }
    }

    /// Limits on joints that there are none of are mistakes.
    pub(crate) fn check(&self, found: &Comparison) -> Result<(), Fault> {
        for limit in &self.joints {
            let each = &found.rest.joints.each;
            if !each.iter().any(|joint| glob::fits(&limit.joints, &joint.a)) {
                return Err(Fault::Usage(format!(
                    "--max-joint: no joint that both have is called \"{}\"; sinew info lists them",
                    limit.joints
                )));
            }
        }
        Ok(())
    }
}

fn beyond(joint: &str, metres: f64, max: f64) -> String {
    format!(
        "joint {joint} is {} mm off, and {} mm is the limit",
        millimetres(metres),
        millimetres(max)
    )
}
