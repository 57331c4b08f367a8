import pytest

from playsuite.agents.serving.reasons import LONGEST, reason

OUT_OF_MEMORY = """\
(APIServer pid=1) INFO 09-28 15:46:01 [api_server.py:1755] vLLM API server version 0.32.0
(EngineCore_DP0 pid=8884) INFO 09-28 15:46:40 [gpu_model_runner.py:2338] Starting to load model maker/model-32b...
(EngineCore_DP0 pid=8884) ERROR 09-28 15:47:24 [core.py:718] EngineCore failed to start.
(EngineCore_DP0 pid=8884) ERROR 09-28 15:47:24 [core.py:718] Traceback (most recent call last):
(EngineCore_DP0 pid=8884) ERROR 09-28 15:47:24 [core.py:718]   File "/e/site-packages/vllm/v1/engine/core.py", line 709, in run_engine_core
(EngineCore_DP0 pid=8884) ERROR 09-28 15:47:24 [core.py:718]     engine_core = EngineCoreProc(*args, **kwargs)
(EngineCore_DP0 pid=8884) ERROR 09-28 15:47:24 [core.py:718] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 786.00 MiB. GPU 0 has a total capacity of 23.68 GiB of which 140.75 MiB is free.
(EngineCore_DP0 pid=8884) Process EngineCore_DP0:
(EngineCore_DP0 pid=8884) torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 786.00 MiB. GPU 0 has a total capacity of 23.68 GiB of which 140.75 MiB is free.
[rank0]:[W928 15:47:25.1 ProcessGroupNCCL.cpp:1538] Warning: WARNING: destroy_process_group() was not called before program exit
(APIServer pid=1) Traceback (most recent call last):
(APIServer pid=1)   File "/e/site-packages/vllm/v1/engine/utils.py", line 732, in wait_for_engine_startup
(APIServer pid=1)     raise RuntimeError("Engine core initialization failed. "
(APIServer pid=1) RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {'EngineCore_DP0': 1}
"""  # noqa: E501 as long as they are
TOO_FULL = """\
(EngineCore_DP0 pid=7) ERROR 09-28 15:47:24 [core.py:718] ValueError: Free memory on device (3.22/4.0 GiB) on startup is less than desired GPU memory utilization (0.9, 3.6 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.
(APIServer pid=1) RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}
"""  # noqa: E501
NO_MODEL = """\
huggingface_hub.errors.RepositoryNotFoundError: 401 Client Error. (Request ID: Root=1-68)
Repository Not Found for url
The above exception was the direct cause of the following exception:
Traceback (most recent call last):
OSError: maker/no-such-model is not a local folder and is not a valid model identifier listed on the hub
If this is a private repository, make sure to pass a token having permission to this repo
"""
UNKNOWN_FLAG = """\
usage: api_server.py [-h] [--headless] [--api-server-count API_SERVER_COUNT]
                     [--config CONFIG] [--disable-log-stats]
api_server.py: error: unrecognized arguments: --max-model-length 8192
"""
TOO_OLD = """\
(APIServer pid=1) pydantic_core._pydantic_core.ValidationError: 1 validation error for ModelConfig
(APIServer pid=1)   Value error, The checkpoint you are trying to load has model type `new_vl` but Transformers does not recognize this architecture. [type=value_error, input_value=ArgsKwargs((), {'model': 'x'}), input_type=ArgsKwargs]
(APIServer pid=1)     For further information visit the page of that error
"""  # noqa: E501
TAKEN = """\
(APIServer pid=1) INFO 09-28 15:46:01 [api_server.py:1755] vLLM API server version 0.32.0
(APIServer pid=1) OSError: [Errno 98] Address already in use
"""
UNFORESEEN = """\
Traceback (most recent call last):
  File "/e/x.py", line 1, in <module>
zmq.error.ZMQBindError: something nobody has thought of
(APIServer pid=1) INFO 09-28 15:47:31 [launcher.py:99] Shutting down
"""
DIED = """\
(APIServer pid=2) INFO 12-01 04:32:19 [core.py:113] Initializing an engine with config: trust_remote_code=False, ...
(APIServer pid=2) WARNING 12-01 04:32:19 [core_client.py:817] [shutdown] MPClient: engine core exited unexpectedly
(APIServer pid=2) ERROR 12-01 04:32:19 [async_llm.py:906] AsyncLLM output_handler failed.
(APIServer pid=2) ERROR 12-01 04:32:19 [async_llm.py:906] Traceback (most recent call last):
(APIServer pid=2) ERROR 12-01 04:32:19 [async_llm.py:906] vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause.
INFO:     Shutting down
INFO:     Application shutdown complete.
"""  # noqa: E501
LOADING = "\x1b[36m(EngineCore pid=7)\x1b[0;0m Loading safetensors checkpoint shards:  40% Completed | 2/5\n\n"


@pytest.mark.parametrize(
    ("log", "said"),
    [
        (OUT_OF_MEMORY, "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 786.00 MiB."),
        (TOO_FULL, "ValueError: Free memory on device (3.22/4.0 GiB) on startup is less than desired"),
        (NO_MODEL, "OSError: maker/no-such-model is not a local folder and is not a valid model identifier"),
        (UNKNOWN_FLAG, "api_server.py: error: unrecognized arguments: --max-model-length 8192"),
        (TOO_OLD, "The checkpoint you are trying to load has model type `new_vl` but Transformers does not recognize"),
        (TAKEN, "OSError: [Errno 98] Address already in use"),
        (UNFORESEEN, "zmq.error.ZMQBindError: something nobody has thought of"),
        (DIED, "vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue"),
        (LOADING, "Loading safetensors checkpoint shards:  40% Completed | 2/5"),
        ("(APIServer pid=1) WARNING 12-01 04:32:19 [x.py:1] No module named 'fancy'", "No module named 'fancy'"),
        ("INFO: up\n/x.py:254: UserWarning: leaked\n  warnings.warn('leaked: %d'", "INFO: up"),
        ("", "it said nothing"),
    ],
)
def test_the_cause_is_told_not_its_echoes(log, said):
    assert reason(log).startswith(said)
    assert "\n" not in reason(log)


def test_what_only_encloses_the_cause_is_left_out():
    assert reason(TOO_OLD).endswith("architecture.")


def test_a_reason_is_short():
    assert len(reason(f"ValueError: {'x' * 10_000}")) <= LONGEST + len("...")
