//! Materials, textures, lights and cameras.

use glam::Vec2;
use sinew_scene::{AlphaMode, Image, ImageData, LightKind, Material, Projection, Wrap};

use super::*;

fn effect(inside: &str) -> String {
    let part = "<triangles material=\"symbol\"><input semantic=\"VERTEX\" source=\"#g-v\" offset=\"0\"/>\
        <input semantic=\"TEXCOORD\" source=\"#g-p\" offset=\"0\" set=\"3\"/>\
        <input semantic=\"TEXCOORD\" source=\"#g-p\" offset=\"0\" set=\"5\"/><p>0 1 2</p></triangles>";
    format!(
        "<library_images><image id=\"i\"><init_from>file:///C:/art/my%20skin.png</init_from></image>\
         </library_images><library_materials><material id=\"m\" name=\"paint\"><instance_effect url=\"#e\"/>\
         </material></library_materials><library_effects><effect id=\"e\"><profile_COMMON>\
         <newparam sid=\"surf\"><surface type=\"2D\"><init_from>i</init_from></surface></newparam>\
         <newparam sid=\"samp\"><sampler2D><source>surf</source><wrap_s>MIRROR</wrap_s>\
         <wrap_t>CLAMP</wrap_t></sampler2D></newparam>\
         <technique sid=\"common\">{inside}</technique></profile_COMMON></effect></library_effects>\
         <library_geometries>{}</library_geometries>{}",
        geometry("g", "0 0 0 1 0 0 0 1 0", part),
        shown(
            "<node><instance_geometry url=\"#g\"><bind_material><technique_common>\
             <instance_material symbol=\"symbol\" target=\"#m\"><bind_vertex_input semantic=\"UV\" \
             input_semantic=\"TEXCOORD\" input_set=\"5\"/></instance_material></technique_common>\
             </bind_material></instance_geometry></node>"
        )
    )
}

fn material(inside: &str) -> Material {
    let imported = open(&effect(inside));
    assert!(imported.scene.meshes[0].primitives[0].material.is_some());
    imported.scene.materials[0].clone()
}

#[test]
fn phong_is_rough_by_its_exponent_and_colours_become_linear() {
    let found = material(
        "<phong><emission><color>0 0 1 1</color></emission><diffuse><color>0.5 0 1 1</color></diffuse>\
         <specular><color>1 1 1 1</color></specular><shininess><float>30</float></shininess></phong>",
    );
    assert_eq!(
        (found.name.as_str(), found.metallic, found.alpha_mode),
        ("paint", 0.0, AlphaMode::Opaque)
    );
    assert!((found.roughness - 0.25).abs() < 1e-6, "{}", found.roughness);
    assert!((found.base_color.x - 0.214).abs() < 1e-3);
    assert_eq!(found.emissive, Vec3::Z);
}

#[test]
fn constant_is_unlit() {
    let found = material("<constant><emission><color>1 0 0 1</color></emission></constant>");
    assert!(found.unlit);
    assert_eq!(found.base_color.truncate(), Vec3::X);
}

#[test]
fn transparency_has_four_ways() {
    for (opaque, color, amount, expected) in [
        ("A_ONE", "1 1 1 0.5", 0.5, 0.25),
        ("A_ZERO", "1 1 1 0.5", 0.5, 0.75),
        ("RGB_ZERO", "1 1 1 1", 0.25, 0.75),
        ("RGB_ONE", "1 1 1 1", 0.25, 0.25),
    ] {
        let found = material(&format!(
            "<lambert><transparent opaque=\"{opaque}\"><color>{color}</color></transparent>\
             <transparency><float>{amount}</float></transparency></lambert>"
        ));
        assert!((found.base_color.w - expected).abs() < 1e-4, "{opaque}: {}", found.base_color.w);
        assert_eq!(found.alpha_mode, AlphaMode::Blend);
    }
    let opaque = material("<lambert><transparency><float>0</float></transparency></lambert>");
    assert_eq!((opaque.base_color.w, opaque.alpha_mode), (1.0, AlphaMode::Opaque));
}

