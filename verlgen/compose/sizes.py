"""The quantities that the rules build on, from settings, machines and model shape.

Per GPU and in GiB unless said otherwise. Grounds: verl shards weights, gradients and Adam states in
fp32 over all GPUs (4 + 4 + 8 bytes a parameter; verl 0.9.1
workers/engine/fsdp/transformer_impl.py), offload frees them only while the rollout engine works,
and the update holds logits and activations of one micro-batch beside them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from verlgen.catalog.gpus import Machines
from verlgen.catalog.models import Shape
from verlgen.compose.settings import Layer, Settings
from verlgen.verl.history import backward
from verlgen.verl.tables import Table, sort_key

GIB = 2**30

_LOGITS_BYTES = 7
"""Bytes a vocabulary entry takes for each token while log-probs are computed: fp32 logits and their
entropy copy beside the bf16 ones (verl docs/perf/perf_tuning.rst names the same 7)."""

_OUTSIDE_GIB = 5.0
"""CUDA contexts, NCCL, CUDA graphs and the rest of an engine that sleeps."""

_TYPICAL_VOCAB = 152_000


class Sizes:
    """Quantities by name; a rule's expression sees every public attribute.

    Attributes:
        nodes: Nodes.
        gpus_per_node: GPUs per node.
        gpus: GPUs on all nodes together.
        gpu: The GPU with its memory, as text.
        gpu_gib: GiB that torch sees on one GPU.
        device: `cuda`, `rocm` or `npu`.
        model: Name of the policy model.
        heads: Attention heads of the policy, 0 when unknown.
        bf16: Whether the GPU computes in bfloat16.
        fsdp: Whether the training engine is FSDP, which the memory rules are about.
    """

    def __init__(
        self,
        settings: Settings,
        machines: Machines,
        shape: Shape,
        choices: Mapping[str, str],
        table: Table,
    ) -> None:
        self._settings = settings
        self._choices = choices
        self._release = table.release
        self._table = table
        self._machines = machines
        self._shape = shape
        self.nodes = machines.nodes
        self.gpus_per_node = machines.gpus
        self.gpus = machines.total
        self.gpu = f"{machines.gpu.type}-{machines.gpu.memory}"
        self.gpu_gib = machines.gpu.gib
        self.device = machines.gpu.device
        self.bf16 = machines.gpu.bf16
        self.fsdp = table.engine in (None, "dp")
        self.model = shape.name
        self.model_known = shape.known
        self.heads = shape.heads

    @property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """What an expression may call."""
        return {
            "min": min,
            "max": max,
            "round": round,
            "down": lambda value, step: round(math.floor(value / step + 1e-9) * step, 6),
            "value": self._settings.value,
            "is_set": self._settings.__contains__,
            "since": lambda release: sort_key(release) <= sort_key(self._release),
            "smallest_tp": self.smallest_tp,
            "micro_batch": self.micro_batch,
            "is_whole": lambda x: isinstance(x, int) and not isinstance(x, bool),
            "has": self.has,
            "is_share": lambda x: isinstance(x, int | float) and 0 < x <= 1 and x is not True,
        }

    def has(self, key: str) -> bool:
        """Tell whether the release has a place for a key under its newest name."""
        name = backward(key, self._release)
        return self._table.exists(name) or name in self._table.plus

    @property
    def model_name(self) -> str:
        """The model as it may stand in an experiment's name."""
        if self._set_by_hand("actor_rollout_ref.model.path"):
            return _as_name(self.model.rpartition("/")[2].lower(), "model")
        return self._choices.get("model", "model")

    @property
    def data_name(self) -> str:
        """The data as it may stand in a project's name."""
        if not self._set_by_hand("data.train_files"):
            return self._choices.get("data", "data")
        files = self._settings.value("data.train_files")
        first = files[0] if isinstance(files, list) and files else files
        if not isinstance(first, str):
            return "data"
        folder, _, file = first.rstrip("/").rpartition("/")
        stem = file.partition(".")[0]
        name = folder.rpartition("/")[2] or stem if stem in _SPLITS else stem
        return _as_name("" if "${" in first else name, "data")

    @property
    def algo_name(self) -> str:
        """The algorithm as it may stand in an experiment's name."""
        if self._set_by_hand("algorithm.adv_estimator"):
            return _as_name(str(self._settings.value("algorithm.adv_estimator")), "algo")
        return self._choices.get("algo", "algo")

    def _set_by_hand(self, key: str) -> bool:
        setting = self._settings.get(key)
        return setting is not None and setting.layer >= Layer.KNOB

    @property
    def critic(self) -> bool:
        """Whether the run has a critic: critic.enable, else adv_estimator=gae.

        Source: verl 0.9.1 trainer/ppo/utils.py, need_critic; 0.4.1 and 0.5.0 know only the latter.
        """
        enabled = self._settings.value("critic.enable")
        if enabled is not None:
            return bool(enabled)
        return bool(self._settings.value("algorithm.adv_estimator") == "gae")

    @property
    def ref(self) -> bool:
        """Whether the run has a reference policy: a KL term in the loss or in the reward.

        Source: verl 0.9.1 trainer/ppo/utils.py, need_reference_policy.
        """
        return bool(
            self._settings.value("actor_rollout_ref.actor.use_kl_loss")
            or self._settings.value("algorithm.use_kl_in_reward")
        )

    @property
    def params(self) -> int:
        """Parameters of the policy."""
        return self._shape.params

    @property
    def billions(self) -> str:
        """Parameters of the policy in billions, as people say it."""
        return f"{self.params / 1e9:.3g}B"

    @cached_property
    def weights_gib(self) -> float:
        """The whole policy in bf16, on no GPU in particular: what rollout replicas share out."""
        return 2 * self.params / GIB

    @property
    def bytes_per_param(self) -> float:
        """Bytes of weights, gradients and Adam states for each parameter, before sharding."""
        width = 4
        if self._settings.value("actor_rollout_ref.actor.fsdp_config.model_dtype") in _HALF:
            width = 2
        if self._settings.value("actor_rollout_ref.model.lora_rank"):
            return width  # gradients and states of the adapter alone are next to nothing
        return 4 * width

    @property
    def state_gib(self) -> float:
        """Weights, gradients and Adam states of the policy during its update."""
        return self.bytes_per_param * self.params / self.gpus / GIB

    @property
    def resident_gib(self) -> float:
        """Weights and Adam states of policy and critic while idle, if nothing is offloaded."""
        return self._idle_gib * (2 if self.critic else 1)

    @property
    def shown_resident_gib(self) -> float:
        """What of `resident_gib` stays on the GPU while the engine works."""
        return 0.0 if self.offloaded else self.resident_gib

    @property
    def gpus_needed(self) -> int:
        """GPUs of this kind on which the update of a longest sequence would fit, by the estimate.

        A power of two up to what a node usually has, whole nodes beyond.
        """
        size = 1
        while size < 100_000 and not self._fits_on(size):
            size = size * 2 if size < self._machines.gpu.per_node else size + max(size, 8)
        return size

    def _fits_on(self, gpus: int) -> bool:
        state = self.state_gib * self.gpus / gpus
        beside = 0.75 * state if self.critic and not self.offloaded else 0.0
        room = 0.8 * (self.gpu_gib - state - beside - _OUTSIDE_GIB) * 1024 / self.token_mib
        return room >= min(self.longest, 4096)

    @property
    def weights_per_gpu_gib(self) -> float:
        """The policy's weights on each GPU of a rollout replica, in bf16."""
        return self.weights_gib / max(self.tp, 1)

    @property
    def engine_gib(self) -> float:
        """What the rollout engine may take on each GPU."""
        return self.mem * self.gpu_gib if isinstance(self.mem, int | float) else self.gpu_gib

    @property
    def batch(self) -> int:
        """Prompts a step."""
        return _number(self._settings.value("data.train_batch_size"))

    @property
    def group(self) -> int:
        """Responses to each prompt."""
        return max(1, _number(self._settings.value("actor_rollout_ref.rollout.n")))

    @property
    def fitting_batch(self) -> int:
        """Prompts a step that split over the GPUs, nearest to what is asked for."""
        return max(1, round(self.batch / self.gpus)) * self.gpus

    @property
    def lora(self) -> bool:
        """Whether only an adapter is trained."""
        return bool(self._settings.value("actor_rollout_ref.model.lora_rank"))

    @property
    def budget(self) -> int:
        """Tokens of a micro-batch of the policy."""
        return _number(self._settings.value("actor_rollout_ref.actor.ppo_max_token_len_per_gpu"))

    @property
    def size_source(self) -> str:
        """How the number of parameters is known, in words."""
        if self.model_known == "name":
            return f"{self.billions} parameters by its name"
        if self.model_known == "assumed":
            return f"size unknown, {self.billions} parameters assumed"
        return f"{self.billions} parameters"

    @property
    def _idle_gib(self) -> float:
        return 0.75 * self.state_gib  # without the gradients

    @property
    def offloaded(self) -> bool:
        """Whether weights and Adam states leave the GPU while the engine works."""
        return bool(
            self._settings.value("actor_rollout_ref.actor.fsdp_config.param_offload")
            and self._settings.value("actor_rollout_ref.actor.fsdp_config.optimizer_offload")
        )

    @property
    def cpu_offload_policy(self) -> bool:
        """Whether FSDP2 keeps the states in host memory even during the update."""
        return bool(self._settings.value("actor_rollout_ref.actor.fsdp_config.offload_policy"))

    @property
    def longest(self) -> int:
        """Tokens of the longest sequence: prompt and response at their limits."""
        prompt = self._settings.value("data.max_prompt_length")
        response = self._settings.value("data.max_response_length")
        return _number(prompt) + _number(response)

    @property
    def tp(self) -> int:
        """Tensor-parallel size of the rollout."""
        return _number(self._settings.value("actor_rollout_ref.rollout.tensor_model_parallel_size"))

    @property
    def best_tp(self) -> int:
        """The tensor-parallel size that would be chosen."""
        return self.smallest_tp(0.25)

    @property
    def fitting_tps(self) -> str:
        """The tensor-parallel sizes that divide the GPUs and the heads."""
        sizes = range(1, self.gpus_per_node + 1)
        return ", ".join(
            str(size)
            for size in sizes
            if self.gpus_per_node % size == 0 and (self.heads or size) % size == 0
        )

    @property
    def mem(self) -> Any:
        """Share of each GPU's memory for the rollout engine."""
        return self._settings.value("actor_rollout_ref.rollout.gpu_memory_utilization")

    @cached_property
    def token_mib(self) -> float:
        """MiB that one token of a micro-batch takes: logits, kept and recomputed activations."""
        vocab = self._shape.vocab or _TYPICAL_VOCAB
        # Where only the number of parameters is known: 12 h^2 a layer and a depth of h / 110. Small
        # models come out up to twice too wide, which errs to the safe side.
        hidden = self._shape.hidden or max(512, round((self.params * 110 / 12) ** (1 / 3)))
        layers = self._shape.layers or max(12, hidden // 110)
        ffn = self._shape.ffn or 3 * hidden
        kept = 1.3 * 2 * hidden * layers
        in_flight = 1.45 * (24 * hidden + 8 * ffn)
        return (_LOGITS_BYTES * vocab + kept + in_flight) / 2**20

    @property
    def token_room(self) -> int:
        """Tokens of one micro-batch that fit beside the states, with a fifth kept in reserve."""
        beside = self._idle_gib if self.critic and not self.offloaded else 0.0
        room = self.gpu_gib - self.state_gib - beside - _OUTSIDE_GIB
        return max(0, int(0.8 * room * 1024 / self.token_mib))

    def micro_batch(self, share: float) -> int:
        """Return the sequences of a micro-batch that fit `share` of the room, at least 1.

        A power of two that divides the sequences which one GPU gets of a mini-batch.
        """
        mini = _number(self._settings.value("actor_rollout_ref.actor.ppo_mini_batch_size"))
        group = _number(self._settings.value("actor_rollout_ref.rollout.n"))
        per_gpu = max(1, mini * max(group, 1) // self.gpus)
        size = 1
        while per_gpu % (2 * size) == 0 and 2 * size * self.longest <= share * min(
            self.token_room, 16384
        ):
            size *= 2
        return size

    def smallest_tp(self, share: float) -> int:
        """Return the smallest power of two by which the weights take `share` of a GPU at most.

        It divides the GPUs of a node and the attention heads; where none is small enough, the
        largest that does.
        """
        fitting = 1
        size = 1
        while size <= self.gpus_per_node:
            if self.gpus_per_node % size == 0 and (self.heads or size) % size == 0:
                fitting = size
                if self.weights_gib / size <= share * self.gpu_gib:
                    break
            size *= 2
        return fitting


_SPLITS = {"train", "test", "val", "validation", "dev"}
_HALF = {"bf16", "bfloat16", "fp16", "float16", "half"}


def _as_name(text: str, otherwise: str) -> str:
    """Return text fit for a run's name, or another where nothing is left of it."""
    if "${" in text:
        return otherwise
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-") or otherwise


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
