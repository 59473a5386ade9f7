//! Small files with hand-worked numbers.

use glam::{Vec2, Vec3};
use sinew_scene::{AlphaMode, ImageData, Primitive, Topology, Wrap};

use crate::testing::survives_damage;
use crate::{ErrorKind, Format, Imported, InMemory, NoFiles, Options, read};

/// A square and a triangle that share an edge, in two objects and two materials.
const MODEL: &str = "# by hand\r
mtllib my surfaces.mtl\r
o floor\r
v 0 0 0\r
v 1 0 0 \\\r
\r
v 1 0 -1\r
v 0 0 -1\r
vt 0 0\r
vt 1 0\r
vt 1 0.75\r
vn 0 2 0\r
usemtl red brick\r
f 1/1/1 2/2/1 3/3/1 4/1/1 # a square\r
o wall\r
v 0 1 0\r
usemtl glass\r
f -5 -4 -1\r
l 1 2 3\r
p 1 5\r
";

const SURFACES: &str = "newmtl red brick
Kd 0 0 0
Ns 30
Ks 1 1 1
map_Kd -s 2 4 1 -o 0.5 0.25 -clamp on tex\\red brick.png
map_Bump -bm 0.5 C:\\gone\\bump.png
newmtl glass
Kd 0.5 1 0
Tr 0.75
Ke 1 0 0
Pm 0.25
Pr 0.125
";

fn plain() -> Options {
    Options { normals: crate::Normals::Keep, ..Options::default() }
}

fn good(text: &str) -> Imported {
    plain().read_as(Format::Obj, text.as_bytes(), &NoFiles).expect("a good file")
}

fn with_surfaces() -> Imported {
    let mut files = InMemory::default();
    files.files.insert("my surfaces.mtl".into(), SURFACES.into());
    files.files.insert("tex/red brick.png".into(), b"image".to_vec());
    plain().read(MODEL.as_bytes(), &files).expect("a good file")
}

fn only(imported: &Imported) -> &Primitive {
    assert_eq!(imported.scene.meshes.len(), 1);
    assert_eq!(imported.scene.meshes[0].primitives.len(), 1);
    &imported.scene.meshes[0].primitives[0]
}

/// The normals of the vertices at a point.
fn normals_at(primitive: &Primitive, point: Vec3) -> Vec<Vec3> {
    let all = primitive.positions.iter().zip(&primitive.normals);
    all.filter(|(position, _)| **position == point).map(|(_, normal)| *normal).collect()
}

#[test]
fn objects_become_meshes_and_materials_primitives() {
    let imported = with_surfaces();
    assert_eq!(imported.format, Format::Obj);
    let scene = &imported.scene;
    let names: Vec<_> = scene.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    assert_eq!(names, ["floor", "wall"]);
    let floor = &scene.meshes[0].primitives[0];
    assert_eq!(floor.positions.len(), 4);
    assert_eq!(floor.indices, [0, 1, 2, 0, 2, 3]);
    assert_eq!(floor.normals, [Vec3::Y; 4]);
    assert_eq!(floor.uvs[0][2], Vec2::new(1.0, 0.25));
    let wall = &scene.meshes[1].primitives;
    let kinds: Vec<_> = wall.iter().map(|primitive| primitive.topology).collect();
    assert_eq!(kinds, [Topology::Triangles, Topology::Lines, Topology::Points]);
    assert_eq!(wall[0].positions, [Vec3::ZERO, Vec3::X, Vec3::Y]);
    assert_eq!(wall[1].indices, [0, 1, 1, 2]);
    assert!(wall[0].uvs.is_empty() && wall[0].normals.is_empty());
}

