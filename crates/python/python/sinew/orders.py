"""Joint orders that others use: SMPL, SMPL-X, SOMA, Mixamo, VRM, HumanIK.

In:  a skeleton and the name of an order.
Out: the numbers of its joints in that order, found by what part of the body each is, whatever it is called.

Nothing is guessed: a joint that the skeleton does not have is an error unless the caller says what to do about it.
"""

from __future__ import annotations

from typing import Any, Literal

# A place in a body: a slot of `Skeleton.body()`, and which joint of its chain, counted from the middle of the body.
# A chain of another length fits only where the caller allows the nearest joint.
_Place = tuple[str, int, int]

_FINGERS = {"Thumb": "thumb", "Index": "index", "Middle": "middle", "Ring": "ring", "Pinky": "little", "Little": "little"}


def _spine(names: list[str]) -> list[tuple[str, _Place]]:
    return [(name, ("spine", at, len(names))) for at, name in enumerate(names)]


def _one(name: str, slot: str) -> tuple[str, _Place]:
    return (name, (slot, 0, 1))


def _finger(name: str, side: str, finger: str, joints: int = 3, first: int = 1) -> list[tuple[str, _Place]]:
    return [(f"{name}{first + at}", (f"{side}_{finger}", at, joints)) for at in range(joints)]


def _smpl(hands: bool) -> list[tuple[str, _Place]]:
    def pair(name: str, slot: str) -> list[tuple[str, _Place]]:
        return [_one(f"{side}_{name}", f"{side}_{slot}") for side in ("left", "right")]

    spine = _spine(["spine1", "spine2", "spine3"])
    joints = [_one("pelvis", "hips"), *pair("hip", "thigh"), spine[0], *pair("knee", "shin"), spine[1]]
    joints += [*pair("ankle", "foot"), spine[2], *pair("foot", "toes"), _one("neck", "neck")]
    joints += [*pair("collar", "clavicle"), _one("head", "head"), *pair("shoulder", "upper_arm")]
    joints += [*pair("elbow", "forearm"), *pair("wrist", "hand")]
    if hands:
        joints += [(f"{side}_hand", (f"{side}_middle", 0, 3)) for side in ("left", "right")]
    return joints


def _smplx() -> list[tuple[str, _Place]]:
    joints = _smpl(hands=False)
    joints += [_one(name, name) for name in ("jaw", "left_eye_smplhf", "right_eye_smplhf")]
    for side in ("left", "right"):
        for name in ("index", "middle", "pinky", "ring", "thumb"):
            joints += _finger(f"{side}_{name}", side, _FINGERS[name.capitalize()])
    return joints


def _autodesk(prefix: str, spine: list[str], necks: list[str]) -> list[tuple[str, _Place]]:
    joints = [_one("Hips", "hips"), *_spine(spine)]
    joints += [(name, ("neck", at, len(necks))) for at, name in enumerate(necks)]
    joints.append(_one("Head", "head"))
    for side in ("Left", "Right"):
        low = side.lower()
        joints += [_one(f"{side}Shoulder", f"{low}_clavicle"), _one(f"{side}Arm", f"{low}_upper_arm")]
        joints += [_one(f"{side}ForeArm", f"{low}_forearm"), _one(f"{side}Hand", f"{low}_hand")]
        for finger in ("Thumb", "Index", "Middle", "Ring", "Pinky"):
            joints += _finger(f"{side}Hand{finger}", low, _FINGERS[finger])
    for side in ("Left", "Right"):
        low = side.lower()
        joints += [_one(f"{side}UpLeg", f"{low}_thigh"), _one(f"{side}Leg", f"{low}_shin")]
        joints += [_one(f"{side}Foot", f"{low}_foot"), _one(f"{side}ToeBase", f"{low}_toes")]
    return [(prefix + name, place) for name, place in joints]


def _soma() -> list[tuple[str, _Place]]:
    joints = [_one("Hips", "hips"), *_spine(["Spine1", "Spine2", "Chest"])]
    joints += [("Neck1", ("neck", 0, 2)), ("Neck2", ("neck", 1, 2)), _one("Head", "head")]
    for side in ("Left", "Right"):
        low = side.lower()
        joints += [_one(f"{side}Shoulder", f"{low}_clavicle"), _one(f"{side}Arm", f"{low}_upper_arm")]
        joints += [_one(f"{side}ForeArm", f"{low}_forearm"), _one(f"{side}Hand", f"{low}_hand")]
    for side in ("Left", "Right"):
        low = side.lower()
        joints += [_one(f"{side}Leg", f"{low}_thigh"), _one(f"{side}Shin", f"{low}_shin")]
        joints += [_one(f"{side}Foot", f"{low}_foot"), _one(f"{side}ToeBase", f"{low}_toes")]
    return joints


