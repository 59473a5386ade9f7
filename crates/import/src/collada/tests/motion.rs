//! Transforms and animations: what the tracks say is what the stack of elements says.

use glam::Affine3A;

use super::*;

fn moved(nodes: &str, all: &[String]) -> Imported {
    open(&(shown(nodes) + &animations(all)))
}

/// Where `n` is in the only clip at a time.
fn pose(imported: &Imported, time: f32) -> Affine3A {
    world(&imported.scene, Some((&imported.scene.clips[0], time)), "n")
}

#[test]
fn a_stack_that_stands_still_is_one_node_whatever_its_order() {
    let imported = open(&shown(
        "<node name=\"n\"><scale>1 2 3</scale><rotate>0 0 1 90</rotate><translate>1 0 0</translate>\
         <skew>45 0 1 0 1 0 0</skew></node>",
    ));
    assert_eq!(imported.scene.skeleton().len(), 1);
    let mut skew = Affine3A::IDENTITY;
    skew.matrix3.y_axis.x = 1.0;
    let expected = Affine3A::from_scale(Vec3::new(1.0, 2.0, 3.0))
        * rotate(Vec3::Z, 90.0)
        * translate(1.0, 0.0, 0.0)
        * skew;
    close(world(&imported.scene, None, "n"), expected, 1e-6);
}

const EULER: &str = "<node id=\"n\" name=\"n\"><translate sid=\"t\">1 2 3</translate>\
    <rotate sid=\"o\">0 1 0 30</rotate><rotate sid=\"z\">0 0 1 0</rotate><rotate sid=\"y\">0 1 0 0</rotate>\
    <rotate sid=\"x\">1 0 0 0</rotate><scale sid=\"s\">1 1 1</scale></node>";

#[test]
fn euler_angles_keep_their_order_between_keys() {
    let imported = moved(
        EULER,
        &[
            animation("a", "n/z.ANGLE", "0 1", 1, "0 80", "LINEAR"),
            animation("b", "n/y.ANGLE", "0 1", 1, "0 -60", "LINEAR"),
            animation("c", "n/x.ANGLE", "0 0.5 2", 1, "10 40 -90", "LINEAR"),
        ],
    );
    assert_eq!(imported.scene.skeleton().len(), 1);
    for step in 0..=40 {
        let time = step as f32 / 20.0;
        let ramp = time.min(1.0);
        let x = if time < 0.5 { 10.0 + 60.0 * time } else { 40.0 - 130.0 * (time - 0.5) / 1.5 };
        let expected = translate(1.0, 2.0, 3.0)
            * rotate(Vec3::Y, 30.0)
            * rotate(Vec3::Z, 80.0 * ramp)
            * rotate(Vec3::Y, -60.0 * ramp)
            * rotate(Vec3::X, x);
        close(pose(&imported, time), expected, 1e-5);
    }
}

#[test]
fn a_rotation_by_two_circles_goes_all_the_way_round() {
    let imported = moved(EULER, &[animation("a", "n/z.ANGLE", "0 4", 1, "0 720", "LINEAR")]);
    for time in [0.5, 1.0, 1.5, 2.3, 3.9] {
        let expected =
            translate(1.0, 2.0, 3.0) * rotate(Vec3::Y, 30.0) * rotate(Vec3::Z, 180.0 * time);
        close(pose(&imported, time), expected, 1e-5);
    }
}

#[test]
fn parts_and_wholes_of_translations_and_scales_are_driven() {
    let imported = moved(
        EULER,
        &[
            animation("a", "n/t.Y", "0 1", 1, "2 4", "LINEAR"),
            animation("b", "n/t(2)", "0 0.5", 1, "3 0", "STEP"),
            animation("c", "n/s", "0 1", 3, "1 1 1 3 1 1", "LINEAR"),
        ],
    );
    let at = |x: f32, y: f32, z: f32, scale: f32| {
        translate(x, y, z)
            * rotate(Vec3::Y, 30.0)
            * Affine3A::from_scale(Vec3::new(scale, 1.0, 1.0))
    };
    close(pose(&imported, 0.25), at(1.0, 2.5, 3.0, 1.5), 1e-5);
    close(pose(&imported, 0.5), at(1.0, 3.0, 0.0, 2.0), 1e-5);
    close(pose(&imported, 9.0), at(1.0, 4.0, 0.0, 3.0), 1e-5);
    assert_eq!(imported.scene.clips[0].duration, 1.0);
}