#[test]
fn surfaces_become_materials() {
    let imported = with_surfaces();
    let [brick, glass] = &imported.scene.materials[..] else { panic!("two materials") };
    assert_eq!((brick.name.as_str(), glass.name.as_str()), ("red brick", "glass"));
    // Black beside an image means the image. Two of thirty-two is a sixteenth, its fourth root ½.
    assert_eq!(brick.base_color.to_array(), [1.0; 4]);
    assert_eq!((brick.roughness, brick.metallic), (0.5, 0.0));
    let used = brick.base_color_texture.expect("an image");
    // Two of the coordinate and a half; four of it and a quarter, seen from the top.
    assert_eq!(used.transform.scale, Vec2::new(2.0, 4.0));
    assert_eq!(used.transform.offset, Vec2::new(0.5, 1.0 - 4.0 - 0.25));
    assert_eq!(imported.scene.textures[used.texture.index()].sampler.wrap_u, Wrap::Clamp);
    assert_eq!(imported.scene.images[0].name, "tex/red brick.png");
    assert_eq!(brick.normal_scale, 0.5);
    assert_eq!(imported.scene.images[1].data, ImageData::Missing);
    assert_eq!(imported.notes.len(), 1, "{:?}", imported.notes);
    // sRGB ½ is 0.21404 of the light.
    assert!((glass.base_color.x - 0.214_041_14).abs() < 1e-6, "{}", glass.base_color);
    assert_eq!((glass.base_color.y, glass.base_color.w), (1.0, 0.25));
    assert_eq!((glass.alpha_mode, glass.emissive), (AlphaMode::Blend, Vec3::X));
    assert_eq!((glass.metallic, glass.roughness), (0.25, 0.125));
}

#[test]
fn a_image_of_two_materials_is_fetched_once() {
    let mut files = InMemory::default();
    let surfaces = "newmtl a\nmap_Kd x.png\nnewmtl b\nmap_Kd ./x.png\n";
    files.files.insert("m.mtl".into(), surfaces.into());
    files.files.insert("x.png".into(), b"image".to_vec());
    let text = "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n";
    let imported = read(text.as_bytes(), &files).expect("a good file");
    let scene = &imported.scene;
    assert_eq!((scene.materials.len(), scene.textures.len(), scene.images.len()), (2, 1, 1));
}

#[test]
fn what_is_not_beside_the_model_is_reported() {
    let imported = good(MODEL);
    let notes: Vec<_> = imported.notes.iter().map(|note| note.to_string()).collect();
    assert_eq!(
        notes,
        [
            "a material is in no library: a plain one is used (2 times, first in usemtl red brick)",
            "not found: \"my surfaces.mtl\"; looked for in the files that came with the model, \
             as named and by base name",
        ]
    );
}

/// A roof: two faces that meet at a right angle in the edge from (0,0,0) to (0,0,1).
fn roof(first: &str, second: &str) -> String {
    format!(
        "v 0 0 0\nv 0 0 1\nv 1 -1 1\nv 1 -1 0\nv -1 -1 0\nv -1 -1 1\n\
         {first}\nf 1 2 3 4\n{second}\nf 2 1 5 6\n"
    )
}

#[test]
fn faces_of_one_smoothing_group_share_their_normals() {
    let imported = good(&roof("s 1", "s 1"));
    let primitive = only(&imported);
    assert_eq!(primitive.positions.len(), 6);
    let ridge = normals_at(primitive, Vec3::ZERO);
    assert!(ridge.len() == 1 && ridge[0].abs_diff_eq(Vec3::Y, 1e-6), "{ridge:?}");
}

#[test]
fn faces_of_two_smoothing_groups_do_not() {
    for (first, second) in [("s 1", "s 2"), ("s off", ""), ("s 0", "s 0")] {
        let imported = good(&roof(first, second));
        let primitive = only(&imported);
        assert_eq!(primitive.positions.len(), 8, "{first}");
        let ridge = normals_at(primitive, Vec3::ZERO);
        let half = 0.5_f32.sqrt();
        assert!(ridge[0].abs_diff_eq(Vec3::new(half, half, 0.0), 1e-6), "{ridge:?}");
        assert!(ridge[1].abs_diff_eq(Vec3::new(-half, half, 0.0), 1e-6), "{ridge:?}");
    }
}

#[test]
fn without_smoothing_groups_normals_are_left_to_be_made() {
    let imported = good(&roof("", ""));
    let primitive = only(&imported);
    assert_eq!((primitive.positions.len(), primitive.normals.len()), (6, 0));
}

