//! Which format a file has: recognised by its content; the extension only decides where content cannot.

use std::fmt;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// `.gltf` and `.glb`.
    Gltf,
    /// `.dae`.
    Collada,
    /// `.fbx`, binary or text.
    Fbx,
    /// `.md5mesh`.
    Md5Mesh,
    /// `.md5anim`.
    Md5Anim,
    /// `.bvh`.
    Bvh,
    /// `.obj`.
    Obj,
    /// `.skeleton_anim`.
    SkeletonAnim,
    /// `.mesh`, the skin of a `.skeleton_anim`.
    SkeletonMesh,
    /// Made by code.
    Demo,
}

impl Format {
    /// The format's usual short name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gltf => "gltf",
            Self::Collada => "dae",
            Self::Fbx => "fbx",
            Self::Md5Mesh | Self::Md5Anim => "md5",
            Self::Bvh => "bvh",
            Self::Obj => "obj",
            Self::SkeletonAnim | Self::SkeletonMesh => "skeleton_anim",
            Self::Demo => "demo",
        }
    }

    /// The format of a file, by its content and then by the extension of its name.
    #[must_use]
    pub fn detect(bytes: &[u8], name: Option<&str>) -> Option<Self> {
        by_magic(bytes).or_else(|| by_text(bytes)).or_else(|| by_extension(name?))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn by_magic(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(b"glTF") {
        Some(Format::Gltf)
    } else if bytes.starts_with(b"Kaydara FBX Binary") {
        Some(Format::Fbx)
    } else if bytes.starts_with(b"skeleton_anim") {
        Some(Format::SkeletonAnim)
    } else if is_skeleton_mesh(bytes) {
        Some(Format::SkeletonMesh)
    } else {
        None
    }
}

/// `mesh` is too short a magic to trust alone: the counts must fit the file's length.
fn is_skeleton_mesh(bytes: &[u8]) -> bool {
    let header = match bytes.get(..4) {
        Some(b"mesh") => 4,
        Some(b"Mesh") => 36,
        _ => return false,
    };
    let Some(&[a, b, c, d]) = bytes.get(header..header + 4) else { return false };
    let vertices = usize::from(u16::from_le_bytes([a, b]));
    let indices = usize::from(u16::from_le_bytes([c, d]));
    bytes.len() == header + 4 + vertices * 36 + indices * 2
}

fn by_text(bytes: &[u8]) -> Option<Format> {
    let head = text_head(bytes);
    let start = head.trim_start();
    if start.starts_with('{') {
        return Some(Format::Gltf);
    }
    if start.starts_with('<') {
        return head.contains("<COLLADA").then_some(Format::Collada);
    }
    let first = start.split_whitespace().next().unwrap_or_default();
    if first.eq_ignore_ascii_case("MD5Version") {
        let anim = ["numFrames", "frameRate", "hierarchy"].iter().any(|word| head.contains(word));
        return Some(if anim { Format::Md5Anim } else { Format::Md5Mesh });
    }
    if first.eq_ignore_ascii_case("HIERARCHY") {
        return Some(Format::Bvh);
    }
    if start.starts_with("; FBX") || head.contains("FBXHeaderExtension") {
        return Some(Format::Fbx);
    }
    looks_like_obj(&head).then_some(Format::Obj)
}

/// The first part of the file as text, whatever its encoding.
fn text_head(bytes: &[u8]) -> String {
    const HEAD: usize = 4096;
    let head = &bytes[..bytes.len().min(HEAD)];
    let wide = |from: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = head.chunks_exact(2).map(|pair| from([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    let text = match head {
        [0xff, 0xfe, ..] | [b'<', 0, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] | [0, b'<', ..] => wide(u16::from_be_bytes),
        _ => String::from_utf8_lossy(head).into_owned(),
    };
    text.trim_start_matches('\u{feff}').to_owned()
}

fn looks_like_obj(head: &str) -> bool {
    let mut lines =
        head.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let Some(first) = lines.next().and_then(|line| line.split_whitespace().next()) else {
        return false;
    };
    matches!(
        first,
        "v" | "vn" | "vt" | "vp" | "o" | "g" | "s" | "f" | "l" | "p" | "mtllib" | "usemtl"
    )
}

fn by_extension(name: &str) -> Option<Format> {
    let (_, extension) = name.rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "gltf" | "glb" | "vrm" => Some(Format::Gltf),
        "dae" => Some(Format::Collada),
        "fbx" => Some(Format::Fbx),
        "md5mesh" => Some(Format::Md5Mesh),
        "md5anim" => Some(Format::Md5Anim),
        "bvh" => Some(Format::Bvh),
        "obj" => Some(Format::Obj),
        "skeleton_anim" => Some(Format::SkeletonAnim),
        "mesh" => Some(Format::SkeletonMesh),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_believed_before_the_extension() {
        assert_eq!(Format::detect(b"glTF\x02\0\0\0", Some("x.fbx")), Some(Format::Gltf));
        assert_eq!(Format::detect(b" HIERARCHY\nROOT a", Some("x.dae")), Some(Format::Bvh));
        assert_eq!(Format::detect(b"# made by hand\nv 0 0 0\n", None), Some(Format::Obj));
        assert_eq!(Format::detect(b"MD5Version 10\nnumFrames 3", None), Some(Format::Md5Anim));
        assert_eq!(
            Format::detect(b"MD5Version 10\nnumJoints 3\nnumMeshes 1", None),
            Some(Format::Md5Mesh)
        );
    }

    #[test]
    fn utf_16_collada_is_recognised() {
        let wide: Vec<u8> = "\u{feff}<?xml version=\"1.0\"?><COLLADA>"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(Format::detect(&wide, None), Some(Format::Collada));
    }

    #[test]
    fn the_extension_decides_where_content_cannot() {
        assert_eq!(Format::detect(b"", Some("a.b.GLB")), Some(Format::Gltf));
        assert_eq!(Format::detect(b"\x89PNG", Some("a.png")), None);
    }
}
