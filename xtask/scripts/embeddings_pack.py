"""Packs word-piece vectors into the form that louver reads. Same input, same bytes.

    embeddings_pack.py --vectors model.safetensors --vocab tokenizer.json [--dims 256] [--bits 8] OUT
    embeddings_pack.py --vectors vectors.npz OUT     arrays: vectors [n, d], vocab [n], weights [n] (optional)

Needs numpy and nothing else. What comes out, everything little-endian:

    magic   8 bytes  "LVRVEC1\\0"
    rows    u32      pieces in the vocabulary
    dims    u32      numbers per piece
    bits    u32      8: one signed byte each; 4: two a byte, low half first, value + 8
    slots   u32      a power of two
    table   u16 x slots      row + 1, or 0; open addressing, FNV-1a (32 bit), linear probing
    ends    u32 x rows       where the piece's text ends in `text`
    scale   f32 x rows       what a row is multiplied with: its step times its weight in the mean
    text    ends[rows-1] bytes, padded with zeros to a multiple of 4
    data    rows x dims x bits / 8

Continuing pieces keep their "##". Rows of special tokens are left out.
"""

import argparse
import json
import struct

import numpy as np

SPECIAL = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}


def safetensors(path):
    with open(path, "rb") as file:
        head = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        base = file.tell()
        name = next(k for k in head if k != "__metadata__" and len(head[k]["shape"]) == 2)
        kind = {"F32": "<f4", "F16": "<f2", "F64": "<f8"}[head[name]["dtype"]]
        start, end = head[name]["data_offsets"]
        file.seek(base + start)
        vectors = np.frombuffer(file.read(end - start), kind).reshape(head[name]["shape"])
    return vectors.astype(np.float64)


def read(arguments):
    """Vectors, pieces, weights."""
    if arguments.vectors.endswith(".npz"):
        held = np.load(arguments.vectors)
        vectors, vocab = held["vectors"].astype(np.float64), [str(piece) for piece in held["vocab"]]
        weights = held["weights"].astype(np.float64) if "weights" in held else np.ones(len(vocab))
        return vectors, vocab, weights
    vectors = safetensors(arguments.vectors)
    if arguments.vocab.endswith(".json"):
        table = json.load(open(arguments.vocab, encoding="utf-8"))["model"]["vocab"]
        vocab = [piece for piece, _ in sorted(table.items(), key=lambda item: item[1])]
    else:
        vocab = open(arguments.vocab, encoding="utf-8").read().split("\n")[: len(vectors)]
    return vectors, vocab, np.ones(len(vocab))


def fewer(vectors, weights, dims):
    """The best `dims` directions for dot products (not centred: means are compared by angle)."""
    weighted = vectors * weights[:, None]
    values, axes = np.linalg.eigh(weighted.T @ weighted)
    axes = axes[:, np.argsort(-values)[:dims]]
    axes *= np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(dims)])
    return vectors @ axes


def quantise(vectors, bits):
    most = (1 << (bits - 1)) - 1
    step = np.abs(vectors).max(axis=1) / most
    if bits < 8:
        # The largest number of a row is an outlier: a smaller step loses less in all.
        best = np.full(len(vectors), np.inf)
        chosen = step.copy()
        for share in np.arange(0.4, 1.001, 0.05):
            tried = np.maximum(step * share, 1e-12)
            whole = np.clip(np.rint(vectors / tried[:, None]), -most - 1, most)
            wrong = ((vectors - whole * tried[:, None]) ** 2).sum(axis=1)
            better = wrong < best
            best[better], chosen[better] = wrong[better], tried[better]
        step = chosen
    step = np.maximum(step, 1e-12)
    return np.clip(np.rint(vectors / step[:, None]), -most - 1, most).astype(np.int8), step


def fnv(data):
    value = 0x811C9DC5
    for byte in data:
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def is_word_piece(piece):
    return piece and piece not in SPECIAL and not piece.startswith("[unused")


def hash_table(pieces):
    slots = 1
    while slots < 2 * len(pieces):
        slots *= 2
    table = np.zeros(slots, "<u2")
    for row, piece in enumerate(pieces):
        place = fnv(piece) & (slots - 1)
        while table[place]:
            place = (place + 1) & (slots - 1)
        table[place] = row + 1
    return table


def write(path, vectors, vocab, weights, dims=0, bits=4):
    """Writes the rows of word pieces, sorted: the order of a trainer's vocabulary does not matter."""
    rows = {piece: row for row, piece in reversed(list(enumerate(vocab))) if is_word_piece(piece)}
    pieces = sorted(piece.encode() for piece in rows)
    keep = [rows[piece.decode()] for piece in pieces]
    vectors, weights = vectors[keep], weights[keep]
    if dims and dims < vectors.shape[1]:
        vectors = fewer(vectors, weights, dims)
    whole, step = quantise(vectors, bits)
    if bits == 4:
        halves = (whole.astype(np.int16) + 8).astype(np.uint8)
        whole = (halves[:, 0::2] | (halves[:, 1::2] << 4)).astype(np.uint8)
    table, text = hash_table(pieces), b"".join(pieces)
    ends = np.cumsum([len(piece) for piece in pieces]).astype("<u4")
    with open(path, "wb") as out:
        out.write(b"LVRVEC1\0" + struct.pack("<4I", len(pieces), vectors.shape[1], bits, len(table)))
        out.write(table.tobytes() + ends.tobytes() + (step * weights).astype("<f4").tobytes())
        out.write(text + b"\0" * (-len(text) % 4) + whole.tobytes())
    return len(pieces)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vectors", required=True)
    parser.add_argument("--vocab")
    parser.add_argument("--dims", type=int, default=0)
    parser.add_argument("--bits", type=int, default=4, choices=[4, 8])
    parser.add_argument("out")
    arguments = parser.parse_args()
    vectors, vocab, weights = read(arguments)
    write(arguments.out, vectors, vocab, weights, arguments.dims, arguments.bits)


if __name__ == "__main__":
    main()
