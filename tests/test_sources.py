"""Every kind of SOURCE, what it turns into, and where its lines stand in the user's file."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from omegaconf import OmegaConf

from verlgen.errors import UserError
from verlgen.overrides import parse
from verlgen.script.containers import Embedded, Topology, unpack
from verlgen.sources import MAX_BYTES, Loaded, decode, load

LAUNCH = "python3 -m verl.trainer.main_ppo"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name: str, text: str | bytes) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else dedent(text).encode())
    return name


def refused(source: str, **more: object) -> str:
    with pytest.raises(UserError) as caught:
        load(source, **more)  # type: ignore[arg-type]
    return str(caught.value)


def only(loaded: Loaded) -> Embedded:
    (script,) = loaded.contents.scripts
    return script


def check_places(loaded: Loaded) -> None:
    """Checks that every line of every script stands where it says in the file."""
    lines = loaded.text.split("\n")
    for script in loaded.contents.scripts:
        assert script.exact
        for number, line in enumerate(script.text.rstrip("\n").split("\n")):
            if not line.strip():
                continue
            there = lines[script.first_line - 1 + number]
            start = len(line) - len(line.lstrip())
            assert there[script.column_offset + start :].startswith(line.strip())


# How a SOURCE is named.


def test_a_script() -> None:
    loaded = load(put("run.sh", f"#!/bin/bash\n{LAUNCH} a.b=1\n"))
    assert (loaded.contents.kind, loaded.path, loaded.pick, loaded.changes) == (
        "script", "run.sh", None, [],
    )  # fmt: skip
    assert only(loaded) == Embedded(f"#!/bin/bash\n{LAUNCH} a.b=1\n")


def test_changes_and_pick() -> None:
    put("run.sh", LAUNCH)
    loaded = load("run.sh#2 data.x='a b' +c=1 ~d --config-name=e")
    assert (loaded.name, loaded.path, loaded.pick) == ("run.sh", "run.sh", 2)
    assert loaded.changes == ["data.x=a b", "+c=1", "~d", "--config-name=e"]


@pytest.mark.parametrize("name", ["a b.sh", "a=b", "run.sh#2", "a:b", "it's.sh", "+x"])
def test_a_file_that_is_there_beats_every_other_reading(name: str) -> None:
    loaded = load(put(name, LAUNCH))
    assert (loaded.path, loaded.pick, loaded.changes) == (name, None, [])
    assert loaded.presets == []


@pytest.mark.parametrize("words", ["algo=grpo hw=8xA100", "algo=grpo", "+a=1 ~b data.x='a b'"])
def test_presets(words: str) -> None:
    loaded = load(words)
    assert loaded.contents.kind == "presets"
    assert loaded.path is None
    assert loaded.presets[-1] == {"+a=1 ~b data.x='a b'": "data.x=a b"}.get(
        words, words.split()[-1]
    )


def test_standard_input() -> None:
    text = f"$ export A=1\nnoise\n(venv) me@host:~/verl$ {LAUNCH} \\\n>   a.b=1\nStep 1\n"
    loaded = load("-", stdin=io.BytesIO(text.encode()))
    assert loaded.path is None
    assert only(loaded).text.split("\n") == [
        "  export A=1",
        "",
        " " * len("(venv) me@host:~/verl$ ") + f"{LAUNCH} \\",
        "    a.b=1",
        "",
        "",
    ]
    loaded = load("- a.b=2", stdin=io.BytesIO(f"{LAUNCH} a.b=1".encode()))
    assert only(loaded).text == f"{LAUNCH} a.b=1"
    assert loaded.changes == ["a.b=2"]


def test_prompts_in_a_script_are_its_own() -> None:
    text = f"$ no prompt\n{LAUNCH}\n"
    assert only(load(put("run.sh", text))).text == text
    text = f"cat <<X\n$ make\nX\n{LAUNCH}\n"
    assert only(load("-", stdin=io.BytesIO(text.encode()))).text == text


def test_standard_input_of_other_kinds() -> None:
    issue = f"### What I ran\n\n```\n{LAUNCH} a.b=1\n```\n\nIt died.\n"
    assert load("-", stdin=io.BytesIO(issue.encode())).contents.kind == "markdown"
    task = f"run: |\n  {LAUNCH}\n"
    assert load("-", stdin=io.BytesIO(task.encode())).contents.kind == "skypilot"
    broken = f"a: b\n{LAUNCH}: [\n"
    assert load("-", stdin=io.BytesIO(broken.encode())).contents.kind == "script"


def test_revisions(folder: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=m",
             *words],
            check=True, capture_output=True,
        )  # fmt: skip

    git("init")
    put("jobs/run.sh", "old\n")
    os.symlink("jobs/run.sh", "link.sh")
    put("big.sh", b"#" * (MAX_BYTES + 1))
    git("add", ".")
    git("commit", "-m", "one")
    put("jobs/run.sh", "new\n")
    loaded = load("HEAD:jobs/run.sh#2 a.b=1")
    assert (loaded.text, loaded.revision, loaded.path) == ("old\n", "HEAD", "jobs/run.sh")
    assert (loaded.pick, loaded.changes) == (2, ["a.b=1"])
    os.chdir("jobs")
    assert load("HEAD:./run.sh").text == "old\n"
    assert load("HEAD:jobs/run.sh").text == "old\n"
    assert "no 'run.sh' at revision 'HEAD'" in refused("HEAD:run.sh")
    assert "is a directory" in refused("HEAD:jobs")
    assert "symbolic link to jobs/run.sh" in refused("HEAD:link.sh")
    assert "longer than 512 KB" in refused("HEAD:big.sh")
    assert "no Git revision 'nope'" in refused("nope:jobs/run.sh")
    assert "no such file" in refused("--output=x:jobs/run.sh")


def test_a_revision_outside_of_a_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", os.path.dirname(os.getcwd()))
    assert "no Git repository" in refused("HEAD:run.sh")
    monkeypatch.setenv("PATH", "/nowhere")
    assert "git is not installed" in refused("HEAD:run.sh")


# What is refused.


def test_refusals(folder: Path) -> None:
    put("run.sh", LAUNCH)
    put("outputs/run/.hydra/overrides.yaml", "- a=1\n")
    put("scripts/one.sh", LAUNCH)
    os.symlink("nowhere", "dangling.sh")
    assert "did you mean 'run.sh'" in refused("rum.sh")
    assert "there is no such file" in refused("no/such/file.sh")
    assert "'foo' is no key=value" in refused("run.sh foo")
    assert "counted from 1" in refused("run.sh#0")
    assert "no closing quotation" in refused("run.sh 'a")
    assert "an empty SOURCE" in refused("")
    assert "an empty SOURCE" in refused("  ")
    assert "there is no such file" in refused("a\0b")
    assert "name the file: outputs/run/.hydra/overrides.yaml" in refused("outputs/run")
    assert "such as scripts/one.sh" in refused("scripts")
    assert "a symbolic link to nowhere" in refused("dangling.sh")
    assert "is a binary file" in refused(put("run.bin", b"\x7fELF\0\0"))
    assert "UTF-16" in refused(put("wide.sh", "echo".encode("utf-16")))
    assert "is empty" in refused(put("empty.sh", "\n  \n"))
    assert "longer than 512 KB" in refused(put("long.sh", b"#" * (MAX_BYTES + 1)))
    assert "longer than 512 KB" in refused("/dev/zero")
    assert "longer than 512 KB" in refused("-", stdin=io.BytesIO(b"#" * (MAX_BYTES + 1)))
    assert "standard input: is empty" in refused("-", stdin=io.BytesIO(b""))
    put("just.sh", b"#" * MAX_BYTES)
    assert load("just.sh").contents.kind == "script"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable() -> None:
    os.chmod(put("secret.sh", LAUNCH), 0)
    assert "cannot be read: permission denied" in refused("secret.sh")


def test_decoding() -> None:
    assert decode(b"\xef\xbb\xbfa", "x") == "a"
    assert decode(b"a\xff", "x") == "a\ufffd"


# Shell scripts and Slurm.


def test_sbatch() -> None:
    loaded = load(
        put(
            "job.sh",
            f"""\
            #!/bin/bash
            #SBATCH --job-name=train
            #SBATCH -N 4   # four
            #SBATCH --gpus-per-node=h100:8

            # a comment
            #SBATCH --ntasks-per-node 1
            srun {LAUNCH}
            #SBATCH --nodes=9
            """,
        )
    )
    assert loaded.contents.kind == "sbatch"
    assert loaded.contents.topology == Topology(
        4,
        8,
        "h100",
        {
            "SLURM_JOB_NUM_NODES": "4",
            "SLURM_NNODES": "4",
            "SLURM_GPUS_PER_NODE": "h100:8",
            "SLURM_NTASKS_PER_NODE": "1",
            "SLURM_JOB_NAME": "train",
        },
    )
    assert only(loaded).env == {}
    assert only(loaded).text == loaded.text


@pytest.mark.parametrize(
    ("headers", "nodes", "gpus"),
    [
        ("--nodes=2 --gres=gpu:8", 2, 8),
        ("-N2 --gres=gpu:a100:4,shm:1", 2, 4),
        ("--nodes=2-4 -G 16", 2, 8),
        ("-G 16", None, None),
        ("--nodes=2 -G 15", 2, None),
        ("--ntasks-per-node=8 --gpus-per-task=1", None, 8),
        ("--gres=shm:1", None, None),
        ("--nodes='", None, None),
        ("--nodes=many", None, None),
    ],
)
def test_sbatch_headers(headers: str, nodes: int | None, gpus: int | None) -> None:
    topology = unpack(f"#!/bin/sh\n#SBATCH {headers}\n", "x.sh", "x.sh").topology
    assert (topology.nodes, topology.gpus_per_node) == (nodes, gpus)


# Documents.


def test_markdown() -> None:
    loaded = load(
        put(
            "issue.md",
            f"""\
            # Title

            ```bash
            A=1
            {LAUNCH} a.b=$A
            ```

            1. Then

               ~~~ sh title="x"
               cat <<X
                 deep
               X

               {LAUNCH} c.d=1
               ~~~

            > quoted
            > ```console
            > $ {LAUNCH} \\
            >     e.f=1
            > it said this
            > ```

            ```python
            print(1)
            ```

            ```
            {LAUNCH} \\
              g.h=1
            ```

            ```
            Traceback: python is sad
            ```

            ```{{.bash .numberLines}}
            {LAUNCH} i.j=1
            ```

            ```shell
            {LAUNCH} k.l=1
            """,
        )
    )
    scripts = loaded.contents.scripts
    assert loaded.contents.kind == "markdown"
    assert [script.name for script in scripts] == [f"block {n}" for n in range(1, 7)]
    assert [(script.first_line, script.column_offset) for script in scripts] == [
        (4, 0), (11, 3), (20, 2), (30, 0), (39, 0), (43, 0),
    ]  # fmt: skip
    assert scripts[1].text.startswith("cat <<X\n  deep\nX\n\n")
    assert scripts[2].text == f"  {LAUNCH} \\\n    e.f=1\n\n"
    check_places(loaded)


def test_restructured_text() -> None:
    loaded = load(
        put(
            "docs.rst",
            f"""\
            Title
            =====

            .. code-block:: bash
               :linenos:

               A=1
               {LAUNCH} \\
                 a.b=$A

            Text.

            .. code:: python

               print(1)
            """,
        )
    )
    assert only(loaded).first_line == 7
    assert only(loaded).column_offset == 3
    check_places(loaded)


def test_a_document_without_a_script() -> None:
    assert "no shell script in it" in refused(put("README.md", "# Hello\n\n```python\n1\n```\n"))


def test_a_script_with_backquotes_is_no_document() -> None:
    loaded = load(put("run.sh", "echo '\n```\n'\n"))
    assert loaded.contents.kind == "script"


