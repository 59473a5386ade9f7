// What the fourth order adds to the irradiance, for a normal as the environment has it.
fn high_order(n: vec3<f32>) -> vec3<f32> {
    let s = n * n;
    return globals.harmonics[9].rgb * (n.x * n.y * (s.x - s.y))
        + globals.harmonics[10].rgb * (n.y * n.z * (3.0 * s.x - s.y))
        + globals.harmonics[11].rgb * (n.x * n.y * (7.0 * s.z - 1.0))
        + globals.harmonics[12].rgb * (n.y * n.z * (7.0 * s.z - 3.0))
        + globals.harmonics[13].rgb * (35.0 * s.z * s.z - 30.0 * s.z + 3.0)
        + globals.harmonics[14].rgb * (n.x * n.z * (7.0 * s.z - 3.0))
        + globals.harmonics[15].rgb * ((s.x - s.y) * (7.0 * s.z - 1.0))
        + globals.harmonics[16].rgb * (n.x * n.z * (s.x - 3.0 * s.y))
        + globals.harmonics[17].rgb * (s.x * s.x - 6.0 * s.x * s.y + s.y * s.y);
}
