"""Libraries that are missing and unused stop no run; used once, they do."""

from __future__ import annotations

import pytest

from engine.dialects.unused import unused_imports
from engine.recording import record


@pytest.mark.parametrize(
    ("source", "unused"),
    [
        ("import pandas as pd\nimport cv2", {"pandas", "cv2"}),
        ("import pandas as pd\ndef f():\n    return pd.DataFrame", set()),
        ("import scipy.stats\nscipy.stats.norm", set()),
        ("from sklearn.svm import SVC\nfrom sklearn.svm import SVR\nSVC()", set()),
        ("try:\n    import pandas\nexcept ImportError:\n    found = False", set()),
        ("from seaborn import *", set()),
        ("import helpers\nimport nunpy", set()),
        ("import (", set()),
    ],
)
def test_what_is_unused(source: str, unused: set[str]) -> None:
    assert set(unused_imports(source)) == unused


def test_the_run_goes_on_and_the_recording_says_so() -> None:
    trace = record("from sklearn.svm import SVC\nimport tensorflow_text as text\nimport torch\nprint(torch.ones(2))")
    assert (trace["end"]["kind"], trace["stdout"]) == ("ok", "tensor([1., 1.])\n")
    said = "tensorflow_text is not here. The program imports it and never uses it, so the run goes on."
    assert said in trace["program"]["notes"]
    assert record("from sklearn.svm import SVC\nSVC()")["end"]["error"]["type"] == "ModuleNotFoundError"
