//! Which joints of a skeleton are the parts of a body: by names, and by shape.
//!
//! In:  a scene.
//! Out: a [`Body`]; or what is missing for one.
//!
//! Limbs are found first, each by the names along it; a limb that names leave incomplete is taken from
//! the shape of the tree. The rest follows from the limbs: the hips are where the legs meet, the spine is
//! the path from there to where the arms meet, the neck goes on from there to the head.

mod fingers;
mod names;
mod shape;
mod trunk;

use std::collections::HashSet;

use sinew_scene::{Clip, JointId, Scene};

use self::names::{ARM, LEG};
use self::shape::{Lines, Shape};
use crate::body::{Body, Why};
use crate::error::RetargetError;
use crate::posture;
use crate::slot::{BodyPart, Side, Slot};
use crate::tree::{self, Stand};
use crate::vocabulary;
use crate::words::{self, Reading};

/// What the finders share.
struct Search<'a> {
    scene: &'a Scene,
    readings: Vec<Reading>,
    /// A joint of a skin, or one that a clip moves, is meant rather than a mesh or a helper of its name.
    liking: Vec<f32>,
    children: Vec<Vec<JointId>>,
}

impl Body {
    /// Finds the body in a scene's skeleton.
    ///
    /// ```
    /// use sinew_retarget::{Body, BodyPart, Side, Slot};
    /// let ossi = sinew_ossi::ossi();
    /// let body = Body::find(&ossi)?;
    /// let thigh = body.joint(Slot::of(Side::Left, BodyPart::Thigh)).unwrap();
    /// assert_eq!(ossi.skeleton().node(thigh).name, "thigh.L");
    /// # Ok::<(), sinew_retarget::RetargetError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no body with hips and two legs; says what is missing.
    pub fn find(scene: &Scene) -> Result<Self, RetargetError> {
        let search = Search::new(scene);
        let mut stands = vec![Stand::rest(scene)];
        stands.splice(0..0, Stand::bound(scene));
        // Some files rest in no pose that anybody could hold: then the clips tell the shape.
        for clip in &scene.clips {
            stands.extend(moments(clip).map(|time| Stand::at(clip, scene, time)));
            if stands.len() > 12 {
                break;
            }
        }
        let mut first = None;
        for stand in &stands {
            let mut body = search.body(stand);
            if body.lacks().is_none() {
                search.go_inward(&mut body);
                mend_sides(scene, &mut body);
                return Ok(body);
            }
            first.get_or_insert(body);
        }
        let found = first.unwrap_or_default();
        let lacking = found.lacks().unwrap_or(Slot::middle(BodyPart::Hips));
        Err(RetargetError::NoBody(missing(lacking, &found, scene)))
    }
}

/// Left is where it is when one looks along the toes, whatever the names say.
fn mend_sides(scene: &Scene, body: &mut Body) {
    let chosen = posture::choose(scene, body, scene.clips.first());
    if posture::toes_point_back(body, &chosen.stand) {
        body.swap_sides();
    }
}

/// A few times over a clip.
pub(crate) fn moments(clip: &Clip) -> impl Iterator<Item = f32> + use<> {
    let duration = clip.duration;
    (0..5).map(move |step| duration * step as f32 / 4.0)
}

fn missing(lacking: Slot, found: &Body, scene: &Scene) -> String {
    let names = scene.skeleton().nodes().iter().map(|node| format!("{:?}", node.name));
    let few: Vec<String> = names.take(5).collect();
    let more = scene.skeleton().len().saturating_sub(few.len());
    let list = match (few.len(), more) {
        (0, _) => "no joints at all".to_owned(),
        (_, 0) => few.join(", "),
        _ => format!("{} and {more} more", few.join(", ")),
    };
    format!(
        "expected a body with hips and two legs, found no {lacking} ({} parts of a body among {list}); a map file can name the joints",
        found.len()
    )
}

impl<'a> Search<'a> {
    fn new(scene: &'a Scene) -> Self {
        let skeleton = scene.skeleton();
        let readings = skeleton.nodes().iter().map(|node| words::read(&node.name)).collect();
        let children = tree::children(skeleton);
        let mut liking = vec![0.0; skeleton.len()];
        for instance in &scene.instances {
            liking[instance.joint.index()] = -0.3;
        }
        let skinned: HashSet<JointId> =
            scene.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
        let turned = scene.clips.iter().flat_map(|clip| &clip.rotations).map(|track| track.joint);
        let moved: HashSet<JointId> = turned.collect();
        for id in skeleton.ids() {
            let liked = &mut liking[id.index()];
            if skinned.contains(&id) || moved.contains(&id) {
                *liked = 0.02;
            }
            // A leaf of the same name as its parent is the mesh or the scale of it.
            if children[id.index()].is_empty() {
                *liked -= 0.01;
            }
        }
        Self { scene, readings, liking, children }
    }

    fn body(&self, stand: &Stand) -> Body {
        let mut body = Body::default();
        let shape = Shape::new(&stand.places, &self.children);
        let lines = shape.lines(self.scene.skeleton().ids());
        self.limbs(LEG, lines.legs, &mut body);
        self.limbs(ARM, lines.arms, &mut body);
        shape_follows_names(stand, &mut body);
        self.loose_feet(&mut body);
        self.trunk(&lines, stand, &mut body);
        for side in Side::BOTH {
            self.fingers(side, stand, &mut body);
        }
        body
    }

