//! The table `sinew`: actors, clips, joints, and the messages when something is wrong.

mod common;

use common::{Folder, bad, good, listening, run_in};
use sinew::glam::Vec3;
use sinew::{Actor, ClipId, Transition};
use sinew_lua::{Limits, Options, Script};

fn numbers(line: &str) -> Vec<f32> {
    line.split_whitespace().map(|word| word.parse().expect(line)).collect()
}

#[test]
fn a_scene_lists_its_clips_and_joints() {
    let lines = good(
        "local s = sinew.open('demo') print(s:name(), table.concat(s:clips(), ','), #s:joints(), s:duration(1))",
    );
    let demo = sinew::demo();
    let names: Vec<&str> = demo.clips.iter().map(|clip| clip.name.as_str()).collect();
    let expected = format!(
        "demo\t{}\t{}\t{:?}",
        names.join(","),
        demo.skeleton().len(),
        demo.clips[0].duration
    );
    assert_eq!(lines, [expected]);
}

#[test]
fn an_actor_plays_by_itself_at_its_speed_as_the_librarys_actor_does() {
    let text = r#"
        function Awake()
            actor = sinew.actor("demo")
            actor:play(1, {speed = 2, at = 0.25})
        end
        function Update(dt)
            print(actor:time(), actor:joint(3):position())
        end
    "#;
    let lines = run_in(&Folder::new(), text, Limits::default(), 5).expect("a good script");
    let mut expected = Actor::new(sinew::demo());
    expected.start(ClipId::new(0), Transition::Cut);
    expected.set_speed(2.0);
    expected.seek(0.25);
    for (frame, line) in lines.iter().enumerate() {
        if frame > 0 {
            expected.advance(1.0 / 24.0);
        }
        let at = expected.pose().model_from_joint()[2].translation;
        let wanted = [expected.time(), at.x, at.y, at.z];
        for (found, wanted) in numbers(line).into_iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-5, "frame {frame}: {line}, expected {wanted}");
        }
    }
    assert!((expected.time() - 0.25 - 4.0 * 2.0 / 24.0).abs() < 1e-5);
}

#[test]
fn loop_modes_seek_pause_and_stop_do_what_they_say() {
    let text = r#"
        local a = sinew.actor("demo")
        a:play("wave")
        local whole = a:duration()
        a:set_loop("once") a:seek(whole * 2)
        print(a:time() == whole, a:is_playing(), a:clip())
        a:seek(0.5) a:set_speed(-1) print(a:time(), a:speed())
        a:pause() print(a:is_playing()) a:resume() print(a:is_playing())
        a:stop() print(a:clip(), a:duration(), a:is_playing())
    "#;
    let lines = good(text);
    assert_eq!(lines, ["true\ttrue\twave", "0.5\t-1.0", "false", "true", "nil\t0.0\tfalse"]);
}