def _vrm() -> list[tuple[str, _Place]]:
    joints = [_one("hips", "hips"), *_spine(["spine", "chest", "upperChest"])]
    joints += [_one("neck", "neck"), _one("head", "head")]
    for side in ("left", "right"):
        joints += [_one(f"{side}UpperLeg", f"{side}_thigh"), _one(f"{side}LowerLeg", f"{side}_shin")]
        joints += [_one(f"{side}Foot", f"{side}_foot"), _one(f"{side}Toes", f"{side}_toes")]
    for side in ("left", "right"):
        joints += [_one(f"{side}Shoulder", f"{side}_clavicle"), _one(f"{side}UpperArm", f"{side}_upper_arm")]
        joints += [_one(f"{side}LowerArm", f"{side}_forearm"), _one(f"{side}Hand", f"{side}_hand")]
    for side in ("left", "right"):
        for finger in ("Thumb", "Index", "Middle", "Ring", "Little"):
            parts = ("Metacarpal", "Proximal", "Distal") if finger == "Thumb" else ("Proximal", "Intermediate", "Distal")
            joints += [
                (f"{side}{finger}{part}", (f"{side}_{_FINGERS[finger]}", at, 3)) for at, part in enumerate(parts)
            ]
    return joints


ORDERS: dict[str, list[tuple[str, _Place]]] = {
    "smpl": _smpl(hands=True),
    "smpl22": _smpl(hands=False),
    "smplx": _smplx(),
    "soma": _soma(),
    "mixamo": _autodesk("mixamorig:", ["Spine", "Spine1", "Spine2"], ["Neck"]),
    "vrm": _vrm(),
    "humanik": _autodesk("", ["Spine", "Spine1", "Spine2"], ["Neck"]),
}


def joint_names(order: str) -> list[str]:
    """The names of an order's joints.

    >>> import sinew.orders
    >>> sinew.orders.joint_names("smpl")[:3]
    ['pelvis', 'left_hip', 'right_hip']
    """
    return [name for name, _ in _known(order)]


def joint_order(skeleton: Any, order: str, missing: Literal["error", "nearest", "skip"] = "error") -> list[int]:
    """The numbers of a skeleton's joints in the order of another.

    A joint is taken by its name where the skeleton uses the order's own, else by the part of the body that it is. With
    `missing="nearest"`, a spine, neck or finger with more or fewer joints gives the joint that is as far along, and what is not
    there at all the joint above it; with "skip" such joints are left out. The default is a `KeyError` that lists them.

    >>> import sinew
    >>> skeleton = sinew.open("ossi").skeleton
    >>> numbers = sinew.joint_order(skeleton, "smpl22", missing="nearest")
    >>> len(numbers), skeleton.names[numbers[0]]
    (22, 'hips')
    """
    if missing not in ("error", "nearest", "skip"):
        raise ValueError(f'missing: expected "error", "nearest" or "skip", found "{missing}"')
    wanted = _known(order)
    names = skeleton.names
    by_name = {name: at for at, name in enumerate(names)}
    if all(name in by_name for name, _ in wanted):
        return [by_name[name] for name, _ in wanted]
    body = skeleton.body()
    found: list[int] = []
    lacking: list[str] = []
    for name, (slot, at, count) in wanted:
        chain = body.get(slot, [])
        if len(chain) == count:
            found.append(chain[at])
        elif missing == "nearest":
            found.append(_nearest(body, slot, at, count))
        elif missing == "error":
            lacking.append(f"{name} ({slot}, {at + 1} of {count}: found {len(chain)})")
    if lacking:
        shown = ", ".join(lacking[:6]) + (", …" if len(lacking) > 6 else "")
        raise KeyError(
            f'the skeleton lacks {len(lacking)} of the {len(wanted)} joints of "{order}": {shown}; '
            'missing="nearest" takes the joints that are as far along'
        )
    return found


_ABOVE = {
    "toes": "foot", "foot": "shin", "shin": "thigh", "hand": "forearm", "forearm": "upper_arm", "upper_arm": "clavicle",
    "thumb": "hand", "index": "hand", "middle": "hand", "ring": "hand", "little": "hand",
}  # fmt: skip


def _nearest(body: dict[str, list[int]], slot: str, at: int, count: int) -> int:
    chain = body.get(slot, [])
    if chain:
        return chain[round(at * (len(chain) - 1) / max(count - 1, 1))]
    side, _, part = slot.partition("_")
    if part in _ABOVE:
        return _nearest(body, f"{side}_{_ABOVE[part]}", 0, 1)
    if part == "thigh":
        return body["hips"][0]
    if slot == "spine":
        return body["hips"][0]
    if slot in ("neck", "head") or part == "clavicle":
        return body["spine"][-1] if body.get("spine") else body["hips"][0]
    return body["head"][0] if body.get("head") else body["hips"][0]


def _known(order: str) -> list[tuple[str, _Place]]:
    try:
        return ORDERS[order]
    except KeyError:
        raise KeyError(f'there is no joint order "{order}": there are {sorted(ORDERS)}') from None
