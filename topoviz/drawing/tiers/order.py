"""The order of columns: subtrees stay together, bars get short, nothing crosses that need not.

``cost = 2·W + 3·F + 1·E + 4·X`` over all allowed orders, where W counts empty
columns inside bars, F CPU links that pass a CPU, E network cards that are not
last among their siblings, X crossings of direct links. Ties go to the order
nearest to the natural order of names, so equal input gives equal pictures
whatever the order of writing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import factorial

from topoviz.drawing.tiers.forest import Tree

TRY_ALL = 5_000  # allowed orders up to which every one is weighed
SWEEPS = 24
MOST_CHILDREN = 100  # siblings; more keep their natural order
EFFORT = 60_000  # places to try, times columns: beyond it the means decide alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What makes an order good or bad."""

    bars: tuple[frozenset[str], ...]  # members of each bar, columns that are GPUs
    counted: frozenset[str]  # columns that count as places in a bar
    peers: tuple[tuple[str, str], ...]  # CPUs joined to each other
    direct: tuple[tuple[str, str], ...]  # columns joined to each other
    cards: frozenset[str]  # network cards with a column of their own


def order(trees: Sequence[Tree], wishes: Wishes) -> tuple[Tree, ...]:
    """Return the trees with all children in the best order found; no chance is involved."""
    root = Tree(id="", name=(), key="", children=tuple(trees))
    if _widest(root) > MOST_CHILDREN:
        return root.children  # too many to weigh, and too many to read one by one
    if _weight(root, wishes)[:2] == (0, 0):
        return root.children  # nothing to gain
    best = _all(root, wishes) if choices(root) <= TRY_ALL else _sweep(root, wishes)
    return best.children


def _widest(tree: Tree) -> int:
    return max([len(tree.children), *(_widest(child) for child in tree.children)])


def given(trees: Sequence[Tree], wanted: Mapping[str, int]) -> tuple[Tree, ...]:
    """Return the trees in an order that somebody asked for; subtrees still stay together, the rest keeps its place behind."""

    def first(tree: Tree) -> int:
        return min((wanted[c] for c in tree.columns() if c in wanted), default=len(wanted))

    return tuple(replace(tree, children=given(tree.children, wanted)) for tree in sorted(trees, key=first))


def choices(tree: Tree) -> int:
    """Return how many orders differ: children factorial, over permutations of equal ones.

    >>> leaf = lambda n, k: Tree(id=n, name=(n,), key=k, column=True)
    >>> choices(Tree(id="r", name=(), key="", children=(leaf("a", "x"), leaf("b", "x"), leaf("c", "y"))))
    3
    """
    total = factorial(len(tree.children))
    keys = [child.key for child in tree.children]
    for key in dict.fromkeys(keys):
        total //= factorial(keys.count(key))
    for child in tree.children:
        total *= choices(child)
        if total > 10**9:
            return total
    return total


def _all(root: Tree, wishes: Wishes) -> Tree:
    return min(_orders(root), key=lambda tree: _weight(tree, wishes))


def _orders(tree: Tree) -> Iterator[Tree]:
    if not tree.children:
        yield tree
        return
    inner = [tuple(_orders(child)) for child in tree.children]
    for combination in product(*inner):
        for arranged in _distinct(combination):
            yield replace(tree, children=arranged)


def _distinct(children: tuple[Tree, ...]) -> Iterator[tuple[Tree, ...]]:
    """Orders that differ: equal children keep their natural order, so each is made only once."""
    if not children:
        yield ()
        return
    tried: set[str] = set()
    for i, child in enumerate(children):
        if child.key in tried:
            continue
        tried.add(child.key)
        for rest in _distinct((*children[:i], *children[i + 1 :])):
            yield (child, *rest)


def _weight(root: Tree, wishes: Wishes) -> tuple[float, int, tuple[tuple[object, ...], ...]]:
    columns = root.columns()
    place = {column: i for i, column in enumerate(c for c in columns if c in wishes.counted)}
    cost = 2 * _width(place, wishes) + 3 * _far_peers(root, wishes) + _late_cards(root, wishes)
    cost += 4 * crossings({c: i for i, c in enumerate(columns)}, wishes.direct)
    names = _names(root)
    return cost, _inversions(root), tuple(names)


def _width(place: Mapping[str, int], wishes: Wishes) -> int:
    total = 0
    for members in wishes.bars:
        at = [place[m] for m in members if m in place]
        if at:
            total += max(at) - min(at) + 1 - len(at)
    return total