# What runs leave behind.


def test_hydra_overrides() -> None:
    put(
        "out/.hydra/hydra.yaml",
        """\
        hydra:
          job:
            name: main_ppo
            config_name: ppo_megatron_trainer
          runtime:
            config_sources:
            - {path: hydra.conf, schema: pkg, provider: hydra}
            - {path: /home/me/verl/verl/trainer/config, schema: file, provider: main}
        """,
    )
    loaded = load(put("out/.hydra/overrides.yaml", "- a.b=1\n- 'c.d=[x, y]'\n- +e=é\n- ~f\n"))
    contents = loaded.contents
    assert (contents.kind, contents.complete) == ("overrides", False)
    assert contents.entrypoint == "verl.trainer.main_ppo"
    assert contents.hydra_flags == ("--config-name=ppo_megatron_trainer",)
    assert [tuple(word) for word in contents.words] == [
        ("a.b=1", 1, 3, 5),
        ("c.d=[x, y]", 2, 3, 12),
        ("+e=é", 3, 3, 5),
        ("~f", 4, 3, 2),
    ]


def test_hydra_overrides_alone() -> None:
    contents = load(put("overrides.yaml", "- a.b=1\n")).contents
    assert (contents.entrypoint, contents.hydra_flags) == (None, ())
    assert load(put("none.yaml", "[]\n")).contents.words == ()
    assert "bad.yaml:2:3: a list of override words" in refused(put("bad.yaml", "- a=1\n- {b: 1}\n"))


