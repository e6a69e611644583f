"""Programs that start the command behind their options, as data.

An option missing here costs little: when what stands behind the options is no command, the words
are searched for one (see command.py).
"""

from __future__ import annotations

from verlgen.script.recognize.launchers import LAUNCHERS
from verlgen.script.recognize.options import Options, names
from verlgen.script.recognize.wrapper import Wrapper, plain

_DOCKER = Wrapper(
    Options(
        flags=names(
            "-i -t -d -q -P -T --interactive --tty --detach --quiet --publish-all --rm "
            "--privileged "
            "--init --read-only --no-healthcheck --oom-kill-disable --sig-proxy --replace --tls "
            "--disable-content-trust --no-deps --service-ports --use-aliases --build --debug -D"
        )
    ),
    sub=names("run exec"),
    operands=1,
    env=names("-e --env"),
)
_SINGULARITY = Wrapper(
    Options(
        names(
            "-B --bind -H --home -W --workdir --pwd --cwd -S --scratch -o --overlay --env "
            "--env-file --app --network --network-args --no-mount --mount --security --hostname "
            "--add-caps --drop-caps --dns --nvccli-args --fusemount --cpus --memory --device"
        )
    ),
    sub=names("run exec"),
    operands=1,
    env=names("--env"),
    commas=True,
)
_SRUN = Wrapper(
    Options(
        flags=names(
            "-l -u -v -Q -s -H -O -k -X -E -K -I --label --unbuffered --verbose --quiet "
            "--oversubscribe --overlap --exclusive --exact --pty --hold --no-kill "
            "--preserve-env --disable-status --kill-on-bad-exit --immediate --multi-prog "
            "--overcommit --contiguous --spread-job --use-min-nodes --interactive "
            "--no-container-mount-home --container-mount-home --container-writable "
            "--container-readonly --container-remap-root --no-container-remap-root "
            "--container-entrypoint --no-container-entrypoint --no-allocate --no-requeue --requeue"
        )
    ),
    env=names("--export"),
    commas=True,
)
_MPI = Wrapper(
    Options(
        names(
            "-np --np -n --n -c -H -host --host -hosts --hosts -hostfile --hostfile -machinefile "
            "--machinefile -f -x -map-by --map-by -bind-to --bind-to -rank-by --rank-by -N "
            "-npernode --npernode -ppn --ppn -wdir --wdir -wd --prefix -genvlist -launcher "
            "-rankfile --rankfile -output-filename --output-filename --timeout -p"
        ),
        two=names("-mca --mca -gmca --gmca -genv --genv -env --env -omca --omca"),
        whole=True,
    ),
    env=names("-x -genv --genv -env --env"),
)
_UV = Wrapper(
    Options(
        names(
            "--extra --no-extra --group --no-group --only-group --env-file -w --with "
            "--with-editable --with-requirements --package -p --python --index --default-index "
            "-i --index-url --extra-index-url -f --find-links -P --upgrade-package "
            "--reinstall-package --refresh-package --index-strategy --keyring-provider "
            "--resolution --prerelease --fork-strategy --exclude-newer --link-mode -C "
            "--config-setting --no-build-package --no-binary-package --no-build-isolation-package "
            "--cache-dir --python-preference --python-platform --color --directory --project "
            "--config-file --allow-insecure-host --env --from -c --constraints --torch-backend"
        )
    ),
    sub=names("run"),
    env=names("--env"),
    python=True,
)
_CONDA = Wrapper(
    Options(names("-n --name -p --prefix --cwd -r --root-prefix -a --attach -e --env")),
    sub=names("run"),
    env=names("-e --env"),
)
_RUN = Wrapper(
    Options(
        names("-C --directory -P --project -p --path -e --environment --manifest-path -V --venv")
    ),
    sub=names("run"),
)
_RAY_JOB = Wrapper(
    Options(
        names(
            "--address --job-id --submission-id --runtime-env --runtime-env-json --working-dir "
            "--metadata-json --entrypoint-num-cpus --entrypoint-num-gpus --entrypoint-memory "
            "--entrypoint-resources --entrypoint-label-selector --verify --headers --log-style "
            "--log-color"
        )
    ),
    label="ray job submit",
    env=names("--runtime-env-json"),
    joins="one",
)
_RAY_EXEC = Wrapper(
    Options(names("-n --cluster-name -p --port-forward --run-env --tmux --screen")),
    operands=1,
    label="ray exec",
    joins="always",
)
_SSH = Wrapper(
    Options(names(" ".join(f"-{letter}" for letter in "BbcDEeFIiJLlmOoPpQRSWw"))),
    operands=1,
    joins="always",
)
_PDSH = Wrapper(Options(names("-w -x -f -l -t -u -R -h -p -o -e -g -P -O -A -B")), joins="always")
_SKY = Wrapper(
    Options(
        flags=names(
            "-y --yes -d --detach-run --detach-setup -s --down --no-setup --async --fast --dryrun "
            "--retry-until-up -r --use-spot --no-use-spot --stream-logs --no-stream-logs"
        )
    ),
    env=names("--env --secret"),
    joins="always",
)
_PROFILER = Options(flags=frozenset())  # nsys: everything takes a value

