"""What the tests share: models made by code."""

import numpy as np
import pytest

import sinew


@pytest.fixture(autouse=True)
def _doctest_names(doctest_namespace):
    doctest_namespace["sinew"] = sinew
    doctest_namespace["np"] = np


@pytest.fixture(scope="session")
def ossi():
    return sinew.open("ossi")


@pytest.fixture(scope="session")
def walk(ossi):
    return ossi.clips["walk"]


ARM = """HIERARCHY
ROOT shoulder
{
  OFFSET 0 100 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT elbow
  {
    OFFSET 30 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 20 0 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.5
0 100 0 0 0 0 0 0 0
0 100 0 90 0 0 0 0 0
10 100 0 90 0 0 -90 0 0
"""


@pytest.fixture()
def arm():
    """A shoulder at one metre, an elbow 30 cm along X, three frames half a second apart; in centimetres."""
    return sinew.open(ARM.encode(), unit=0.01)