#[test]
fn a_whole_rotation_is_an_axis_and_degrees() {
    let imported = moved(EULER, &[animation("a", "n/y", "0 1", 4, "0 1 0 0  0 1 0 270", "LINEAR")]);
    let expected = translate(1.0, 2.0, 3.0) * rotate(Vec3::Y, 30.0 + 135.0);
    close(pose(&imported, 0.5), expected, 1e-5);
}

#[test]
fn what_rotates_about_a_pivot_or_under_a_scale_takes_several_nodes() {
    let imported = moved(
        "<node id=\"n\" name=\"n\"><scale>1 2 1</scale><translate>1 0 0</translate>\
         <rotate sid=\"z\">0 0 1 0</rotate><translate>-1 0 0</translate></node>",
        &[animation("a", "n/z.ANGLE", "0 1", 1, "0 90", "LINEAR")],
    );
    let names: Vec<&str> =
        imported.scene.skeleton().nodes().iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["n (1)", "n (2)", "n"]);
    let expected = Affine3A::from_scale(Vec3::new(1.0, 2.0, 1.0))
        * translate(1.0, 0.0, 0.0)
        * rotate(Vec3::Z, 45.0)
        * translate(-1.0, 0.0, 0.0);
    close(pose(&imported, 0.5), expected, 1e-5);
}

const MATRIX: &str =
    "<node id=\"n\" name=\"n\"><matrix sid=\"m\">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix></node>";

#[test]
fn whole_matrices_rotate_evenly_from_key_to_key() {
    let keys = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1  0 -2 0 4 2 0 0 0 0 0 2 0 0 0 0 1";
    let imported = moved(MATRIX, &[animation("a", "n/m", "0 1", 16, keys, "LINEAR")]);
    let expected =
        translate(2.0, 0.0, 0.0) * rotate(Vec3::Z, 45.0) * Affine3A::from_scale(Vec3::splat(1.5));
    close(pose(&imported, 0.5), expected, 1e-6);
    let stepped = moved(MATRIX, &[animation("a", "n/m", "0 1", 16, keys, "STEP")]);
    close(pose(&stepped, 0.9), Affine3A::IDENTITY, 1e-6);
    let mixed = moved(
        MATRIX,
        &[animation("a", "n/m", "0 1 2", 16, &format!("{keys} {keys}"), "STEP LINEAR LINEAR")],
    );
    close(pose(&mixed, 0.9), Affine3A::IDENTITY, 1e-6);
}

#[test]
fn a_matrix_may_be_driven_cell_by_cell_column_first() {
    let imported = moved(
        MATRIX,
        &[
            animation("a", "n/m(3)(0)", "0 1", 1, "0 6", "LINEAR"),
            animation("b", "n/m(1)(1)", "0 1", 1, "1 3", "LINEAR"),
            // Some files drive the last cell to zero; it means nothing.
            animation("c", "n/m(3)(3)", "0 1", 1, "1 0", "LINEAR"),
        ],
    );
    let expected = translate(3.0, 0.0, 0.0) * Affine3A::from_scale(Vec3::new(1.0, 2.0, 1.0));
    close(pose(&imported, 0.5), expected, 1e-5);
    close(
        pose(&imported, 1.0),
        translate(6.0, 0.0, 0.0) * Affine3A::from_scale(Vec3::new(1.0, 3.0, 1.0)),
        1e-5,
    );
}

