"""The text that embeddings.py learns from: questions, and the passages that answer them.

Documentation, dictionaries and descriptions of interfaces are others' (licences are in the README
beside embeddings.bin); conversations are made up by embeddings_talk.py. The same packages give the
same lines: every choice is drawn from one seeded generator.
"""
import glob, gzip, html, json, math, os, random, re, zipfile
from html.parser import HTMLParser

from embeddings_talk import Talk, tools

# What would be lists or code, and the two that hold prose under a copyleft licence: the embedded book
# and a cookbook with snippets from elsewhere.
SKIPPED = re.compile(r"embedded-book|cookbook|genindex|modindex|search|changelog|whatsnew|release|/src/|/core/|/_modules/")


def write(work, vocabulary, seed):
    """Writes every (question or nothing, passage) as a line of JSON; says how many there are of which kind."""
    rng = random.Random(seed)
    wordnet = WordNet(f"{work}/root/usr/share/wordnet", set(vocabulary))
    paragraphs = list(documentation(work))
    for name in ("devil", "jargon"):
        paragraphs += dictionary(f"{work}/root/usr/share/dictd/{name}.dict.dz")
    talk = Talk(wordnet, rng)
    prose = [own_sentence(rng.choice(HOW).format(w=head) if head else "", text, rng)
             for head, text in sample(paragraphs, 150_000, rng)]
    long = [own_sentence(head, text, rng) for head, text in sample(stretches(paragraphs, rng), 30_000, rng)]
    groups = {
        "prose": prose,
        "long": long,
        "meaning": list(meanings(wordnet, rng)),
        "entry": list(entries(wordnet, rng, 60_000)),
        "message": [talk.message() for _ in range(260_000)],
        "letter": [talk.letter() for _ in range(70_000)],
        "tool": list(tools(wordnet, rng, 40_000)),
        "offer": sample(offers(work, rng), 40_000, rng),
    }
    lines = [json.dumps([question, passage], ensure_ascii=False) for group in groups.values() for question, passage in group]
    rng.shuffle(lines)
    with open(f"{work}/texts.jsonl", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return {name: len(group) for name, group in groups.items()}


def said():
    """(question, message) for each question of embeddings_said.tsv: a message on each line, then what it answers in other
    words than its own."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "embeddings_said.tsv")
    with open(path, encoding="utf-8") as file:
        for line in file:
            message, *questions = line.rstrip("\n").split("\t")
            yield from ((question, message) for question in questions)


class Page(HTMLParser):
    """(heading, paragraph) pairs of an HTML page."""
    HEADS = {"h1", "h2", "h3", "h4", "title", "dt"}
    BLOCKS = HEADS | {"p", "li", "dd", "td"}
    SKIPPED = {"script", "style", "pre", "nav"}

    def __init__(self):
        super().__init__()
        self.found, self.words, self.head, self.kind, self.depth = [], [], "", None, 0

    def flush(self):
        text = re.sub(r"\s+", " ", "".join(self.words)).strip().rstrip("¶§# ")
        self.words = []
        if text and self.kind in self.HEADS:
            self.head = heading(text)
        elif text:
            self.found.append((self.head, text))

    def handle_starttag(self, tag, attributes):
        self.depth += tag in self.SKIPPED
        if tag == "span":
            self.words.append(" ")
        if tag in self.BLOCKS:
            self.flush()
            self.kind = tag

    def handle_endtag(self, tag):
        self.depth -= tag in self.SKIPPED and self.depth > 0
        if tag in self.BLOCKS:
            self.flush()
            self.kind = None

    def handle_data(self, data):
        if not self.depth:
            self.words.append(data)


def heading(text):
    """What a person would ask for: no number before it, no arguments or path of a function."""
    text = re.sub(r"^[\d.]+\s+|^pub .*fn ", "", text)
    if "(" in text or re.fullmatch(r"[\w.:]+", text):
        text = re.split(r"[.:]+", text.split("(")[0].strip())[-1].replace("_", " ")
    return text if len(text) < 120 else ""


def page(path):
    parser = Page()
    with open(path, encoding="utf-8", errors="replace") as file:
        parser.feed(file.read())
    parser.flush()
    return parser.found


def clip(text, words=90):
    return " ".join(text.split()[:words])


def english(text):
    return len(text.split()) >= 5 and sum(c.isalpha() or c == " " for c in text) >= 0.8 * len(text)


def documentation(work):
    """(heading, paragraph) of every page, each paragraph once."""
    seen = set()
    for path in sorted(glob.glob(f"{work}/root/usr/share/doc/*/html/**/*.html", recursive=True)):
        if SKIPPED.search(path[len(work):]):
            continue
        for head, text in page(path):
            text = clip(text)
            if english(text) and text not in seen:
                seen.add(text)
                yield head, text


def dictionary(path):
    """(word, paragraph) of a dictionary in dictd's format."""
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
        raw = file.read()
    word = ""
    for part in re.split(r"\n\s*\n", raw):
        if part[:1].strip():
            word = re.split(r"[\\,:\n]", part.strip(":"), maxsplit=1)[0].strip()
            part = part.split("\n", 1)[1] if "\n" in part else ""
        text = re.sub(r"\s+", " ", re.sub(r"[{}]|\[[^\]]*\]", "", part)).strip()
        if english(text):
            yield word.lower(), clip(text)


def wheel(work, name):
    return zipfile.ZipFile(glob.glob(f"{work}/dl/{name}-*.whl")[0])


def spaced(name):
    """`getUserName`, `api.v1.get_user.name` → get user name."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[._\-/]+", " ", ".".join(name.split(".")[-2:])).lower().strip()


def plain(text):
    return clip(re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text))).strip(), 60)


def described(tree, name=""):
    """(name, description) wherever a JSON tree has something with a name and a description of it."""
    if isinstance(tree, dict):
        text = tree.get("description") or tree.get("documentation")
        if isinstance(text, str):
            yield tree.get("id") or tree.get("name") or name, text
        for key in sorted(tree):
            yield from described(tree[key], key)


def interfaces(work):
    """(name, description) of what programs offer: web services and things in a house."""
    with wheel(work, "botocore") as files:
        for name in sorted(n for n in files.namelist() if n.endswith("service-2.json.gz")):
            yield from described(json.loads(gzip.decompress(files.read(name)))["operations"])
    with wheel(work, "google_api_python_client") as files:
        for name in sorted(n for n in files.namelist() if "/documents/" in n):
            yield from described(json.loads(files.read(name)).get("resources"))
    with wheel(work, "homeassistant") as files:
        for name in sorted(n for n in files.namelist() if n.endswith("/strings.json")):
            yield from described(json.loads(files.read(name)))


class WordNet:
    """Synsets, and by lexicographer file the (word, synset) pairs in their most usual sense."""

    def __init__(self, folder, vocabulary):
        self.synsets, self.count, self.by = {}, {}, {}
        usual = {}
        for pos in ("noun", "verb", "adj", "adv"):
            for line in self.lines(folder, f"data.{pos}"):
                self.add(pos[0], line)
            for line in self.lines(folder, f"index.{pos}"):
                field = line.split()
                usual[pos[0] + field[0]] = pos[0] + field[-int(field[2])]
        for line in self.lines(folder, "cntlist.rev"):
            key, _, count = line.split()[:3]
            word = key.split("%")[0].replace("_", " ")
            self.count[word] = self.count.get(word, 0) + int(count)
        for key, synset in self.synsets.items():
            for word in synset["words"][:2]:
                known = len(word) > 2 and all(part in vocabulary for part in word.lower().split())
                if known and usual.get(key[0] + word.lower().replace(" ", "_")) == key:
                    self.by.setdefault(synset["file"], []).append((word, key))

    @staticmethod
    def lines(folder, name):
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            return [line for line in file if not line.startswith("  ")]

    def add(self, pos, line):
        left, gloss = line.split(" | ", 1)
        field = left.split()
        after = 4 + 2 * int(field[3], 16)
        words = [re.sub(r"\(.*\)$", "", word).replace("_", " ") for word in field[4:after:2]]
        links = [field[after + 1 + 4 * i: after + 3 + 4 * i] for i in range(int(field[after]))]
        meaning, *examples = gloss.strip().split('; "')
        self.synsets[pos + field[0]] = dict(file=int(field[1]), words=words, gloss=meaning.strip(),
                                            up=[pos + at for mark, at in links if mark in ("@", "@i")],
                                            examples=[e.strip().strip('"; ') for e in examples])

    def words(self, files):
        """Words of some files and how often to take each: by the root of its frequency."""
        pool = sorted({pair for file in files for pair in self.by[file]})
        return pool, [math.sqrt(1 + self.count.get(word.lower(), 0)) for word, _ in pool]

    def above(self, key):
        """A more general word."""
        synset = self.synsets[key]
        return self.synsets[synset["up"][0]]["words"][0] if synset["up"] else synset["words"][0]


def offers(work, rng):
    """(request, description) of what programs offer; the request is the name, or the first sentence."""
    seen = set()
    for name, text in interfaces(work):
        text = plain(text)
        first, _, rest = text.partition(". ")
        if not english(text) or first in seen:
            continue
        seen.add(first)
        words = spaced(name)
        if english(rest) and rng.random() < 0.4:
            yield rng.choice([first, "I want something that " + first[0].lower() + first[1:]]), f"{name}: {rest}"
        elif len(words) > 3:
            asked = rng.choice(["{w}", "I need to {w}", "Can you {w} for me?", "How do I {w}?"]).format(w=words)
            yield asked, rng.choice([text, f"{name}: {text}"])


WHAT = ["What is {w}?", "What does {w} mean?", "{w}", "{w}", "Explain {w}.", "Tell me about {w}", "Do you know {w}?",
        "Which word means {w}?"]
HOW = ["How do I deal with {w}?", "{w}", "{w}", "{w}", "What do the notes say about {w}?", "I have a question about {w}",
       "Where is {w} described?"]
LIKE = ["What is {w}?", "{w}", "Which {k} is {g}?", "Which {k} is {g}?", "What do you call {g}?",
        "How is {w} different from {o}?"]


def meanings(wordnet, rng):
    """(word or question, gloss or example) of WordNet."""
    for key in sorted(wordnet.synsets):
        synset = wordnet.synsets[key]
        if len(synset["gloss"].split()) >= 4:
            yield rng.choice(WHAT).format(w=rng.choice(synset["words"])), f"{synset['words'][0]}: {synset['gloss']}"
        for example in synset["examples"]:
            if len(example.split()) >= 4:
                yield rng.choice(synset["words"]), example


def entries(wordnet, rng, count):
    """(question, passage): something and what is like it, as an encyclopedia tells it."""
    below = {}
    for key in sorted(wordnet.synsets):
        for above in wordnet.synsets[key]["up"]:
            below.setdefault(above, []).append(key)
    kinds = [key for key in below if len(below[key]) > 2 and key[0] == "n"]
    for kind in rng.choices(kinds, [math.sqrt(len(below[key])) for key in kinds], k=count):
        told = rng.sample(below[kind], rng.randrange(2, min(6, len(below[kind]) + 1)))
        about = wordnet.synsets[told[0]]
        question = rng.choice(LIKE).format(w=rng.choice(about["words"]), k=wordnet.synsets[kind]["words"][0],
                                           g=clip(about["gloss"], 12), o=wordnet.synsets[told[1]]["words"][0])
        rng.shuffle(told)
        yield question, clip(" ".join(entry(wordnet.synsets[key]) for key in told), 120)


def entry(synset):
    name, *others = synset["words"]
    known = f" (also {', '.join(others)})" if others else ""
    return f"{name[0].upper()}{name[1:]}{known} is {synset['gloss']}."


def stretches(paragraphs, rng):
    """(heading, passage): neighbouring paragraphs as one long passage."""
    for i in range(0, len(paragraphs) - 6, 4):
        part = paragraphs[i:i + rng.randrange(2, 6)]
        text = " ".join(paragraph for _, paragraph in part)
        head = rng.choice([part[0][0], rng.choice(part)[0]])
        if head and len(text.split()) > 60:
            yield head, clip(text, 160)


def own_sentence(head, text, rng):
    """A passage also answers to one of its own sentences, which then leaves it."""
    sentences = re.split(r"(?<=[.!?]) ", text)
    if len(sentences) > 2 and (not head or rng.random() < 0.4):
        i = rng.randrange(len(sentences))
        rest = " ".join(sentences[:i] + sentences[i + 1:])
        if len(sentences[i].split()) > 4 and english(rest):
            return sentences[i], rest
    return head, text


def sample(items, count, rng):
    items = list(items)
    rng.shuffle(items)
    return items[:count]
