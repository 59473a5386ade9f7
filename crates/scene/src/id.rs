//! Indices with a type: a joint's number cannot be handed to something that wants a mesh's.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id with this index.
            ///
            /// # Panics
            /// When `index` does not fit in 32 bits.
            #[must_use]
            pub const fn new(index: usize) -> Self {
                assert!(index as u64 <= u32::MAX as u64, "an index fits in 32 bits");
                Self(index as u32)
            }

            /// The place in the list that this id speaks of.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }
    )*};
}

ids! {
    /// A node of the scene's tree, joint of a skin or not: an index into [`Skeleton`](crate::Skeleton).
    JointId;
    /// An index into [`SceneParts::meshes`](crate::SceneParts::meshes).
    MeshId;
    /// An index into [`SceneParts::instances`](crate::SceneParts::instances).
    InstanceId;
    /// An index into [`SceneParts::skins`](crate::SceneParts::skins).
    SkinId;
    /// An index into [`SceneParts::clips`](crate::SceneParts::clips).
    ClipId;
    /// An index into [`SceneParts::materials`](crate::SceneParts::materials).
    MaterialId;
    /// An index into [`SceneParts::variants`](crate::SceneParts::variants).
    VariantId;
    /// An index into [`SceneParts::textures`](crate::SceneParts::textures).
    TextureId;
    /// An index into [`SceneParts::images`](crate::SceneParts::images).
    ImageId;
    /// An index into [`SceneParts::lights`](crate::SceneParts::lights).
    LightId;
    /// An index into [`SceneParts::cameras`](crate::SceneParts::cameras).
    CameraId;
    /// An index into [`SceneParts::properties`](crate::SceneParts::properties).
    PropertyId;
}