def test_hydra_yaml_itself() -> None:
    text = """\
    hydra:
      job: {name: main_ppo, config_name: ppo_trainer}
      overrides: {hydra: [], task: [a.b=1, c=2]}
    """
    contents = load(put("hydra.yaml", text)).contents
    assert [word.text for word in contents.words] == ["a.b=1", "c=2"]
    assert (contents.entrypoint, contents.hydra_flags) == ("main_ppo", ())


def test_hydra_config() -> None:
    contents = load(
        put(
            "config.yaml",
            """\
            data:
              train_files: ~/x.parquet
              size: 1024
              keys: [a, 'b c']
              empty: {}
              odd: {"a b": 1}
              missing: ???
            trainer:
              lr: 1e-6
              half: .5
              flag: yes
              none: null
              text: "1"
              day: 2025-01-02
              total: ${data.size}
              deep: {er: {still: -1}}
            """,
        )
    ).contents
    assert (contents.kind, contents.complete) == ("config", True)
    assert [word.text for word in contents.words] == [
        "data.train_files='~/x.parquet'",
        "data.size=1024",
        "data.keys=[a,b c]",
        "data.empty={}",
        "data.odd={a b:1}",
        "trainer.lr=1e-6",
        "trainer.half=0.5",
        "trainer.flag=True",
        "trainer.none=null",
        "trainer.text='1'",
        "trainer.day=2025-01-02",
        "trainer.total=${data.size}",
        "trainer.deep.er.still=-1",
    ]
    assert contents.words[1][1:] == (3, 9, 4)
    config = OmegaConf.load("config.yaml")
    for word in contents.words:
        override = parse(word.text)
        assert override.value == OmegaConf.select(config, override.key) or "$" in word.text