#[test]
fn cells_that_shear_between_keys_take_two_nodes_and_are_exact() {
    // From the identity to a quarter rotation about (1, 1, 1) / √3, cell by cell.
    let end = rotate(Vec3::ONE.normalize(), 90.0);
    let mut all = Vec::new();
    for (column, axis) in
        [end.matrix3.x_axis, end.matrix3.y_axis, end.matrix3.z_axis].iter().enumerate()
    {
        for (row, number) in axis.to_array().iter().enumerate() {
            let from = f32::from(u8::from(row == column));
            let keys = format!("{from} {number} {from}");
            let target = format!("n/m({column})({row})");
            all.push(animation(&format!("c{column}{row}"), &target, "0 1 3", 1, &keys, "LINEAR"));
        }
    }
    let imported = moved(MATRIX, &all);
    assert_eq!(imported.scene.skeleton().len(), 2);
    for time in [0.0, 0.2, 0.5, 0.9, 1.0, 1.7, 3.0] {
        let part = if time < 1.0 { time } else { (3.0 - time) / 2.0 };
        let mut expected = Affine3A::IDENTITY;
        expected.matrix3 = expected.matrix3 * (1.0 - part) + end.matrix3 * part;
        close(pose(&imported, time), expected, 1e-5);
    }
}

#[test]
fn a_skew_may_be_driven() {
    let nodes = "<node id=\"n\" name=\"n\"><skew sid=\"k\">0 0 1 0 1 0 0</skew></node>";
    let imported = moved(nodes, &[animation("a", "n/k.ANGLE", "0 1", 1, "0 60", "LINEAR")]);
    for time in [0.1_f32, 0.5, 0.75, 1.0] {
        let mut expected = Affine3A::IDENTITY;
        expected.matrix3.y_axis.x = (60.0 * time).to_radians().tan();
        close(pose(&imported, time), expected, 2e-5);
    }
}

#[test]
fn bezier_curves_of_angles_are_followed() {
    let tangents = format!("{}{}", floats("ti", 2, "0 0  1.8 90"), floats("to", 2, "0.2 0  3 90"));
    let inputs = "<input semantic=\"IN_TANGENT\" source=\"#ti\"/><input semantic=\"OUT_TANGENT\" source=\"#to\"/></sampler>";
    let text = animation("a", "n/z.ANGLE", "0 2", 1, "0 90", "BEZIER")
        .replace("</sampler>", inputs)
        .replace("<sampler", &format!("{tangents}<sampler"));
    let imported = moved(EULER, &[text]);
    // At half the parameter: time (0 + 3·0.2 + 3·1.8 + 2) / 8 = 1, value 45.
    let expected =
        |degrees| translate(1.0, 2.0, 3.0) * rotate(Vec3::Y, 30.0) * rotate(Vec3::Z, degrees);
    close(pose(&imported, 1.0), expected(45.0), 1e-5);
    // At a quarter: time (0 + 27·0.2 + 9·1.8 + 2) / 64, value (9·90 + 90) / 64.
    close(pose(&imported, 23.6 / 64.0), expected(900.0 / 64.0), 1e-5);
}

#[test]
fn nested_animations_and_targets_below_scoped_ids_are_found() {
    let nodes = "<node id=\"top\"><node sid=\"inner\" name=\"n\"><translate sid=\"t\">0 0 0</translate></node></node>";
    let clip = animation("a", "top/inner/t.X", "0 1", 1, "0 2", "LINEAR");
    let imported = moved(nodes, &[format!("<animation><animation>{clip}</animation></animation>")]);
    close(pose(&imported, 0.5), translate(1.0, 0.0, 0.0), 1e-6);
}

#[test]
fn what_is_driven_but_does_not_move_is_a_note() {
    let nodes = "<node id=\"n\" name=\"n\"><extra><technique><visibility sid=\"v\">1</visibility></technique></extra></node>";
    let all =
        ["n/v", "n/gone", "gone/t"].map(|target| animation("a", target, "0 9", 1, "0 2", "LINEAR"));
    let imported = moved(nodes, &all);
    assert!(imported.scene.clips.is_empty());
    for words in ["an animation of a <visibility>", "\"n/gone\"", "\"gone/t\""] {
        assert!(notes(&imported).contains(words), "{words} in {}", notes(&imported));
    }
}

