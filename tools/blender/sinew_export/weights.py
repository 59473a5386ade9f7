"""From painted weights to the four whole percentages a `.weight` file holds.

In:  how strongly each bone pulls a vertex; any number of bones, any sum.
Out: at most four (bone, percent) pairs, largest first, whose percentages sum to exactly 100.

Knows nothing of Blender.
"""

SLOTS = 4


def percentages(weight_of_bone):
    """Keeps the four largest, scales them to 100 and rounds by largest remainder.

    Rounding each on its own would make 33 + 33 + 33 = 99 of three equal weights, and a sum short of
    100 pulls the vertex towards the origin. By largest remainder each is off by less than one.
    """
    # Ties go to the lower bone, so that equal weights give equal files.
    largest = sorted(weight_of_bone.items(), key=lambda pair: (-pair[1], pair[0]))[:SLOTS]
    largest = [(bone, weight) for bone, weight in largest if weight > 0.0]
    if not largest:
        return ()
    total = sum(weight for _, weight in largest)
    exact = [100.0 * weight / total for _, weight in largest]
    whole = [int(percent) for percent in exact]
    by_remainder = sorted(range(len(exact)), key=lambda slot: (whole[slot] - exact[slot], slot))
    for slot in by_remainder[: 100 - sum(whole)]:
        whole[slot] += 1
    pairs = [(bone, percent) for (bone, _), percent in zip(largest, whole, strict=True) if percent > 0]
    return tuple(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))
