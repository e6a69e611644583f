"""What is recognized behind everything that people put before a trainer."""

from __future__ import annotations

import shlex
import time

import pytest

from verlgen.script.read.text import place_of, written
from verlgen.script.recognize import FromInput, Inner, OtherScript, Recognized, recognize

PPO = "verl.trainer.main_ppo"
RUN = f"python3 -m {PPO} trainer.nnodes=2 +a=1"

# Words before `python3 -m verl.trainer.main_ppo …`, and the launcher that people see.
BEFORE = [
    ("", ""),
    ("nohup", ""),
    ("env", ""),
    ("env -i -u A -C /w", ""),
    ("command time -v -o /tmp/t", ""),
    ("time -p", ""),
    ("nice", ""),
    ("nice -n 10", ""),
    ("nice -10", ""),
    ("ionice -c 2 -n 0", ""),
    ("taskset -c 0-3", ""),
    ("numactl --cpunodebind=0 -m 0", ""),
    ("stdbuf -oL -e L", ""),
    ("timeout -s KILL -k 5 12h", ""),
    ("timeout --signal=TERM 12h", ""),
    ("setsid -w", ""),
    ("exec", ""),
    ("exec -a name", ""),
    ("command", ""),
    ("builtin", ""),
    ("sudo -E -u me", ""),
    ("gosu me", ""),
    ("tini -s --", ""),
    ("xvfb-run -a -s '-screen 0 1x1x8'", ""),
    ("script -q /dev/null", ""),
    ("flock -n /tmp/lock", ""),
    ("systemd-run --user --scope -p MemoryMax=1G", ""),
    ("nohup nice -n 5 stdbuf -o0 timeout 1d", ""),
    ("srun -N 2 -n1 --overlap -w node1 --container-image img --pty", "srun"),
    ("srun --nodes=2 --ntasks-per-node=1 --export=ALL -l -u", "srun"),
    ("mpirun -np 8 --hostfile h -mca btl tcp -bind-to none", "mpirun"),
    ("mpiexec -n 8 -genv A 1 -ppn 8", "mpiexec"),
    ("uv run", "uv"),
    ("uv --directory /w run --frozen --all-packages --extra vllm --with 'a b' -p 3.12", "uv"),
    ("poetry run", "poetry"),
    ("pdm run", "pdm"),
    ("pipenv run", "pipenv"),
    ("pixi run -e gpu", "pixi"),
    ("rye run", "rye"),
    ("conda run -n verl --no-capture-output --live-stream", "conda"),
    ("mamba run --name verl", "mamba"),
    ("micromamba run -p /env", "micromamba"),
    ("docker run --rm -it --gpus all -v /a:/b --shm-size 10g --ipc=host image:tag", "docker"),
    ("docker exec -it -w /verl box", "docker"),
    ("docker compose exec -T trainer", "docker"),
    ("podman run --rm image", "podman"),
    ("apptainer exec --nv -B /a:/b --pwd /w image.sif", "apptainer"),
    ("singularity run --nv image.sif", "singularity"),
    ("kubectl -n ns exec -it pod -c main --", "kubectl"),
    ("ssh -p 22 -o StrictHostKeyChecking=no me@host", "ssh"),
    ("ray job submit --address http://h:8265 --no-wait --runtime-env=r.yaml --", "ray job submit"),
    ("ray job submit --working-dir . --entrypoint-num-cpus 1", "ray job submit"),
    ("ray exec cluster.yaml", "ray exec"),
    ("sky exec cluster", "sky"),
    ("sky launch -c name --gpus H100:8 -y", "sky"),
    ("nsys profile -o out -t cuda,nvtx --force-overwrite true --stats=true", "nsys"),
    ("ncu -o out --target-processes all -f", "ncu"),
    ("py-spy record -o out.svg --", "py-spy"),
    ("gdb -ex run --args", "gdb"),
    ("strace -f -o out", "strace"),
    ("perf record -g -o out --", "perf"),
    ("/usr/bin/nohup /opt/uv run", "uv"),
    ("srun --overlap apptainer exec --nv image.sif uv run", "srun apptainer uv"),
    ("some-wrapper --unknown value", "some-wrapper"),
    ("./launch --on all --", "launch"),
    ("nsys profile --invented --twice", "nsys"),
]


