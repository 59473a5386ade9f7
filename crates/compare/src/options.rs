//! How two models are compared.

/// Times a second at which both are sampled, besides their keys.
pub(crate) const DEFAULT_RATE: f64 = 60.0;

/// How two models are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareOptions {
    /// Samples a second, besides every key of both clips.
    pub rate: f64,
    /// Clips to compare, of A and of B. Empty: all that have the same name.
    pub clips: Vec<(String, String)>,
    /// Joints that are paired though their names differ, of A and of B. All others are paired by name.
    pub joints: Vec<(String, String)>,
    /// What is made equal before anything is measured.
    pub align: Alignment,
    /// Whether [`Measure::vertices`](crate::Measure::vertices) is filled in: the worst distance of every vertex, for a heat map.
    pub keep_vertices: bool,
    /// Whether only the worst is wanted of the skin, as a proof needs it: moments at which no vertex can be worse than one
    /// that was found are not skinned. Shares, means and speeds are then those of the few that were, and angles are not measured.
    pub worst_only: bool,
    /// With `worst_only`: metres up to which the worst of all clips is enough. Of the skin in a clip that is not farther apart than that
    /// somewhere, and not the worst, it is then only known that it is no worse than the worst.
    pub worst_of_all_below: f64,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            rate: DEFAULT_RATE,
            clips: Vec::new(),
            joints: Vec::new(),
            align: Alignment::default(),
            keep_vertices: false,
            worst_only: false,
            worst_of_all_below: 0.0,
        }
    }
}

/// What is made equal before anything is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    /// How B is moved.
    pub placement: Placement,
    /// Whether B is scaled to the size of A, by the distances between their joints at rest.
    pub scale: bool,
}

/// How B is moved before it is compared with A.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Not at all.
    #[default]
    None,
    /// At every moment, so that its root is where that of A is: what is left is the pose.
    Root,
    /// Once, over the floor and about Y, so that its root begins where that of A begins.
    Start,
}
