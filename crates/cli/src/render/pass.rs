//! Images of numbers instead of colours, for training data: depth, normals, ids, joint weights.
//!
//! In:  a stage and a camera.
//! Out: EXR with 32-bit floats; PNG with 16 bits (depth in millimetres, ids, weights) or colours (normals); in films and
//! sheets colours to look at.

use std::path::Path;
use std::str::FromStr;

use sinew::film::{self, Channel};
use sinew::glam::Vec3;
use sinew::render::{Camera, Image};
use sinew::stage::{Buffers, Stage};

use super::args::Size;
use crate::fault::Fault;

/// Which numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    Depth,
    Normal,
    Id,
    /// Of this joint.
    Weights(String),
}

impl FromStr for Pass {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text.trim(), text.trim().split_once(':')) {
            ("depth", _) => Ok(Self::Depth),
            ("normal", _) => Ok(Self::Normal),
            ("id", _) => Ok(Self::Id),
            (_, Some(("weights", joint))) if !joint.is_empty() => {
                Ok(Self::Weights(joint.to_owned()))
            }
            _ => Err("expected depth, normal, id or weights:JOINT".into()),
        }
    }
}

/// Whether a file is to hold floats.
pub(crate) fn is_exr(out: &Path) -> bool {
    out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("exr"))
}

impl Pass {
    /// Says so where no member has the joint whose weights are wanted.
    pub(crate) fn check(&self, stage: &Stage) -> Result<(), Fault> {
        let Self::Weights(joint) = self else { return Ok(()) };
        let known = |scene: &sinew::Scene| {
            let number = joint.parse().is_ok_and(|index: usize| index < scene.skeleton().len());
            number || scene.skeleton().find(joint).is_some()
        };
        match stage.members.iter().any(|member| known(member.actor.scene())) {
            true => Ok(()),
            false => Err(Fault::Work(format!(
                "--pass: there is no joint \"{joint}\"; sinew info lists them"
            ))),
        }
    }

    /// The numbers of the stage as it is now.
    pub(crate) fn buffers(&self, stage: &Stage, camera: &Camera, size: Size) -> Buffers {
        let joint = if let Self::Weights(joint) = self { Some(joint.as_str()) } else { None };
        stage.buffers(camera, size.width, size.height, joint)
    }

    /// The numbers as a file: EXR, or PNG of 16 bits.
    pub(crate) fn file(&self, seen: &Buffers, exr: bool) -> Result<Vec<u8>, Fault> {
        let (width, height) = (seen.width, seen.height);
        if exr {
            return self.exr(seen);
        }
        let gray = |values: Vec<u16>| film::still_gray16(width, height, &values);
        let steps = |value: f32| (value.clamp(0.0, 1.0) * 65535.0 + 0.5) as u16;
        Ok(match self {
            // Millimetres; 0 where nothing is.
            Self::Depth => gray(seen.depth.iter().map(|metres| millimetres(*metres)).collect())?,
            Self::Id => gray(seen.ids.iter().map(|id| (*id).min(65535) as u16).collect())?,
            Self::Weights(_) => gray(seen.weights.iter().map(|weight| steps(*weight)).collect())?,
            Self::Normal => film::still(&self.image(seen))?,
        })
    }

    fn exr(&self, seen: &Buffers) -> Result<Vec<u8>, Fault> {
        let write = |channels: &[(&str, Vec<f32>)]| {
            let channels: Vec<Channel<'_>> =
                channels.iter().map(|(name, values)| Channel { name, values }).collect();
            film::exr(seen.width, seen.height, &channels)
        };
        let axis = |axis: usize| seen.normals.iter().map(|normal| normal[axis]).collect();
        Ok(match self {
            Self::Depth => write(&[("Z", seen.depth.clone())])?,
            Self::Normal => write(&[("N.X", axis(0)), ("N.Y", axis(1)), ("N.Z", axis(2))])?,
            Self::Id => write(&[("id", seen.ids.iter().map(|id| *id as f32).collect())])?,
            Self::Weights(_) => write(&[("weight", seen.weights.clone())])?,
        })
    }

    /// The numbers as colours to look at.
    pub(crate) fn image(&self, seen: &Buffers) -> Image {
        let finite = seen.depth.iter().copied().filter(|depth| depth.is_finite());
        let (near, far) = finite.fold((f32::MAX, f32::MIN), |(a, b), d| (a.min(d), b.max(d)));
        let color = |at: usize| -> [u8; 4] {
            let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
            let solid = |color: Vec3| [byte(color.x), byte(color.y), byte(color.z), 255];
            if seen.ids[at] == 0 {
                return [0, 0, 0, 255];
            }
            match self {
                Self::Depth => solid(Vec3::splat(
                    1.0 - 0.85 * (seen.depth[at] - near) / (far - near).max(1e-6),
                )),
                Self::Normal => solid(seen.normals[at] * 0.5 + 0.5),
                Self::Id => solid(hue(seen.ids[at])),
                Self::Weights(_) => solid(Vec3::splat(seen.weights[at])),
            }
        };
        let rgba = (0..seen.ids.len()).flat_map(color).collect();
        Image { width: seen.width, height: seen.height, rgba }
    }
}

fn millimetres(metres: f32) -> u16 {
    if metres.is_finite() { (metres * 1000.0 + 0.5).clamp(1.0, 65535.0) as u16 } else { 0 }
}

/// Colours far apart for numbers next to each other: steps of the golden angle around the wheel.
fn hue(id: u32) -> Vec3 {
    let turn = (id as f32 * 0.618_034).fract() * 6.0;
    let ramp = |shift: f32| ((turn + shift).rem_euclid(6.0) - 3.0).abs() - 1.0;
    Vec3::new(ramp(0.0), ramp(4.0), ramp(2.0)).clamp(Vec3::ZERO, Vec3::ONE) * 0.75 + 0.2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_passes() {
        assert_eq!("depth".parse(), Ok(Pass::Depth));
        assert_eq!("weights:hand.L".parse(), Ok(Pass::Weights("hand.L".into())));
        assert!("weights:".parse::<Pass>().is_err() && "colour".parse::<Pass>().is_err());
    }

    #[test]
    fn depth_is_written_in_millimetres_and_nothing_is_zero() {
        assert_eq!(
            [millimetres(1.5), millimetres(f32::INFINITY), millimetres(1e9)],
            [1500, 0, 65535]
        );
        assert_ne!(hue(1), hue(2));
    }
}
