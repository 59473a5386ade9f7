//! Scene files, read from memory.

use glam::Vec3;
use sinew_import::{ErrorKind, InMemory, NoFiles, Options, Place};
use sinew_render::{Background, Environment, Fog, View};
use sinew_scene::LightKind;

use super::{CameraSetup, Stage};

fn read(text: &str) -> Stage {
    Stage::read(text, &NoFiles, &Options::default()).expect("a scene")
}

fn error(text: &str) -> sinew_import::ImportError {
    Stage::read(text, &NoFiles, &Options::default()).expect_err(text)
}

fn place(text: &str) -> String {
    error(text).place.to_string()
}

#[test]
fn the_example_holds_what_it_says() {
    let stage = read(include_str!("../../examples/scenes/walk.toml"));
    let names: Vec<&str> = stage.members.iter().map(|member| member.name.as_str()).collect();
    assert_eq!(names, ["ossi", "ossi", "demo", "terrain"]);
    assert!(std::sync::Arc::ptr_eq(stage.members[0].actor.scene(), stage.members[1].actor.scene()));
    assert_eq!(stage.members[1].actor.clip().map(|clip| clip.name.as_str()), Some("walk"));
    assert!((stage.members[1].actor.time() - 0.3).abs() < 1e-6);
    assert!(stage.members[3].scenery);
    let around = &stage.surroundings;
    assert_eq!(around.background, Background::Sky(1.0));
    assert!(matches!(around.fog, Fog::Exponential { density: 0.018, .. }));
    assert_eq!(around.lights.len(), 1);
    assert_eq!(around.lights[0].kind, LightKind::Directional);
    assert!(around.ambient.x > 0.03 && around.ambient.x < 0.06, "{}", around.ambient);
    let Environment::Sky(sky) = around.environment else { panic!("a sky") };
    assert!((sky.sun.length() - 1.0).abs() < 1e-5);
    assert!(matches!(stage.camera_setup, Some(CameraSetup::Exact { .. })));
}

#[test]
fn the_older_name_of_a_cameras_position_is_still_read() {
    let stage = read("[camera]\neye = [1, 2, 3]\nlook_at = [0, 1, 0]\n");
    let Some(CameraSetup::Exact { position, .. }) = stage.camera_setup else { panic!("a camera") };
    assert_eq!(position, glam::Vec3::new(1.0, 2.0, 3.0));
}

#[test]
fn a_members_time_starts_late_runs_faster_and_starts_over() {
    // The demo's clip: at stage time t it stands at 0.5 + 2 t, folded into its length.
    let mut stage = read("[[model]]\nfile = 'demo'\nclip = 0\nstart = 0.5\nspeed = 2\n");
    let length = f64::from(stage.members[0].actor.duration());
    assert!((stage.duration() - length / 2.0).abs() < 1e-6);
    stage.advance(0.25);
    assert!((f64::from(stage.members[0].actor.time()) - 1.0_f64.min(length)).abs() < 1e-5);
    stage.seek(length);
    let expected = (0.5 + 2.0 * length).rem_euclid(length);
    assert!((f64::from(stage.members[0].actor.time()) - expected).abs() < 1e-4);
}

#[test]
fn a_placed_model_stands_where_it_was_put_and_ground_is_not_counted() {
    let mut stage =
        read("[[model]]\nfile = 'demo'\nposition = [10, 0, 0]\n[terrain]\nshape = 'flat'\n");
    let bounds = stage.bounds_over_time();
    assert!((bounds.center().x - 10.0).abs() < 1.0, "{bounds:?}");
    assert!(bounds.size().max_element() < 5.0, "{bounds:?}");
}

#[test]
fn an_obj_may_be_the_ground_and_files_below_the_folder_are_found() {
    let mut files = InMemory::default();
    let obj = b"v -5 0 -5\nv -5 0 5\nv 5 0 5\nv 5 0 -5\nf 1 2 3 4\n".to_vec();
    files.files.insert("land/ground.obj".into(), obj);
    let text = "[terrain]\nfile = 'land/ground.obj'\n[camera]\nview = 'top'\nfov = 60\n";
    let stage = Stage::read(text, &files, &Options::default()).expect("a scene");
    assert_eq!(stage.members[0].actor.scene().meshes.len(), 1);
    let Some(CameraSetup::View { view: View::Top, fov_y }) = stage.camera_setup else {
        panic!("{:?}", stage.camera_setup)
    };
    assert!((fov_y - 60_f32.to_radians()).abs() < 1e-6);
}

#[test]
fn a_packed_clip_is_a_clip_of_its_model() {
    let demo = sinew_ossi::demo();
    let options = sinew_pack::Options { error: 0.01, ..Default::default() };
    let (packed, _) = sinew_pack::pack(&demo, &demo.clips[0], &options, &|_| {}).expect("it packs");
    let mut files = InMemory::default();
    files.files.insert("wave.bin".into(), packed.bytes().to_vec());
    let read = |model: &str| {
        let text = format!("[[model]]\nfile = '{model}'\nanim = ['wave.bin']\nclip = 'wave (2)'\n");
        Stage::read(&text, &files, &Options::default())
    };
    let stage = read("demo").expect("a scene");
    let clip = stage.members[0].actor.clip().expect("it plays");
    assert_eq!((&clip.name[..], clip.duration), ("wave (2)", demo.clips[0].duration));
    let error = read("ossi").expect_err("it is not Ossi's");
    assert!(error.to_string().contains("packed against another skeleton"), "{error}");
    assert_eq!(error.place.to_string(), "line 3, anim");
    let error = read("wave.bin").expect_err("it is no model");
    assert!(error.to_string().contains("a packed clip, which needs the model"), "{error}");
}