    /// Both limbs of a kind: by name where that names them whole, or else by shape, or else by what names there are.
    fn limbs(&self, parts: [BodyPart; 4], shapes: [Limb; 2], body: &mut Body) {
        let skeleton = self.scene.skeleton();
        let of = |side| names::limb(skeleton, &self.readings, &self.liking, side, parts);
        let named = Side::BOTH.map(of);
        let told = named.map(|limb| whole(parts, &limb) || self.sure(parts, &limb));
        let shaped = shapes.iter().all(|limb| whole(parts, limb));
        // A limb that names tell and the shape has not speaks against the shape.
        let denied =
            (0..2).any(|at| told[at] && shapes[at] != named[at] && shapes[1 - at] != named[at]);
        let by_name = told == [true; 2] || !shaped || denied;
        let (chosen, others) = if by_name { (named, shapes) } else { (shapes, named) };
        for (at, side) in Side::BOTH.into_iter().enumerate() {
            for ((&part, joint), other) in parts.iter().zip(chosen[at]).zip(others[at]) {
                let Some(joint) = joint else { continue };
                let why = match (by_name, other == Some(joint)) {
                    (_, true) => Why::Both,
                    (true, false) => Why::Name,
                    (false, false) => Why::Shape,
                };
                body.set(Slot::of(side, part), vec![joint], why);
            }
        }
    }

    /// A knee or an elbow by a name of its own is worth more than a foot by shape.
    fn sure(&self, parts: [BodyPart; 4], limb: &Limb) -> bool {
        let wanted = [BodyPart::Thigh, BodyPart::Shin, BodyPart::UpperArm, BodyPart::Forearm];
        let score = |joint: JointId, part| vocabulary::score(&self.readings[joint.index()], part);
        parts.iter().zip(limb).all(|(&part, joint)| {
            !wanted.contains(&part) || joint.is_some_and(|joint| score(joint, part) > 0.75)
        })
    }

    /// Feet that hang elsewhere than on their shins, as rigs with baked inverse kinematics have them.
    fn loose_feet(&self, body: &mut Body) {
        for side in Side::BOTH {
            let (foot, shin) = (Slot::of(side, BodyPart::Foot), body.on(side, BodyPart::Shin));
            if body.joint(foot).is_some() || shin.is_none() {
                continue;
            }
            let fits = |id: JointId| self.readings[id.index()].side == Some(side);
            let skeleton = self.scene.skeleton();
            let found = names::best(skeleton, &self.readings, &self.liking, BodyPart::Foot, fits);
            let below = || shin.and_then(|shin| self.children[shin.index()].first().copied());
            if let Some(found) = found {
                body.set(foot, vec![found], Why::Name);
            } else if let Some(below) = below() {
                body.set(foot, vec![below], Why::Place);
            }
        }
    }
}

impl Search<'_> {
    /// Importers write a joint that no single transform can hold as several nodes in a row, `Hip (1)` above `Hip`: the
    /// last alone turns as the joint does.
    fn go_inward(&self, body: &mut Body) {
        for slot in Slot::all() {
            let Some(why) = body.why(slot) else { continue };
            let inner = body.joints(slot).iter().map(|&joint| self.innermost(joint));
            let mut joints: Vec<JointId> = inner.collect();
            joints.dedup();
            body.set(slot, joints, why);
        }
    }

    fn innermost(&self, joint: JointId) -> JointId {
        let name = |joint: JointId| self.scene.skeleton().node(joint).name.as_str();
        let Some((whole, _)) = name(joint).rsplit_once(" (") else { return joint };
        let is_part = |&&child: &&JointId| {
            let rest = name(child).strip_prefix(whole);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("))
        };
        let part = self.children[joint.index()].iter().find(is_part);
        part.map_or(joint, |&child| self.innermost(child))
    }
}

/// The parts of a limb, from the body outward.
type Limb = [Option<JointId>; 4];

/// Whether nothing is missing that a limb cannot do without.
fn whole(parts: [BodyPart; 4], limb: &Limb) -> bool {
    parts.iter().zip(limb).all(|(part, joint)| {
        joint.is_some() || matches!(part, BodyPart::Toes | BodyPart::Clavicle | BodyPart::Hand)
    })
}

/// Where arms are known by shape alone, their left is that of the legs, and the other way round.
fn shape_follows_names(stand: &Stand, body: &mut Body) {
    let across = |part| {
        let (left, right) = (body.on(Side::Left, part)?, body.on(Side::Right, part)?);
        Some(stand.way(right, left))
    };
    let (Some(legs), Some(arms)) = (across(BodyPart::Thigh), across(BodyPart::UpperArm)) else {
        return;
    };
    let by_shape = |part| body.why(Slot::of(Side::Left, part)) == Some(Why::Shape);
    if legs.dot(arms) >= 0.0 {
        return;
    }
    let parts = match (by_shape(BodyPart::Thigh), by_shape(BodyPart::UpperArm)) {
        (_, true) => ARM,
        (true, false) => LEG,
        (false, false) => return,
    };
    for part in parts {
        let sides = Side::BOTH.map(|side| Slot::of(side, part));
        let joints = sides.map(|slot| body.joints(slot).to_vec());
        let [left, right] = joints;
        body.set(sides[0], right, Why::Shape);
        body.set(sides[1], left, Why::Shape);
    }
}

impl Lines {
    fn has(&self, joint: JointId) -> bool {
        self.hips == Some(joint)
    }
}
