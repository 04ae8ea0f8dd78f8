"""Whatever a reader makes of a file, encoded and decoded it is the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import DecodeError, msgpack
from msgspec.structs import replace

from support import REPOSITORY, files_below, snapshot_from
from yg.kernel.codec import Codec
from yg.kernel.issue import Located
from yg.kernel.snapshot import DictSnapshot, Kind
from yg.yggdrasil import codecs
from yg.yggdrasil.collection import Collection
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.model import Node
from yg.yggdrasil.read import v0 as read_v0
from yg.yggdrasil.read.v2 import read

SHOP = REPOSITORY / "examples/shop/.yggdrasil"
SHOP_0X = REPOSITORY / "examples/shop-0x"

# Contents that are right, that are wrong, and that are neither.
words = st.sampled_from(["", " ", "a", "x/y", "service", "ü\u2028", "#", "yes", "\U0001f333", "\n"])
odd = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | words
anything = st.recursive(
    odd, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(words, inner, max_size=2)
)
lists = st.lists(words, max_size=3) | anything


def mappings(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Make mappings of which any field may be missing, and which may hold others."""
    known = st.fixed_dictionaries({}, optional=fields)
    return st.builds(lambda one, two: {**two, **one}, known, st.dictionaries(words, odd)) | known


relations = mappings(
    target=words,
    type=st.sampled_from(["calls", "emits", "listens", "unheard-of"]) | odd,
    consumes=lists,
    failure=words,
    event_name=words,
)
uses = mappings(aspect=words, exceptions=lists, anchors=lists)
nodes = mappings(
    name=words,
    type=words,
    aspects=st.lists(uses, max_size=2) | odd,
    relations=st.lists(relations, max_size=2) | odd,
    mapping=mappings(paths=lists) | odd,
    blackbox=st.booleans() | odd,
)
aspects = mappings(
    name=words,
    description=words,
    implies=lists,
    stability=st.sampled_from(["schema", "protocol", "implementation"]) | odd,
)
flows = mappings(name=words, nodes=lists, aspects=lists)
counts = st.integers(-2, 10**25) | odd
configs = mappings(
    version=words,
    name=words,
    node_types=st.dictionaries(words, mappings(description=words, required_aspects=lists)) | odd,
    artifacts=st.dictionaries(
        words,
        mappings(
            required=st.sampled_from(["always", "never"])
            | mappings(
                when=st.sampled_from(["has_incoming_relations", "has_aspect:x", "has_tag:y"]) | odd
            )
            | odd,
            description=words,
            included_in_relations=st.booleans() | odd,
        ),
    )
    | odd,
    quality=mappings(
        min_artifact_length=counts,
        max_direct_relations=counts,
        context_budget=mappings(warning=counts, error=counts) | odd,
    )
    | odd,
)

# The same with nothing wrong in it, but for keys that mean nothing.
names = words.filter(str.strip)
several = st.lists(names, min_size=1, max_size=3)
strays = st.dictionaries(st.sampled_from(["stray", "ü"]), odd)


def sound(required: dict[str, Any], /, **optional: Any) -> st.SearchStrategy[Any]:
    known = st.fixed_dictionaries(required, optional=optional)
    return st.builds(lambda one, two: {**one, **two}, known, strays)


sound_nodes = sound(
    {"name": names, "type": names},
    aspects=st.lists(sound({"aspect": names}, exceptions=several, anchors=several), max_size=2),
    relations=st.lists(
        sound(
            {"target": names, "type": st.sampled_from(["uses", "calls", "extends", "emits"])},
            consumes=several,
            failure=names,
            event_name=names,
        ),
        max_size=2,
    ),
    mapping=sound({"paths": several}),
    blackbox=st.booleans(),
)
sound_aspects = sound(
    {"name": names},
    description=names,
    implies=several,
    stability=st.sampled_from(["schema", "protocol", "implementation"]),
)
sound_flows = sound({"name": names, "nodes": several}, aspects=several)
sound_configs = sound(
    {
        "name": names,
        "node_types": st.dictionaries(
            names, sound({"description": names}, required_aspects=several), min_size=1
        ),
        "artifacts": st.dictionaries(
            st.sampled_from(["a.md", "ü.md", "b"]),
            sound({}, required=st.sampled_from(["always", {"when": "has_aspect:x"}])),
            min_size=1,
        ),
    },
    version=names,
    quality=sound({}, min_artifact_length=st.integers(0, 10**25)),
)
beside = st.lists(st.sampled_from(["a.md", "b.md", ".hidden", "é", "link"]), unique=True)
spoilt = st.sampled_from(
    ["", "{", "[", "- a\n- b: [", "a: 1\na: 2\n", "&a [*a]\n", "\x07", "---\n---\n"]
)


def yaml(content: st.SearchStrategy[Any]) -> st.SearchStrategy[str]:
    """Write contents down, on one line or on many, or spoil them."""
    dense = content.map(lambda value: json.dumps(value, ensure_ascii=False))
    loose = content.map(lambda value: json.dumps(value, ensure_ascii=True, indent=1))
    return dense | loose | spoilt


def again(codec: Codec[Any], reading: Any) -> Any:
    """Return a reading as a later run finds it, which computes again what cannot be stored."""
    data = codec.encode(reading)
    return reading if data is None else codec.decode(data)


def snapshot(file: str, content: str, names: list[str]) -> DictSnapshot:
    directory = file.rpartition("/")[0]
    files: dict[str, Any] = {f"{directory}/{name}": "text" for name in names}
    if "link" in names:
        files[f"{directory}/link"] = Kind.LINK
    return snapshot_from({**files, file: content})


