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
    let s = n * n;
    let high = globals.harmonics[9].rgb * (n.x * n.y * (s.x - s.y))
        + globals.harmonics[10].rgb * (n.y * n.z * (3.0 * s.x - s.y))
        + globals.harmonics[11].rgb * (n.x * n.y * (7.0 * s.z - 1.0))
        + globals.harmonics[12].rgb * (n.y * n.z * (7.0 * s.z - 3.0))
        + globals.harmonics[13].rgb * (35.0 * s.z * s.z - 30.0 * s.z + 3.0)
        + globals.harmonics[14].rgb * (n.x * n.z * (7.0 * s.z - 3.0))
        + globals.harmonics[15].rgb * ((s.x - s.y) * (7.0 * s.z - 1.0))
        + globals.harmonics[16].rgb * (n.x * n.z * (s.x - 3.0 * s.y))
        + globals.harmonics[17].rgb * (s.x * s.x - 6.0 * s.x * s.y + s.y * s.y);
    return max(vec3(0.0), low_orders(n) + high);
}

// What a white wall with this normal would look like, with nothing before it.
fn around(normal: vec3<f32>) -> vec3<f32> {
    return irradiance(normal) * globals.ambient.w + globals.ambient.rgb;
}
