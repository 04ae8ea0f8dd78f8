"""A command answers the same on every surface, from one description of its parameters."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from types import ModuleType
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta

from support import SHOP_ROOT, run, run_shop
from yg.commands import table
from yg.commands.arguments import arguments_of, checked, input_schema, request_of
from yg.commands.build_context.request import ContextRequest, Wanted
from yg.commands.catalog import AspectsRequest, FlowsRequest
from yg.commands.command import Actions, Command, Run, Tool
from yg.commands.coverage import UNCOVERED, CoverageRequest
from yg.commands.deps import DepsRequest
from yg.commands.draft import DraftRequest
from yg.commands.drift import DriftRequest
from yg.commands.explain import ExplainRequest
from yg.commands.find import FindRequest
from yg.commands.impact.request import ImpactRequest
from yg.commands.mv import MvRequest
from yg.commands.new import NewRequest
from yg.commands.owner import OwnerRequest
from yg.commands.plan import PlanRequest
from yg.commands.preflight import PreflightRequest
from yg.commands.request import Argument, LongText, Operand, Option, Request, Revision
from yg.commands.rm import RmRequest
from yg.commands.status import StatusRequest
from yg.commands.tree import TreeRequest
from yg.commands.validate import ValidateRequest
from yg.kernel.document import Document, Record, Text, about, plain
from yg.kernel.errors import UsageError
from yg.kernel.palette import Palette
from yg.surfaces.mcp.calls import ask
from yg.surfaces.mcp.service import Service, request_to, roots_of
from yg.surfaces.mcp.tools import tool_of
from yg.workspace.opening import open_workspace

ORDER = "orders/order-service"
FILE = "src/shop/orders/pricing.py"
REQUESTS: dict[str, tuple[tuple[str, ...], Request[Any]]] = {
    "aspects": (("aspects",), AspectsRequest()),
    "coverage": (("coverage",), CoverageRequest()),
    "explain": (("explain", "E004"), ExplainRequest(code="E004")),
    "find": (("find", "order", "-payment"), FindRequest(words="order -payment")),
    "flows": (("flows",), FlowsRequest()),
    "validate": (("validate",), ValidateRequest()),
    "build-context": (
        ("build-context", ORDER, "--have", "orders/pricing"),
        ContextRequest(wanted=(Wanted(ORDER),), have=("orders/pricing",)),
    ),
    "build-context of a file": (
        ("build-context", "--file", FILE),
        ContextRequest(wanted=(Wanted(FILE, is_file=True),)),
    ),
    "deps": (
        ("deps", ORDER, "--depth", "2", "--type", "event"),
        DepsRequest(node=ORDER, depth=2, type="event"),
    ),
    "draft": (("draft", "--add", "--dry-run"), DraftRequest(add=True, dry_run=True)),
    "mv": (
        ("mv", "payments", "billing", "--node", "--dry-run"),
        MvRequest(old="payments", new="billing", node=True, dry_run=True),
    ),
    "rm": (
        ("rm", ORDER, "--force", "--dry-run"),
        RmRequest(node=ORDER, force=True, dry_run=True),
    ),
    "new": (
        ("new", "flow", "refund", ORDER, "--dry-run"),
        NewRequest(what="flow", name="refund", nodes=(ORDER,), dry_run=True),
    ),
    "drift": (("drift", "orders"), DriftRequest(scope="orders")),
    "impact of a node": (("impact", ORDER), ImpactRequest(node=ORDER)),
    "impact of an aspect": (
        ("impact", "--aspect", "idempotency"),
        ImpactRequest(aspect="idempotency"),
    ),
    "impact of a flow": (("impact", "--flow", "checkout"), ImpactRequest(flow="checkout")),
    "owner": (("owner", FILE), OwnerRequest(files=(FILE,))),
    "plan": (("plan",), PlanRequest()),
    "preflight": (("preflight", "--quick"), PreflightRequest(quick=True)),
    "status": (("status",), StatusRequest()),
    "tree": (("tree", "payments"), TreeRequest(root="payments")),
}


def asked(name: str, request: Request[Any]) -> tuple[Command[Any, Any], Document]:
    command = table.BY_NAME[name].load()
    return command, command.ask(Run(lambda _kind: open_workspace(str(SHOP_ROOT))), request)


@pytest.mark.parametrize("name", REQUESTS)
def test_the_command_line_prints_what_the_command_writes(name: str) -> None:
    argv, request = REQUESTS[name]
    command, document = asked(argv[0], request)
    shown, data = run_shop(*argv), run_shop(*argv, "--json")
    assert (command.written(document), document.exit_code) == (shown.text, shown.code)
    assert command.written(document, "json") == data.text
    assert json.loads(data.text) == plain(document)


@pytest.mark.parametrize(
    ("argv", "form", "request_"),
    [
        (("coverage", "--uncovered"), UNCOVERED, CoverageRequest()),
        (("validate", "--format", "sarif"), "sarif", ValidateRequest()),
        (("validate", "--format", "github"), "github", ValidateRequest()),
        (("validate", "--format", "junit"), "junit", ValidateRequest()),
        (("explain", "--format", "markdown"), "markdown", ExplainRequest()),
    ],
)
def test_further_forms_have_names(argv: tuple[str, ...], form: str, request_: Request[Any]) -> None:
    command, document = asked(argv[0], request_)
    assert command.written(document, form) == run_shop(*argv).text


class GreetRequest(Request["Greeting"], frozen=True, kw_only=True):
    name: Annotated[
        str, Operand("NAME", "whom to greet", option="--name"), Argument("Whom to greet.", "Ada")
    ]
    times: Annotated[
        Annotated[int, Meta(ge=1)], Option(metavar="N", help="how often"), Argument("How often.", 2)
    ] = 1
    at: Revision = None


class Greeting(Document, frozen=True, kw_only=True, tag="yg-greet/1"):
    """What `yg greet --json` prints: a greeting."""

    HIDDEN = ("mood",)

    name: Annotated[Text, about("Who is greeted.")]
    nodes: Annotated[tuple[Text, ...], about("The nodes of the graph.")]
    notes: Annotated[tuple[Text, ...], about("What to know.")] = ()
    mood: str = "good"


def greet(run: Run, request: GreetRequest) -> Greeting:
    nodes = tuple(run.workspace.queries.all_ids())[: request.times]
    return Greeting(name=request.name, nodes=nodes, notes=("it is late",))


def greeting_text(greeting: Greeting, palette: Palette) -> str:
    return f"Hello {palette.bold(greeting.name)}, in a {greeting.mood} mood.\n"


COMMAND = Command(
    request=GreetRequest,
    documents=(Greeting,),
    ask=greet,
    text=greeting_text,
    tool=Tool(title="Greet", when="Use to greet."),
)


@pytest.fixture(autouse=True)
def greeting_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a command as anybody would: a module, and an entry of the table."""
    module = ModuleType("yg.commands.greet")
    module.__dict__["COMMAND"] = COMMAND
    monkeypatch.setitem(sys.modules, "yg.commands.greet", module)
    entry = table.Entry("greet", "Greet somebody.", "Explore")
    monkeypatch.setattr(table, "COMMANDS", (*table.COMMANDS, entry))
    monkeypatch.setitem(table.BY_NAME, "greet", entry)