def _far_peers(root: Tree, wishes: Wishes) -> int:
    place = {child.id: i for i, child in enumerate(root.children)}
    return sum(1 for a, b in wishes.peers if a in place and b in place and abs(place[a] - place[b]) > 1)


def _late_cards(tree: Tree, wishes: Wishes) -> int:
    late = 0
    for i, child in enumerate(tree.children):
        if child.id in wishes.cards and any(c.id not in wishes.cards for c in tree.children[i + 1 :]):
            late += 1
        late += _late_cards(child, wishes)
    return late


def crossings(place: Mapping[str, int], pairs: Sequence[tuple[str, str]]) -> int:
    """Return how many pairs of arcs cross when the ends stand in a row.

    >>> crossings({"a": 0, "b": 1, "c": 2, "d": 3}, [("a", "c"), ("b", "d")])
    1
    """
    arcs = [tuple(sorted((place[a], place[b]))) for a, b in pairs if a in place and b in place]
    return sum(1 for i, (a, b) in enumerate(arcs) for c, d in arcs[i + 1 :] if a < c < b < d or c < a < d < b)


def _names(tree: Tree) -> list[tuple[object, ...]]:
    return [name for child in tree.children for name in [child.name, *_names(child)]]


def _inversions(tree: Tree) -> int:
    """Siblings out of their natural order, in the whole tree."""
    names = [child.name for child in tree.children]
    own = sum(1 for i, a in enumerate(names) for b in names[i + 1 :] if a > b)
    return own + sum(_inversions(child) for child in tree.children)


def _sweep(root: Tree, wishes: Wishes) -> Tree:
    """Barycentre, then sifting, from the natural order; stop after two sweeps without gain."""
    best, idle = root, 0
    weight = _weight(root, wishes)
    tree = root
    small = _effort(root) * len(root.columns()) <= EFFORT
    for _ in range(SWEEPS):
        tree = _barycentre(tree, tree.columns(), wishes)
        tree = _sift(tree, wishes) if small else tree
        found = _weight(tree, wishes)
        if found < weight:
            best, weight, idle = tree, found, 0
        else:
            idle += 1
        if idle == 2:
            break
    return best


def _effort(tree: Tree) -> int:
    """How many places there are to try for all children in one sweep."""
    count = len(tree.children)
    return count * (count + 1) + sum(_effort(child) for child in tree.children)


def _barycentre(tree: Tree, columns: Sequence[str], wishes: Wishes) -> Tree:
    place = {column: i for i, column in enumerate(columns)}
    centre: dict[str, list[float]] = {}
    for members in wishes.bars:
        at = [place[m] for m in members if m in place]
        for member in members:
            centre.setdefault(member, []).append(sum(at) / len(at) if at else 0)

    def mean(node: Tree) -> float:
        values = [v for c in node.columns() for v in centre.get(c, [float(place.get(c, 0))])]
        return sum(values) / len(values) if values else 0.0

    def arrange(node: Tree) -> Tree:
        below = sorted((arrange(child) for child in node.children), key=lambda c: (mean(c), c.name))
        return replace(node, children=tuple(below))

    return arrange(tree)


def _sift(root: Tree, wishes: Wishes) -> Tree:
    """Move each child of every host to its best place among its siblings."""
    for host in _hosts(root):
        children = _find(root, host).children
        best = _weight(root, wishes)
        for child in children:
            now = _find(root, host).children
            rest = [c for c in now if c.id != child.id]
            for i in range(len(rest) + 1):
                trial = _with(root, host, (*rest[:i], child, *rest[i:]))
                weight = _weight(trial, wishes)
                if weight < best:
                    best, root = weight, trial
    return root


def _hosts(tree: Tree) -> list[str]:
    """Ids of what has several children, from the top."""
    own = [tree.id] if len(tree.children) > 1 else []
    return own + [host for child in tree.children for host in _hosts(child)]


def _find(tree: Tree, name: str) -> Tree:
    found = _within(tree, name)
    return tree if found is None else found


def _within(tree: Tree, name: str) -> Tree | None:
    if tree.id == name:
        return tree
    return next((found for child in tree.children if (found := _within(child, name)) is not None), None)


def _with(tree: Tree, name: str, children: tuple[Tree, ...]) -> Tree:
    """Return the tree with other children at one host."""
    if tree.id == name:
        return replace(tree, children=children)
    return replace(tree, children=tuple(_with(child, name, children) for child in tree.children))
