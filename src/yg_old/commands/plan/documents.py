"""The files that `yg plan --packages` writes, as part of its document."""

from __future__ import annotations

from typing import Annotated

from yg_old.kernel.document import Count, Positive, Record, Text, about


class PackageFile(Record, frozen=True, kw_only=True):
    """The package of one node, as a file."""

    stage: Annotated[Positive, about("The number of its stage, from 1.")]
    node: Annotated[Text, about("The node.")]
    file: Annotated[Text, about("The file, relative to the directory.")]
    tokens: Annotated[Count, about("The size of the package.")]


class PackageFolder(Record, frozen=True, kw_only=True):
    """The packages that were written."""

    directory: Annotated[Text, about("The directory, as given.")]
    files: Annotated[tuple[PackageFile, ...], about("One file for each node, in build order.")]