def test_a_config_with_defaults_is_not_complete() -> None:
    text = "defaults: [x, _self_]\nhydra: {a: 1}\ndata: {a: 1}\ntrainer: {b: 2}\n"
    contents = load(put("config.yaml", text)).contents
    assert [word.text for word in contents.words] == ["data.a=1", "trainer.b=2"]
    assert not contents.complete


def test_wandb_config() -> None:
    text = """\
    wandb_version: 1
    _wandb: {desc: null, value: {cli_version: 1}}
    data: {desc: null, value: {size: 1}}
    trainer:
      value:
        nnodes: 2
    """
    contents = load(put("config.yaml", text)).contents
    assert [word.text for word in contents.words] == ["data.size=1", "trainer.nnodes=2"]
    assert contents.complete


def test_wandb_metadata() -> None:
    recorded = {
        "program": "-m verl.trainer.main_ppo",
        "args": ["--config-name=x", "a.b=1"],
        "os": "Linux",
    }
    contents = load(put("wandb-metadata.json", json.dumps(recorded))).contents
    assert (contents.kind, contents.entrypoint) == ("arguments", "verl.trainer.main_ppo")
    assert contents.hydra_flags == ("--config-name=x",)
    assert [word.text for word in contents.words] == ["a.b=1"]


# Manifests.


def test_skypilot() -> None:
    loaded = load(
        put(
            "task.yaml",
            f"""\
            name: x
            num_nodes: 2
            resources:
              accelerators: H100:8
            envs:
              MODEL: Qwen/Qwen3-8B
              SECRET:
            setup: pip install verl

            run: |-
              if [ "$SKYPILOT_NODE_RANK" == 0 ]; then

                {LAUNCH} \\
                  trainer.nnodes=$SKYPILOT_NUM_NODES
              fi
            """,
        )
    )
    setup, run = loaded.contents.scripts
    assert (setup.name, setup.first_line, setup.column_offset) == ("setup", 8, 7)
    assert (run.name, run.first_line, run.column_offset) == ("run", 11, 2)
    assert run.env == {
        "MODEL": "Qwen/Qwen3-8B",
        "SKYPILOT_NODE_RANK": "0",
        "SKYPILOT_NUM_NODES": "2",
        "SKYPILOT_NUM_GPUS_PER_NODE": "8",
    }
    topology = loaded.contents.topology
    assert (topology.nodes, topology.gpus_per_node, topology.accelerator) == (2, 8, "H100")
    check_places(loaded)


