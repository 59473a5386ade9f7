//! A joint map's text, read back after a person may have changed it; what is wrong is reported with its line.

use std::ops::Range;

use sinew_scene::{JointId, Scene, Skeleton};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::body::{Body, Why};
use crate::error::RetargetError;
use crate::map::JointMap;
use crate::slot::{BodyPart, Side, Slot};
use crate::tree;

impl JointMap {
    /// Reads a map that a person may have changed.
    ///
    /// # Errors
    /// With the line: what is no TOML, an unknown part or joint, a joint used twice, or one that does not
    /// hang below what it must; and a map without hips or legs.
    pub fn from_text(text: &str, from: &Scene, to: &Scene) -> Result<Self, RetargetError> {
        let table = DeTable::parse(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            wrong(text, &span, error.message().replace('\n', " "))
        })?;
        let mut map = Self { from: Body::default(), to: Body::default() };
        let mut lines = Vec::new();
        // In the order of the file, so that what is reported first is wrong first.
        let mut entries: Vec<_> = table.get_ref().iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            let Some(slot) = Slot::named(key.get_ref()) else {
                let message = format!(
                    "there is no part \"{}\" of a body: expected hips, spine, left_thigh or the like",
                    key.get_ref()
                );
                return Err(wrong(text, &key.span(), message));
            };
            let DeValue::Table(sides) = value.get_ref() else {
                let message = format!("expected {slot} = {{ from = …, to = … }}");
                return Err(wrong(text, &value.span(), message));
            };
            for (word, value) in sides {
                let (scene, body) = match word.get_ref().as_ref() {
                    "from" => (from, &mut map.from),
                    "to" => (to, &mut map.to),
                    other => {
                        let message = format!("expected \"from\" or \"to\", found \"{other}\"");
                        return Err(wrong(text, &word.span(), message));
                    }
                };
                let joints = read_joints(text, slot, value, scene)?;
                check_new(text, slot, &joints, &value.span(), body, scene.skeleton())?;
                body.set(slot, joints, Why::Given);
            }
            lines.push((slot, key.span()));
        }
        for (body, scene, whose) in [(&map.from, from, "from"), (&map.to, to, "to")] {
            check_order(text, body, scene.skeleton(), &lines)?;
            if let Some(slot) = body.lacks() {
                let message = format!(
                    "the map names no {slot} for \"{whose}\": hips and both legs are needed"
                );
                return Err(wrong(text, &(0..0), message));
            }
        }
        Ok(map)
    }
}

fn wrong(text: &str, span: &Range<usize>, message: String) -> RetargetError {
    let upto = text.as_bytes().get(..span.start).unwrap_or_default();
    RetargetError::Map { line: upto.iter().filter(|&&byte| byte == b'\n').count() + 1, message }
}

fn read_joints(
    text: &str,
    slot: Slot,
    value: &Spanned<DeValue<'_>>,
    scene: &Scene,
) -> Result<Vec<JointId>, RetargetError> {
    let one = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
        DeValue::String(name) => joint(name, scene.skeleton())
            .map_err(|message| wrong(text, &value.span(), format!("{slot}: {message}"))),
        _ => Err(wrong(text, &value.span(), format!("{slot}: expected a joint's name in quotes"))),
    };
    match value.get_ref() {
        DeValue::Array(list) if slot.part.is_chain() => list.iter().map(one).collect(),
        DeValue::Array(_) => Err(wrong(
            text,
            &value.span(),
            format!("{slot} is one joint: expected a name, found a list"),
        )),
        _ => one(value).map(|joint| vec![joint]),
    }
}

/// The joint of this name, or of `name#number`.
fn joint(name: &str, skeleton: &Skeleton) -> Result<JointId, String> {
    let with: Vec<JointId> = skeleton.ids().filter(|&id| skeleton.node(id).name == name).collect();
    match with[..] {
        [one] => return Ok(one),
        [] => {}
        _ if name.is_empty() => {}
        [first, ..] => {
            return Err(format!(
                "{} joints are called \"{name}\": expected one with its number, such as \"{name}#{}\"",
                with.len(),
                first.index()
            ));
        }
    }
    let numbered = name.rsplit_once('#').and_then(|(name, number)| {
        let at: usize = number.parse().ok()?;
        (skeleton.nodes().get(at)?.name == name).then(|| JointId::new(at))
    });
    numbered.ok_or_else(|| match nearest(name, skeleton) {
        Some(near) => format!("there is no joint \"{name}\"; the nearest is \"{near}\""),
        None => format!("there is no joint \"{name}\""),
    })
}