@pytest.mark.parametrize(("before", "launcher"), BEFORE, ids=[before for before, _ in BEFORE])
def test_wrappers(before: str, launcher: str) -> None:
    argv = shlex.split(f"{before} {RUN}")
    found = recognize(argv, {})
    assert isinstance(found, Recognized)
    assert (found.kind, found.entrypoint) == ("trainer", PPO)
    assert " ".join(found.launcher) == f"{launcher} python3".strip()
    assert [argv[index] for index in found.overrides] == ["trainer.nnodes=2", "+a=1"]
    assert found.other_args == []
    assert argv[found.start] == PPO


@pytest.mark.parametrize(
    ("command", "launcher", "entrypoint"),
    [
        ("python -u -X dev -W ignore -O -m a.b x.y=1", "python", "a.b"),
        ("python3.11 -ma.b x.y=1", "python3.11", "a.b"),
        ("python -um a.b x.y=1", "python", "a.b"),
        ("/usr/bin/python3 train/main.py x.y=1", "python3", "train/main.py"),
        ("./main.py x.y=1", "", "./main.py"),
        ("torchrun --standalone --nnodes=1 --nproc_per_node 8 -m a.b x.y=1", "torchrun", "a.b"),
        ("torchrun --nproc-per-node=8 --rdzv-backend c10d main.py x.y=1", "torchrun", "main.py"),
        ("python -m torch.distributed.run --nnodes 2 -m a.b x.y=1",
         "python -m torch.distributed.run", "a.b"),
        ("python -m torch.distributed.launch --use_env main.py x.y=1",
         "python -m torch.distributed.launch", "main.py"),
        ("torchrun --no-python --nproc_per_node 2 python -m a.b x.y=1", "torchrun python", "a.b"),
        ("accelerate launch --config_file c --multi_gpu -m a.b x.y=1", "accelerate", "a.b"),
        ("accelerate launch --invented main.py x.y=1", "accelerate", "main.py"),
        ("deepspeed --num_gpus 8 --module a.b x.y=1", "deepspeed", "a.b"),
        ("deepspeed --hostfile h --no_local_rank main.py x.y=1", "deepspeed", "main.py"),
        ("uv run -m a.b x.y=1", "uv", "a.b"),
        ("uv run --frozen main.py x.y=1", "uv", "main.py"),
        ("uv run torchrun --nnodes=1 -m a.b x.y=1", "uv torchrun", "a.b"),
        ("coverage run -p --source verl -m a.b x.y=1", "coverage", "a.b"),
        ("python -m coverage run -m a.b x.y=1", "python -m coverage", "a.b"),
        ("python -m debugpy --listen 0.0.0.0:5678 --wait-for-client -m a.b x.y=1",
         "python -m debugpy", "a.b"),
        ("python -m cProfile -o out -m a.b x.y=1", "python -m cProfile", "a.b"),
        ("docker run --entrypoint python3 image -m a.b x.y=1", "docker python3", "a.b"),
    ],
)  # fmt: skip
def test_what_starts_python(command: str, launcher: str, entrypoint: str) -> None:
    argv = shlex.split(command)
    found = recognize(argv, {})
    assert isinstance(found, Recognized)
    assert (found.kind, found.entrypoint) == ("trainer", entrypoint)
    assert " ".join(found.launcher) == launcher
    assert [argv[index] for index in found.overrides] == ["x.y=1"]


