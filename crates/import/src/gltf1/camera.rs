//! Cameras: the same in both versions, where they are whole.
//!
//! In:  cameras, of which some lack a number. Out: cameras with every number that 2.0 asks for.

use serde_json::{Value, json};

use super::{Old, name, note};
use crate::note::Notes;

pub(super) fn cameras(old: &Old, notes: &mut Notes) -> Vec<Value> {
    let each = old.cameras.iter().map(|(id, filed)| {
        let mut camera = read_camera(filed).unwrap_or_else(|| {
            note(notes, "cameras", id, "a camera has no lens that can be used: a plain one is");
            json!({"perspective": {"yfov": 0.8, "znear": 0.01}})
        });
        camera["name"] = json!(name(id, filed));
        camera
    });
    each.collect()
}

fn read_camera(filed: &Value) -> Option<Value> {
    let number = |lens: &Value, key: &str| lens[key].as_f64().filter(|n| *n > 0.0);
    let lens = &filed["perspective"];
    if lens.is_object() {
        let aspect = number(lens, "aspectRatio");
        // The angle across the width stands for the one across the height.
        let across = || Some(((number(lens, "xfov")? / 2.0).tan() / aspect?).atan() * 2.0);
        let yfov = number(lens, "yfov").or_else(across)?;
        let near = number(lens, "znear").unwrap_or(0.01);
        let mut made = json!({"yfov": yfov, "znear": near});
        for (key, value) in [("aspectRatio", aspect), ("zfar", number(lens, "zfar"))] {
            if let Some(value) = value {
                made[key] = json!(value);
            }
        }
        return Some(json!({"perspective": made}));
    }
    let lens = &filed["orthographic"];
    let (xmag, ymag) = (number(lens, "xmag")?, number(lens, "ymag")?);
    let (near, far) = (lens["znear"].as_f64().unwrap_or(0.0), number(lens, "zfar")?);
    Some(json!({"orthographic": {"xmag": xmag, "ymag": ymag, "znear": near, "zfar": far}}))
}
