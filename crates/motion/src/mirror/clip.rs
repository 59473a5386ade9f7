//! A whole clip, left for right.
//!
//! Key for key: the mirrored clip has the same times and interpolation, and its tangents are
//! mirrored with its values.

use sinew_scene::{Clip, Curve, Interpolation, JointId, Skeleton, Track};

use super::{Mirror, Reflection};

impl Mirror {
    /// The clip as a mirror shows it. Of the same name, so that one can take the other's place.
    #[must_use]
    pub fn clip(&self, skeleton: &Skeleton, clip: &Clip) -> Clip {
        let mut mirrored = clip.clone();
        mirrored.translations =
            self.tracks(&clip.translations, |reflection, value, tangent| match tangent {
                true => reflection.shift(value),
                false => reflection.translation(value),
            });
        mirrored.rotations =
            self.tracks(&clip.rotations, |reflection, value, _| reflection.rotation(value));
        mirrored.scales = self.tracks(&clip.scales, |reflection, value, _| reflection.scale(value));
        self.stand(skeleton, clip, &mut mirrored);
        for track in &mut mirrored.weights {
            let (width, instance) = (track.rows.width(), track.instance);
            for row in track.rows.values_mut().chunks_exact_mut(width) {
                for &(_, a, b) in self.morphs.iter().filter(|(of, ..)| *of == instance) {
                    row.swap(a, b);
                }
            }
        }
        mirrored
    }

    /// The tracks of all joints, each given to its partner; those of joints that are alone stay.
    fn tracks<V: Copy>(
        &self,
        tracks: &[Track<V>],
        mirror: impl Fn(&Reflection, V, bool) -> V,
    ) -> Vec<Track<V>> {
        let one = |track: &Track<V>| {
            let Some(joint) = self.pairs.partner(track.joint) else { return track.clone() };
            let Some((_, reflection)) = self.source(joint) else { return track.clone() };
            let mut curve = track.curve.clone();
            let cubic = curve.interpolation() == Interpolation::Cubic;
            for (index, value) in curve.values_mut().iter_mut().enumerate() {
                *value = mirror(reflection, *value, cubic && index % 3 != 1);
            }
            Track { joint, curve }
        };
        tracks.iter().map(one).collect()
    }

    /// Where the rest pose is not its own mirror image, a joint whose partner rests needs a key.
    fn stand(&self, skeleton: &Skeleton, clip: &Clip, mirrored: &mut Clip) {
        let turned = |joint: JointId| clip.rotations.iter().any(|track| track.joint == joint);
        let moved = |joint: JointId| clip.translations.iter().any(|track| track.joint == joint);
        for joint in skeleton.ids() {
            let Some((source, reflection)) = self.source(joint) else { continue };
            let rest = skeleton.node(joint).rest;
            let seen = reflection.transform(skeleton.node(source).rest);
            if !turned(source) && seen.rotation.dot(rest.rotation).abs() < 1.0 - 1e-6 {
                let curve = Curve::constant(seen.rotation);
                mirrored.rotations.push(Track { joint, curve });
            }
            if !moved(source) && !seen.translation.abs_diff_eq(rest.translation, 1e-6) {
                let curve = Curve::constant(seen.translation);
                mirrored.translations.push(Track { joint, curve });
            }
        }
    }
}
