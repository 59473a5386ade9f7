//! Graphs from Lua: parameters, states, markers, root motion; fades, inertialization and mirrors.

mod common;

use std::path::PathBuf;

use common::{Folder, listening, run_in};
use sinew::Actor;
use sinew::glam::Vec3;
use sinew_lua::{Limits, Script, ScriptError};

const GO: &str = r#"
output = "legs"
root = { joint = "root" }
parameters = { speed = 0.0, calm = true, jump = "trigger" }
[nodes]
idle.clip = { name = "idle" }
walk.clip = { name = "walk" }
hop.clip = { name = "jump", looped = false }
[nodes.legs.states]
start = "stand"
states = { stand = "idle", go = "walk", hop = "hop" }
transitions = [
  { from = "stand", to = "go", when = ["speed > 0.5"] },
  { from = "*", to = "hop", when = ["jump"] },
]
"#;

fn numbers(line: &str) -> Vec<f32> {
    line.split_whitespace().map(|word| word.parse().expect(line)).collect()
}

fn run(text: &str, frames: u32) -> Result<Vec<String>, ScriptError> {
    let folder = Folder::new();
    folder.write("go.toml", GO);
    folder.write("walk.ron", r#"(output: "a", nodes: {"a": clip(name: "walk")})"#);
    folder.write("walk.json", r#"{"output": "a", "nodes": {"a": {"clip": {"name": "walk"}}}}"#);
    folder.write("wrong.toml", "output = 'legs'\n[nodes]\nlegs.clip = { name = 'wlak' }");
    folder.write("torn.json", "{\"output\": ");
    folder.write("two.toml", TWO);
    std::fs::write(folder.above().join("out.toml"), GO).expect("a file");
    run_in(&folder, text, Limits::default(), frames)
}

const TWO: &str = r#"
output = "both"
[nodes]
a.clip = { name = "idle" }
b.clip = { name = "walk" }
left.states = { start = "on", states = { on = "a" } }
right.states = { start = "off", states = { off = "b" } }
both.blend = { inputs = [{ node = "left" }, { node = "right" }] }
"#;

fn good(text: &str, frames: u32) -> Vec<String> {
    run(text, frames).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

#[test]
fn parameters_are_set_read_and_fired_and_the_state_follows() {
    let text = r#"
        a = sinew.actor("ossi")
        a:graph("go.toml")
        function Update()
            local frame = sinew.frame()
            if frame == 1 then a:set("speed", 1.5) end
            if frame == 3 then a:trigger("jump") a:set("calm", false) end
            print(a:state(), a:state("legs"), a:get("speed"), a:get("calm"), a:get("jump"))
        end
    "#;
    let stand = |speed: &str| format!("stand\tstand\t{speed}\ttrue\tfalse");
    let lines = good(text, 5);
    assert_eq!(lines[..2], [stand("0.0"), stand("1.5")]);
    assert_eq!(lines[2], "go\tgo\t1.5\ttrue\tfalse");
    // Fired after the frame's time has passed, so it works in the next, and is used up there.
    assert_eq!(lines[3], "go\tgo\t1.5\tfalse\ttrue");
    assert_eq!(lines[4], "hop\thop\t1.5\tfalse\tfalse");
    let all = good(
        "local a = sinew.actor('ossi') a:graph('go.toml') local p = a:parameters() print(p.speed, p.calm, p.jump) function Update() end",
        0,
    );
    assert_eq!(all, ["0.0\ttrue\tfalse"]);
}

#[test]
fn root_motion_of_a_graph_moves_the_actor_at_1_4_metres_a_second() {
    let text = r#"
        a = sinew.actor("ossi")
        a:place{rotation = {0, 90, 0}}
        a:graph("go.toml") a:apply_root_motion() a:set("speed", 1)
        function Update() print(a:root_motion()) print(a:position()) end
    "#;
    let lines = good(text, 25);
    for frame in 0..25 {
        // Twenty-four frames a second; turned by a quarter, forward is X.
        let step = if frame == 0 { 0.0 } else { 1.4 / 24.0 };
        let moved = numbers(&lines[2 * frame]);
        for (found, wanted) in moved.iter().zip([0.0, 0.0, step, 0.0, 0.0, 0.0]) {
            assert!((found - wanted).abs() < 1e-4, "frame {frame}: {moved:?}");
        }
        let at = Vec3::from_slice(&numbers(&lines[2 * frame + 1]));
        let wanted = Vec3::new(frame as f32 * 1.4 / 24.0, 0.0, 0.0);
        assert!(at.abs_diff_eq(wanted, 1e-4), "frame {frame}: {at}, expected {wanted}");
    }
}

#[test]
fn a_clip_reports_each_footfall_once_and_root_motion_where_a_root_joint_is_set() {
    let text = r#"
        a = sinew.actor("ossi")
        a:play("walk") a:set_root_motion("root")
        distance, feet = 0, {}
        function Update()
            for _, e in ipairs(a:events()) do
                feet[#feet + 1] = string.format("%s %s %.2f %g", e.clip, e.name, e.time, e.weight)
            end
            local _, _, z = a:root_motion()
            distance = distance + z
            a:joint("head"):rotate(0, sinew.frame(), 0)
            if sinew.frame() == 23 then print(distance) for _, foot in ipairs(feet) do print(foot) end end
        end
    "#;
    let lines = good(text, 25);
    let distance: f32 = lines[0].parse().expect("a number");
    assert!((distance - 1.4 * 23.0 / 24.0).abs() < 1e-3, "{distance}");
    // Twenty-three frames from the start hold one footfall of each side: walk takes a second.
    let expected = ["walk left foot 0.00 1", "walk right foot 0.50 1"];
    assert_eq!(lines[1..], expected);
}

#[test]
fn a_graph_pauses_goes_at_a_speed_ends_with_a_clip_and_comes_in_three_formats() {
    let text = r#"
        a, b, c = sinew.actor("ossi"), sinew.actor("ossi"), sinew.actor("ossi")
        a:stop() a:graph("walk.ron") b:graph("walk.json") c:play("walk")
        b:set_speed(2) c:set_speed(2)
        function Update()
            local frame = sinew.frame()
            if frame == 2 then a:pause() print(a:is_playing()) end
            if frame == 4 then a:resume() print(a:is_playing(), a:clip(), pcall(a.state, a)) end
            print(a:joint("foot.L"):position()) print(b:joint("foot.L"):position()) print(c:joint("foot.L"):position())
            if frame == 5 then a:play("idle") print(a:clip(), pcall(a.get, a, "x")) end
        end
    "#;
    let lines = good(text, 6);
    let words: Vec<&String> =
        lines.iter().filter(|line| !line.ends_with(char::is_numeric)).collect();
    assert_eq!(words[0], "false");
    assert!(words[1].starts_with("true\tnil\tfalse\t"), "{}", words[1]);
    assert!(words[1].contains("state: expected the name of a node with states: there are []"));
    assert!(words[2].contains("get: the actor plays no graph"), "{}", words[2]);
    let feet: Vec<Vec3> = lines
        .iter()
        .filter(|line| line.ends_with(char::is_numeric))
        .map(|line| Vec3::from_slice(&numbers(line)))
        .collect();
    let foot = |frames: f32| {
        let mut actor = Actor::new(sinew::ossi());
        actor.play("walk").expect("a walk");
        actor.seek(frames / 24.0);
        let foot = actor.scene().skeleton().find("foot.L").expect("a foot");
        Vec3::from(actor.pose().model_from_joint()[foot.index()].translation)
    };
    for (frame, frames) in [0.0, 1.0, 2.0, 2.0, 2.0, 3.0].into_iter().enumerate() {
        let [a, b, c] = [feet[3 * frame], feet[3 * frame + 1], feet[3 * frame + 2]];
        assert!(a.abs_diff_eq(foot(frames), 1e-4), "frame {frame}: {a}");
        assert!(b.abs_diff_eq(c, 1e-4), "frame {frame}: {b}, the clip has {c}");
    }
}

#[test]
fn from_a_graph_to_a_clip_and_back_nothing_jumps_and_inertialization_ends_in_its_time() {
    let text = r#"
        a = sinew.actor("ossi")
        a:play("idle")
        local head = a:joint("head")
        function Update()
            local frame = sinew.frame()
            head:rotate(0, 20, 0)
            if frame == 1 then a:graph("go.toml", {fade = 0.25}) a:set("speed", 1) end
            if frame == 9 then a:play("jump", {fade = 0.25}) end
            if frame == 17 then a:play("idle", {inertialize = 0.25}) end
            print(a:joint("hand.L"):position())
        end
    "#;
    let lines = good(text, 26);
    let hands: Vec<Vec3> = lines.iter().map(|line| Vec3::from_slice(&numbers(line))).collect();
    let hand = |clip: &str, frames: f32| {
        let mut actor = Actor::new(sinew::ossi());
        actor.play(clip).expect("a clip");
        actor.seek(frames / 24.0);
        let joint = actor.scene().skeleton().find("hand.L").expect("a hand");
        Vec3::from(actor.pose().model_from_joint()[joint.index()].translation)
    };
    // At the change nothing has moved; six frames later, a quarter second, only the new is seen.
    assert!(hands[1].abs_diff_eq(hand("idle", 1.0), 1e-4), "{}", hands[1]);
    assert!(hands[15].abs_diff_eq(hand("jump", 6.0), 1e-4), "{}", hands[15]);
    assert!(hands[17].abs_diff_eq(hand("jump", 8.0), 1e-4), "{}", hands[17]);
    assert!(hands[18].distance(hand("idle", 1.0)) > 0.02, "{}", hands[18]);
    assert!(hands[23].abs_diff_eq(hand("idle", 6.0), 1e-4), "{}", hands[23]);
}

#[test]
fn a_graph_is_sought_from_its_start_and_root_motion_leads_where_it_led_before() {
    let text = r#"
        a = sinew.actor("ossi")
        a:graph("go.toml") a:apply_root_motion() a:set("speed", 1)
        a:place{position = {5, 0, 2}, rotation = {0, 90, 0}}
        function Update()
            local frame = sinew.frame()
            if frame == 24 then a:seek(0.5) end
            if frame == 12 or frame == 24 then
                print(a:time(), a:position()) print(a:joint("foot.L"):position())
            end
        end
    "#;
    let lines = good(text, 25);
    for line in 0..2 {
        let first = numbers(&lines[line]);
        let second = numbers(&lines[line + 2]);
        for (first, second) in first.iter().zip(&second) {
            assert!((first - second).abs() < 2e-3, "{lines:#?}");
        }
    }
    assert!((numbers(&lines[2])[0] - 0.5).abs() < 1e-5, "{lines:#?}");
}

#[test]
fn root_motion_may_be_applied_at_any_moment_without_a_jump() {
    let text = r#"
        a = sinew.actor("ossi")
        a:play("walk") a:set_root_motion("root")
        function Update()
            local frame = sinew.frame()
            if frame == 4 then a:play("run", {inertialize = 0.5}) end
            if frame == 6 then a:apply_root_motion() end
            if frame == 9 then a:apply_root_motion(false) end
            print(a:joint("hand.L"):matrix()[14]) print(a:position())
        end
    "#;
    let lines = good(text, 14);
    let same = good(&text.replace("a:apply_root_motion(", "print("), 14);
    let hands = |lines: &[String]| -> Vec<String> {
        let numbers = lines.iter().filter(|line| line.split_whitespace().count() == 1);
        numbers.filter(|line| line.parse::<f32>().is_ok()).cloned().collect()
    };
    assert_eq!(hands(&lines), hands(&same), "the pose does not depend on it");
    let at = |frame: usize| numbers(&lines[2 * frame + 1])[2];
    assert_eq!(at(6), 0.0);
    assert!(at(9) > 0.1 && at(9) == at(13), "{} {}", at(9), at(13));
}

#[test]
fn in_the_mirror_the_left_hand_does_what_the_right_does() {
    let text = r#"
        a, b = sinew.actor("ossi"), sinew.actor("ossi")
        a:play("wave") b:play("wave") b:mirror()
        function Update()
            print(a:joint("hand.R"):position()) print(b:joint("hand.L"):position())
            if sinew.frame() == 3 then b:mirror(false) end
        end
    "#;
    let lines = good(text, 5);
    let at = |line: usize| Vec3::from_slice(&numbers(&lines[line]));
    for frame in 0..5 {
        let (right, left) = (at(2 * frame), at(2 * frame + 1));
        let seen = Vec3::new(-right.x, right.y, right.z);
        assert_eq!(left.abs_diff_eq(seen, 1e-3), frame < 4, "frame {frame}: {left}, {right}");
    }
}

#[test]
fn what_is_wrong_with_a_graph_is_reported_with_file_line_and_node() {
    let on = |text: &str| format!("local a = sinew.actor('ossi') a:graph('go.toml') a:{text}");
    for (text, expected) in [
        (
            on("set('sped', 1)"),
            "set: there is no parameter \"sped\": there are [\"calm\", \"jump\", \"speed\"]",
        ),
        (
            on("set('speed', 'fast')"),
            "set: parameter \"speed\": expected a finite number, found \"fast\"",
        ),
        (on("set('speed', 0/0)"), "set: parameter \"speed\": expected a finite number, found "),
        (on("set('speed', 1e300)"), "set: parameter \"speed\": expected a finite number, found "),
        (on("set('calm', 1)"), "set: parameter \"calm\": expected true or false, found 1"),
        (on("set('jump', true)"), "set: \"jump\" is a trigger; actor:trigger(name) fires it"),
        (
            on("trigger('calm')"),
            "trigger: \"calm\" is not a trigger; actor:set(name, value) sets it",
        ),
        (on("get('x')"), "get: there is no parameter \"x\""),
        (on("state('walk')"), "state: there is no node \"walk\" with states: there are [\"legs\"]"),
        (
            on("graph('two.toml') a:state()"),
            "state: expected the name of a node with states: there are [\"left\", \"right\"]",
        ),
        (
            on("graph('wrong.toml')"),
            "cannot play the graph \"wrong.toml\": node \"legs\": there is no clip \"wlak\"",
        ),
        (on("graph('torn.json')"), "cannot read the graph \"torn.json\": "),
        (
            on("graph('none.ron')"),
            "cannot read \"none.ron\": there is no such file in the script's folder",
        ),
        (on("graph('../out.toml')"), "the script's folder"),
        (
            on("graph('script.lua')"),
            "graph: expected a file .ron, .json or .toml, found \"script.lua\"",
        ),
        (on("graph(3)"), "graph: expected the name of a file, found 3"),
        (
            on("graph('go.toml', {fad = 1})"),
            "graph: there is no field \"fad\"; there are fade, inertialize",
        ),
        (on("set_speed(-1)"), "set_speed: a graph runs forward: expected 0 or more, found -1"),
        (on("set_root_motion('tail')"), "there is no joint \"tail\""),
        (
            on("set_root_motion('root', 'sky')"),
            "set_root_motion: expected one of floor, all, found \"sky\"",
        ),
        ("sinew.actor('ossi'):set('speed', 1)".into(), "set: the actor plays no graph"),
        (
            "sinew.actor('ossi'):play('walk', {fade = 1, inertialize = 1})".into(),
            "play: expected fade or inertialize, found both",
        ),
    ] {
        let text = format!("function Awake() {text}\nend");
        let error = run(&text, 0).expect_err(&text);
        assert!(error.message.contains("script.lua:1: "), "{text}: {error}");
        assert!(error.message.contains(expected), "{text}: {error}");
    }
}

#[test]
fn graphs_beyond_the_memory_of_a_script_are_refused() {
    let folder = Folder::new();
    let clips: String = (0..3000).map(|n| format!("c{n}.clip = {{ name = 'idle' }}\n")).collect();
    let inputs: Vec<String> = (0..3000).map(|n| format!("{{ node = 'c{n}' }}")).collect();
    let inputs = inputs.join(", ");
    let graph = format!("output = 'all'\n[nodes]\n{clips}all.blend = {{ inputs = [{inputs}] }}");
    folder.write("wide.toml", graph);
    let text = "function Awake() sinew.actor('ossi'):graph('wide.toml') end";
    let limits = Limits { memory: 16 << 20, ..Limits::default() };
    let error = run_in(&folder, text, limits, 0).expect_err("too much");
    assert!(error.message.contains("not enough memory: a script may use 16 MiB"), "{error}");
}

#[test]
fn the_example_walks_runs_stops_and_jumps_by_its_graph() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/scripts/graph.lua");
    let (options, lines) = listening(Limits::default(), false);
    let mut script = Script::open(path, &options).expect("a script");
    script.awake().expect("it wakes");
    for frame in 0..240 {
        script.update(if frame == 0 { 0.0 } else { 1.0 / 30.0 }).expect("it goes on");
    }
    let end = script.stage().members[0].actor.world_from_model().translation;
    let lines = lines.take();
    let states = ["stand", "go", "stand", "jump", "stand"];
    let said = lines.iter().filter_map(|line| line.split(": ").nth(1));
    let said: Vec<&str> = said.filter(|word| states.contains(word)).collect();
    assert_eq!(said, states, "{lines:#?}");
    let feet = lines.iter().filter(|line| line.ends_with(" foot")).count();
    assert!((8..=16).contains(&feet), "{feet} footfalls: {lines:#?}");
    // From 1.4 m/s at first to 3.2 from the second second to the fourth.
    assert!((7.0..12.5).contains(&end.z) && end.x.abs() < 0.1, "{end}");
}

#[test]
fn the_graph_of_the_page_runs_beside_the_examples_graph() {
    let page = include_str!("../../../docs/lua.md");
    let block = page.split("```lua").find(|block| block.contains(":graph(")).expect("Lua");
    let block = block.split("```").next().expect("its end");
    let folder = Folder::new();
    folder.write("graph.toml", include_str!("../../../examples/scripts/graph.toml"));
    let lines = run_in(&folder, block, Limits::default(), 40).expect("it runs");
    assert!(lines.iter().any(|line| line.starts_with("right foot\t")), "{lines:?}");
}
