"""The published verl wheels as the referee: download, unpack, compose.

Wheels come from PyPI with pip on first use and are kept in `$VERLGEN_WHEELS`, else in `.wheels/` of
the checkout; their sha256 is checked on each run. Mark a test that uses this `@pytest.mark.wheels`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from verlgen.verl.extract import published

# Written down here and not taken from the extractor, which is what this is the referee of.
_SEARCH_PATH = "verl/trainer/config"
_MAIN_PATH = "verl/trainer/config"


@cache
def wheel(release: str) -> Path:
    """Returns the wheel file of a published release."""
    return published.wheel(release)


@cache
def unpacked(release: str) -> Path:
    """Returns the folder of an unpacked published release (it holds `verl/`), not to be changed."""
    return published.unpacked(release)


def composed(
    release: str,
    overrides: Sequence[str] = (),
    *,
    config: str = "ppo_trainer",
    path: str = _MAIN_PATH,
    hydra: bool = False,
) -> Any:
    """Composes a release's own config with the real Hydra, as its entry point would.

    Args:
        release: Published release.
        overrides: Words as on the command line.
        config: Primary config.
        path: Its folder below the one that holds `verl/`.
        hydra: Whether to leave the node `hydra` in (`hydra.runtime.choices`).

    Returns:
        The DictConfig, in struct mode as the entry point gets it.
    """
    from hydra import compose, initialize_config_dir

    root = unpacked(release)
    words = list(overrides)
    if path != _MAIN_PATH:
        # The experimental configs find the main ones by working directory or by import.
        words.append(f"hydra.searchpath=[file://{root / _SEARCH_PATH}]")
    with initialize_config_dir(config_dir=str(root / path), version_base=None):
        return compose(config, overrides=words, return_hydra_config=hydra)


def flattened(config: Any) -> Mapping[str, Any]:
    """Returns dotted key to leaf of a composed config, in order, interpolations as text."""
    from omegaconf import OmegaConf

    leaves: dict[str, Any] = {}

    def walk(node: Any, prefix: str) -> None:
        if isinstance(node, dict) and (node or not prefix):
            for key, value in node.items():
                walk(value, f"{prefix}.{key}" if prefix else key)
        else:
            leaves[prefix] = node

    walk(OmegaConf.to_container(config, resolve=False), "")
    return leaves


_FAKE = {
    "verl/version/version": "0.10.0.dev\n",
    "verl/__init__.py": "raise ImportError('nothing of verl is imported')\n",
    "verl/trainer/main_ppo.py": """
        import hydra

        @hydra.main(config_path="config", config_name="ppo_trainer", version_base=None)
        def main(config): ...
    """,
    "verl/trainer/config/ppo_trainer.yaml": """
        # a remark that is nobody's business
        defaults:
          - model_engine: dp
          - actor@actor_rollout_ref.actor: ${model_engine}_actor
          - optional critic: none
          - _self_
        trainer:
          nnodes: 1   # how many nodes
          name: ???
          dir: out/${trainer.nnodes}
          half: ${.nnodes}
          steps: null
          lr: 1e-6
          empty: {}
          nothing: []
          stages: [{a: 1}, {b: "${trainer.nnodes}"}]
          odd: {1: one, a.b: two}
    """,
    "verl/trainer/config/_generated_ppo_trainer.yaml": "a: 1\n",
    "verl/trainer/config/model_engine/dp.yaml": "# @package _global_\nmodel_engine: dp\n",
    "verl/trainer/config/model_engine/lost.yaml": "# @package _global_\nmodel_engine: lost\n",
    "verl/trainer/config/model_engine/mega.yaml": "# Copyright\n# @package _global_\nx: mega\n",
    "verl/trainer/config/actor/dp_actor.yaml": """
        defaults:
          - ../optim@optim: fsdp
          - _self_
        _target_: verl.workers.config.DPActorConfig
        lr: 0.1
        inner: {_target_: verl.workers.config.Inner, a: 1}
        plain: {a: 2}
    """,
    "verl/trainer/config/actor/mega_actor.yaml": "lr: 0.2\nother: {_target_: verl.no.Such}\n",
    "verl/trainer/config/optim/fsdp.yaml": "name: adam\n",
    "verl/experimental/late/config/late_trainer.yaml": """
        hydra:
          searchpath: ['pkg://verl.trainer.config']
        defaults: [ppo_trainer, _self_]
        late: {x: 1}
    """,
    "verl/experimental/late/main.py": """
        from hydra import main

        import hydra
        @hydra.main("config", "late_trainer.yaml")
        def run(config): ...
    """,
    "verl/workers/config/__init__.py": "from .actor import *\nfrom .base import Inner as Inner\n",
    "verl/workers/config/base.py": """
        from __future__ import annotations
        import dataclasses, typing as t
        from typing import *
        from dataclasses import dataclass, field
        from omegaconf import MISSING

        @dataclass
        class Inner:
            \"\"\"Words of the class.\"\"\"
            a: int = 1
            b: t.Optional[int] = None
            again: Optional["Inner"] = None

        @dataclasses.dataclass(frozen=True)
        class Base:
            _hidden: int = 1
            shared: ClassVar[int] = 3
            base: List[int] = field(default_factory=list)
            lr: float = 1
    """,
    "verl/workers/config/actor.py": """
        from typing import Any, Dict, Literal, Optional, Union
        from dataclasses import dataclass, field
        from .base import Base, Inner
        import verl.workers.config.base as base

        LIMIT = 3

        @dataclass
        class DPActorConfig(Base, unknown.Mixin):
            lr: float = 0.5
            mode: Literal["a", "b"] = "a"
            kinds: Union[int, str, None] = None
            more: "int | None" = 2
            table: Dict[str, Any] = field(default_factory=lambda: {"k": (1, 2)})
            computed: int = LIMIT * 2
            needed: str = field(metadata={"a": 1})
            missing: str = MISSING
            left_out: int = field(init=False, default=1)
            inner: Inner = field(default_factory=Inner)
            plain: base.Inner = field(default_factory=Inner)
            absent: Optional[Inner] = None
    """,
    "verl/trainer/config/torn.yaml": "a: {b: 1\n",
    "verl/trainer/config/tools.yaml": "- name: a list is no config\n",
    "tests/config/ignored.yaml": "a: 1\n",
    "verl/broken.py": "def (:\n",
}


def fake_checkout(folder: Path, version: str = "0.10.0.dev") -> Path:
    """Writes a small checkout with every oddity that verl has had or may have; returns `folder`."""
    from textwrap import dedent

    for name, text in _FAKE.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    (folder / "verl/version/version").write_text(version + "\n", encoding="utf-8")
    return folder
