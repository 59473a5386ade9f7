//! Every rule there is: one entry each, in the order of the guide.
//!
//! A rule's code is stable: baselines and scripts name it. Words may be improved.

use crate::Severity::{Error, Info, Warning};
use crate::rule::{Mend, Rule};

macro_rules! rules {
    ($($name:ident = $code:literal $severity:ident $mend:ident
        aliases [$($alias:literal)*] validator [$($validator:literal)*]
        $title:literal
        why $why:literal
        how $how:literal;)*) => {
        // Some rules look into images, where they can be decoded.
        $(#[cfg_attr(not(feature = "images"), allow(dead_code))]
        pub(crate) static $name: &Rule = &RULES[Number::$name as usize];)*

        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[cfg_attr(not(feature = "images"), allow(dead_code))]
        enum Number { $($name),* }

        /// All of them.
        pub(crate) static RULES: &[Rule] = &[$(Rule {
            code: $code,
            aliases: &[$($alias),*],
            severity: $severity,
            title: $title,
            why: $why,
            how: $how,
            mend: Mend::$mend,
            validator: &[$($validator),*],
            explanation: include_str!(concat!("explain/", $code, ".md")),
        }),*];
    };
}

rules! {
    SCALE = "scale" Warning OnRequest aliases [] validator []
        "The figure is not the size of a person"
        why "it is a speck or a giant in the engine, and physics, shadows and cameras go wrong"
        how "export in metres, or bake the factor: sinew convert --scale";
    ARMATURE = "armature" Info OnRequest aliases [] validator []
        "A node above the root joint is scaled or rotated"
        why "code that reads bones finds odd axes and units, and root motion is in that node's space"
        how "apply the armature's transform before export";
    UP_AXIS = "up-axis" Warning OnRequest aliases ["axis"] validator []
        "The figure lies down"
        why "the file says one axis is up and the model was made for another"
        how "export with Y up";
    WEIGHT_SUM = "weight-sum" Error Automatic aliases [] validator ["ACCESSOR_WEIGHTS_NON_NORMALIZED"]
        "Weights of vertices do not sum to one"
        why "the vertex is drawn towards the origin, as a spike that grows with the distance from it"
        how "normalize all weights before export";
    WEIGHT_NONE = "weight-none" Error Automatic aliases [] validator []
        "Vertices of a skinned mesh have no weights"
        why "in most engines such vertices collapse to the origin"
        how "weight them to the joint they should follow";
    INFLUENCES = "influences" Warning OnRequest aliases [] validator []
        "Vertices have more influences than an engine reads"
        why "further influences are dropped, often without making the rest sum to one"
        how "limit the influences and normalize: sinew convert --influences 4";
    JOINT_LIMIT = "joint-limit" Warning Automatic aliases [] validator []
        "A skin has more joints than an engine takes"
        why "the mesh is not drawn, or its last joints do not move"
        how "leave out joints without weights, or split the mesh";
    JOINT_UNUSED = "joint-unused" Info OnRequest aliases [] validator ["NODE_EMPTY"]
        "Joints that nothing follows"
        why "they cost a matrix each in every frame, for every character"
        how "export without leaf bones";
    QUAT_SIGN = "quat-sign" Warning Automatic aliases [] validator []
        "Neighbouring rotation keys have opposite signs"
        why "an engine that blends without looking at signs turns the limb the long way round"
        how "flip keys so that neighbours have a positive dot product";
    QUAT_UNIT = "quat-unit" Error Automatic aliases [] validator ["ROTATION_NON_UNIT" "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION"]
        "Rotations are not unit quaternions"
        why "limbs shrink, grow or shear, by as much as the quaternion is off"
        how "normalize rotations before export";
    ROTATION_180 = "rotation-180" Warning OnRequest aliases ["turn-180"] validator []
        "A rotation goes half a turn from one key to the next"
        why "which way round is up to rounding; baked Euler curves turn the wrong way here"
        how "add a key in between, or bake more keys";
    SPIKE = "spike" Warning OnRequest aliases [] validator []
        "A joint is flung away for a frame and comes back"
        why "a limb flickers; usually one bad frame of a capture or an Euler flip"
        how "delete the key, or filter the curve";
    REST_BIND = "rest-bind" Info OnRequest aliases [] validator []
        "The rest pose is not the pose the mesh was bound in"
        why "without an animation the model stands in another pose than its mesh, and tools that ignore skins show it differently"
        how "export in the bind pose, or apply the pose as rest pose";
    BINDS = "binds" Error Automatic aliases ["inverse-binds"] validator ["ACCESSOR_INVALID_IBM"]
        "Inverse bind matrices are missing or wrong"
        why "the mesh explodes or folds up at the origin as soon as it is skinned"
        how "bind the skin again and export";
    SKIN_NODE = "skin-node" Warning Automatic aliases [] validator ["NODE_SKINNED_MESH_LOCAL_TRANSFORMS" "NODE_SKINNED_MESH_NON_ROOT"]
        "A skinned mesh is under a node with a transform"
        why "glTF ignores that transform; programs that do not show the model elsewhere"
        how "put skinned meshes at the root of the scene, without a transform";
    JOINT_SCENE = "joint-scene" Error Automatic aliases [] validator ["SKIN_NO_COMMON_ROOT" "NODE_SKIN_NO_SCENE"]
        "Joints of a skin are outside of the scene"
        why "their transforms are never worked out: the mesh does not move"
        how "put the skeleton into the scene that has the mesh";
    NAMES = "names" Warning OnRequest aliases [] validator []
        "Joints share a name or have none"
        why "what binds by name moves the wrong joint; unnamed joints collapse into one"
        how "give every joint a name of its own";
    NAME_RESERVED = "name-reserved" Info OnRequest aliases ["name-special"] validator []
        "A joint's name has a meaning of its own in an engine"
        why "the engine changes the name, and tracks or code no longer find the joint"
        how "rename the joint";
    UNBOUND = "unbound" Warning Automatic aliases [] validator []
        "Tracks that move nothing"
        why "the clip was made for other names or another skeleton, and part of it does not play"
        how "bind by names without their prefix, or retarget: sinew retarget";
    TAKE = "take" Error Automatic aliases [] validator []
        "A take without a length or without channels"
        why "importers report that there is no animation, or play a still"
        how "set the take's range, or bake the animation before export";
    ONE_TAKE = "one-take" Info OnRequest aliases [] validator []
        "Several motions one after another in one take"
        why "an engine sees one long clip instead of walk, attack and die"
        how "split the take: sinew convert --split";
    SPEED = "speed" Warning OnRequest aliases [] validator []
        "Keys are too close or too far apart for any frame rate"
        why "the clip plays far too fast or too slowly: its times were taken in another unit"
        how "export with the right frame rate";
    LATE = "late" Warning Automatic aliases [] validator []
        "A clip begins after its first moment"
        why "the model holds still at the start, and loops with a pause"
        how "move the keys to zero";
    TAIL = "tail" Info OnRequest aliases [] validator []
        "A clip ends with nothing moving"
        why "the model waits at the end before the loop goes on"
        how "set the end of the range to the last key that moves something";
    LOOP = "loop" Warning OnRequest aliases [] validator []
        "A clip that almost loops, but does not"
        why "the model snaps at the seam, once every round"
        how "make the last key equal to the first: sinew convert --loop";
    CONSTANTS = "constants" Info Automatic aliases ["constant-tracks"] validator []
        "Many keys that move nothing"
        why "most of the file's size, and time in every frame, is for values that never change"
        how "leave constant tracks out, or keep one key of them";
    PARTIAL = "partial" Warning OnRequest aliases [] validator []
        "A clip leaves out joints that other clips move"
        why "after another clip those joints keep its pose, unless the engine puts them back to rest"
        how "key every animated joint in every clip";
    MIRRORED = "mirrored" Warning OnRequest aliases [] validator []
        "A mirrored transform"
        why "faces are seen from behind or lit from the wrong side where an engine ignores the sign"
        how "apply the negative scale and flip the faces";
    SHEAR = "shear" Warning OnRequest aliases [] validator ["NODE_MATRIX_NON_TRS"]
        "A rotation under a scale that is not even"
        why "the result is sheared; engines that keep translation, rotation and scale show something else"
        how "apply the scale, or scale evenly";
    NAN = "nan" Error Automatic aliases ["not-finite"] validator ["ACCESSOR_INVALID_FLOAT"]
        "Numbers that are not finite, or a scale of zero"
        why "the mesh blinks or vanishes for those frames, or lighting turns black"
        how "find the constraint or expression that gave no number, and bake again";
    CULLED = "culled" Info OnRequest aliases [] validator []
        "A clip leaves the bounds of the rest pose by far"
        why "engines that keep the bounds of the rest pose cull the model while it is in view"
        how "recompute bounds per frame, or keep the clip in place";
    ROOT_IN_HIPS = "root-in-hips" Info OnRequest aliases [] validator []
        "The hips travel, and no root joint does"
        why "engines take root motion from a root joint and find none"
        how "add a root joint, or take root motion from the hips";
    FEET = "feet" Info OnRequest aliases [] validator []
        "Feet slide, or do not meet the floor"
        why "the figure skates or floats"
        how "plant the feet, here, by sinew retarget or by foot IK";
    STANCE = "stance" Warning OnRequest aliases [] validator []
        "The arms of rest pose and bind pose differ: A-pose against T-pose"
        why "clips of other files look added to the wrong pose, with arms through the body or in the air"
        how "retarget such clips instead of binding them by name";
    MORPHS = "morphs" Warning Automatic aliases [] validator []
        "Morph targets without names, or too many at once"
        why "code finds expressions by name; engines with eight slots drop the rest, and faces jump"
        how "name the targets, and keep few of them on at once";
    TEXTURES = "textures" Warning Automatic aliases [] validator ["NON_RELATIVE_URI" "IO_ERROR"]
        "Images are not where the file says"
        why "the model is drawn without them"
        how "embed images, or put them beside the file under their base names";
    TANGENTS = "tangents" Warning Automatic aliases [] validator ["MESH_PRIMITIVE_GENERATED_TANGENT_SPACE" "MESH_PRIMITIVE_NO_TANGENT_SPACE"]
        "A normal map without tangents"
        why "every program makes its own, and seams show where texture coordinates are mirrored"
        how "export tangents (MikkTSpace)";
    COLOUR = "colour" Warning Never aliases ["color"] validator []
        "A normal map that is none, or an image used for colour and data"
        why "lighting is wrong: data read as sRGB, or colours read as directions"
        how "use one image per purpose, and connect normal maps as data";
    ALPHA = "alpha" Warning OnRequest aliases [] validator ["MATERIAL_ALPHA_CUTOFF_INVALID_MODE"]
        "A blended material that is opaque, or only cut out"
        why "blending costs sorting, and the model shows its own back through its front"
        how "set it to opaque, or to a mask";
    REQUIRED = "required" Info Automatic aliases [] validator ["UNSUPPORTED_EXTENSION"]
        "The file requires extensions that an engine does not read"
        why "the engine refuses the file, or asks for a decoder"
        how "rewrite the file without them: sinew convert";
    JOINT_INDEX = "joint-index" Error Automatic aliases [] validator ["ACCESSOR_JOINTS_INDEX_OOB" "MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH"]
        "Weights of joints that the skin does not have"
        why "an engine reads a matrix beyond its list: vertices jump, or the program fails"
        how "bind the mesh again to the skin it is used with";
    TWO_TRACKS = "two-tracks" Error Automatic aliases [] validator ["ANIMATION_DUPLICATE_TARGETS"]
        "Two tracks of a clip drive the same"
        why "which one counts differs from program to program"
        how "keep one of them";
    KEY_ORDER = "key-order" Error Automatic aliases [] validator ["ACCESSOR_ANIMATION_INPUT_NON_INCREASING" "ACCESSOR_ANIMATION_INPUT_NEGATIVE"]
        "Key times that fall, or keys without values"
        why "engines that search by time find the wrong key, and the motion jumps"
        how "sort the keys by time before export";
    TWO_PARENTS = "two-parents" Error Automatic aliases [] validator ["NODE_PARENT_OVERRIDE" "NODE_MATRIX_TRS"]
        "A node that is filed twice: under two parents, or with two transforms"
        why "where it is differs from program to program"
        how "keep one parent and one transform";
    READER = "reader" Info Never aliases ["note"] validator []
        "What the reader mended, left out or does not know"
        why "the scene is not quite what the file says"
        how "read the sentence; it says what was done";
}