/// A name that differs in case and signs alone, or that holds the one that was written.
fn nearest<'a>(name: &str, skeleton: &'a Skeleton) -> Option<&'a str> {
    let plain = |name: &str| {
        name.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    let wanted = plain(name);
    let all = || skeleton.nodes().iter().map(|node| &node.name[..]).filter(|name| !name.is_empty());
    let same = all().find(|name| plain(name) == wanted);
    let holds =
        || all().find(|name| plain(name).contains(&wanted) || wanted.contains(&plain(name)));
    same.or_else(|| if wanted.len() < 3 { None } else { holds() })
}

/// No joint is two parts, and chains go outward.
fn check_new(
    text: &str,
    slot: Slot,
    joints: &[JointId],
    span: &Range<usize>,
    body: &Body,
    skeleton: &Skeleton,
) -> Result<(), RetargetError> {
    for (at, &joint) in joints.iter().enumerate() {
        let name = &skeleton.node(joint).name;
        if let Some(known) = body.slots().find(|&known| body.joints(known).contains(&joint)) {
            return Err(wrong(text, span, format!("{slot}: joint \"{name}\" is {known} already")));
        }
        if joints[..at].contains(&joint) {
            return Err(wrong(
                text,
                span,
                format!("{slot}: joint \"{name}\" is in the list twice"),
            ));
        }
        let before = at.checked_sub(1).map(|at| joints[at]);
        if let Some(before) = before.filter(|&before| !tree::is_below(skeleton, joint, before)) {
            let message = format!(
                "{slot}: joint \"{name}\" does not hang below \"{}\": expected a chain from the body outward",
                skeleton.node(before).name
            );
            return Err(wrong(text, span, message));
        }
    }
    Ok(())
}

/// Along a limb, each part hangs below the one before; feet may hang elsewhere.
fn check_order(
    text: &str,
    body: &Body,
    skeleton: &Skeleton,
    lines: &[(Slot, Range<usize>)],
) -> Result<(), RetargetError> {
    let arm = [BodyPart::Clavicle, BodyPart::UpperArm, BodyPart::Forearm, BodyPart::Hand];
    let leg = [BodyPart::Thigh, BodyPart::Shin];
    let hips = Slot::middle(BodyPart::Hips);
    let mut orders: Vec<Vec<Slot>> =
        vec![vec![hips, Slot::middle(BodyPart::Spine), Slot::middle(BodyPart::Head)]];
    for side in Side::BOTH {
        for parts in [&arm[..], &leg[..]] {
            let limb = parts.iter().map(|&part| Slot::of(side, part));
            orders.push(std::iter::once(hips).chain(limb).collect());
        }
        for finger in BodyPart::FINGERS {
            orders.push(vec![Slot::of(side, BodyPart::Hand), Slot::of(side, finger)]);
        }
    }
    for order in orders {
        let held: Vec<Slot> =
            order.into_iter().filter(|&slot| body.joint(slot).is_some()).collect();
        for two in held.windows(2) {
            let (above, below) = (body.joints(two[0]), body.joints(two[1]));
            let (Some(&above), Some(&below)) = (above.first(), below.first()) else { continue };
            if !tree::is_below(skeleton, below, above) {
                let span = lines
                    .iter()
                    .find(|(slot, _)| *slot == two[1])
                    .map_or(0..0, |line| line.1.clone());
                let message = format!(
                    "{} is \"{}\", which does not hang below {} \"{}\"",
                    two[1],
                    skeleton.node(below).name,
                    two[0],
                    skeleton.node(above).name
                );
                return Err(wrong(text, &span, message));
            }
        }
    }
    Ok(())
}
