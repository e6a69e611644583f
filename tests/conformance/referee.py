"""What a published verl release says about launches. Run as a program, one process a release.

    python referee.py FOLDER        FOLDER holds verl/, an unpacked wheel

stdin has a JSON list of override words a line; stdout gets a JSON verdict a line, in order:

    {"error": null or text, "stage": what refused, "needs_critic": bool, "needs_ref": bool}

Everything is the release's own: its config folder under Hydra's strict compose, its
validate_config (in 0.5 and before a method of the trainer), and the config classes that its
workers build. Only torch, ray and the like are missing: a sink stands for them, which takes any
attribute, call, decorator and base class. So this needs hydra-core and nothing else.
"""

from __future__ import annotations

import contextlib
import gc
import importlib.abc
import importlib.machinery
import json
import os
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

# What verl imports and does not ship.
_ABSENT = """
    PIL accelerate aiohttp cachetools cloudpickle codetiming datasets dill fastapi filelock
    flash_attn hf_transfer huggingface_hub liger_kernel megatron numpy openai orjson pandas peft
    psutil pyarrow pybind11 pydantic ray regex requests safetensors sglang starlette tensorboard
    tensordict torch torchdata tqdm transfer_queue transformers uvicorn vllm wandb zmq
"""


class _AnyType(type):
    """Metaclass of the classes that stand for whatever was imported."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _anything(name)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and callable(args[0]) and not kwargs:
            return args[0]  # used as a decorator
        return type.__call__(cls)

    def __or__(cls, other: Any) -> Any:
        return cls

    __ror__ = __or__

    def __bool__(cls) -> bool:
        return False

    def __iter__(cls) -> Any:
        return iter(())


def _anything(name: str) -> Any:
    def attribute(self: Any, key: str) -> Any:
        if key.startswith("__"):
            raise AttributeError(key)
        return _anything(key)

    members = {
        "__init__": lambda self, *args, **kwargs: None,
        "__getattr__": attribute,
        "__bool__": lambda self: False,
        "__call__": lambda self, *args, **kwargs: args[0] if args and callable(args[0]) else self,
        "__iter__": lambda self: iter(()),
        "__class_getitem__": classmethod(lambda cls, item: cls),
        "__enter__": lambda self: self,
        "__exit__": lambda self, *args: False,
    }
    return _AnyType(name, (), members)


class _Sink(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = _anything(name)
        setattr(self, name, found)
        return found


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name.partition(".")[0] in _ABSENT.split():
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: Any) -> types.ModuleType:
        return _Sink(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass


class Referee:
    """One release.

    Args:
        folder: Unpacked wheel.
    """

    def __init__(self, folder: str) -> None:
        sys.meta_path.insert(0, _Finder())
        sys.path.insert(0, folder)
        self._configs = os.path.join(folder, "verl/trainer/config")
        try:
            from verl.utils.config import validate_config
        except ImportError:
            self._validate: Callable[..., None] = _before_0_6
        else:
            self._validate = validate_config
            _leave_models_alone()

    def verdict(self, words: list[str]) -> dict[str, Any]:
        """Returns the release's verdict on the override words of one launch."""
        stage, critic, ref = "compose", None, None
        try:
            config = self._composed(words)
            stage = "interpolations"
            _resolve(config)
            stage = "needs"
            critic, ref = bool(_needs_critic(config)), bool(_needs_ref(config))
            stage = "validate_config"
            self._validate(config=config, use_reference_policy=ref, use_critic=critic)
            for name, part in _parts(config, ref):
                stage = name
                _build(part)
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
            return {"error": message, "stage": stage, "needs_critic": critic, "needs_ref": ref}
        return {"error": None, "stage": None, "needs_critic": critic, "needs_ref": ref}

    def _composed(self, words: list[str]) -> Any:
        from hydra import compose, initialize_config_dir

        with initialize_config_dir(self._configs, version_base=None):
            return compose("ppo_trainer", overrides=words)


def _resolve(config: Any) -> None:
    """As main_ppo does before anything else."""
    from omegaconf import OmegaConf

    OmegaConf.resolve(config)


def _needs_critic(config: Any) -> bool:
    try:
        from verl.trainer.ppo.utils import need_critic
    except ImportError:  # 0.5 and before: RayPPOTrainer.__init__
        return bool(config.algorithm.adv_estimator == "gae")
    return bool(need_critic(config))


def _needs_ref(config: Any) -> bool:
    try:
        from verl.trainer.ppo.utils import need_reference_policy

        if need_reference_policy.__code__.co_varnames[0] == "config":
            return bool(need_reference_policy(config))
    except ImportError:
        pass
    # 0.6 and before: asks for the worker that main_ppo's add_ref_policy_worker made on this.
    return bool(config.algorithm.use_kl_in_reward or config.actor_rollout_ref.actor.use_kl_loss)


def _before_0_6(*, config: Any, use_reference_policy: bool, use_critic: bool) -> None:
    """What became validate_config was a method of the trainer."""
    from verl.trainer.ppo.ray_trainer import RayPPOTrainer

    trainer = types.SimpleNamespace(
        config=config, use_reference_policy=use_reference_policy, use_critic=use_critic
    )
    RayPPOTrainer._validate_config(trainer)


def _parts(config: Any, ref: bool) -> list[tuple[str, Any]]:
    """Returns the parts for which the release has a class and which validate_config does not build.

    That one has built actor and critic by now.
    """
    workers = config.actor_rollout_ref
    parts = [
        ("algorithm", config.algorithm),
        ("rollout", workers.rollout),
        ("model", workers.model),
        *([("ref", _as_actor(workers.ref))] if ref else ()),
    ]
    return [(name, part) for name, part in parts if "_target_" in part]


def _as_actor(ref: Any) -> Any:
    """As engine_workers (0.7 and later) does before it builds the ref, by an actor's class."""
    from omegaconf import open_dict

    names = {
        "log_prob_micro_batch_size": "ppo_micro_batch_size",
        "log_prob_micro_batch_size_per_gpu": "ppo_micro_batch_size_per_gpu",
        "log_prob_use_dynamic_bsz": "use_dynamic_bsz",
        "log_prob_max_token_len_per_gpu": "ppo_max_token_len_per_gpu",
    }
    with open_dict(ref):
        for old, new in names.items():
            ref[new] = ref.pop(old, None)
    return ref


def _build(part: Any) -> None:
    from verl.utils.config import omega_conf_to_dataclass

    omega_conf_to_dataclass(part)


def _leave_models_alone() -> None:
    """Its fields are judged, but not the model's own config, which it would load from the hub."""
    from verl.workers.config import HFModelConfig

    HFModelConfig.__post_init__ = lambda self: None


def _read_files_once() -> None:
    """Half of the time would go into parsing the release's YAML files again for each launch."""
    import yaml

    load, known = yaml.load, {}

    def cached(stream: Any, Loader: Any) -> Any:
        name = getattr(stream, "name", None)
        if not isinstance(name, str):
            return load(stream, Loader=Loader)
        if name not in known:
            known[name] = load(stream, Loader=Loader)
        return known[name]

    yaml.load = cached


def main(folder: str) -> None:
    answers = sys.stdout
    _read_files_once()
    gc.set_threshold(100_000)
    warnings.simplefilter("ignore")
    # The release prints as it likes.
    with contextlib.redirect_stdout(sys.stderr):
        referee = Referee(folder)
        for line in sys.stdin:
            verdict = referee.verdict(json.loads(line))
            print(json.dumps(verdict), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
