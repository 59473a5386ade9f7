//! `.skeleton_anim`, the layout with a tree: bones, where they stand at rest, and every frame as a change from that.
//!
//! In:  a scene and a clip of its skeleton.
//! Out: the bytes: `skeleton_anim`, names, children, rest matrices, frames; numbers of sixteen bits, matrices by columns.
//!
//! With T for where a bone rests in its parent and O for its matrix in a frame, it stands at `parent · T · O`. The format
//! has 24 frames a second, no more and no fewer: the last frame is the first at or after the clip's end, and shows the end.

use glam::{Affine3A, DAffine3, DMat3, Vec3A};
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{Clip, Scene};

use crate::ExportError;

/// What the format's readers play it at.
pub const FRAMES_PER_SECOND: f32 = 24.0;

/// A clip of a scene as a `.skeleton_anim` file.
///
/// ```
/// let ossi = sinew_ossi::ossi();
/// let bytes = sinew_export::skeleton_anim(&ossi, ossi.clip("walk").unwrap())?;
/// let back = sinew_import::read(&bytes, &sinew_import::NoFiles).unwrap();
/// assert_eq!(back.scene.clips[0].duration, 1.0);
/// # Ok::<(), sinew_export::ExportError>(())
/// ```
///
/// # Errors
/// When there are more than 65,535 nodes, frames, or bytes in a name.
pub fn skeleton_anim(scene: &Scene, clip: &Clip) -> Result<Vec<u8>, ExportError> {
    let nodes = scene.skeleton().nodes();
    let mut file = File(b"skeleton_anim".to_vec());
    file.number("nodes", nodes.len())?;
    for node in nodes {
        file.number("bytes in a name", node.name.len())?;
        file.0.extend_from_slice(node.name.as_bytes());
    }
    let mut children = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent.index()].push(index);
        }
    }
    for own in &children {
        file.number("children", own.len())?;
        own.iter().try_for_each(|&child| file.number("nodes", child))?;
    }
    let rests: Vec<DAffine3> = nodes.iter().map(|node| rest(node.parent_from_node())).collect();
    rests.iter().for_each(|rest| file.matrix(*rest));
    frames(&mut file, scene, clip, &rests)?;
    Ok(file.0)
}

fn frames(
    file: &mut File,
    scene: &Scene,
    clip: &Clip,
    rests: &[DAffine3],
) -> Result<(), ExportError> {
    // A little less, so that a clip of whole frames does not get one more for its rounding.
    let count = (clip.duration * FRAMES_PER_SECOND - 1e-3).ceil().max(0.0) as usize + 1;
    file.number("frames", count)?;
    let (mut pose, mut cursor) = (Pose::new(scene), Cursor::new());
    for frame in 0..count {
        sample(clip, frame as f32 / FRAMES_PER_SECOND, &mut cursor, &mut pose);
        for (joint, rest) in scene.skeleton().ids().zip(rests) {
            let mut local = pose.local(joint).to_affine();
            if let Some(shear) = scene.skeleton().node(joint).shear {
                local *= Affine3A { matrix3: shear, translation: Vec3A::ZERO };
            }
            file.matrix(rest.inverse() * wide(local));
        }
    }
    Ok(())
}

/// Where a bone rests; for one that is scaled to nothing, nowhere, so that its frames lead there.
fn rest(parent_from_node: Affine3A) -> DAffine3 {
    let rest = wide(parent_from_node);
    let solid = rest.matrix3.determinant().abs() > 1e-12 && rest.inverse().is_finite();
    if solid { rest } else { DAffine3::IDENTITY }
}

fn wide(matrix: Affine3A) -> DAffine3 {
    let [x, y, z] = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
    DAffine3 {
        matrix3: DMat3::from_cols(x.as_dvec3(), y.as_dvec3(), z.as_dvec3()),
        translation: matrix.translation.as_dvec3(),
    }
}

/// Bytes one after the other, little-endian.
struct File(Vec<u8>);

impl File {
    fn number(&mut self, what: &'static str, number: usize) -> Result<(), ExportError> {
        let most = usize::from(u16::MAX);
        let small = u16::try_from(number).map_err(|_| ExportError::TooMany {
            what,
            most,
            found: number,
        })?;
        self.0.extend_from_slice(&small.to_le_bytes());
        Ok(())
    }

    /// Sixteen floats, column by column.
    fn matrix(&mut self, matrix: DAffine3) {
        let columns = [
            matrix.matrix3.x_axis.extend(0.0),
            matrix.matrix3.y_axis.extend(0.0),
            matrix.matrix3.z_axis.extend(0.0),
            matrix.translation.extend(1.0),
        ];
        for number in columns.iter().flat_map(|column| column.to_array()) {
            self.0.extend_from_slice(&(number as f32).to_le_bytes());
        }
    }
}
