"""A page of a stranger's graph runs nothing and loads nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support import CONFIG, write, write_graph

if TYPE_CHECKING:
    from browser import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Page = Callable[..., str]
RUN = "window.pwned=1"
SCRIPT = f"<script>{RUN}</script>"
CLOSING = f"</script></style></title></textarea>--><img src=x onerror={RUN}><svg onload={RUN}>"
MARKDOWN = f"""\
# {SCRIPT}

{CLOSING}

[one](javascript:{RUN}) [two](JaVaScRiPt:{RUN}) [three](data:text/html,{SCRIPT}) [four](vbscript:x)
[five](https://example.org/) [six](mailto:a@example.org) [seven](#/issues) [eight](file:///etc/passwd)
[nine](//example.org/) [ten](&#106;avascript:{RUN}) [eleven]( java\tscript:{RUN} "x")

![picture](https://example.org/track.png) ![p](javascript:{RUN}) <img src=x onerror={RUN}>
<a href="javascript:{RUN}" onclick="{RUN}">raw</a> <iframe src="javascript:{RUN}"></iframe>

| <b onmouseover={RUN}>x</b> | `</script>{SCRIPT}` |
| --- | --- |
| a | b |

```html
{SCRIPT}{CLOSING}
```
"""
NAME = json.dumps(f"{SCRIPT}{CLOSING} \u202e javascript:{RUN}")
FILES: dict[str, str | bytes] = {
    "yg-config.yaml": CONFIG.replace("name: test", f"name: {NAME}"),
    "model/a/yg-node.yaml": f"""\
name: {NAME}
type: service
aspects: [{{aspect: x, exceptions: [{NAME}]}}]
relations:
  - {{target: b, type: uses, consumes: [{NAME}], failure: {NAME}}}
  - {{target: b, type: emits, event_name: {NAME}}}
  - {{target: {NAME}, type: calls}}
mapping: {{paths: ["src/<img src=x onerror={RUN}>.py"]}}
""",
    "model/a/responsibility.md": MARKDOWN,
    "model/a/internals.md": CLOSING,
    "model/b/yg-node.yaml": f'name: "{"long " * 200_000}"\ntype: service\n',
    "model/b/responsibility.md": "[" * 3000 + "*" * 3000 + "\n" + "> " * 500 + "deep\n",
    "model/<img src=x onerror=window.pwned=1>/yg-node.yaml": "name: C\ntype: service\n",
    "model/__proto__/yg-node.yaml": "name: constructor\ntype: service\n",
    "aspects/x/yg-aspect.yaml": f"name: {NAME}\ndescription: {NAME}\n",
    "aspects/x/content.md": MARKDOWN,
    "flows/f/yg-flow.yaml": f"name: {NAME}\nnodes: [a]\n",
    "flows/f/description.md": MARKDOWN,
}
VIEWS = (
    "",
    "overview?as=matrix",
    "issues",
    "drift",
    "coverage",
    "aspects",
    "flows",
    "search",
    "node/a",
    "node/b",
    "node/__proto__",
    "package/a",
    "package/b",
    "aspect/x",
    "flow/f",
    f"node/{SCRIPT}",
    "node/%",
    "__proto__",
    "constructor/toString",
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_graph(tmp_path_factory.mktemp("hostile"), FILES)


def test_nothing_of_a_graph_runs(browser: Browser, page_of: Page, hostile: Path) -> None:
    browser.open(page_of(hostile))
    for view in VIEWS:
        browser.go(view)
        browser.run("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
        browser.run(
            "for (const e of document.querySelectorAll('main *')) "
            "for (const kind of ['mouseover', 'focus']) e.dispatchEvent(new Event(kind))"
        )
        assert browser.run("return window.pwned") is None
        assert browser.all("main script, main iframe, main img, main object, main embed") == []
        attributes = browser.run(
            "return [...document.querySelectorAll('main *')].flatMap((e) => [...e.attributes])"
            ".filter((a) => a.name.startsWith('on')).length"
        )
        assert attributes == 0
        assert browser.overflow() == 0


def test_only_some_kinds_of_links_are_links(browser: Browser, page_of: Page, hostile: Path) -> None:
    browser.open(page_of(hostile), "node/a")
    links = browser.run(
        "return [...document.querySelectorAll('.prose a')].map((a) => a.getAttribute('href'))"
    )
    assert links == ["https://example.org/", "mailto:a@example.org", "#/issues"]
    assert browser.texts(".prose .picture") == ["[picture: picture]"]


def test_the_page_asks_for_nothing(browser: Browser, page_of: Page, hostile: Path) -> None:
    browser.open(page_of(hostile), "node/a")
    names = browser.run("return performance.getEntriesByType('resource').map((e) => e.name)")
    assert names == []


def test_a_hostile_spec_graph_runs_nothing(browser: Browser, page_of: Page, tmp_path: Path) -> None:
    long = "X" * 300_000
    nodes = {
        "A": {
            "title": SCRIPT,
            "expectation": CLOSING,
            "verification": "x",
            "links": {"depends_on": [SCRIPT, long]},
        },
        SCRIPT: {"title": CLOSING, "expectation": MARKDOWN, "links": {}},
        long: {"title": long, "expectation": SCRIPT, "links": {"depends_on": ["A"]}},
    }
    write(
        tmp_path,
        {
            "specgraph/graph.json": json.dumps(
                {
                    "specgraphVersion": "1.0.0",
                    "nodes": [
                        {"id": name, "path": f"nodes/{place}.json", "expectedType": "behavior"}
                        for place, name in enumerate(nodes)
                    ],
                }
            ),
            **{
                f"specgraph/nodes/{place}.json": json.dumps(
                    {"id": name, "type": "behavior", **fields}
                )
                for place, (name, fields) in enumerate(nodes.items())
            },
        },
    )
    browser.open(page_of(tmp_path))
    browser.wait("return document.querySelectorAll('.list a').length > 0")
    for place in range(len(browser.all(".list tbody a"))):
        browser.go("")
        browser.wait("return document.querySelectorAll('.list tbody a').length > 0")
        browser.all(".list tbody a")[place].click()
        browser.wait("return location.hash.startsWith('#/node/')")
        browser.wait("return document.querySelector('main h1').textContent !== 'Not found'")
        assert browser.run("return window.pwned") is None
        assert browser.overflow() == 0
