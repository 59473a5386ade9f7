//! `info` for people: short lists in full, long ones cut with a count (`-v` shows all).

use std::io::{self, Write};

use super::facts::{Facts, Node};
use crate::args::Talk;

pub(crate) fn write(out: &mut Vec<u8>, facts: &Facts, talk: Talk) -> io::Result<()> {
    let most = if talk >= Talk::Verbose { usize::MAX } else { 12 };
    summary(out, facts)?;
    let tree: Vec<String> = tree(&facts.nodes);
    list(out, "Nodes", tree, if most > 12 { most } else { 40 })?;
    list(out, "Skins", facts.skins.iter().map(skin), most)?;
    list(out, "Clips", facts.clips.iter().enumerate().map(clip), most)?;
    list(out, "Meshes", facts.meshes.iter().map(mesh), most)?;
    list(out, "Materials", facts.materials.iter().map(material), most)?;
    list(out, "Variants", facts.variants.iter().cloned(), most)?;
    list(out, "Images", facts.images.iter().map(image), most)?;
    list(out, "Notes", facts.notes.iter().cloned(), most)
}

fn summary(out: &mut Vec<u8>, facts: &Facts) -> io::Result<()> {
    let size = facts.bytes.map_or(String::new(), |bytes| format!(", {}", bytes_text(bytes)));
    writeln!(out, "{}: {}{size}", facts.file, facts.format)?;
    let joints = facts.nodes.iter().filter(|node| node.joint).count();
    let vertices: usize = facts.meshes.iter().map(|mesh| mesh.vertices).sum();
    let triangles: usize = facts.meshes.iter().map(|mesh| mesh.triangles).sum();
    writeln!(
        out,
        "  {} ({}), {} ({}, {}), {}, {}, {}",
        count(facts.nodes.len(), "node"),
        count(joints, "joint"),
        count(facts.meshes.len(), "mesh"),
        count(vertices, "vertex"),
        count(triangles, "triangle"),
        count(facts.clips.len(), "clip"),
        count(facts.lights, "light"),
        count(facts.cameras, "camera"),
    )?;
    if let Some(bounds) = &facts.bounds {
        let [w, h, d] = [0, 1, 2].map(|axis| bounds.max[axis] - bounds.min[axis]);
        let [x, y, z] = bounds.min;
        writeln!(out, "  {w:.3} × {h:.3} × {d:.3} m at rest, from ({x:.3}, {y:.3}, {z:.3})")?;
    }
    if !facts.extensions.is_empty() {
        writeln!(out, "  extensions: {}", facts.extensions.join(", "))?;
    }
    Ok(())
}

fn list(
    out: &mut Vec<u8>,
    title: &str,
    items: impl IntoIterator<Item = String>,
    most: usize,
) -> io::Result<()> {
    let items: Vec<String> = items.into_iter().collect();
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title} ({})", thousands(items.len() as u64))?;
    for item in items.iter().take(most) {
        writeln!(out, "  {item}")?;
    }
    match items.len().saturating_sub(most) {
        0 => Ok(()),
        more => writeln!(out, "  … and {} more (-v shows all)", thousands(more as u64)),
    }
}

/// One line a node, indented by depth; `*` markers joints. Children follow their parent.
fn tree(nodes: &[Node]) -> Vec<String> {
    let mut children = vec![Vec::new(); nodes.len()];
    let mut waiting: Vec<(usize, usize)> = Vec::new();
    for (index, node) in nodes.iter().enumerate().rev() {
        match node.parent {
            Some(parent) => children[parent].push(index),
            None => waiting.push((index, 0)),
        }
    }
    let mut lines = Vec::with_capacity(nodes.len());
    while let Some((index, depth)) = waiting.pop() {
        lines.push(branch(&nodes[index], depth));
        waiting.extend(children[index].iter().map(|child| (*child, depth + 1)));
    }
    lines
}

fn branch(node: &Node, depth: usize) -> String {
    // A very deep chain stays on the screen.
    let indent = "  ".repeat(depth.min(24));
    let marker = if node.joint { "* " } else { "" };
    let meshes: Vec<_> =
        node.meshes.iter().map(|mesh| format!(" [mesh {}]", named(mesh))).collect();
    format!("{indent}{marker}{}{}", named(&node.name), meshes.concat())
}

fn skin(skin: &super::facts::Skin) -> String {
    let method = match skin.method.as_str() {
        "Linear" => "",
        "DualQuaternion" => ", dual quaternions",
        _ => ", linear and dual quaternions blended",
    };
    let (name, joints) = (named(&skin.name), count(skin.joints, "joint"));
    format!("{name}: {joints}, up to {} a vertex{method}", count(skin.influences, "influence"))
}

fn clip((index, clip): (usize, &super::facts::Clip)) -> String {
    let start = match clip.start {
        0.0 => String::new(),
        start => format!(", starts at {start:.3} s"),
    };
    format!(
        "{index}: {}, {:.3} s{start}, {}, {}",
        named(&clip.name),
        clip.seconds,
        count(clip.tracks, "track"),
        count(clip.keys, "key")
    )
}

fn mesh(mesh: &super::facts::Shape) -> String {
    let morphs = match mesh.morphs.len() {
        0 => String::new(),
        morphs => format!(", {}", count(morphs, "morph target")),
    };
    format!(
        "{}: {}, {} in {} ({}){morphs}",
        named(&mesh.name),
        count(mesh.vertices, "vertex"),
        count(mesh.triangles, "triangle"),
        count(mesh.primitives, "primitive"),
        mesh.attributes.join(", ")
    )
}

fn material(material: &super::facts::Material) -> String {
    let [r, g, b, _] = material.base_color;
    let (name, textures) = (named(&material.name), count(material.textures, "texture"));
    format!("{name}: colour ({r:.2}, {g:.2}, {b:.2}), {textures}, {}", material.alpha)
}

fn image(image: &super::facts::Image) -> String {
    let size = image.size.map_or(String::new(), |(width, height)| format!(", {width} × {height}"));
    format!("{}: {}{size}, {}", named(&image.name), image.kind, bytes_text(image.bytes as u64))
}

pub(crate) fn named(name: &str) -> String {
    if name.is_empty() {
        return "(no name)".into();
    }
    // A name from a file must not move the cursor or colour the terminal.
    name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

pub(crate) fn bytes_text(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..10_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// `1 mesh`, `2 meshes`, `1,525 vertices`.
pub(crate) fn count(number: usize, one: &str) -> String {
    let number_text = thousands(number as u64);
    match (number, one) {
        (1, _) => format!("1 {one}"),
        (_, "vertex") => format!("{number_text} vertices"),
        (_, one) if one.ends_with("sh") => format!("{number_text} {one}es"),
        _ => format!("{number_text} {one}s"),
    }
}

/// A number with a comma after every three digits.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_have_commas() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }

    #[test]
    fn children_follow_their_parent_in_file_order() {
        let node = |name: &str, parent| Node {
            name: name.into(),
            parent,
            joint: name == "b",
            meshes: Vec::new(),
        };
        let nodes = [node("a", None), node("z", None), node("b", Some(0)), node("c", Some(0))];
        assert_eq!(tree(&nodes), ["a", "  * b", "  c", "z"]);
    }

    #[test]
    fn a_name_cannot_speak_to_the_terminal() {
        assert_eq!(named("\u{1b}[31mred"), "\u{fffd}[31mred");
    }
}