WRAPPERS: dict[str, Wrapper] = {
    **LAUNCHERS,
    # They adjust a process, or watch it, and start the command as it stands.
    "nohup": plain(),
    "env": Wrapper(
        Options(names("-u --unset -C --chdir -S --split-string")), named=False, assigns=True
    ),
    "time": plain("-o --output -f --format"),
    "gtime": plain("-o --output -f --format"),
    "nice": plain("-n --adjustment"),
    "ionice": plain("-c --class -n --classdata"),
    "chrt": plain("-T -P -D", operands=1),
    "taskset": plain(operands=1),
    "numactl": plain(
        "-N --cpunodebind -m --membind -C --physcpubind -i --interleave -p "
        "--preferred -P --preferred-many -w --weighted-interleave"
    ),
    "stdbuf": plain("-i --input -o --output -e --error"),
    "unbuffer": plain(),
    "timeout": plain("-s --signal -k --kill-after", operands=1),
    "setsid": plain(),
    "exec": plain("-a"),
    "command": plain(),
    "builtin": plain(),
    "nocorrect": plain(),
    "sudo": Wrapper(
        Options(names("-u --user -g --group -h --host -p --prompt -C -r -t -T -U -D")),
        named=False,
        assigns=True,
    ),
    "doas": plain("-u -C"),
    "gosu": plain(operands=1),
    "tini": plain("-p -e"),
    "dumb-init": plain("-r --rewrite"),
    "catchsegv": plain(),
    "prlimit": plain(),
    "xvfb-run": plain(
        "-e --error-file -f --auth-file -n --server-num -s --server-args -w -p --xauth-protocol"
    ),
    "systemd-run": Wrapper(
        Options(
            names(
                "-p --property -u --unit -E --setenv -H -M --slice --uid "
                "--gid --nice --working-directory --description"
            )
        ),
        named=False,
        env=names("-E --setenv"),
    ),
    "systemd-inhibit": plain("--what --who --why --mode"),
    "proxychains4": plain("-f"),
    "proxychains": plain("-f"),
    "script": Wrapper(
        Options(names("-c --command -E --echo -I -O -B -T -m -o")),
        operands=1,
        named=False,
        shell=names("-c --command"),
    ),
    "flock": Wrapper(
        Options(names("-c --command -w --timeout -E")),
        operands=1,
        named=False,
        shell=names("-c --command"),
    ),
    # They place it somewhere, choose its Python, or profile it.
    "srun": _SRUN,
    "salloc": _SRUN,
    "mpirun": _MPI,
    "mpiexec": _MPI,
    "mpiexec.hydra": _MPI,
    "orterun": _MPI,
    "horovodrun": _MPI,
    "bsub": Wrapper(
        Options(names("-n -q -o -e -J -R -W -gpu -m -P -M -oo -eo -w -x -app -G"), whole=True)
    ),
    "uv": _UV,
    "uvx": _UV._replace(sub=frozenset()),
    "poetry": _RUN,
    "pdm": _RUN._replace(python=True),
    "pipenv": _RUN,
    "pixi": _RUN,
    "rye": _RUN,
    "hatch": _RUN,
    "dotenv": _RUN._replace(options=Options(names("-f --file"))),
    "conda": _CONDA,
    "mamba": _CONDA,
    "micromamba": _CONDA,
    "docker": _DOCKER,
    "podman": _DOCKER,
    "nerdctl": _DOCKER,
    "nvidia-docker": _DOCKER,
    "docker-compose": _DOCKER._replace(options=Options(flags=_DOCKER.options.flags)),
    "apptainer": _SINGULARITY,
    "singularity": _SINGULARITY,
    "enroot": Wrapper(
        Options(names("-c --conf -e --env -m --mount")),
        sub=names("start"),
        operands=1,
        env=names("-e --env"),
    ),
    "kubectl": Wrapper(
        Options(
            names(
                "-n --namespace -c --container --context --cluster --kubeconfig "
                "-f --filename --pod-running-timeout -s --server --user"
            )
        ),
        sub=names("exec"),
        operands=1,
    ),
    "ssh": _SSH,
    "sshpass": plain("-p -f -d"),
    "pdsh": _PDSH,
    "pssh": _PDSH,
    "parallel-ssh": _PDSH,
    "clush": _PDSH,
    "nsys": Wrapper(_PROFILER, sub=names("profile launch")),
    "ncu": Wrapper(Options(flags=names("-f --force-overwrite --nvtx -v --verbose"))),
    "rocprof": Wrapper(Options(names("-o -i -d -t"), whole=True)),
    "msprof": Wrapper(Options(), shell=names("--application")),
    "perf": Wrapper(Options(names("-e -F -o -c -p -C -m")), sub=names("record stat trace")),
    "py-spy": Wrapper(
        Options(names("-o --output -f --format -d --duration -r --rate")),
        sub=names("record top"),
        python=True,
    ),
    "strace": Wrapper(Options(names("-o -e -p -s -S -u -E -a -P -I -b -O -U"))),
    "gdb": Wrapper(Options(names("-ex -x -iex -ix --command --eval-command -cd"), whole=True)),
    "cuda-gdb": Wrapper(Options(names("-ex -x -iex -ix --command --eval-command"), whole=True)),
    "compute-sanitizer": Wrapper(Options(names("--tool --log-file --save --launch-timeout"))),
}

# `ray job submit`, `sky exec`: what the words before decide.
PHRASES: dict[tuple[str, ...], Wrapper] = {
    ("ray", "job", "submit"): _RAY_JOB,
    ("ray", "exec"): _RAY_EXEC,
    ("ray", "submit"): Wrapper(
        Options(names("-n --cluster-name -p --port-forward --args")),
        operands=1,
        label="ray submit",
        python=True,
    ),
    ("sky", "exec"): _SKY._replace(operands=1),
    ("sky", "launch"): _SKY,
    ("sky", "jobs", "launch"): _SKY,
    ("docker", "compose"): _DOCKER,
    ("docker", "container"): _DOCKER,
}
