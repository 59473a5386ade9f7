//! Materials: Phong for every reader, and Stingray PBS for those that know it.
//!
//! In:  metallic-roughness materials.
//! Out: materials with the colours and factors of Phong, and beside them the properties of Maya's Stingray PBS with the tables that
//!      say what they mean; textures are connected to both.
//!
//! Phong's shininess is told as Blender tells a roughness: the square of ten times what it lacks to one.

use sinew_scene::{AlphaMode, Material, MaterialId, Scene, TextureUse};

use super::document::{Document, Id};
use super::model::name_or;
use super::node::{Node, Value};
use super::properties::Properties;
use super::texture::Textures;

/// The materials of the file.
pub(super) struct Materials {
    ids: Vec<Id>,
    /// For primitives without one, where others of the mesh have one.
    default: Option<Id>,
}

impl Materials {
    /// Puts a material on a model, as its next one.
    pub(super) fn connect(&self, material: Option<MaterialId>, model: Id, document: &mut Document) {
        let id = material.map(|material| self.ids[material.index()]).or(self.default);
        if let Some(id) = id {
            document.connect(id, model);
        }
    }
}

pub(super) fn materials(scene: &Scene, textures: &Textures, document: &mut Document) -> Materials {
    let mut ids = Vec::with_capacity(scene.materials.len());
    for (number, material) in scene.materials.iter().enumerate() {
        let name = name_or(&material.name, "material", number);
        ids.push(write(material, &name, textures, document));
    }
    let mixed = scene.meshes.iter().any(|mesh| {
        let bare = |wanted| mesh.primitives.iter().any(|part| part.material.is_none() == wanted);
        bare(true) && bare(false)
    });
    let default = mixed.then(|| write(&Material::default(), "default", textures, document));
    remark(scene, document);
    Materials { ids, default }
}

fn write(material: &Material, name: &str, textures: &Textures, document: &mut Document) -> Id {
    let (id, node) = document.start("Material", name, "Material", "");
    let node = node.field("Version", 102).field("ShadingModel", "phong").field("MultiLayer", 0);
    let properties = stingray(material, phong(material));
    document.add(node.child(properties.node()));
    let mut connect = |used: Option<TextureUse>, properties: &[&str]| {
        let Some(texture) = used.and_then(|used| textures.of(used)) else { return };
        for property in properties {
            document.connect_property(texture, id, property);
        }
    };
    connect(material.base_color_texture, &["DiffuseColor", "Maya|TEX_color_map"]);
    if material.alpha_mode != AlphaMode::Opaque {
        connect(material.base_color_texture, &["TransparentColor"]);
    }
    connect(material.normal_texture, &["NormalMap", "Maya|TEX_normal_map"]);
    connect(material.emissive_texture, &["EmissiveColor", "Maya|TEX_emissive_map"]);
    connect(material.occlusion_texture, &["Maya|TEX_ao_map"]);
    let packed = ["Maya|TEX_roughness_map", "Maya|TEX_metallic_map"];
    connect(material.metallic_roughness_texture, &packed);
    table(id, document);
    id
}

fn phong(material: &Material) -> Properties {
    let color = material.base_color.truncate().as_dvec3().to_array();
    let emissive = material.emissive.as_dvec3().to_array();
    let alpha = match material.alpha_mode {
        AlphaMode::Opaque => 1.0,
        _ => f64::from(material.base_color.w).clamp(0.0, 1.0),
    };
    let smooth = 10.0 * (1.0 - f64::from(material.roughness).clamp(0.0, 1.0));
    Properties::default()
        .property("ShadingModel", "KString", "", "", [Value::from("phong")])
        .color("DiffuseColor", color)
        .animatable("DiffuseFactor", 1.0)
        .color("EmissiveColor", emissive)
        .animatable("EmissiveFactor", f64::from(material.emissive_strength))
        .color("AmbientColor", [0.0; 3])
        .color("SpecularColor", [1.0; 3])
        .animatable("SpecularFactor", 0.25)
        .animatable("Shininess", smooth * smooth)
        .animatable("ShininessExponent", smooth * smooth)
        .color("ReflectionColor", [1.0; 3])
        .animatable("ReflectionFactor", f64::from(material.metallic))
        .color("TransparentColor", [1.0; 3])
        .animatable("TransparencyFactor", 1.0 - alpha)
        .animatable("Opacity", alpha)
        .animatable("BumpFactor", f64::from(material.normal_scale))
}

