"""What a hook says at the end of a turn."""

from __future__ import annotations

from yg.surfaces.hook.doubts import MORE, fitting, ways_out


def test_one_node_has_both_commands_in_its_sentences() -> None:
    assert ways_out(["orders/pricing"]) == [
        "Change the text, then run `yg drift-sync orders/pricing`.",
        "Or, if every sentence is still true: `yg drift-sync orders/pricing --reason TEXT`.",
    ]


def test_several_nodes_have_one_command() -> None:
    command = "yg drift-sync orders 'a b'"
    assert ways_out(["orders", "a b"]) == [
        f"Change the texts, then run `{command}`.",
        f"Or, if every sentence about them is still true: `{command} --reason TEXT`.",
    ]


def test_a_command_names_at_most_ten_nodes() -> None:
    nodes = [f"n{number}" for number in range(12)]
    change, _, rest = ways_out(nodes)
    assert change == f"Change the texts, then run `yg drift-sync {' '.join(nodes[:10])}`."
    assert rest == "Then run 'yg drift' again for 2 other nodes."


def test_a_list_that_is_too_long_ends_with_how_to_see_the_rest() -> None:
    assert fitting(["- one", "- two"], 12) == ["- one", "- two"]
    assert fitting(["- one", "- two"], 11) == ["- one", MORE]