#[test]
fn a_texture_is_found_beside_the_file_whatever_path_its_exporter_wrote() {
    let text = document(&effect(
        "<lambert><diffuse><texture texture=\"samp\" texcoord=\"UV\"><extra><technique profile=\"MAYA\">\
         <repeatU>2</repeatU><repeatV>4</repeatV><offsetV>0.5</offsetV></technique></extra></texture></diffuse>\
         </lambert><extra><technique profile=\"FCOLLADA\"><bump bumptype=\"NORMALMAP\"><texture texture=\"i\" \
         texcoord=\"none\"/></bump></technique></extra><extra><technique profile=\"MAX3D\"><double_sided>1\
         </double_sided></technique></extra>",
    ));
    let mut files = InMemory::default();
    files.files.insert("my skin.png".into(), b"\x89PNG\r\n\x1a\n".to_vec());
    let scene = read_with(text.as_bytes(), &files).expect("a good file").scene;
    let material = &scene.materials[0];
    let used = material.base_color_texture.expect("a texture");
    assert_eq!(used.uv_set, 1, "set 5 is the second there is");
    assert_eq!(
        (used.transform.scale, used.transform.offset),
        (Vec2::new(2.0, 4.0), Vec2::new(0.0, -3.5))
    );
    let texture = &scene.textures[used.texture.index()];
    assert_eq!((texture.sampler.wrap_u, texture.sampler.wrap_v), (Wrap::Mirror, Wrap::Clamp));
    assert!(material.double_sided && material.normal_texture.is_some());
    let [Image { data: ImageData::Encoded { media_type, bytes }, .. }] = &scene.images[..] else {
        panic!("one image: {:?}", scene.images)
    };
    assert_eq!((media_type.as_str(), bytes.len()), ("image/png", 8));
}

#[test]
fn an_image_that_is_not_there_is_a_note() {
    let imported = open(&effect(
        "<lambert><diffuse><texture texture=\"samp\" texcoord=\"UV\"/></diffuse></lambert>",
    ));
    assert_eq!(imported.scene.images[0].data, ImageData::Missing);
    assert!(notes(&imported).contains("my skin.png"), "{}", notes(&imported));
}

#[test]
fn lights_and_cameras_hang_under_their_nodes() {
    let imported = open(&format!(
        "<library_lights><light id=\"spot\"><technique_common><spot><color>2 1 0</color><falloff_angle>90\
         </falloff_angle></spot></technique_common></light><light id=\"sun\"><technique_common><directional>\
         <color>1 1 1</color></directional></technique_common></light><light id=\"amb\"><technique_common>\
         <ambient><color>1 1 1</color></ambient></technique_common></light></library_lights>\
         <library_cameras><camera id=\"cam\"><optics><technique_common><perspective><xfov>90</xfov>\
         <aspect_ratio>2</aspect_ratio><znear>1</znear><zfar>9</zfar></perspective></technique_common></optics>\
         </camera></library_cameras>{}",
        shown(
            "<node><instance_light url=\"#spot\"/><instance_light url=\"#sun\"/><instance_light url=\"#amb\"/>\
             <instance_camera url=\"#cam\"/></node>"
        )
    ));
    let scene = &imported.scene;
    assert_eq!(scene.lights.len(), 2);
    let LightKind::Spot { outer, .. } = scene.lights[0].kind else { panic!("a spot") };
    assert!((outer.to_degrees() - 45.0).abs() < 1e-4);
    assert_eq!(scene.lights[0].intensity, 2.0);
    let Projection::Perspective { fov_y, aspect, near, far } = scene.cameras[0].projection else {
        panic!("a perspective")
    };
    assert!((fov_y - 2.0 * 0.5_f32.atan()).abs() < 1e-6);
    assert_eq!((aspect, near, far), (Some(2.0), 1.0, Some(9.0)));
}