@pytest.mark.parametrize(
    ("command", "text", "args"),
    [
        ("bash -c 'a b' zero one", "a b", ["zero", "one"]),
        ("bash -euxo pipefail -c 'a b'", "a b", []),
        ("bash --norc +x -lc 'a b'", "a b", []),
        ("/bin/sh -c -- 'a b'", "a b", []),
        ("zsh -ic 'a b'", "a b", []),
        ("su - me -c 'a b'", "a b", []),
        ("su -l me --command='a b'", "a b", []),
        ("sudo -u me bash -c 'a b'", "a b", []),
        ("ssh -t host 'a; b'", "a; b", []),
        ("ssh host -t 'a; b'", "a; b", []),
        ("ssh host a ';' b", "a ; b", []),
        ("pdsh -w h1,h2 'a; b'", "a; b", []),
        ("ray job submit --address=h -- bash -c 'a b'", "a b", []),
        ("ray job submit --address=h 'a b'", "a b", []),
        ("ray exec c.yaml 'a b'", "a b", []),
        ("sky exec c 'a b'", "a b", []),
        ("sbatch -N 2 --wrap 'a b'", "a b", []),
        ("sbatch --wrap='a b'", "a b", []),
        ("docker run -d --rm image bash -lc 'a b'", "a b", []),
        ("docker run --entrypoint bash image -c 'a b'", "a b", []),
        ("kubectl exec pod -- sh -c 'a b'", "a b", []),
        ("script -q -c 'a b' log", "a b", []),
        ("flock /tmp/lock -c 'a b'", "a b", []),
        ("tmux new-session -d -s name 'a b'", "a b", []),
        ("tmux send-keys -t name 'a b' C-m", "a b", []),
        ("screen -dmS name bash -c 'a b'", "a b", []),
        ("msprof --output=o --application='a b'", "a b", []),
        ("srun --invented flag bash -c 'a b'", "a b", []),
    ],
)
def test_text_for_a_second_shell(command: str, text: str, args: list[str]) -> None:
    found = recognize(shlex.split(command), {})
    assert isinstance(found, Inner)
    assert (found.text, found.args) == (text, args)
    assert found.joined == (command == "ssh host a ';' b")


def test_text_for_a_second_shell_keeps_its_places() -> None:
    argv = [written(word, 0, 10 * number) for number, word in enumerate(["sbatch", "--wrap=a b"])]
    found = recognize([*argv], {})
    assert isinstance(found, Inner)
    assert place_of(found.text) == (0, 17, 20)
    argv = [written(word, 0, 10 * number) for number, word in enumerate(["ssh", "h", "a", "b;"])]
    found = recognize([*argv], {})
    assert isinstance(found, Inner)
    assert found.text == "a b;"
    assert place_of(found.text) == (0, 20, 32)


@pytest.mark.parametrize(
    ("command", "path", "args"),
    [
        ("bash run.sh a=1 b", "run.sh", ["a=1", "b"]),
        ("bash -x -- run.sh", "run.sh", []),
        ("./scripts/run.sh a", "./scripts/run.sh", ["a"]),
        ("sbatch -N 2 job.slurm a", "job.slurm", ["a"]),
        ("srun --pty bash run.sh", "run.sh", []),
        ("nohup ./run.sh", "./run.sh", []),
    ],
)
def test_other_scripts(command: str, path: str, args: list[str]) -> None:
    found = recognize(shlex.split(command), {})
    assert isinstance(found, OtherScript)
    assert (found.path, found.args) == (path, args)


@pytest.mark.parametrize("command", ["bash", "bash -s a b", "ssh host", "ssh host bash -s a b"])
def test_commands_from_standard_input(command: str) -> None:
    found = recognize(command.split(), {})
    assert isinstance(found, FromInput)
    assert found.args == (["a", "b"] if "-s" in command else [])


@pytest.mark.parametrize(
    ("command", "env"),
    [
        (f"env A=1 B='x y' {RUN}", {"A": "1", "B": "x y"}),
        (f"sudo -E A=1 {RUN}", {"A": "1"}),
        (f"uv run --env A=1 {RUN}", {"A": "1"}),
        (f"docker run -e A=1 -eB=2 --env=C=3 --env D -e E image {RUN}",
         {"A": "1", "B": "2", "C": "3", "D": "outside"}),
        (f"docker exec -e A=1 box {RUN}", {"A": "1"}),
        (f"srun --export=ALL,A=1,B=2 {RUN}", {"A": "1", "B": "2"}),
        (f"mpirun -x A=1 -x D -genv B 2 {RUN}", {"A": "1", "D": "outside", "B": "2"}),
        (f"ray job submit --runtime-env-json '{{\"env_vars\": {{\"A\": \"1\"}}}}' -- {RUN}",
         {"A": "1"}),
        (f"ray job submit --runtime-env-json '[not json' -- {RUN}", {}),
        (f"apptainer exec --env A=1,B=2 image {RUN}", {"A": "1", "B": "2"}),
        (f"docker run -e A=1,B=2 image {RUN}", {"A": "1,B=2"}),
        (f"sky exec --env A=1 cluster {RUN}", {"A": "1"}),
        (f"env A=1 docker run -e B=2 image uv run --env C=3 {RUN}",
         {"A": "1", "B": "2", "C": "3"}),
    ],
)  # fmt: skip
def test_environment(command: str, env: dict[str, str]) -> None:
    found = recognize(shlex.split(command), {"D": "outside"})
    assert isinstance(found, Recognized)
    assert found.env == env