@pytest.mark.parametrize(
    ("accelerators", "gpus"),
    [("H100", 1), ("{H100: 4}", 4), ("[H100:8, A100:8]", 8), ("null", None), ("[]", None)],
)
def test_skypilot_accelerators(accelerators: str, gpus: int | None) -> None:
    text = f"resources: {{accelerators: {accelerators}}}\nrun: {LAUNCH}\n"
    if accelerators == "[H100:8, A100:8]":
        text = f"resources:\n  accelerators: ['H100:8', 'A100:8']\nrun: {LAUNCH}\n"
    assert load(put("task.yaml", text)).contents.topology.gpus_per_node == gpus


def test_kuberay() -> None:
    loaded = load(
        put(
            "job.yaml",
            f"""\
            apiVersion: v1
            kind: ConfigMap
            data: {{a: b}}
            ---
            apiVersion: ray.io/v1
            kind: RayJob
            spec:
              entrypoint: {LAUNCH} a.b=1
              runtimeEnvYAML: |
                env_vars:
                  A: "1"
              rayClusterSpec:
                headGroupSpec:
                  template:
                    spec:
                      containers:
                      - name: head
                        resources: {{limits: {{nvidia.com/gpu: 8}}}}
                workerGroupSpecs:
                - replicas: 3
                  template:
                    spec:
                      containers:
                      - name: worker
                        resources: {{limits: {{nvidia.com/gpu: "8"}}}}
            """,
        )
    )
    script = only(loaded)
    assert script == Embedded(f"{LAUNCH} a.b=1", "RayJob spec.entrypoint", 8, 14, env={"A": "1"})
    assert loaded.contents.topology[:2] == (4, 8)
    check_places(loaded)


def test_kubernetes() -> None:
    loaded = load(
        put(
            "job.yaml",
            f"""\
            apiVersion: batch/v1
            kind: Job
            spec:
              parallelism: 2
              template:
                spec:
                  containers:
                  - name: train
                    env:
                    - {{name: A, value: "1"}}
                    - name: B
                      valueFrom: {{secretKeyRef: {{name: s, key: k}}}}
                    resources:
                      requests: {{nvidia.com/gpu: 4}}
                    command: ["bash", "-c"]
                    args:
                    - |
                      set -e
                      {LAUNCH} \\
                        a.b=1
                    - zero
                    - one
                  - name: plain
                    command: [python3, -m, verl.trainer.main_ppo]
                    args: ["c.d=$(A)", "e.f=x y", "g.h=$(Z)"]
                    env: [{{name: A, value: "1"}}]
            """,
        )
    )
    train, plain = loaded.contents.scripts
    assert (train.name, train.first_line, train.column_offset) == ("Job container train", 18, 10)
    assert (train.env, train.args) == ({"A": "1"}, ("one",))
    assert plain.text == f"{LAUNCH} c.d=1 'e.f=x y' 'g.h=$(Z)'"
    assert (plain.exact, plain.first_line) == (False, 24)
    assert loaded.contents.topology[:2] == (2, 4)
    check_places(loaded._replace(contents=loaded.contents._replace(scripts=(train,))))


def test_compose() -> None:
    loaded = load(
        put(
            "compose.yaml",
            f"""\
            services:
              db:
                image: x
              train:
                environment: [A=1, B]
                command: bash -c "{LAUNCH} a.b=1"
              other:
                environment: {{A: 1, B: null}}
                entrypoint: [bash, -lc]
                command:
                  - '{LAUNCH} c.d=$$HOME'
            """,
        )
    )
    train, other = loaded.contents.scripts
    assert loaded.contents.kind == "compose"
    assert train.text.strip() == f"{LAUNCH} a.b=1"
    assert (train.first_line, train.env, train.exact) == (6, {"A": "1"}, True)
    assert other.text == f"{LAUNCH} c.d=$HOME"
    assert (other.first_line, other.env, other.exact) == (11, {"A": "1"}, False)
    check_places(loaded._replace(contents=loaded.contents._replace(scripts=(train,))))


