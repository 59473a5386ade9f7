//! Animations.
//!
//! In:  animations whose samplers name parameters, which name accessors. Out: animations of 2.0.
//!
//! Converters of the time wrote an animation for each joint of one motion, without names. Those
//! that drive different things are one clip; where something is driven again, the next clip begins.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{Old, note};
use crate::note::{Notes, counted};

#[derive(Default)]
pub(super) struct Animations {
    pub(super) list: Vec<Value>,
    /// The first of the old document's animations in each.
    pub(super) from: Vec<usize>,
}

/// What a channel drives: a node, and which of its values.
type Driven = (usize, String);

pub(super) fn animations(old: &Old, notes: &mut Notes) -> Animations {
    let mut all = Animations::default();
    // What the last clip drives, as long as more may join it.
    let mut open: Option<HashSet<Driven>> = None;
    let mut joined = 0;
    for (at, (id, filed)) in old.animations.iter().enumerate() {
        let channels = read_channels(old, id, filed, notes);
        let driven: HashSet<Driven> =
            channels.iter().map(|channel| channel.driven.clone()).collect();
        let name = filed["name"].as_str().unwrap_or_default();
        let clip = match (&mut open, all.list.last_mut()) {
            (Some(known), Some(clip)) if name.is_empty() && known.is_disjoint(&driven) => {
                known.extend(driven);
                joined += 1;
                clip
            }
            _ => {
                open = name.is_empty().then_some(driven);
                let name = if name.is_empty() { id } else { name };
                all.from.push(at);
                all.list.push(json!({"name": name, "samplers": [], "channels": []}));
                let last = all.list.len() - 1;
                &mut all.list[last]
            }
        };
        add(clip, channels);
    }
    if joined > 0 {
        let text = format!(
            "{} without names drive different nodes: they are {}",
            counted(joined + all.list.len(), "animation", "animations"),
            counted(all.list.len(), "clip", "clips")
        );
        notes.add(crate::Place::part("animations"), text);
    }
    all
}

struct Channel {
    driven: Driven,
    sampler: Value,
}

fn add(clip: &mut Value, channels: Vec<Channel>) {
    for Channel { driven: (node, path), sampler } in channels {
        let Some(samplers) = clip["samplers"].as_array_mut() else { return };
        samplers.push(sampler);
        let last = samplers.len() - 1;
        let channel = json!({"sampler": last, "target": {"node": node, "path": path}});
        if let Some(channels) = clip["channels"].as_array_mut() {
            channels.push(channel);
        }
    }
}

fn read_channels(old: &Old, id: &str, filed: &Value, notes: &mut Notes) -> Vec<Channel> {
    let channels = filed["channels"].as_array().map_or(&[][..], Vec::as_slice);
    let each = channels.iter().filter_map(|channel| {
        let read = read_channel(old, filed, channel);
        if read.is_none() {
            let text =
                "a channel names a node, sampler or accessor that is not there: it is left out";
            note(notes, "animations", id, text);
        }
        read
    });
    each.collect()
}

fn read_channel(old: &Old, animation: &Value, channel: &Value) -> Option<Channel> {
    let sampler = &animation["samplers"][channel["sampler"].as_str()?];
    // A parameter, or the accessor itself.
    let accessor = |word: &Value| {
        let named = &animation["parameters"][word.as_str()?];
        old.accessors.at(named).or_else(|| old.accessors.at(word))
    };
    let target = &channel["target"];
    let node = old.nodes.at(&target["id"])?;
    let path = target["path"].as_str()?.to_owned();
    let mut made =
        json!({"input": accessor(&sampler["input"])?, "output": accessor(&sampler["output"])?});
    if let Some(interpolation) = sampler["interpolation"].as_str() {
        made["interpolation"] = json!(interpolation);
    }
    Some(Channel { driven: (node, path), sampler: made })
}