/// The type of the shader in Maya.
const STINGRAY: i32 = 1_166_017;

/// What the shader calls its inputs; the material has them with `Maya|` before, and textures as `TEX_name_map`.
const MAPS: [&str; 6] = ["color", "normal", "metallic", "roughness", "emissive", "ao"];

fn stingray(material: &Material, properties: Properties) -> Properties {
    let used = [
        material.base_color_texture,
        material.normal_texture,
        material.metallic_roughness_texture,
        material.metallic_roughness_texture,
        material.emissive_texture,
        material.occlusion_texture,
    ];
    let number = |properties: Properties, name: &str, value: f32| {
        properties.property(name, "Number", "", "A", [Value::Double(f64::from(value))])
    };
    let vector = |properties: Properties, name: &str, value: [f64; 3]| {
        properties.property(name, "Vector3D", "Vector", "A", value.map(Value::Double))
    };
    let mut properties = properties.int("Maya|TypeId", STINGRAY);
    let color = material.base_color.truncate().as_dvec3().to_array();
    properties = vector(properties, "Maya|base_color", color);
    properties = number(properties, "Maya|metallic", material.metallic);
    properties = number(properties, "Maya|roughness", material.roughness);
    properties = vector(properties, "Maya|emissive", material.emissive.as_dvec3().to_array());
    properties = number(properties, "Maya|emissive_intensity", material.emissive_strength);
    for (map, used) in MAPS.into_iter().zip(used) {
        let on = if used.is_some() { 1.0 } else { 0.0 };
        properties = number(properties, &format!("Maya|use_{map}_map"), on);
        if used.is_some() {
            let name = format!("Maya|TEX_{map}_map");
            properties = vector(properties, &name, [0.0; 3]);
        }
    }
    properties
}

/// Says which shader the material is for, and which of its properties are the shader's.
fn table(material: Id, document: &mut Document) {
    let (shader, node) = document.start("Implementation", "Implementation", "Implementation", "");
    let about = Properties::default()
        .text("ShaderLanguage", "SFX")
        .text("ShaderLanguageVersion", "28")
        .text("RenderAPI", "SFX_PBS_SHADER")
        .text("RootBindingName", "root");
    document.add(node.field("Version", 100).child(about.node()));
    document.connect(material, shader);
    let (table, node) = document.start("BindingTable", "root", "BindingTable", "");
    let mut node = node.field("Version", 100).child(
        Properties::default().text("TargetName", "root").text("TargetType", "shader").node(),
    );
    let plain = ["base_color", "metallic", "roughness", "emissive", "emissive_intensity"];
    let of_maps =
        MAPS.into_iter().flat_map(|map| [format!("use_{map}_map"), format!("TEX_{map}_map")]);
    for name in plain.into_iter().map(str::to_owned).chain(of_maps) {
        let entry = Node::of("Entry", format!("Maya|{name}")).with("FbxPropertyEntry");
        node = node.child(entry.with(name).with("FbxSemanticEntry"));
    }
    document.add(node);
    document.connect(table, shader);
}

fn remark(scene: &Scene, document: &mut Document) {
    let mut note = |found: bool, text: &str| {
        if found {
            document.notes.push(text.to_owned());
        }
    };
    let any = |found: fn(&Material) -> bool| scene.materials.iter().any(found);
    note(
        any(|material| {
            let tinted = material.base_color.truncate() != sinew_scene::glam::Vec3::ONE;
            material.base_color_texture.is_some() && tinted
        }),
        "a colour that multiplies a texture: FBX readers take the texture alone",
    );
    note(
        any(|material| material.metallic_roughness_texture.is_some()),
        "metallic-roughness textures stay packed as glTF has them, roughness in green and metalness in blue",
    );
    note(
        any(|material| material.alpha_mode == AlphaMode::Mask),
        "FBX has no alpha cutoff: masked materials are blended",
    );
    note(any(|material| material.unlit), "FBX has no unlit materials: they are lit");
}
