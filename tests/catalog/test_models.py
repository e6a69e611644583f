from __future__ import annotations

import pytest

from verlgen.catalog.models import ASSUMED_PARAMS, shape


@pytest.mark.parametrize(
    ("path", "known", "billions"),
    [
        ("Qwen/Qwen3-8B", "catalog", 8.19),
        ("/models/Qwen3-8B/", "catalog", 8.19),
        ("qwen/qwen2.5-0.5b-instruct", "catalog", 0.494),
        ("org/New-Model-13B-v2", "name", 13.0),
        ("org/new_model_360M", "name", 0.36),
        ("org/wide-8x7B-chat", "name", 56.0),
        ("org/thing", "assumed", ASSUMED_PARAMS / 1e9),
        ("", "assumed", ASSUMED_PARAMS / 1e9),
        ("org/v2-best", "assumed", ASSUMED_PARAMS / 1e9),
    ],
)
def test_size(path: str, known: str, billions: float) -> None:
    found = shape(path)
    assert found.known == known
    assert found.params / 1e9 == pytest.approx(billions, rel=0.01)