@pytest.mark.parametrize(
    "command",
    [
        "pip install verl",
        "python -m pip install -e .",
        "python3 -m pytest tests a.b=1",
        "python3 setup.py install",
        "git clone x",
        "git -c a.b=1 -c c.d=2 pull",
        "mkdir -p a",
        f"echo {RUN}",
        f"printf '%s' {RUN}",
        f"pkill -f {PPO}",
        f"tee log {PPO}",
        "python -c 'import a' a.b=1",
        "python - a.b=1",
        "python",
        "bash -c",
        "command -v python3",
        "uv pip install x",
        "uv sync",
        "docker ps",
        "conda activate x",
        "ray start --head --port 1",
        "ray stop",
        "kubectl get pods",
        "torchrun",
        "env",
        "sysctl -w a.b=1 c.d=2",
        "helm install --set a.b=1",
        "data.a=1 data.b=2 trainer.c=3",
        "+data.a=1 data.b=2 trainer.c=3",
        "--config-name=x data.b=2 trainer.c=3",
        "",
    ],
)
def test_nothing_to_do_with_a_launch(command: str) -> None:
    assert recognize(shlex.split(command), {}) is None


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        (f"python -m {PPO}", "trainer"),  # a blank line cut its overrides off: it still trains
        (f"python -m {PPO} b c", "trainer"),
        ("python -m verl.trainer.fsdp_sft_trainer", "trainer"),
        ("python -m recipe.dapo.main_dapo", "trainer"),
        ("python verl/trainer/main_ppo.py", "trainer"),
        ("python -m verl.experimental.fully_async_policy.fully_async_main", "trainer"),
        ("python -m my.fork data.x=1", "trainer"),
        ("python my/fork.py --config-name=x", "trainer"),
        ("python my/fork.py -cn x", "trainer"),
        ("python my/fork.py model=qwen algo=grpo", "trainer"),
        ("python my/fork.py ++x=1", "trainer"),
        ("python my/fork.py ~x", "trainer"),
        ("python -m my.launch verl.trainer.sft_trainer data.x=1", "trainer"),
        ("my-train data.train_batch_size=1 trainer.nnodes=1", "trainer"),
        ("python -m verl.trainer.main_generation data.path=x", "tool"),
        ("python -m verl.trainer.main_generation_server data.path=x", "tool"),
        ("python -m verl.trainer.main_eval data.path=x", "tool"),
        ("python -m recipe.r1.main_eval data.path=x", "tool"),
        ("python -m verl.model_merger merge --backend fsdp", "tool"),
        ("python scripts/model_merger.py merge", "tool"),
        ("python examples/data_preprocess/gsm8k.py --local_dir ~/x", "tool"),
        ("python scripts/print_cfg.py --cfg job --config-name=x", "tool"),
        ("python serve.py --set a.b=1", "tool"),
        ("python -m verl.utils.something --port 3", "tool"),
        ("python -m sglang.launch_server --model x", "tool"),
        ("vllm serve x", "tool"),
    ],
)
def test_trainer_or_tool(command: str, kind: str) -> None:
    found = recognize(shlex.split(command), {})
    assert isinstance(found, Recognized)
    assert found.kind == kind


def test_a_tool_has_overrides() -> None:
    found = recognize(shlex.split("python -m verl.trainer.main_eval --config-name x data.a=1"), {})
    assert isinstance(found, Recognized)
    assert (found.kind, found.hydra_flags, found.overrides) == ("tool", ["--config-name x"], [5])