#[test]
fn a_placed_actor_takes_its_joints_along() {
    let text = r#"
        local a = sinew.actor("demo")
        local x, y, z = a:joint(1):position()
        a:place{position = {10, 0, 0}, rotation = {0, 90, 0}, scale = 2}
        local px, py, pz = a:joint(1):position()
        print(math.abs(px - (10 + 2 * z)) < 1e-5, math.abs(py - 2 * y) < 1e-5, math.abs(pz + 2 * x) < 1e-5)
        print(a:position())
        print(a:joint(2):parent():name() == a:joint(1):name(), a:joint(1):parent(), #a:joint(1):matrix())
    "#;
    assert_eq!(good(text), ["true\ttrue\ttrue", "10.0\t0.0\t0.0", "true\tnil\t16"]);
}

#[test]
fn who_is_drawn_hidden_or_removed_is_so() {
    let text = r#"
        function Awake()
            a, b, c = sinew.actor("demo"), sinew.actor("demo"), sinew.actor("demo")
        end
        function Update()
            if sinew.frame() == 1 then b:hide() end
            if sinew.frame() == 2 then b:show() sinew.draw(a) sinew.draw{c} end
            if sinew.frame() == 3 then a:remove() end
        end
    "#;
    let folder = Folder::new();
    let path = folder.write("script.lua", text);
    let mut script = Script::open(path, &Options::default()).expect("a script");
    script.awake().expect("awake");
    let mut shown = |seconds: f64| -> Vec<bool> {
        script.update(seconds).expect("an update");
        let stage = script.stage();
        stage.members.iter().map(|member| member.shown).collect()
    };
    assert_eq!(shown(0.0), [true, true, true]);
    assert_eq!(shown(0.1), [true, false, true]);
    assert_eq!(shown(0.1), [true, false, true]);
    assert_eq!(shown(0.1), [true, true]);
}

#[test]
fn scenes_are_shared_between_actors_and_read_once() {
    let folder = Folder::new();
    let text = "a = sinew.actor('demo') b = sinew.actor(sinew.open('demo')) function Update() end";
    let path = folder.write("script.lua", text);
    let script = Script::open(path, &Options::default()).expect("a script");
    let stage = script.stage();
    assert!(std::sync::Arc::ptr_eq(stage.members[0].actor.scene(), stage.members[1].actor.scene()));
}

#[test]
fn camera_light_and_sky_are_where_they_are_put() {
    let text = r#"
        sinew.camera{position = {1, 2, 3}, look_at = {0, 1, 0}, fov = 40}
        lamp = sinew.light{kind = "point", position = {0, 2, 0}, color = "red", intensity = 5}
        sun = sinew.light{direction = {0, -2, 0}}
        lamp:set{intensity = 7}
        sinew.ambient{color = {1, 1, 1}, strength = 0.25}
        sinew.sky{zenith = "navy"} sinew.fog{kind = "linear", start = 1, stop = 9} sinew.exposure(2)
        function Update() if sinew.frame() == 1 then sun:remove() end end
    "#;
    let folder = Folder::new();
    let path = folder.write("script.lua", text);
    let mut script = Script::open(path, &Options::default()).expect("a script");
    script.update(0.0).expect("an update");
    let camera = script.camera(1.0);
    assert_eq!((camera.position, camera.target), (Vec3::new(1.0, 2.0, 3.0), Vec3::Y));
    {
        let stage = script.stage();
        let around = &stage.surroundings;
        assert_eq!(around.lights.len(), 2);
        assert_eq!((around.lights[0].position, around.lights[0].intensity), (2.0 * Vec3::Y, 7.0));
        assert_eq!((around.lights[0].color, around.lights[1].direction), (Vec3::X, Vec3::NEG_Y));
        assert_eq!((around.ambient, around.exposure), (Vec3::splat(0.25), 2.0));
        assert!(matches!(around.fog, sinew::render::Fog::Linear { start: 1.0, end: 9.0, .. }));
    }
    script.update(0.1).expect("an update");
    assert_eq!(script.stage().surroundings.lights.len(), 1);
}

#[test]
fn wrong_arguments_are_reported_with_what_was_expected() {
    for (text, expected) in [
        ("sinew.open()", "open: expected the name of a file, found nil"),
        ("sinew.open('none.glb')", "there is no such file in the script's folder"),
        ("sinew.actor(3)", "actor: expected a scene or a file, found 3"),
        ("sinew.actor('demo'):play('fly')", "there is no clip \"fly\": there are [\"wave\""),
        ("sinew.actor('demo'):play(99)", "there is no clip 99"),
        ("sinew.actor('demo'):play()", "expected a clip's name or number, found nil"),
        (
            "sinew.actor('demo'):play(1, {speeed = 2})",
            "play: there is no field \"speeed\"; there are speed, loop, at, fade, inertialize",
        ),
        (
            "sinew.actor('demo'):play(1, {loop = 'twice'})",
            "play.loop: expected one of once, loop, ping-pong, found \"twice\"",
        ),
        ("sinew.actor('demo'):seek(0/0)", "expected a finite number, found "),
        ("sinew.actor('demo'):seek('x')", "expected a finite number, found \"x\""),
        ("sinew.actor('demo'):set_speed(math.huge)", "expected a finite number, found inf"),
        (
            "sinew.actor('demo'):set_loop(1)",
            "set_loop: expected one of once, loop, ping-pong, found 1",
        ),
        ("sinew.actor('demo'):joint('Tail')", "there is no joint \"Tail\""),
        ("sinew.actor('demo'):joint(1):rotate(1, 2)", "expected a finite number, found nil"),
        ("sinew.actor('demo'):place{scale = 0}", "place.scale: expected a scale other than 0"),
        (
            "sinew.actor('demo'):place{position = {1, 2}}",
            "place.position: expected three numbers as {x, y, z}",
        ),
        ("local a = sinew.actor('demo') a:remove() a:play(1)", "the actor was removed"),
        (
            "sinew.actor('demo'):joint(1):reach(1, 2, 3)",
            "reach: expected a joint with two above it",
        ),
        ("sinew.actor('demo'):joint(1):look_at(1)", "expected a point as x, y, z, or nothing"),
        (
            "sinew.actor('demo'):joint(1):look_at(1, 2, 3, {max_angle = 200})",
            "look_at.max_angle: expected degrees from 0 to 180",
        ),
        (
            "sinew.actor('demo'):play(1, {fade = -1})",
            "play.fade: expected a number of 0 or more, found -1",
        ),
        (
            "sinew.camera{position = {0, 0, 0}, look_at = {0, 0, 0}}",
            "expected position and look_at to be two points",
        ),
        ("sinew.camera{position = {0, 0, 0}}", "expected both position and look_at, or a view"),
        ("sinew.camera{fov = 180}", "camera.fov: expected degrees between 0 and 180, found 180"),
        (
            "sinew.camera{view = 'above'}",
            "camera.view: expected one of three-quarter, front, side, back, top",
        ),
        ("sinew.camera()", "expected table, found nil"),
        ("sinew.light{color = 'reddish'}", "light.color: expected a colour"),
        (
            "sinew.light{color = {1, -1, 0}}",
            "light.color: expected a colour's numbers to be 0 or more",
        ),
        ("sinew.light{kind = 'laser'}", "light.kind: expected one of directional, point, spot"),
        (
            "sinew.background(1)",
            "background: expected a colour, \"sky\" or \"transparent\", found 1",
        ),
        ("sinew.draw(1)", "draw: expected an actor or a list of actors, found 1"),
        ("sinew.show{bones = true}", "show: there is no field \"bones\"; there are skeleton, axes"),
        ("sinew.ground{size = -1}", "ground.size: expected metres above 0, found -1"),
    ] {
        let error = bad(text);
        assert!(error.message.contains("script.lua:1: "), "{text}: {error}");
        assert!(error.message.contains(expected), "{text}: {error}");
    }
}

#[test]
fn a_caught_error_is_text_with_its_place() {
    let lines = good(
        "local ok, why = pcall(sinew.open, 'none.glb') print(ok, type(why), (why:gsub('.*/', '')))",
    );
    assert!(lines[0].starts_with("false\tstring\t"), "{lines:?}");
    assert!(lines[0].contains("script.lua:1: cannot read \"none.glb\""), "{lines:?}");
}

#[test]
fn syntax_errors_and_failures_name_file_and_line() {
    let folder = Folder::new();
    let error = run_in(&folder, "function Awake()\n  local = 3\nend", Limits::default(), 0);
    let error = error.expect_err("a syntax error");
    assert!(error.message.contains("script.lua:2: <name> expected near '='"), "{error}");
    folder.write(
        "lib/deep.lua",
        "local M = {}\nfunction M.fail()\n  error('deep trouble')\nend\nreturn M",
    );
    let text = "local deep = require('lib.deep')\nlocal function go()\n  deep.fail()\nend\nfunction Awake()\n  go()\nend";
    let error = run_in(&folder, text, Limits::default(), 0).expect_err("an error");
    assert_eq!(error.message, "lib/deep.lua:3: deep trouble");
    assert!(error.traceback.contains("script.lua:3: in "), "{error}");
    assert!(error.traceback.contains("script.lua:6: in function 'Awake'"), "{error}");
}

#[test]
fn a_file_is_required_once_and_circles_are_reported() {
    let folder = Folder::new();
    folder.write("once.lua", "print('loaded', ...) return {value = 7}");
    folder.write("a.lua", "return require('b')");
    folder.write("b.lua", "return require('a')");
    let text = "function Awake() print(require('once').value, require('once.lua') == require('./once'), require('once') == require('once')) end";
    let lines = run_in(&folder, text, Limits::default(), 0).expect("a good script");
    assert_eq!(lines, ["loaded\tonce", "7\ttrue\ttrue"]);
    let error = run_in(&folder, "require('a')", Limits::default(), 0).expect_err("a circle");
    assert!(error.message.contains("two files require each other"), "{error}");
}

#[test]
fn a_script_may_be_functions_a_returned_table_or_one_global_table() {
    let folder = Folder::new();
    let lines = |text: &str| run_in(&folder, text, Limits::default(), 2);
    let plain = "function Awake() print('awake') end function Update(dt) print(string.format('%.4f', dt)) end";
    assert_eq!(lines(plain).expect("plain"), ["awake", "0.0000", "0.0417"]);
    let table = "local T = {} function T:Update(dt) print(self == T, dt) end return T";
    assert_eq!(lines(table).expect("a table")[0], "true\t0.0");
    let global = "T = {} function T:Awake() self.x = 5 end function T:Update() print(self.x) end";
    assert_eq!(lines(global).expect("a global table"), ["5", "5"]);
    let two = lines("A = {Update = print} B = {Update = print}").expect_err("two tables");
    assert!(two.message.contains("found A, B: return the one that is meant"), "{two}");
    let none = lines("x = 1").expect_err("nothing");
    assert!(none.message.contains("expected a function Awake or Update"), "{none}");
    let wrong = lines("Update = 3").expect_err("no function");
    assert!(wrong.message.contains("expected Update to be a function, found integer"), "{wrong}");
}

#[test]
fn the_log_has_every_bone_of_every_actor_in_every_frame() {
    let folder = Folder::new();
    let path = folder.write("script.lua", "sinew.actor('demo'):play(1) function Update() end");
    let (options, lines) = listening(Limits::default(), true);
    let mut script = Script::open(path, &options).expect("a script");
    script.update(0.0).expect("an update");
    script.update(0.5).expect("an update");
    let lines = lines.take();
    let bones = sinew::demo().skins[0].joints.len();
    assert_eq!(lines.len(), 2 * (1 + bones), "{lines:#?}");
    assert_eq!(lines[0], "demo current_frame_index:0");
    assert!(lines[1].contains(" bone_matrix:mat4x4:\n("), "{}", lines[1]);
    assert_eq!(lines[1 + bones], "demo current_frame_index:1");
}

#[test]
fn the_first_example_of_the_page_runs() {
    let page = include_str!("../../../docs/lua.md");
    let block = page.split("```lua").nth(1).and_then(|rest| rest.split("```").next()).expect("Lua");
    run_in(&Folder::new(), block, Limits::default(), 3).expect("it runs");
}

/// Every call that the page names is there, and the page names every call.
#[test]
fn the_page_has_every_function_of_the_table() {
    let page = include_str!("../../../docs/lua.md");
    for name in good("for name in pairs(sinew) do print(name) end") {
        assert!(page.contains(&format!("sinew.{name}")), "{name} is not on the page");
    }
    let methods = [
        ("sinew.open('demo')", "scene"),
        ("sinew.actor('demo')", "actor"),
        ("sinew.actor('demo'):joint(1)", "joint"),
        ("sinew.light{}", "light"),
        ("AnimationClip()", "clip"),
    ];
    for (make, word) in methods {
        let mut rest = page;
        let call = format!("`{word}:");
        let mut count = 0;
        while let Some(at) = rest.find(&call) {
            rest = &rest[at + call.len()..];
            let name: String =
                rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let call = format!("{word}:{name}");
            assert_eq!(good(&format!("print(type({make}.{name}))")), ["function"], "{call}");
            count += 1;
        }
        assert!(count > 1, "{word}");
    }
}
