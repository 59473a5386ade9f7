use super::*;

fn flat(points: &[[f32; 2]]) -> Vec<Vec3> {
    points.iter().map(|&[x, y]| Vec3::new(x, y, 0.0)).collect()
}

fn cut(points: &[Vec3], holes: &[usize]) -> Vec<[u32; 3]> {
    let mut out = Vec::new();
    triangulate(points, holes, &mut out);
    out
}

/// Twice the signed area of each triangle, seen from +Z.
fn areas(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<f32> {
    triangles
        .iter()
        .map(|t| t.map(|at| points[at as usize]))
        .map(|[a, b, c]| (b - a).cross(c - a).z)
        .collect()
}

#[track_caller]
fn covers(points: &[Vec3], holes: &[usize], count: usize, twice_area: f32) {
    let triangles = cut(points, holes);
    let areas = areas(points, &triangles);
    assert_eq!(triangles.len(), count, "{triangles:?}");
    assert!(areas.iter().all(|&area| area > 0.0), "{triangles:?} {areas:?}");
    let sum: f32 = areas.iter().sum();
    assert!((sum - twice_area).abs() < 1e-4, "{sum} is not {twice_area}: {triangles:?}");
}

#[test]
fn a_concave_quad_is_cut_at_its_dent() {
    let dart = flat(&[[0.0, 0.0], [2.0, -1.0], [0.5, 0.0], [2.0, 1.0]]);
    assert_eq!(cut(&dart, &[]), [[0, 1, 2], [0, 2, 3]]);
    let turned = flat(&[[2.0, -1.0], [0.5, 0.0], [2.0, 1.0], [0.0, 0.0]]);
    assert_eq!(cut(&turned, &[]), [[1, 2, 3], [1, 3, 0]]);
}

#[test]
fn a_convex_polygon_becomes_a_fan() {
    let house = flat(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 2.0], [0.0, 1.0]]);
    assert_eq!(cut(&house, &[]), [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
}

#[test]
fn an_l_is_covered_once_and_nothing_beside_it() {
    let l = flat(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]]);
    covers(&l, &[], 4, 6.0);
}

#[test]
fn winding_follows_the_polygon_whichever_way_it_faces() {
    let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    for place in [
        |x, y| Vec3::new(0.0, x, y),
        |x, y| Vec3::new(y, 0.0, x),
        |x, y| Vec3::new(x, y, 0.0),
        |x, y| Vec3::new(0.0, y, x),
        |x, y| Vec3::new(x, 0.0, y),
        |x, y| Vec3::new(y, x, 0.0),
    ] as [fn(f32, f32) -> Vec3; 6]
    {
        let points: Vec<Vec3> = l.iter().map(|&[x, y]| place(x, y)).collect();
        let normal = (points[1] - points[0]).cross(points[2] - points[1]).normalize();
        let sum: Vec3 = cut(&points, &[])
            .iter()
            .map(|t| t.map(|at| points[at as usize]))
            .map(|[a, b, c]| (b - a).cross(c - a))
            .inspect(|area| assert!(area.dot(normal) > 0.0, "{area} against {normal}"))
            .sum();
        assert!(sum.abs_diff_eq(6.0 * normal, 1e-5), "{sum}");
    }
}

#[test]
fn a_corner_in_the_middle_of_an_edge_is_used() {
    covers(&flat(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), &[], 3, 3.0);
}

#[test]
fn a_square_with_a_square_hole_leaves_the_hole_open() {
    let mut points = flat(&[[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [0.0, 3.0]]);
    let hole = flat(&[[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]]);
    points.extend(&hole);
    covers(&points, &[4], 8, 2.0 * 8.0);
    points[4..].reverse();
    covers(&points, &[4], 8, 2.0 * 8.0);
}

#[test]
fn four_holes_in_a_row_and_column_stay_open() {
    let mut points = flat(&[[0.0, 0.0], [5.0, 0.0], [5.0, 5.0], [0.0, 5.0]]);
    let mut holes = Vec::new();
    for [x, y] in [[1.0, 1.0], [3.0, 1.0], [1.0, 3.0], [3.0, 3.0]] {
        holes.push(points.len());
        points.extend(flat(&[[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]]));
    }
    // 20 corners, 4 bridges: 20 + 2·4 - 2 triangles.
    covers(&points, &holes, 26, 2.0 * (25.0 - 4.0));
}

#[test]
fn degenerate_rings_end_and_give_at_most_two_fewer_triangles_than_corners() {
    let line = flat(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [4.0, 0.0]]);
    let point = vec![Vec3::ONE; 7];
    let spike = flat(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [1.0, 5.0], [1.0, 1.0], [0.0, 1.0]]);
    let bow = flat(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.5]]);
    let star = flat(&[[0.0, 1.0], [-0.6, -0.8], [0.9, 0.3], [-0.9, 0.3], [0.6, -0.8]]);
    let wild = vec![Vec3::NAN, Vec3::X, Vec3::Y, Vec3::Z, Vec3::INFINITY, Vec3::MAX];
    let huge = vec![Vec3::MAX, Vec3::MIN, Vec3::X * f32::MAX, Vec3::Y * f32::MIN, Vec3::ZERO];
    for points in [line, point, spike, bow, star, wild, huge] {
        let triangles = cut(&points, &[]);
        assert!(triangles.len() <= points.len() - 2, "{triangles:?}");
        assert!(triangles.iter().flatten().all(|&at| (at as usize) < points.len()));
    }
    assert!(cut(&[], &[]).is_empty() && cut(&[Vec3::X, Vec3::Y], &[]).is_empty());
    for holes in [&[9][..], &[0], &[3, 2], &[4, 4, 5, 99], &[1]] {
        cut(&flat(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5]]), holes);
    }
}

#[test]
fn a_comb_of_many_teeth_is_covered_in_linear_time() {
    let teeth = 2000;
    let mut comb = vec![[0.0, 0.0], [teeth as f32, 0.0]];
    for tooth in (0..teeth).rev() {
        let x = tooth as f32;
        comb.extend([[x + 0.75, 2.0], [x + 0.5, 1.0]]);
    }
    let points = flat(&comb);
    let triangles = cut(&points, &[]);
    assert_eq!(triangles.len(), points.len() - 2);
    let all_turn_left = areas(&points, &triangles).iter().all(|&area| area >= 0.0);
    assert!(all_turn_left);
}

/// A ring around the origin whose corners are at random distances, in the order of their angles.
fn star(corners: usize, random: &mut impl FnMut() -> f32) -> Vec<[f32; 2]> {
    (0..corners)
        .map(|at| {
            let angle = at as f32 / corners as f32 * std::f32::consts::TAU;
            let distance = 0.2 + random();
            [angle.cos() * distance, angle.sin() * distance]
        })
        .collect()
}

#[test]
fn ragged_stars_are_covered_exactly_with_and_without_a_hole() {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 40) as f32 / (1 << 24) as f32
    };
    for corners in 5..60 {
        let outer = star(corners, &mut random);
        let points = flat(&outer);
        let twice: f32 =
            (0..corners).map(|at| points[at].cross(points[(at + 1) % corners]).z).sum();
        covers(&points, &[], corners - 2, twice);
        let mut holed = points.clone();
        holed.extend(points.iter().rev().map(|point| 0.3 * *point));
        covers(&holed, &[corners], 2 * corners, twice * (1.0 - 0.09));
    }
}
