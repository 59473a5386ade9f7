//! Where each pair of joints moves vertices, and what no vertex that it moves exceeds in a pose.
//!
//! In:  clusters, once; then the matrices of a pose.
//! Out: for each pair of handles, metres. A vertex is no farther apart than the most of the pairs that move it.
//!
//! With `|M c| + ‖M‖ r` over all clusters that follow a pair, as in `clusters.rs`. A few pairs tell that most clusters cannot have the worst.

use sinew_scene::glam::{Affine3A, Vec3A};

use crate::clusters::{Cluster, PairMatrices, SLACK, Used};
use crate::terms::NONE;

/// A ball around all vertices that follow a pair of handles; none for a pair that no vertex follows.
type Ball = Option<(Vec3A, f32)>;

/// The regions of all pairs of handles.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    balls: Vec<Ball>,
    /// Pairs of handles whose spread over the first of a cluster is needed, with its number.
    spreads: Vec<(u32, u32)>,
    /// The most of any cluster.
    whole: f32,
    sums: f32,
}

impl Regions {
    pub(crate) fn new<'a>(
        pairs: usize,
        clusters: impl Iterator<Item = (&'a Cluster, &'a [Used])>,
    ) -> Self {
        let mut made = Self::default();
        let mut boxes: Vec<Option<[Vec3A; 2]>> = vec![None; pairs];
        for (cluster, used) in clusters {
            made.whole = made.whole.max(cluster.whole);
            made.sums = made.sums.max(cluster.sums);
            let [low, high] = [-cluster.radius, cluster.radius].map(|by| cluster.middle + by);
            for one in used {
                let around = boxes[one.pair as usize].get_or_insert([low, high]);
                *around = [around[0].min(low), around[1].max(high)];
                if one.spread != NONE {
                    made.spreads.push((one.pair, one.spread));
                }
            }
        }
        made.spreads.sort_unstable();
        made.spreads.dedup();
        let ball = |[low, high]: [Vec3A; 2]| (0.5 * (low + high), 0.5 * (high - low).length());
        made.balls = boxes.into_iter().map(|around| around.map(ball)).collect();
        made
    }

    /// What no vertex that follows each pair exceeds for its part. `weights` is the most that the weights of a vertex differ in all, and
    /// `moved` the farthest that two partners are apart at bind.
    pub(crate) fn bounds<'a>(
        &'a self,
        matrices: &'a [PairMatrices],
        spread: &[(Affine3A, f32)],
        [weights, moved]: [f32; 2],
    ) -> impl Iterator<Item = f32> + 'a {
        let most =
            |most: f32, found: f32| if found > most || found.is_nan() { found } else { most };
        let ball = |pair: usize| self.balls[pair].unwrap_or((Vec3A::ZERO, 0.0));
        let near = self.spreads.iter().map(|&(pair, number)| {
            let (matrix, norm) = &spread[number as usize];
            let (middle, radius) = ball(pair as usize);
            matrix.transform_point3a(middle).length() + norm * (radius + moved)
        });
        let near = near.fold(0.0, most);
        let [mut far, mut stretch] = [0.0; 2];
        for (at, pair) in matrices.iter().enumerate() {
            let (middle, radius) = ball(at);
            let length = pair.of_b.transform_point3a(middle).length();
            far = most(far, length + pair.of_b_norm * (radius + moved));
            stretch = most(stretch, pair.of_b_norm);
        }
        let rest = weights * near + self.sums * far + self.whole * moved * stretch;
        matrices.iter().zip(&self.balls).map(move |(pair, ball)| {
            let Some((middle, radius)) = ball else { return 0.0 };
            let apart = pair.apart.transform_point3a(*middle).length() + pair.apart_norm * radius;
            SLACK * (self.whole * apart + rest)
        })
    }
}