#[test]
fn point_and_spot_lights_and_linear_fog_are_read() {
    let stage = read(
        "[[light]]\nkind = 'point'\nposition = [1, 2, 3]\nrange = 5\n[[light]]\nkind = 'spot'\nouter = 40\n\
         [fog]\nkind = 'linear'\nstart = 5\nend = 50\ncolor = [0.1, 0.2, 0.3]\n",
    );
    let lights = &stage.surroundings.lights;
    assert_eq!((lights[0].position, lights[0].range), (Vec3::new(1.0, 2.0, 3.0), Some(5.0)));
    let LightKind::Spot { inner, outer } = lights[1].kind else { panic!("a spot") };
    assert!((outer - 40_f32.to_radians()).abs() < 1e-6 && inner < outer);
    let color = Vec3::new(0.1, 0.2, 0.3);
    assert_eq!(stage.surroundings.fog, Fog::Linear { color, start: 5.0, end: 50.0 });
}

#[test]
fn errors_name_line_and_field() {
    assert_eq!(place("\n[fog]\nkind = 'thick'\n"), "line 3, kind");
    assert_eq!(place("[[model]]\nfile = 'demo'\nspeed = 'fast'\n"), "line 3, speed");
    assert_eq!(place("[[model]]\nfile = 'demo'\nspeed = nan\n"), "line 3, speed");
    assert_eq!(place("[[model]]\nfile = 'demo'\nclip = 'fly'\n"), "line 3, clip");
    assert_eq!(place("[camera]\nfov = 180\n"), "line 2, fov");
    assert_eq!(place("background = 'reddish'\n"), "line 1, background");
    assert_eq!(place("[[model]]\nfile = 'x.glb'\n"), "line 2, file");
    let error = error("[[model]]\nfile = 'demo'\ncolour = 'red'\n");
    assert!(error.to_string().contains("unknown field `colour`"), "{error}");
}

#[test]
fn files_outside_of_the_folder_are_refused() {
    for name in ["../secret.glb", "/etc/passwd", "a/../../b.obj", "file:///x.glb"] {
        let error = error(&format!("[[model]]\nfile = '{name}'\n"));
        assert_eq!(error.kind, ErrorKind::Refused, "{name}: {error}");
    }
}

#[test]
fn every_prefix_of_the_example_is_a_scene_or_an_error() {
    let text = include_str!("../../examples/scenes/walk.toml").replace("\"ossi\"", "\"demo\"");
    let clips = text.replace("\"walk\"", "0").replace("\"wave\"", "0").replace("hills", "flat");
    // Ground takes longest to make, and is the same for every prefix after it.
    for end in (0..clips.find("[terrain]").unwrap_or(0)).filter(|end| clips.is_char_boundary(*end))
    {
        if let Err(error) = Stage::read(&clips[..end], &NoFiles, &Options::default()) {
            assert_ne!(error.place, Place::Whole, "{end}: {error}");
        }
    }
}

#[test]
fn an_environment_of_a_file_lights_alone_and_is_not_seen() {
    let mut files = InMemory::default();
    let mut hdr = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n".to_vec();
    hdr.extend([128, 64, 32, 130, 128, 64, 32, 129]);
    files.files.insert("light/studio.hdr".into(), hdr);
    let text = "tone = 'agx'\nexposure = 2\nocclusion = 'draft'\nreflection = 0.25\nshadows = 0\n\
                [environment]\nfile = 'light/studio.hdr'\nstrength = 0.5\nrotation = 90\n";
    let stage = Stage::read(text, &files, &Options::default()).expect("a scene");
    let around = &stage.surroundings;
    let Environment::Equirect(image) = &around.environment else { panic!("an image") };
    // 128 · 2^(130 - 136) = 2, and half of that.
    assert_eq!(image.pixels, [Vec3::new(2.0, 1.0, 0.5), Vec3::new(1.0, 0.5, 0.25)]);
    assert_eq!((around.environment_strength, around.exposure), (0.5, 2.0));
    assert!((around.environment_rotation - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
    assert_eq!(around.tone, sinew_render::Tone::Agx);
    assert_eq!(around.occlusion, sinew_render::Occlusion::DRAFT);
    assert_eq!(around.reflection, Some(0.25));
    assert_eq!(around.shadow_strength, 0.0);
    assert!(around.lights.is_empty());
    assert_eq!(around.background, Background::default());
}

#[test]
fn words_that_nobody_knows_are_refused_at_their_line() {
    let wrong = error("exposure = 1\ntone = 'filmic'\n");
    assert_eq!(wrong.place, Place::Part("line 2, tone".into()));
    assert!(wrong.message.contains("none, neutral, aces or agx"), "{}", wrong.message);
    assert_eq!(place("occlusion = 'most'\n"), "line 1, occlusion");
    assert_eq!(place("reflection = 1.5\n"), "line 1, reflection");
    assert_eq!(place("shadows = -1\n"), "line 1, shadows");
}
