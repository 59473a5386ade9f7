//! When the feet of a clip stand, for programs that want to know.
//!
//! In:  a clip of a scene with a body, and moments that rise.
//! Out: for each moment, whether the left and the right foot stand.

use sinew_scene::{Clip, Scene};

use crate::body::Body;
use crate::contact::contacts;
use crate::error::RetargetError;
use crate::posture;
use crate::record::Record;
use crate::size;
use crate::tree::Stand;

/// When each foot stands on the ground, at the given moments: `[left, right]`.
///
/// ```
/// let ossi = sinew_ossi::ossi();
/// let times: Vec<f32> = (0..60).map(|frame| frame as f32 / 60.0).collect();
/// let stands = sinew_retarget::foot_contacts(ossi.clip("walk").unwrap(), &ossi, &times)?;
/// assert!(stands.iter().any(|[left, _]| *left) && stands.iter().any(|[left, _]| !left));
/// # Ok::<(), sinew_retarget::RetargetError>(())
/// ```
///
/// # Errors
/// When the scene has no body.
pub fn foot_contacts(
    clip: &Clip,
    scene: &Scene,
    times: &[f32],
) -> Result<Vec<[bool; 2]>, RetargetError> {
    let body = Body::find(scene)?;
    let posture = posture::choose(scene, &body, Some(clip));
    let leg = size::leg(&body, &Stand::at(clip, scene, 0.0));
    let record = Record::new(clip, scene, &body, times.to_vec());
    let flat = size::source_flat(&body, &posture, &record, leg);
    let ways = size::pivots(&body).map(|joint| {
        let mut way = record.way(joint);
        way.iter_mut().for_each(|place| place.y -= flat.toes);
        way
    });
    let found = contacts(times, &ways, leg);
    let mut stands = vec![[false; 2]; times.len()];
    for (side, phases) in found.phases.into_iter().enumerate() {
        phases.into_iter().flatten().for_each(|at| stands[at][side] = true);
    }
    Ok(stands)
}
