"""Compares louver's `nanobot` profiles with the real package, message by message.

usage: conformance.py LOUVER PACKAGE PROFILE

LOUVER is the program, PACKAGE a folder into which a version of nanobot-ai was installed without its
dependencies, PROFILE the profile that speaks like that version. Only the identity's words and the two
sentences before the list of skills may differ. Skills are compared in name order: the package lists
them as the file system does.
"""

import datetime
import importlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import types
import zlib

PNG = b"\x89PNG\r\n\x1a\n"


def chunk(kind, data):
    body = kind + data
    return len(data).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")


def pixel():
    header = (2).to_bytes(4, "big") + (3).to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])
    rows = b"".join(b"\0" + b"\x40\x80\xc0" * 2 for _ in range(3))
    return PNG + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


FILES = {
    "AGENTS.md": "# Agent Instructions\n\nBe brief.\n",
    "SOUL.md": "# Soul\r\n\r\nCurious & kind.\r\n",
    "USER.md": "",
    "TOOLS.md": "Use <tools> wisely.\n\n---\n\nA rule in the middle.",
    "IDENTITY.md": "我是一个助手。\n",
    "memory/MEMORY.md": "# Facts\n\n- Likes tea\n- 日本語も少し\n",
    "skills/alpha/SKILL.md": "---\nname: alpha\ndescription: Plain and available\n---\n\n# Alpha\n\nDo it.\n",
    "skills/bins/SKILL.md": '---\ndescription: Needs things\nmetadata: {"nanobot":{"requires":{"bins":["no-such-bin","sh"],"env":["NO_SUCH_ENV"]}}}\n---\nBody\n',
    "skills/chinese/SKILL.md": "---\ndescription: 查询天气和预报\n---\n\n# 天气\n",
    "skills/flag/SKILL.md": "---\ndescription: Always by flag\nalways: true\n---\n\n# Flag\n\nBody of flag.\n\n---\n\nA rule.\n",
    "skills/meta/SKILL.md": "---\ndescription: \"Always by metadata\"\nmetadata: '{\"nanobot\": {\"always\": true}}'\n---\n\nBody of meta.\n\n",
    "skills/plain/SKILL.md": "# No frontmatter\n\nJust text.\n",
    "skills/xml/SKILL.md": '---\ndescription: Uses <b> & "quotes" > text\n---\nX\n',
}

HISTORY = [
    {"role": "user", "content": "What is in notes.txt?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "notes.txt"}'}}
        ],
        "reasoning_content": "Let me look.",
    },
    {"role": "tool", "tool_call_id": "call_1", "name": "read_file", "content": "milk, bread"},
    {"role": "assistant", "content": "Milk and bread."},
]

NOW = datetime.datetime(2026, 2, 25, 18, 30)


class Clock(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return NOW


def seed_builder(package, workspace):
    """The package's ContextBuilder, without the parts that need its dependencies."""
    sys.path.insert(0, str(package))
    loguru = types.ModuleType("loguru")
    loguru.logger = types.SimpleNamespace(**{name: lambda *a, **k: None for name in ("debug", "info", "warning", "error", "exception")})
    sys.modules.setdefault("loguru", loguru)
    for name in ("nanobot", "nanobot.agent", "nanobot.utils"):
        module = types.ModuleType(name)
        module.__path__ = [str(package / name.replace(".", "/"))]
        sys.modules[name] = module
    helpers = types.ModuleType("nanobot.utils.helpers")
    helpers.ensure_dir = lambda path: (path.mkdir(parents=True, exist_ok=True), path)[1]
    sys.modules["nanobot.utils.helpers"] = helpers
    listed = pathlib.Path.iterdir
    pathlib.Path.iterdir = lambda self: iter(sorted(listed(self)))
    context = importlib.import_module("nanobot.agent.context")
    skills = importlib.import_module("nanobot.agent.skills")
    context.datetime = Clock
    builder = context.ContextBuilder(workspace)
    builder.skills = skills.SkillsLoader(workspace, builtin_skills_dir=workspace / "none")
    return builder


def louver(program, workspace, profile, history, media):
    command = [program, "show", "--workspace", str(workspace), "--profile", profile, "--as", "openai",
               "--no-builtin-skills", "--history", str(history), "--now", NOW.isoformat(),
               "--channel", "telegram", "--chat-id", "42"]
    for picture in media:
        command += ["--media", str(picture)]
    command += ["--"]
    # nanobot has one person in all chats.
    settings = workspace.parent / "settings" / "louver"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "config.toml").write_text('[recall]\nowner = ["cli:*", "telegram:42"]\n')
    env = {**os.environ, "XDG_CONFIG_HOME": str(settings.parent)}
    out = subprocess.run(command + ["And what is this?"], capture_output=True, text=True, check=True, env=env)
    return json.loads(out.stdout)["messages"]


def without_our_words(system):
    """The system text below the identity, without the two sentences."""
    body = system.split("\n\n---\n\n## AGENTS.md", 1)[1]
    head, rest = body.split("\n\n---\n\n# Skills\n\n", 1)
    return head + "\n# Skills\n" + rest[rest.index("\n\n<skills>"):]


def main():
    program, package, profile = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    os.environ["TZ"] = "UTC"
    time.tzset()
    failed = checked = 0
    with tempfile.TemporaryDirectory() as folder:
        workspace = pathlib.Path(folder).resolve() / "workspace"
        for name, text in FILES.items():
            path = workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        history = pathlib.Path(folder) / "history.json"
        history.write_text(json.dumps(HISTORY))
        picture = pathlib.Path(folder) / "pixel.png"
        picture.write_bytes(pixel())
        builder = seed_builder(package, workspace)
        for media in ([], [picture], [picture, picture]):
            seed = builder.build_messages(
                history=list(HISTORY), current_message="And what is this?",
                media=[str(path) for path in media] or None, channel="telegram", chat_id="42",
            )
            ours = louver(program, workspace, profile, history, media)
            for message in (seed[0], ours[0]):
                message["content"] = without_our_words(message["content"])
            checked += 1
            if seed != ours:
                failed += 1
                for n, (a, b) in enumerate(zip(seed, ours)):
                    if a != b:
                        print(f"message {n} differs with {len(media)} pictures\n--- nanobot\n{a}\n--- louver\n{b}")
                if len(seed) != len(ours):
                    print(f"nanobot sends {len(seed)} messages, louver {len(ours)}")
    print(f"{checked - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