@pytest.mark.parametrize(
    ("value", "exact", "line", "column"),
    [
        ("|\n    a\n\n      b\n", True, 2, 4),
        ("|2-  # note\n      a\n", True, 2, 2),
        ("|\n\n\n    a\n", True, 2, 4),
        ("a b", True, 1, 5),
        ("'a b'", True, 1, 6),
        ('"a b"', True, 1, 6),
        ('"a \\"b"', False, 1, 0),
        ("'it''s'", False, 1, 0),
        (">\n    a\n    b\n", False, 1, 0),
        ("a\n    b", False, 1, 0),
    ],
)
def test_places_in_scalars(value: str, exact: bool, line: int, column: int) -> None:
    loaded = load(put("task.yaml", f"run: {value}\nnum_nodes: 1\n".encode()))
    script = only(loaded)
    assert script.text == yaml.safe_load(loaded.text)["run"]
    assert (script.exact, script.first_line, script.column_offset) == (exact, line, column)
    if exact:
        check_places(loaded)


def test_line_ends_of_windows() -> None:
    loaded = load(put("task.yaml", f"run: |\r\n  a\r\n  {LAUNCH}\r\n".encode()))
    script = only(loaded)
    assert (script.exact, script.first_line, script.column_offset) == (True, 2, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1\nb: {", "bad.yaml:2:2: this is not valid YAML"),
        ("a: \x01", "bad.yaml: this is not valid YAML"),
        ("a: b: c", "bad.yaml:1:5: this is not valid YAML"),
        ("a: 1", "no launch in this YAML"),
        ("just text", "no launch in this YAML"),
        ("# nothing", "no launch in this YAML"),
        ("run: {a: 1}", "no launch in this YAML"),
        ("apiVersion: v1\nkind: Pod\n", "no command in it"),
        ("[" * 500, "nested deeper than 64 levels"),
        ("[" * 500_000, "maximum nesting depth"),
        ("- " * 5000 + "a", "nested deeper than 64 levels"),
        ("data: {a: !!python/name:os.system x}\ntrainer: {}", "is not plain data"),
        ("data: {'a b': 1, c: !!set {x}}\ntrainer: {a: &x {b: *x}}", "64 levels"),
        ("data: {a: 1}\ntrainer: {a: {'b c': !!binary aGk=}}", "is not plain data"),
        ("data: {a: 1}\ntrainer: 1\n'b c': 1", "'b c' is no name of a setting"),
    ],
)
def test_broken_yaml(text: str, message: str) -> None:
    assert message in refused(put("bad.yaml", text))


def test_yaml_bombs() -> None:
    lines = ["x0: &x0 [a, a, a, a, a, a, a, a, a]"]
    lines += [f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 9)}]" for n in range(1, 12)]
    bomb = "\n".join(lines)
    assert "20,000 values" in refused(put("a.yaml", f"{bomb}\ndata: *x11\ntrainer: {{}}\n"))
    maps = ["x0: &x0 {a: 1, b: 1, c: 1}"]
    maps += [f"x{n}: &x{n} {{a: *x{n - 1}, b: *x{n - 1}, c: *x{n - 1}}}" for n in range(1, 20)]
    bomb = "\n".join(maps)
    assert "20,000 values" in refused(put("b.yaml", f"{bomb}\ndata: *x19\ntrainer: {{}}\n"))
    pod = f"{bomb}\napiVersion: v1\nkind: Pod\nspec: *x19\n"
    assert "no command in it" in refused(put("c.yaml", pod))


_PIECES = st.sampled_from(
    [*"[]{}'\">\t\né2", "a: ", "- ", "  ", "run: |", "&x ", "*x", "data:", "trainer:", "```",
     "bash", "$ ", "#SBATCH -N ", ".. code-block:: sh", "spec:", "kind: ", "apiVersion: v",
     "services:", "command: ", "containers:", "entrypoint: ", "!!x", "---", "\r\n"]
)  # fmt: skip


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.one_of(st.lists(_PIECES, max_size=30).map("".join), st.text(max_size=200)),
    st.sampled_from([None, "x", "x.sh", "x.yaml", "x.md", "x.rst", "x.txt", "x.json"]),
)
def test_nothing_but_a_refusal_is_raised(text: str, name: str | None) -> None:
    try:
        contents = unpack(text, name, "x")
    except UserError:
        return
    assert contents.scripts or contents.words or contents.kind == "overrides"


def test_yaml_is_imported_only_when_needed() -> None:
    put("run.sh", f"#!/bin/bash\n{LAUNCH}\n")
    code = (
        "import sys; from verlgen.sources import load; load('run.sh'); print('yaml' in sys.modules)"
    )
    root = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": root},
    )  # fmt: skip
    assert done.stdout.strip() == "False"
