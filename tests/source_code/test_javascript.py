"""JavaScript and TypeScript that formatters write, and that tree-sitter does not read."""

from __future__ import annotations

import pytest

from yg.code.change_class import ChangeClass, compare
from yg.code.read import read_facts

MEMBERS = """export interface A {
  a: string;
  [b: string]: string;
  <T>(c: T): void;
  (d: 1): 2;
  in: 1;
  catch(): void;
  finally: {};
  in: 2;
}
"""
SAME = {
    "the brace of a namespace": ("namespace A.B { c(); }", "namespace A.B\n{\n  c();\n}"),
    "members that start with a bracket or a word": (MEMBERS, MEMBERS.replace(";", "")),
    "members of the type of a variable": (
        MEMBERS.replace("interface A", "type A ="),
        MEMBERS.replace("interface A", "type A =").replace(";", ""),
    ),
    "a word of a class": (
        "class A { catch(a: B): C<this>; catch(a: any) {} }",
        "class A {\n  catch(a: B): C<this>\n  catch(a: any) {}\n}",
    ),
    "a type behind `as`": ("a = b as C | D;", "a = b as\n  | C\n  | D"),
    "a function type behind `as`": ("a = (b as (c) => d);", "a = b as\n  ((c) => d)"),
    "a chain with an index": ("a().b(c)[d].e();", "a()\n  .b(c)\n  [d].e()"),
    "a type that is followed by a parenthesis": (
        "type A = {};\n(b as A).c();",
        "type A = {}\n;(b as A).c()",
    ),
    "a comparison over two lines": ("a = b.c > (d) && e;", "a =\n  b.c >\n    (d) && e"),
    "a directive behind type arguments": (
        "class A { a: B<C>;\n// @ts-ignore\nd; }",
        "class A { a: B<C>\n// @ts-ignore\nd }",
    ),
    "an arrow function in a condition": ("a ? b() : (c) => d;", "a ? b() : c => d"),
    "an object in a branch": ("a = b ? c : ({ d: 1 });", "a = b ? c : { d: 1 };"),
}
OTHER = {
    "a name at the end of a line is a value": ("a = b\n(c)", "a = b;\n(c)"),
    "a type of an array": ("let a: B\n[c].d()", "let a: B[c].d()"),
    "the type of an arrow function": ("a = (b): c => d", "a = (b): (c) => d"),
    "a generator": ("class A { async\n*b() {} }", "class A { async *b() {} }"),
}


def kind(before: str, after: str) -> ChangeClass:
    facts = [read_facts("a.ts", text.encode()) for text in (before, after)]
    assert None not in facts
    return compare(*facts).kind


@pytest.mark.parametrize("title", SAME)
def test_the_same_code_in_another_layout_is_cosmetic(title: str) -> None:
    assert kind(*SAME[title]) == "cosmetic"


@pytest.mark.parametrize("title", OTHER)
def test_a_layout_that_changes_the_code_is_not(title: str) -> None:
    assert kind(*OTHER[title]) == "body"


def test_templates_in_templates_are_read_up_to_a_depth() -> None:
    inside = "`${" * 100 + "%s" + "}`" * 100
    assert kind(inside % "a", inside % "b") == "body"
    assert kind(inside % "a", f"{inside % 'a'} // b") == "cosmetic"


def test_brackets_in_brackets_are_read_up_to_a_depth() -> None:
    def nested(depth: int) -> bytes:
        return f"x = {'(' * depth}1{')' * depth};\n".encode()

    assert read_facts("a.ts", nested(10_000)) is not None
    assert read_facts("a.ts", nested(100_001)) is None
