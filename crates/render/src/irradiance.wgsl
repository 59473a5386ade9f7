// Light from all sides, as its harmonics have it.

// A direction of the world as the environment, turned about Y, has it.
fn in_environment(direction: vec3<f32>) -> vec3<f32> {
    let turn = globals.environment_turn;
    return vec3(
        turn.x * direction.x - turn.y * direction.z,
        direction.y,
        turn.y * direction.x + turn.x * direction.z,
    );
}

// The first orders of the irradiance, for a normal as the environment has it.
fn low_orders(n: vec3<f32>) -> vec3<f32> {
    let s = n * n;
    return globals.harmonics[0].rgb
        + globals.harmonics[1].rgb * n.y
        + globals.harmonics[2].rgb * n.z
        + globals.harmonics[3].rgb * n.x
        + globals.harmonics[4].rgb * (n.x * n.y)
        + globals.harmonics[5].rgb * (n.y * n.z)
        + globals.harmonics[6].rgb * (3.0 * s.z - 1.0)
        + globals.harmonics[7].rgb * (n.x * n.z)
        + globals.harmonics[8].rgb * (s.x - s.y);
}

// Irradiance over pi from the environment. The twin of environment/harmonics.rs.
fn irradiance(normal: vec3<f32>) -> vec3<f32> {
    let n = in_environment(normal);
    return max(vec3(0.0), low_orders(n) + high_order(n));
}

// What a white wall with this normal would look like, with nothing before it.
fn around(normal: vec3<f32>) -> vec3<f32> {
    return irradiance(normal) * globals.ambient.w + globals.ambient.rgb;
}