def assert_comes_back(collection: Collection[Any], folder_id: str) -> None:
    """Assert that a collection can be encoded and decoded again."""
    reading = collection.reading(folder_id)
    assert reading is not None
    assert again(collection.spec.codec, reading) == reading


@given(yaml(nodes) | yaml(sound_nodes), beside)
def test_a_node_comes_back(content: str, names: list[str]) -> None:
    graph = read(snapshot("model/a/b/yg-node.yaml", content, names))
    assert_comes_back(graph.nodes, "a/b")


@given(yaml(aspects) | yaml(sound_aspects), beside)
def test_an_aspect_comes_back(content: str, names: list[str]) -> None:
    graph = read(snapshot("aspects/x/y/yg-aspect.yaml", content, names))
    assert_comes_back(graph.aspects, "x/y")


@given(yaml(flows) | yaml(sound_flows), beside)
def test_a_flow_comes_back(content: str, names: list[str]) -> None:
    graph = read(snapshot("flows/f/yg-flow.yaml", content, names))
    assert_comes_back(graph.flows, "f")


@given(yaml(configs) | yaml(sound_configs))
def test_a_configuration_comes_back(content: str) -> None:
    reading = read(snapshot_from({"yg-config.yaml": content})).config_reading
    found = again(codecs.CONFIG, reading)
    assert found == reading
    if reading.value is not None:
        for item in ("node_types", "artifacts"):
            assert list(getattr(found.value, item)) == list(getattr(reading.value, item))


@given(sound_nodes, sound_aspects, sound_flows, sound_configs)
def test_what_is_sound_comes_back_with_every_place(
    node: Any, aspect: Any, flow: Any, config: Any
) -> None:
    contents = {
        "model/a/yg-node.yaml": node,
        "aspects/a/yg-aspect.yaml": aspect,
        "flows/a/yg-flow.yaml": flow,
        "yg-config.yaml": config,
    }
    files = {path: json.dumps(each, ensure_ascii=False) for path, each in contents.items()}
    graph = read(snapshot_from(files))
    collections: tuple[Collection[Any], ...] = (graph.nodes, graph.aspects, graph.flows)
    readings = [(collection.spec.codec, collection.reading("a")) for collection in collections]
    for codec, reading in (*readings, (codecs.CONFIG, graph.config_reading)):
        assert reading is not None
        assert reading.value is not None
        assume(codec.encode(reading) is not None)  # numbers of more than 64 bits cannot be stored
        assert repr(again(codec, reading)) == repr(reading)


def test_a_word_keeps_its_place() -> None:
    content = "name: N\ntype: service\n\nmapping:\n  paths:\n    - src/a\n    -   src/b\n"
    reading = read(snapshot("model/a/yg-node.yaml", content, ["x.md"])).nodes.reading("a")
    assert reading is not None
    assert again(codecs.NODE, reading).value == Node(
        path="a",
        directory=".yggdrasil/model/a",
        name="N",
        type=Located("service", 2, 7),
        mapping=(Located("src/a", 6, 7), Located("src/b", 7, 9)),
        files=("x.md",),
    )


def examples() -> list[Graph]:
    """Open the graphs of both editions that come as examples."""
    new, old = files_below(SHOP), files_below(SHOP_0X)
    return [read(snapshot_from(new)), read_v0.read(DictSnapshot(old))]


@pytest.mark.parametrize("graph", examples(), ids=["2.x", "0.x"])
def test_the_examples_come_back(graph: Graph) -> None:
    collections: tuple[Collection[Any], ...] = (graph.nodes, graph.aspects, graph.flows)
    for collection in collections:
        assert collection.all
        for folder_id in collection.all:
            assert_comes_back(collection, folder_id)
    assert again(codecs.CONFIG, graph.config_reading) == graph.config_reading


def test_a_name_that_is_not_unicode_keeps_a_node_from_being_encoded() -> None:
    graph = read(snapshot("model/a/yg-node.yaml", "name: N\ntype: service\n", []))
    reading, node = graph.nodes.all["a"], graph.nodes.get("a")
    assert node is not None
    placed = replace(reading, value=node.placed("a", "a", ("bad\udcff",)))
    assert codecs.NODE.encode(placed) is None


NODE = '["a",".yggdrasil/model/a","N",%s,[],[],[],false,[],"yg-node.yaml"]'
WORD = '["service",1,1]'


@pytest.mark.parametrize(
    "text",
    [
        "7",
        '"text"',
        "[]",
        "{}",
        "[[]]",
        f"[{NODE % WORD},7]",
        f"[{NODE % WORD},[[]]]",
        f"[{NODE % 7}]",
        f"[{NODE}]" % '["service",1]',
        f"[{NODE}]" % '["service","1",1]',
        f"[{(NODE % WORD).replace('[],[],[]', '[[]],[],[]')}]",
        f"[{(NODE % WORD).replace('[],[],[]', '[],[[]],[]')}]",
        f"[{(NODE % WORD).replace('[],[],[]', '[],[],[[]]')}]",
        f"[{(NODE % WORD).replace('[],[],[]', '[],[[%s, 7]],[]') % WORD}]",
    ],
)
def test_what_is_not_a_reading_of_a_node_is_an_error(text: str) -> None:
    assert codecs.NODE.decode(_packed(f"[{NODE % WORD}]")).value is not None
    with pytest.raises(DecodeError):
        codecs.NODE.decode(_packed(text))


def _packed(text: str) -> bytes:
    return msgpack.encode(json.loads(text))
