"""Programs that start a Python file or module themselves, as data."""

from __future__ import annotations

from verlgen.script.recognize.options import Options, names
from verlgen.script.recognize.wrapper import Wrapper

_TORCHRUN = Wrapper(
    Options(
        flags=names("--standalone -m --module --no-python --run-path --use-env -h --help"),
        dashes=True,
    ),
    python=True,
    only_python=True,
)
_ACCELERATE = Wrapper(
    Options(
        flags=names(
            "-m --module --no-python --multi-gpu --cpu --tpu --use-deepspeed --use-fsdp "
            "--use-megatron-lm --use-xpu --use-parallelism-config --ipex --quiet -q --debug "
            "--same-network --tpu-cluster --no-tpu-cluster --tpu-use-cluster --tpu-use-sudo "
            "--enable-cpu-affinity -h --help"
        ),
        dashes=True,
    ),
    sub=names("launch"),
    python=True,
    only_python=True,
)
_DEEPSPEED = Wrapper(
    Options(
        flags=names(
            "--module --no-python --no-local-rank --no-ssh --no-ssh-check --force-multi "
            "--save-pid --bind-cores-to-rank --elastic-training -h --help"
        ),
        dashes=True,
    ),
    python=True,
    only_python=True,
)

LAUNCHERS: dict[str, Wrapper] = {
    "torchrun": _TORCHRUN,
    "torch.distributed.run": _TORCHRUN,
    "torch.distributed.launch": _TORCHRUN,
    "dlrover-run": _TORCHRUN._replace(
        options=_TORCHRUN.options._replace(
            flags=names(
                "--standalone -m --module --no-python --use-env --network-check --comm-perf-test "
                "--auto-config --auto-tunning --exclude-straggler --save-at-breakpoint"
            )
        )
    ),
    "accelerate": _ACCELERATE,
    "accelerate-launch": _ACCELERATE._replace(sub=frozenset()),
    "accelerate.commands.launch": _ACCELERATE._replace(sub=frozenset()),
    "deepspeed": _DEEPSPEED,
    "deepspeed.launcher.runner": _DEEPSPEED,
    "memray": Wrapper(
        Options(names("-o --output -p --live-port")),
        sub=names("run"),
        python=True,
        only_python=True,
    ),
    "scalene": Wrapper(
        Options(names("--outfile --profile-interval --cpu-sampling-rate")),
        python=True,
        only_python=True,
    ),
    "viztracer": Wrapper(
        Options(names("-o --output_file --tracer_entries --max_stack_depth")),
        python=True,
        only_python=True,
    ),
    "coverage": Wrapper(
        Options(names("--source --omit --include --rcfile --data-file --concurrency --context")),
        sub=names("run"),
        python=True,
        only_python=True,
    ),
    "debugpy": Wrapper(
        Options(names("--listen --connect --log-to --pid")), python=True, only_python=True
    ),
    "cProfile": Wrapper(Options(names("-o --outfile -s --sort")), python=True, only_python=True),
    "profile": Wrapper(Options(names("-o --outfile -s --sort")), python=True, only_python=True),
    "pdb": Wrapper(Options(names("-c --command")), python=True, only_python=True),
    "ipdb": Wrapper(Options(names("-c --command")), python=True, only_python=True),
    "trace": Wrapper(
        Options(names("-f --file -C --coverdir --ignore-module --ignore-dir")),
        python=True,
        only_python=True,
    ),
    "kernprof": Wrapper(
        Options(names("-o --outfile -s --setup -p --prof-mod")), python=True, only_python=True
    ),
    "line_profiler": Wrapper(python=True, only_python=True),
    "memory_profiler": Wrapper(Options(names("-o --pdb-mmem")), python=True, only_python=True),
    "mprof": Wrapper(Options(names("-o --output -T --interval")), sub=names("run"), python=True),
}