def test_a_new_command_has_a_command_line() -> None:
    shown = run_shop("greet", "Ada")
    assert (shown.code, shown.text) == (0, "Hello Ada, in a good mood.\n")
    assert shown.notes == "warning: it is late\n"
    data = run_shop("greet", "--name", "Ada", "--times", "2", "--json")
    assert (data.code, data.notes) == (0, "")
    assert json.loads(data.text) == {
        "schema": "yg-greet/1",
        "name": "Ada",
        "nodes": ["email-service", "inventory"],
        "notes": ["it is late"],
    }


def test_a_new_command_checks_its_parameters() -> None:
    assert "no node given" in run_shop("greet").notes
    assert "expected a number >= 1, got '0'" in run_shop("greet", "a", "--times", "0").notes
    assert run_shop("greet", "a", "--at", "nowhere").code == 1
    help_text = run("greet", "--help").text
    assert "--times N" in help_text
    assert "how often" in help_text


def test_hidden_fields_are_for_the_text_alone() -> None:
    command, document = asked("greet", GreetRequest(name="Ada"))
    assert "mood" not in plain(document)
    assert command.written(document) == "Hello Ada, in a good mood.\n"


class Virtue(StrEnum):
    WIT = "wit"
    ZEAL = "zeal"


class PraiseRequest(Request["Greeting"], frozen=True, kw_only=True):
    name: Annotated[str, Operand("NAME", "whom to praise"), Argument("Whom to praise.", "Ada")]
    virtue: Annotated[Virtue, Operand("VIRTUE", "what for"), Argument("What for.", "wit")] = (
        Virtue.WIT
    )
    words: Annotated[
        LongText, Option(metavar="TEXT", help="how to say it"), Argument("How to say it.", "Oh!")
    ] = ""
    more: Annotated[dict[str, Any] | None, Argument("Anything else.", {"a": 1})] = None
    loud: Annotated[bool, Option(help="in capitals"), Argument("In capitals.")] = False