#[test]
fn every_copy_of_an_instanced_node_moves() {
    let text = format!(
        "<library_nodes><node id=\"lib\" name=\"n\"><translate sid=\"t\">0 0 0</translate></node></library_nodes>{}{}",
        shown("<node><instance_node url=\"#lib\"/><instance_node url=\"#lib\"/></node>"),
        animations(&[animation("a", "lib/t.X", "0 1", 1, "0 2", "LINEAR")])
    );
    assert_eq!(open(&text).scene.clips[0].translations.len(), 2);
}

#[test]
fn clips_have_their_own_names_times_and_channels() {
    let nodes = "<node id=\"n\" name=\"n\"><translate sid=\"t\">7 7 7</translate></node>";
    let clips = "<library_animation_clips><animation_clip name=\"walk\" start=\"1\" end=\"3\">\
        <instance_animation url=\"#a\"/></animation_clip><animation_clip id=\"jump\">\
        <instance_animation url=\"#b\"/></animation_clip></library_animation_clips>";
    let all = [
        animation("a", "n/t.X", "0 4", 1, "0 4", "LINEAR"),
        animation("b", "n/t.Y", "0 5", 1, "0 4", "LINEAR"),
        animation("c", "n/t.Z", "0 5", 1, "0 4", "LINEAR"),
    ];
    let imported = open(&(shown(nodes) + &animations(&all) + clips));
    let [walk, jump] = &imported.scene.clips[..] else { panic!("two clips") };
    assert_eq!((walk.name.as_str(), walk.start, walk.duration), ("walk", 1.0, 2.0));
    assert_eq!((jump.name.as_str(), jump.start, jump.duration), ("jump", 0.0, 5.0));
    close(world(&imported.scene, Some((walk, 0.5)), "n"), translate(1.5, 7.0, 7.0), 1e-6);
    assert!(notes(&imported).contains("in no clip: 1 animation channel"));
}

#[test]
fn a_channel_that_stays_at_rest_makes_no_track() {
    let imported = moved(EULER, &[animation("a", "n/t.X", "0 1 2", 1, "1 1 1", "LINEAR")]);
    assert_eq!(imported.scene.clips[0].track_count(), 0);
    assert_eq!(imported.scene.clips[0].duration, 2.0);
}

#[test]
fn keys_at_one_time_and_out_of_order_are_taken_in_order() {
    let imported = moved(EULER, &[animation("a", "n/t.X", "2 0 1 1", 1, "2 0 1 9", "LINEAR")]);
    let x = |time: f32| pose(&imported, time).translation.x;
    assert!((x(0.5) - 0.5).abs() < 1e-6 && (x(1.0) - 9.0).abs() < 1e-6, "{} {}", x(0.5), x(1.0));
    assert!(notes(&imported).contains("not in order"));
}

#[test]
fn a_curve_over_several_values_bends_each_of_them() {
    let with_tangents = |stride: usize, inward: &str, outward: &str| {
        let inputs = "<input semantic=\"IN_TANGENT\" source=\"#ti\"/><input semantic=\"OUT_TANGENT\" source=\"#to\"/></sampler>";
        let sources = floats("ti", stride, inward) + &floats("to", stride, outward) + "<sampler";
        let text = animation("a", "n/t", "0 2", 3, "0 0 0 4 0 0", "BEZIER");
        let text = text.replace("</sampler>", inputs).replace("<sampler", &sources);
        moved(EULER, &[text])
    };
    // Control values 1 and 3 for x, 8 and 0 for y, 0 and -8 for z; at the middle 2, 3 and -3.
    let expected = translate(2.0, 3.0, -3.0) * rotate(Vec3::Y, 30.0);
    let offsets = with_tangents(3, "0 0 0 1 0 8", "1 8 0 0 0 0");
    close(pose(&offsets, 1.0), expected, 1e-5);
    let third = "0.6666667";
    let points = with_tangents(
        6,
        "0 0 0 0 0 0 1.3333333 3 1.3333333 0 1.3333333 -8",
        &format!("{third} 1 {third} 8 {third} 0 2 4 2 0 2 0"),
    );
    close(pose(&points, 1.0), expected, 1e-5);
    assert!(points.notes.is_empty() && offsets.notes.is_empty());
}
