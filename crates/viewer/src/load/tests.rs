//! Files are opened, joined, refused and read again as a person expects.

use super::*;

const BVH: &str = "HIERARCHY\nROOT hips\n{\n OFFSET 0 0 0\n CHANNELS 3 Xrotation Yrotation Zrotation\n \
    JOINT spine\n {\n  OFFSET 0 1 0\n  CHANNELS 3 Xrotation Yrotation Zrotation\n  End Site\n  {\n   OFFSET 0 1 0\n  }\n \
    }\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0\n0 0 0 90 0 0\n";

fn file(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("sinew-viewer-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

fn job(paths: Vec<PathBuf>, base: Option<Base>) -> Job {
    Job { base, ..Job::new(paths, How::Replace) }
}

#[test]
fn a_broken_file_is_a_sentence_with_advice_and_the_good_one_opens() {
    let good = file("good.bvh", BVH);
    let broken = file("broken.glb", "glTF but not really");
    let outcome = run(job(vec![broken, good], None), &|_| {});
    assert_eq!(outcome.models.len(), 1);
    let [diagnostic] = &outcome.diagnostics[..] else { panic!("{:?}", outcome.diagnostics) };
    assert_eq!(diagnostic.title, "broken.glb could not be opened");
    assert!(diagnostic.sentence.ends_with('.') && !diagnostic.advice.is_empty());
    assert!(!diagnostic.sentence.contains("cannot read"), "{}", diagnostic.sentence);
}

#[test]
fn a_file_of_clips_alone_is_added_to_the_model_it_fits() {
    let first = run(job(vec![file("first.bvh", BVH)], None), &|_| {}).models.remove(0);
    let second = file("second.bvh", BVH);
    let outcome = run(job(vec![second.clone()], Some(Base::of(&first))), &|_| {});
    assert!(outcome.models.is_empty(), "{:?}", outcome.models.len());
    let [(id, model, clip)] = &outcome.updated[..] else { panic!("{outcome:?}") };
    assert_eq!((*id, *clip), (first.id, Some(ClipId::new(1))));
    assert_eq!(model.scene().clips.len(), 2);
    assert_eq!(model.source.clips, [second]);
}

#[test]
fn clips_opened_over_the_built_in_character_are_shown_by_themselves_unless_asked_for() {
    let mut demo = Model::built_in("demo", sinew::demo());
    let names = [0, 1].map(|index| demo.name_of(sinew::JointId::new(index)));
    let fitting = BVH.replace("hips", &names[0]).replace("spine", &names[1]);
    let path = file("fitting.bvh", &fitting);
    let outcome = run(job(vec![path.clone()], Some(Base::of(&demo))), &|_| {});
    assert_eq!((outcome.models.len(), outcome.updated.len()), (1, 0));
    let asked = Job { how: How::Clips, ..job(vec![path.clone()], Some(Base::of(&demo))) };
    assert_eq!(run(asked, &|_| {}).updated.len(), 1);
    demo.source.file = Some("demo.glb".into());
    let outcome = run(job(vec![path], Some(Base::of(&demo))), &|_| {});
    assert_eq!((outcome.models.len(), outcome.updated.len()), (0, 1));
}

#[test]
fn clips_are_retargeted_by_a_map_and_again_when_their_file_has_changed() {
    let ossi = sinew::ossi();
    let walk = ossi.clip("walk").expect("it walks");
    let clip = file("walk.skeleton_anim", "");
    std::fs::write(&clip, sinew::export::skeleton_anim(&ossi, walk).expect("it fits"))
        .expect("written");
    let from = sinew::open(&clip).expect("just written").scene;
    let map = sinew::retarget::JointMap::find(&from, &ossi).expect("two bodies");
    let map = file("map.toml", &map.to_text(&from, &ossi));
    let base = || Base::of(&Model::built_in("Ossi", sinew::ossi()));
    let asked = |map: &Path| Job {
        map: Some(map.to_owned()),
        how: How::Clips,
        ..job(vec![clip.clone()], Some(base()))
    };
    let outcome = run(asked(&map), &|_| {});
    let [(_, model, _)] = &outcome.updated[..] else { panic!("{outcome:?}") };
    let by_map =
        |model: &Model| model.report.all_notes().any(|note| note.contains("as the map says"));
    assert!(by_map(model), "{:?}", model.report);
    assert_eq!(model.source.map.as_ref(), Some(&map));
    let outcome = run(asked(Path::new("no-such-map.toml")), &|_| {});
    assert!(outcome.updated.is_empty());
    assert!(
        outcome.diagnostics[0].title.starts_with("no-such-map.toml"),
        "{:?}",
        outcome.diagnostics
    );
}

#[test]
fn a_packed_clip_is_added_to_its_model_and_refused_without_it() {
    let demo = sinew::demo();
    let options = sinew::pack::Options { error: 0.01, ..sinew::pack::Options::default() };
    let (packed, _) =
        sinew::pack::pack(&demo, &demo.clips[0], &options, &|_| {}).expect("it packs");
    let clip = file("packed.sinewclip", "");
    std::fs::write(&clip, packed.bytes()).expect("written");
    let clips = |outcome: &Outcome| {
        assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
        let (_, model, shown) = &outcome.updated[0];
        (model.scene().clips.len(), shown.map(ClipId::index))
    };
    let base = || Base::of(&Model::built_in("demo", sinew::demo()));
    let own = demo.clips.len();
    // Dropped on it, as a model's own clip, and as --anim.
    assert_eq!(clips(&run(job(vec![clip.clone()], Some(base())), &|_| {})), (own + 1, Some(own)));
    let beside = run(job(vec!["demo".into(), clip.clone()], None), &|_| {});
    assert_eq!(beside.models[0].scene().clips.len(), own + 1);
    let anim = Job { clips: vec![clip.clone()], ..job(vec!["demo".into()], None) };
    assert_eq!(run(anim, &|_| {}).models[0].scene().clips.len(), own + 1);
    // Alone, and on another model.
    let alone = run(job(vec![clip.clone()], None), &|_| {});
    let [diagnostic] = &alone.diagnostics[..] else { panic!("{alone:?}") };
    assert!(
        diagnostic.sentence.starts_with("A packed clip, which needs the model"),
        "{diagnostic:?}"
    );
    let other = run(job(vec!["ossi".into(), clip], None), &|_| {});
    let [diagnostic] = &other.diagnostics[..] else { panic!("{other:?}") };
    assert!(diagnostic.sentence.contains("packed against another skeleton"), "{diagnostic:?}");
    assert!(diagnostic.advice.starts_with("Open the model that the clip was packed from"));
    assert_eq!(other.models.len(), 1);
}

#[test]
fn clips_that_fit_nobody_are_bones_of_their_own() {
    let mut base = Base::of(&Model::built_in("demo", sinew::demo()));
    base.opened.source.file = Some("demo.glb".into());
    let strange = BVH.replace("hips", "qqq").replace("spine", "www");
    let outcome = run(job(vec![file("strange.bvh", &strange)], Some(base)), &|_| {});
    assert_eq!(outcome.models.len(), 1);
    assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
}

#[test]
fn a_scene_file_opens_with_every_model_where_it_says_and_its_camera() {
    let text = "[camera]\neye = [3, 1, 0]\nlook_at = [0, 1, 0]\n[[model]]\nfile = \"demo\"\nposition = [2, 0, 0]\n\
        clip = 0\nstart = 0.1\nspeed = 0.5\n[[model]]\nfile = \"demo\"\n[terrain]\n[fog]\nkind = \"exponential\"\ndensity = 0.1\n";
    let path = file("place.toml", text);
    let outcome = run(job(vec![path.clone()], None), &|_| {});
    assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
    let mut state = crate::state::State::default();
    state.receive(outcome);
    assert_eq!(state.models.len(), 3);
    let first = &state.models[0];
    assert_eq!(first.actor.world_from_model().translation.x, 2.0, "no model is moved aside");
    assert_eq!((first.placement.speed, first.clip()), (0.5, Some(ClipId::new(0))));
    assert!((first.actor.time() - 0.1).abs() < 1e-6);
    assert!(state.models[2].placement.scenery && state.bounds().size().length() < 20.0);
    assert!(state.modes.fog && !state.modes.grid);
    assert!(state.playing);
    state.frame_soon = false;
    state.playing = false;
    state.receive(run(job(vec![path], None), &|_| {}));
    assert!(!state.frame_soon, "read again, the camera stays");
    assert!(!state.playing, "and so does time");
    let broken = file("broken.toml", "[[model]]\nfile = \"no-such.glb\"\n");
    let outcome = run(job(vec![broken], None), &|_| {});
    assert!(outcome.diagnostics[0].sentence.contains("no-such.glb"), "{:?}", outcome.diagnostics);
}

#[test]
fn a_changed_file_is_read_again_with_its_clips() {
    let path = file("again.bvh", BVH);
    let model = run(job(vec![path.clone()], None), &|_| {}).models.remove(0);
    std::fs::write(&path, BVH.replace("0.1", "0.5")).expect("written");
    let again = Job { again: true, ..job(Vec::new(), Some(Base::of(&model))) };
    let outcome = run(again, &|_| {});
    let (id, newer, _) = &outcome.updated[0];
    assert_eq!(*id, model.id);
    assert!((newer.facts.timelines[0].duration - 0.5).abs() < 1e-6);
}