class BlameRequest(Request["Greeting"], frozen=True, kw_only=True):
    name: Annotated[str, Operand("NAME", "whom to blame"), Argument("Whom to blame.", "Ada")]
    mildly: Annotated[bool, Option(help="with a smile")] = False
    loud: Annotated[bool, Option(help="in capitals"), Argument("In capitals.")] = False


def praise(_run: Run, request: PraiseRequest) -> Greeting:
    assert isinstance(request.virtue, Virtue)
    said = f"{request.words}{request.more or ''}"
    return Greeting(name=f"{request.name} {said}", nodes=(), mood=request.virtue.value)


def blame(_run: Run, request: BlameRequest) -> Greeting:
    return Greeting(name=request.name, nodes=(), mood="mild" if request.mildly else "bad")


SPEAK = Actions(
    actions={
        "praise": Command(
            request=PraiseRequest,
            documents=(Greeting,),
            ask=praise,
            text=greeting_text,
            tool=Tool(title="Praise", when="Use to praise.", name="praise"),
        ),
        "blame": Command(
            request=BlameRequest,
            documents=(Greeting,),
            ask=blame,
            text=greeting_text,
            tool=Tool(title="Blame", when="Use to blame.", only_in_specs=True, writes=True),
        ),
    },
    epilog="Think first.",
)


@pytest.fixture(autouse=True)
def speaking_command(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("yg.commands.speak")
    module.__dict__["COMMAND"] = SPEAK
    monkeypatch.setitem(sys.modules, "yg.commands.speak", module)
    monkeypatch.setitem(table.BY_NAME, "speak", table.Entry("speak", "Speak.", "Explore"))
    monkeypatch.setattr(table, "TOOLS", (*table.TOOLS, "speak"))


def test_each_action_of_a_command_has_words_and_options_of_its_own() -> None:
    assert run_shop("speak", "praise", "Ada").text == "Hello Ada , in a wit mood.\n"
    praised = run_shop("speak", "praise", "Ada", "zeal", "--words", "Oh!")
    assert praised.text == "Hello Ada Oh!, in a zeal mood.\n"
    assert run_shop("speak", "blame", "--mildly", "").text == "Hello , in a mild mood.\n"
    help_text = run("speak", "--help").text
    assert "praise: NAME [VIRTUE]; blame: NAME\n" in help_text
    assert "praise: how to say it\n" in help_text
    assert "blame: with a smile\n" in help_text
    assert " in capitals\n\n" in help_text  # options of several actions come last
    assert help_text.endswith("\n\nThink first.\n\nCommon options: yg --help\n")
    assert SPEAK.all_documents == (Greeting,)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("praise",), "'yg speak praise' takes NAME [VIRTUE]"),
        (("blame", "a", "b"), "'yg speak blame' takes NAME"),
        (("praise", "a", "sloth"), "unknown virtue 'sloth'\n  Use one of: wit, zeal."),
        (("blame", "a", "--words", "x"), "--words requires 'yg speak praise'"),
        (("praise", "a", "--mildly"), "--mildly requires 'yg speak blame'"),
        (("shout", "a"), "yg speak: argument ACTION: invalid choice: 'shout'"),
    ],
)
def test_words_and_options_must_suit_the_action(argv: tuple[str, ...], message: str) -> None:
    outcome = run_shop("speak", *argv)
    assert outcome.code == 2
    assert outcome.notes.startswith(f"error: {message}")


def test_each_action_of_a_command_has_a_tool() -> None:
    named = table.tools()
    praising = tool_of("praise", named["praise"])
    blaming = tool_of("speak-blame", named["speak-blame"], in_specs=True)
    assert (blaming.writes, blaming.has_kinds) == (True, False)
    assert [schema.name for schema in blaming.documents] == ["yg-greet/1"]
    schema = input_schema(praising.arguments)
    assert schema["required"] == ["name"]
    assert {name: part["type"] for name, part in schema["properties"].items()} == {
        "name": "string",
        "virtue": "string",
        "words": "string",
        "more": "object",
        "loud": "boolean",
    }
    service = Service(roots=roots_of(str(SHOP_ROOT), []))
    given = {"name": "Ada", "virtue": "zeal", "words": "", "more": {"a": 1}}
    with request_to(service, str(SHOP_ROOT), checked(praising.arguments, given)) as call:
        document = ask(praising.command, call)
    assert praising.command.written(document) == "Hello Ada {'a': 1}, in a zeal mood.\n"