#[test]
fn a_polygon_that_is_not_convex_stays_inside_itself() {
    // An arrow head: the corner at (0, 1) points inwards.
    let imported = good("v -2 0 0\nv 0 1 0\nv 2 0 0\nv 0 4 0\nf 1 2 3 4\n");
    let primitive = only(&imported);
    let area: f32 = primitive
        .indices
        .chunks_exact(3)
        .map(|t| {
            let [a, b, c] = [t[0], t[1], t[2]].map(|at| primitive.positions[at as usize]);
            (b - a).cross(c - a).z / 2.0
        })
        .inspect(|area| assert!(*area > 0.0, "a triangle is reversed"))
        .sum();
    assert_eq!(area, 6.0);
}

#[test]
fn vertex_colours_are_read_and_made_linear() {
    let imported = good("v 0 0 0 1 0 0\nv 1 0 0 0.5 1 1\nv 0 1 0\nf 1 2 3\n");
    let colors = &only(&imported).colors[0];
    assert_eq!(colors[0].to_array(), [1.0, 0.0, 0.0, 1.0]);
    assert!((colors[1].x - 0.214_041_14).abs() < 1e-6);
    assert_eq!(colors[2].to_array(), [1.0; 4]);
}

#[test]
fn groups_part_an_object_and_a_name_that_comes_back_is_the_same_group() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\ng 左\nf 1 2 3\ng b\nf 1 2 3\ng 左\nf 1 3 2\n";
    let imported = good(text);
    let names: Vec<_> = imported.scene.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    assert_eq!(names, ["左", "b"]);
    assert_eq!(imported.scene.meshes[0].primitives[0].indices.len(), 6);
}

#[test]
fn a_face_may_speak_of_vertices_that_come_later() {
    let imported = good("o a\nf 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
    assert_eq!(only(&imported).positions.len(), 3);
}

#[test]
fn a_vertex_that_is_not_there_is_refused_with_its_line() {
    for (face, found) in [
        ("f 1 2 4", "4"),
        ("f 1 2 0", "0 or one before the first"),
        ("f 1 2 -4", "0 or one before the first"),
    ] {
        let text = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{face}\n");
        let error = read(text.as_bytes(), &NoFiles).expect_err("a bad face");
        assert_eq!(error.kind, ErrorKind::OutOfRange);
        let expected =
            format!("expected a vertex from 1 to 3 (or -1 to -3), found {found} (line 4)");
        assert_eq!(error.to_string(), expected);
    }
    let error = read(b"v 0 0 0\nv 1 x 0\n", &NoFiles).expect_err("a bad number");
    assert_eq!(error.to_string(), "expected 3 numbers, found 1 and \"x\" (line 2)");
}

#[test]
fn trouble_that_can_be_mended_is_reported() {
    let imported = good("v 0 0 nan\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/9\nf 1 2\ncurv 1 2\n");
    let notes: Vec<_> = imported.notes.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(
        notes,
        [
            "1 number is not finite: taken as zero",
            "1 statement is left out, such as \"curv\"",
            "1 face or line with too few corners: left out",
            "1 texture coordinate named by faces and not there",
        ]
    );
}

#[test]
fn damaged_files_are_survived() {
    let mut files = InMemory::default();
    files.files.insert("my surfaces.mtl".into(), SURFACES.into());
    survives_damage(Format::Obj, MODEL.as_bytes(), &files);
    survives_damage(Format::Obj, roof("s 1", "s 2").as_bytes(), &NoFiles);
    for end in 0..SURFACES.len() {
        files.files.insert("my surfaces.mtl".into(), SURFACES.as_bytes()[..end].to_vec());
        let _ = read(MODEL.as_bytes(), &files);
    }
}

/// The square keeps three corners, the triangle only two, which are no face.
#[test]
fn corners_without_a_vertex_are_left_out_with_a_note() {
    let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nf 1/1 2/1 3/1 /1\nf 1 2 //1\n";
    let imported = good(text);
    assert_eq!(only(&imported).indices, [0, 1, 2]);
    let notes: Vec<String> = imported.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "2 corners have no vertex: left out (line 5)",
            "1 face or line with too few corners: left out"
        ]
    );
}
