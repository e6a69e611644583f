"""Names that decide what a program is to us, where nothing else does."""

from verlgen.script.recognize.options import names

# What serves a model beside a training is a tool of it.
SERVERS = names("vllm sglang trtllm-serve lmdeploy text-generation-launcher")

# Modules and files that Python runs and that have nothing to do with a launch.
NO_LAUNCH = names(
    """
    pip pip3 venv virtualenv ensurepip pytest unittest http.server json.tool build compileall site
    sysconfig timeit nltk.downloader spacy ipykernel jupyter notebook pre_commit ruff mypy black
    isort yapf flake8 pylint setup.py conda huggingface_hub
    """
)

# Programs whose words are said, searched or stored, and start nothing.
QUIET = names(
    """
    . : [ [[ alias apt apt-get awk basename cat cd chmod chown cmake cp curl cut date declare diff
    dirname echo egrep eval exit export false fgrep find git grep hash head helm hf huggingface-cli
    jq kill killall let ln local logger ls make man mkdir modelscope mv pgrep pip pip3 pkill popd
    printf ps pushd read readonly return rg rm rsync scp sed seq set shift sleep sort source
    swanlab sysctl tail tar tee test touch tr trap true type typeset ulimit unset unzip wait wandb
    wc wget whereis which yq yum zip
    """
)

# First segments of verl's keys: two such settings make an unknown program a trainer.
TOP = names(
    """
    actor_rollout_ref data trainer algorithm critic reward_model reward rollout model optim engine
    custom_reward_function async_training global_profiler ray_init ray_kwargs
    """
)
