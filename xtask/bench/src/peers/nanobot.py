"""Measures nanobot: one word says what, one line of JSON says what came of it."""

import inspect
import json
import platform
import statistics
import sys
import time
from pathlib import Path


def turn(workspace, runs):
    """CPU of the list of messages of one turn, by whatever name this version takes it."""
    from nanobot.agent.context import ContextBuilder

    workspace = Path(workspace)
    lines = (workspace / "history.jsonl").read_text(encoding="utf-8").splitlines()
    history = [json.loads(line) for line in lines]
    builder = ContextBuilder(workspace)
    known = inspect.signature(builder.build_messages).parameters
    extra = {"channel": "cli", "chat_id": "direct"}
    extra = {key: value for key, value in extra.items() if key in known}
    all_ms = []
    # The first call is not warm, but it may be all there is time for.
    for _ in range(int(runs) + (int(runs) > 1)):
        start = time.process_time()
        builder.build_messages(history=history, current_message="What is on today?", **extra)
        all_ms.append((time.process_time() - start) * 1e3)
    warm = all_ms[1:] or all_ms
    return {"median_ms": statistics.median(warm)}


def session(workspace, messages):
    """CPU of writing a session, which nanobot does whole, and of reading it in a new manager."""
    from nanobot.session.manager import SessionManager

    workspace = Path(workspace)
    lines = (workspace / "history.jsonl").read_text(encoding="utf-8").splitlines()
    history = [json.loads(line) for line in lines]
    manager = SessionManager(workspace)
    kept = manager.get_or_create("cli:direct")
    kept.messages = [dict(history[n % len(history)]) for n in range(int(messages))]
    saves, loads = [], []
    for _ in range(3):
        start = time.process_time()
        manager.save(kept)
        saves.append((time.process_time() - start) * 1e3)
        start = time.process_time()
        read = SessionManager(workspace).get_or_create("cli:direct")
        loads.append((time.process_time() - start) * 1e3)
        assert len(read.messages) == int(messages)
    return {"save_ms": statistics.median(saves), "load_ms": statistics.median(loads)}


def count(path):
    """Speed of the tokenizer that nanobot counts with, if its vocabulary can be had."""
    text = Path(path).read_text(encoding="utf-8")
    try:
        import tiktoken

        encoding = tiktoken.get_encoding("o200k_base")
    except Exception as error:  # Whatever it is, there is no vocabulary.
        print(f"no vocabulary: {type(error).__name__}", file=sys.stderr)
        return {"mb_per_s": None}
    all_s = []
    for _ in range(5):
        start = time.process_time()
        encoding.encode(text, disallowed_special=())
        all_s.append(time.process_time() - start)
    return {"mb_per_s": len(text.encode()) / 1e6 / statistics.median(all_s)}


def size():
    """What is on the disk because nanobot is: itself and all it needs."""
    import nanobot

    packages = Path(nanobot.__file__).parent.parent
    mine = ("pip", "setuptools", "_distutils_hack", "pkg_resources", "distutils-precedence")
    own = (path for path in packages.iterdir() if not path.name.startswith(mine))
    files = (file for path in own for file in ([path] if path.is_file() else path.rglob("*")))
    compiled = (file for file in files if file.is_file() and "__pycache__" not in file.parts)
    return {"mb": sum(file.stat().st_size for file in compiled) / 1e6}


def version():
    from importlib.metadata import version as of

    return {"version": of("nanobot-ai"), "python": platform.python_version()}


if __name__ == "__main__":
    tasks = {"turn": turn, "session": session, "count": count, "size": size, "version": version}
    print(json.dumps(tasks[sys.argv[1]](*sys.argv[2:])))
