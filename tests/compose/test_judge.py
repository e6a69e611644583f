"""What verl's own config says to a word is the referee of what is let through."""

from __future__ import annotations

import copy
from functools import lru_cache
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.wheels import unpacked
from verlgen.compose.judge import Judged, accepts, judge
from verlgen.errors import UserError
from verlgen.overrides import parse
from verlgen.verl import tables

RELEASES = ["0.4.1", "0.6.1", "0.7.1", "0.9.1"]


@lru_cache
def verls_config(release: str) -> Any:
    folder = unpacked(release) / "verl" / "trainer" / "config"
    with initialize_config_dir(str(folder), version_base=None):
        return compose("ppo_trainer")


def verl_accepts(release: str, words: list[str]) -> bool:
    config = copy.deepcopy(verls_config(release))
    overrides = OverridesParser.create().parse_overrides(words)
    try:
        ConfigLoaderImpl._apply_overrides_to_config(overrides, config)
    except HydraException:
        return False
    return True


def judged(release: str, *words: str) -> list[Judged]:
    return judge([(word, parse(word)) for word in words], tables.load(release))


def written(verdict: Judged) -> str:
    head = verdict.said.key if verdict.operator == "=" else verdict.operator + verdict.said.key
    return head if verdict.text is None else f"{head}={verdict.text}"


@pytest.mark.wheels
@pytest.mark.parametrize("release", RELEASES)
@given(data=st.data())
@settings(deadline=None, max_examples=150)
def test_what_is_let_through_verl_takes_and_what_is_refused_verl_refuses(
    release: str, data: st.DataObject
) -> None:
    table = tables.load(release)
    known = st.sampled_from(sorted(table.keys))
    # A group's name means the group; which options it has is tested elsewhere.
    nodes = known.map(lambda key: key.rpartition(".")[0]).filter(
        lambda key: key and key not in table.groups
    )
    keys = st.one_of(
        known,
        nodes,
        known.map(lambda key: key + "x"),
        known.map(lambda key: "new." + key),
        st.builds("{}.{}".format, nodes, st.sampled_from(["fresh", "n"])),
        st.sampled_from(["fresh", "a.b"]),
    )
    values = st.sampled_from(["1", "true", "null", "text", "[1,2]", "{}", "{fresh:1}", "''"])
    word = st.builds(
        lambda operator, key, value: f"{operator}{key}={value}",
        st.sampled_from(["", "+", "++"]),
        keys,
        values,
    )
    # What an interpolation gives is for a later room to tell; deleting one that gives null fails.
    deletable = keys.filter(lambda key: "${" not in str(table.keys.get(key)))
    drawn = data.draw(st.one_of(word, deletable.map("~{}".format)))
    try:
        (verdict,) = judged(release, drawn)
    except UserError as error:
        # Hydra lets any text through where verl's own code wants a number.
        assert "is needed, not" in error.what or not verl_accepts(release, [drawn]), drawn
        return
    assert verl_accepts(release, [written(verdict)]), written(verdict)


@pytest.mark.parametrize(
    ("release", "word", "becomes"),
    [
        ("0.9.1", "data.train_batch_size=8", "data.train_batch_size=8"),
        ("0.9.1", "+data.train_batch_size=8", "data.train_batch_size=8"),
        ("0.9.1", "++data.train_batch_size=8", "++data.train_batch_size=8"),
        ("0.9.1", "+my.key=8", "+my.key=8"),
        (
            "0.9.1",
            "critic.ppo_infer_max_token_len_per_gpu=8",
            "+critic.ppo_infer_max_token_len_per_gpu=8",
        ),
        ("0.9.1", "model_engine=megatron", "model_engine=megatron"),
        ("0.9.1", "hydra.run.dir=/tmp/x", "hydra.run.dir=/tmp/x"),
        ("0.9.1", "~critic.optim.lr", "~critic.optim.lr"),
    ],
)
def test_the_operator_is_what_the_release_demands(release: str, word: str, becomes: str) -> None:
    (verdict,) = judged(release, word)
    assert written(verdict) == becomes
    assert bool(verdict.note) is (becomes.lstrip("+") == word.lstrip("+") and becomes != word)


@pytest.mark.parametrize(
    ("release", "word", "remedy"),
    [
        ("0.9.1", "data.train_batchsize=8", "did you mean 'data.train_batch_size'"),
        ("0.9.1", "my.key=8", "write +my.key=8"),
        (
            "0.6.1",
            "critic.fsdp.param_offload=True",
            "calls it critic.model.fsdp_config.param_offload",
        ),
        (
            "0.9.1",
            "critic.model.fsdp_config.param_offload=True",
            "calls it critic.fsdp.param_offload",
        ),
        ("0.9.1", "trainer.use_legacy_worker_impl=auto", "went with verl 0.8.0"),
        ("0.6.1", "trainer.use_v1=False", "came with verl 0.9.0; verl=0.9.1 has it"),
        ("0.9.1", "model_engine=megatrn", "options: dp, megatron, torchtitan, veomni"),
        ("0.9.1", "actor@nowhere=dp_actor", "its config groups are"),
        ("0.9.1", "~no.such.key", ""),
        ("0.9.1", "~trainer.total_training_steps", "trainer.total_training_steps=VALUE"),
        ("0.9.1", "~data.truncation=left", "write ~data.truncation"),
        ("0.9.1", "actor_rollout_ref.actor={nope:1}", ""),
        ("0.9.1", "+actor_rollout_ref.actor=[1]", ""),
    ],
)
def test_refusals_say_what_would_be_right(release: str, word: str, remedy: str) -> None:
    with pytest.raises(UserError) as caught:
        judged(release, word)
    assert caught.value.where == word
    assert remedy in (caught.value.remedy or "")


def test_a_word_may_build_on_what_an_earlier_one_added() -> None:
    assert [v.operator for v in judged("0.9.1", "+a={b:1}", "a.b=2", "+a.c=3")] == ["+", "=", "+"]


@pytest.mark.parametrize(
    "word",
    [
        "+trainer.api_key=x",
        "+wandb.password=x",
        "+a.hf_token=x",
        "++env.AWS_SECRET_KEY=x",
        "+a.private_key=x",
        "+ray_kwargs.ray_init.runtime_env={env_vars:{WANDB_API_KEY:x}}",
        "+a.b=hf_abcdefghijkl",
    ],
)
def test_a_secret_is_refused_and_not_repeated(word: str) -> None:
    with pytest.raises(UserError, match="secret") as caught:
        judged("0.9.1", word)
    assert "=x" not in str(caught.value)


def test_a_key_that_looks_like_a_secret_is_none() -> None:
    judged("0.9.1", "actor_rollout_ref.actor.ppo_max_token_len_per_gpu=1", "+a.token_level=1")
    judged("0.9.1", "+a.api_key=${oc.env:KEY}", "+a.api_key=null")


def test_accepts() -> None:
    word = "trainer.use_legacy_worker_impl=auto"
    assert accepts("0.7.1", [(word, parse(word))])
    assert not accepts("0.9.1", [(word, parse(word))])