class CountRequest(Request["Greeting"], frozen=True, kw_only=True):
    most: Annotated[Annotated[int, Meta(le=9)], Argument("How many.", 3)] = 1
    share: Annotated[Annotated[float, Meta(le=1)], Argument("Which part.", 0.5)] = 1.0
    depth: Annotated[
        Annotated[int, Meta(ge=1)] | str | None,
        Option(metavar="N", choices=("full",), help="how deep"),
        Argument("How deep.", "full"),
    ] = None
    way: Annotated[Literal["up"], Argument("Which way.", "up")] = "up"
    names: Annotated[tuple[str, ...], Argument("Who.", ["Ada"])] = ()
    loud: Annotated[bool, Argument("In capitals.")] = False
    more: Annotated[dict[str, Any] | None, Argument("Anything.", {"a": 1})] = None
    words: Annotated[LongText, Argument("What to say.", "Oh!")] = ""
    virtue: Annotated[Virtue, Argument("What for.", "wit")] = Virtue.WIT


def count(_run: Run, request: CountRequest) -> Greeting:
    return Greeting(name=", ".join(request.names), nodes=())


COUNT = Command(request=CountRequest, documents=(Greeting,), ask=count)
TEXT = "strings of 1 to 4096 characters without NUL"


@pytest.mark.parametrize(
    ("name", "given", "read"),
    [
        ("most", 9, 9),
        ("share", 1, 1.0),
        ("depth", 3, 3),
        ("depth", "full", "full"),
        ("way", "up", "up"),
        ("names", ["Ada", "Bob"], ("Ada", "Bob")),
        ("names", "Ada", ("Ada",)),
        ("loud", True, True),
        ("more", {"a": [1]}, {"a": [1]}),
        ("words", "", ""),
        ("virtue", "zeal", Virtue.ZEAL),
        ("most", None, 1),
    ],
)
def test_a_call_gives_values_of_the_types_of_the_request(name: str, given: Any, read: Any) -> None:
    request = request_of(COUNT, checked(arguments_of(COUNT), {name: given}))
    assert getattr(request, name) == read
    assert type(getattr(request, name)) is type(read)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("most", 10, "an integer from 0 to 9"),
        ("most", -1, "an integer from 0 to 9"),
        ("most", True, "an integer from 0 to 9"),
        ("most", "3", "an integer from 0 to 9"),
        ("most", 10**30, "an integer from 0 to 9"),
        ("share", 1.5, "a number from 0 to 1"),
        ("depth", 0, "an integer >= 1, or full"),
        ("depth", "half", "an integer >= 1, or full"),
        ("way", "down", "'up'"),
        ("names", [], f"a non-empty list of {TEXT}"),
        ("names", ["Ada", 3], f"a non-empty list of {TEXT}"),
        ("names", ["Ada\0"], f"a non-empty list of {TEXT}"),
        ("names", ["A" * 4097], f"a non-empty list of {TEXT}"),
        ("loud", 1, "true or false"),
        ("more", [1], "an object"),
        ("words", "\0", "a string of at most 1000000 characters without NUL"),
        ("virtue", "sloth", "one of: wit, zeal"),
        ("virtue", [], "one of: wit, zeal"),
    ],
)
def test_a_call_must_give_values_of_the_types_of_the_request(
    name: str, given: Any, message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        checked(arguments_of(COUNT), {name: given})
    assert caught.value.message == f"'{name}' must be {message}"
    assert "For example: " in (caught.value.hint or "")


class Letter(Record, frozen=True, kw_only=True):
    HIDDEN = ("ink",)

    text: str
    ink: str = "blue"


class Envelope(Record, frozen=True, kw_only=True):
    HIDING = ("first", "others", "greeting", "none")

    first: Letter
    others: tuple[Letter, ...]
    greeting: Greeting
    none: Letter | None = None


def test_hidden_fields_of_records_in_a_record_are_left_out() -> None:
    letter = Letter(text="a")
    greeting = Greeting(name="Ada", nodes=())
    envelope = Envelope(first=letter, others=(letter, letter), greeting=greeting)
    assert plain(envelope)["first"] == {"text": "a"}
    assert plain(envelope)["others"] == [{"text": "a"}, {"text": "a"}]
    assert plain(envelope)["none"] is None
    assert plain(envelope)["greeting"] == plain(greeting)