@pytest.mark.parametrize(
    ("words", "flags", "overrides", "others"),
    [
        ("--config-path=a --config-name b x=1", ["--config-path=a", "--config-name b"], ["x=1"],
         []),
        ("-cp a -cn=b -cd c x=1", ["-cp a", "-cn=b", "-cd c"], ["x=1"], []),
        ("--config-n=b x=1", ["--config-n=b"], ["x=1"], []),
        ("-m x=1,2", ["-m"], ["x=1,2"], []),
        ("--multirun --cfg job --resolve x=1", ["--multirun", "--cfg job", "--resolve"], ["x=1"],
         []),
        ("--info x=1", ["--info"], ["x=1"], []),
        ("--info plugins x=1", ["--info plugins"], ["x=1"], []),
        ("-p a.b --experimental-rerun f", ["-p a.b", "--experimental-rerun f"], [], []),
        ("+a=1 ++b=2 ~c ~d=3 g@p=x", [], ["+a=1", "++b=2", "~c", "~d=3", "g@p=x"], []),
        ("a=1 stray ' ' '' '\\'", [], ["a=1"], ["stray", " ", "", "\\"]),
        ("a=1 +b", [], ["a=1"], ["+b"]),
        ("a=1 --foo --bar=x -z", [], ["a=1"], ["--foo", "--bar=x", "-z"]),
        ("a=1 -- b=2", [], ["a=1", "b=2"], ["--"]),
        ("'a=x y' b='c=d' =", [], ["a=x y", "b=c=d", "="], []),
        ("x=1 --config-name", ["--config-name"], ["x=1"], []),
    ],
)  # fmt: skip
def test_words_behind_the_entry_point(
    words: str, flags: list[str], overrides: list[str], others: list[str]
) -> None:
    argv = ["python3", "-m", PPO, *shlex.split(words)]
    found = recognize(argv, {})
    assert isinstance(found, Recognized)
    assert found.hydra_flags == flags
    assert [argv[index] for index in found.overrides] == overrides
    assert [argv[index] for index in found.other_args] == others


SYMBOL = "\U00100000"


@pytest.mark.parametrize(
    ("argv", "launcher", "entrypoint"),
    [
        ([SYMBOL, "-m", PPO, "a.b=1"], [SYMBOL], PPO),
        ([SYMBOL, "-u", "train.py", "a.b=1"], [SYMBOL], "train.py"),
        ([SYMBOL, "--nproc", "8", "-m", "x.y", "a.b=1"], [SYMBOL], "x.y"),
        ([SYMBOL, "python3", "-m", PPO, "a.b=1"], [SYMBOL, "python3"], PPO),
        ([SYMBOL + "/bin/python", "-m", PPO, "a.b=1"], ["python"], PPO),
        (["python3", "-m", SYMBOL, "a.b=1"], ["python3"], SYMBOL),
        (["python3", SYMBOL + "/main.py", "a.b=1"], ["python3"], SYMBOL + "/main.py"),
        (["ssh", SYMBOL, "python3", "-m", PPO, SYMBOL + "=1"], ["ssh", "python3"], PPO),
        ([SYMBOL, "data.a=1", "trainer.b=1"], [], SYMBOL),
    ],
)
def test_symbols(argv: list[str], launcher: list[str], entrypoint: str) -> None:
    found = recognize(argv, {})
    assert isinstance(found, Recognized)
    assert (found.kind, found.launcher, found.entrypoint) == ("trainer", launcher, entrypoint)
    assert len(found.overrides) in (1, 2)


def test_a_symbol_alone_is_nothing() -> None:
    assert recognize([SYMBOL], {}) is None
    assert recognize([SYMBOL, "a", "b=1"], {}) is None


def test_hostile_words_take_no_time() -> None:
    started = time.monotonic()
    for argv in (
        ["env"] * 100_000,
        ["x", *(["srun"] * 30 + ["python"]) * 300, *["-a"] * 100_000],
        ["timeout"] + ["-a"] * 100_000,
        ["python", "-m", "coverage", "run"] * 20_000,
        ["bash", "+o"] * 50_000,
    ):
        recognize(argv, {})
    assert time.monotonic() - started < 5


def test_argv_is_left_alone() -> None:
    argv = shlex.split("docker run --entrypoint bash image -c 'a b'")
    before = list(argv)
    recognize(argv, {})
    assert argv == before
