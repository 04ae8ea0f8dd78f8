"""What a hook says at the end of a turn."""

from __future__ import annotations

from yg.surfaces.hook.doubts import ways_out


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
