"""What a hook says at the end of a turn."""

from __future__ import annotations

from yg.surfaces.hook.doubts import MORE, fitting, ways_out


def test_one_node_has_both_commands_in_its_sentences() -> None:
    assert ways_out(["orders/pricing"]) == [
        "Change the text, then run `yg drift-sync orders/pricing`.",
        "Or, if every sentence is still true: `yg drift-sync orders/pricing --reason TEXT`.",
    ]


def test_several_nodes_have_a_command_each() -> None:
    assert ways_out(["orders", "a b"]) == [
        "For each node, change the text, then run its command:",
        "- `yg drift-sync orders`",
        "- `yg drift-sync 'a b'`",
        "Or, if every sentence about a node is still true, add `--reason TEXT` to its command.",
    ]


def test_a_list_that_is_too_long_ends_with_how_to_see_the_rest() -> None:
    assert fitting(["- one", "- two"], 12) == ["- one", "- two"]
    assert fitting(["- one", "- two"], 11) == ["- one", MORE]
