import pytest

import topoviz as tv
from topoviz.asked import finding
from topoviz.errors import SpecError
from topoviz.model.read import picture_from

SERVER = tv.load(
    {
        "part": "dgx-h100",
        "routes": [
            {"name": "mine", "ring": "gpu[0,2,1,3,4,5,6,7]"},
            {"name": "way", "path": ["gpu0", "gpu5"]},
        ],
    }
)
CHIPS = ("nvs0", "nvs1", "nvs2", "nvs3")


def found(highlight, topology=SERVER, **keys):
    return finding(topology, picture_from({"highlight": highlight, **keys}))


@pytest.mark.parametrize(
    ("highlight", "names"),
    [
        ("ring", ["ring"]),
        ("ring:all-gather", ["ring"]),
        ("mine", ["mine"]),
        ("way", ["way"]),
        ("routes", ["mine", "way"]),
        ("path:gpu0,gpu5", ["path"]),
        ({"path": ["gpu0", "gpu5"]}, ["path"]),
        ({"algorithm": "ring", "ranks": "gpu[0-3]"}, ["ring"]),
        ("tree", ["tree 0", "tree 1"]),
        ("nvls", ["nvls"]),
        ({"algorithm": "direct", "ranks": "gpu[0-2]"}, ["from gpu0", "from gpu1", "from gpu2"]),
        ({"collective": "send", "ranks": ["gpu3", "gpu1"]}, ["send"]),
        ({"algorithm": "ring", "rings": 2}, ["ring"]),
        (["ring", "way"], ["ring", "way"]),
    ],
)
def test_routes(highlight, names):
    assert [route.name for route in found(highlight).routes] == names


def test_a_path_runs_through_all_chips():
    (route,) = found("path:gpu0,gpu5").routes
    assert (route.shape, route.nodes, [hop.via for hop in route.hops]) == ("path", ("gpu0", "gpu5"), [CHIPS])


def test_a_path_of_ranks():
    assert found({"path": ["rank1", "rank3"]}).nodes == ("gpu1", "gpu3")


def test_a_written_ring_keeps_its_order_and_gets_numbers():
    plan = found("mine", size="14 GB")
    assert plan.routes[0].nodes[:3] == ("gpu0", "gpu2", "gpu1")
    assert plan.estimate.sent == 24.5e9


@pytest.mark.parametrize(
    ("highlight", "sent"),
    [("ring", 24.5e9), ("ring:all-gather", 12.25e9), ({"algorithm": "ring", "ranks": "gpu[0-3]"}, 21e9)],
)
def test_bytes_of_a_plan(highlight, sent):
    assert found(highlight, size="14 GB").estimate.sent == sent


@pytest.mark.parametrize("measured", ["80 %", "360 GB/s"])
def test_measured_is_a_share_or_a_bandwidth(measured):
    assert found("ring", size="14 GB", measured=measured).estimate.measured == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("highlight", "said", "hint"),
    [
        ("rign", "unknown highlight 'rign'", "did you mean 'ring'?"),
        ("meine", "unknown highlight 'meine'", "did you mean 'mine'?"),
        ("collnet", "unknown highlight 'collnet'", "there is ring, tree, nvls, hierarchical, direct, send, routes"),
        ("hierarchical", "hierarchical needs several boxes", ""),
        ({"algorithm": "tree", "rings": 2}, "a number of rings belongs to ring and hierarchical, not to 'tree'", ""),
        ({"nodes": "gpu99"}, "'gpu99' matches nothing", "gpu has gpu0"),
        ({"algorithm": "send"}, "send needs two ranks", ""),
        ("ring:sing", "unknown collective 'sing'; there is all-reduce", ""),
        ("ring:all-to-all", "a ring cannot do 'all-to-all', only", ""),
    ],
)
def test_what_cannot_be_highlighted(highlight, said, hint):
    with pytest.raises(SpecError) as caught:
        found(highlight)
    (told,) = caught.value.diagnostics
    assert said in told.message
    assert told.hint.startswith(hint)
    assert told.mark is not None


def test_no_routes_to_highlight():
    with pytest.raises(SpecError, match="the document has no routes"):
        found("routes", tv.load("dgx-h100"))


def test_no_ring_of_one():
    with pytest.raises(SpecError, match="a ring needs at least two GPUs"):
        found("ring", tv.load("pcie-workstation"))


def test_a_document_of_panels_only_highlights_in_its_panels():
    topology = tv.load({"pictures": [{"panels": ["dgx-h100"], "highlight": "ring", "size": "14 GB"}]})
    assert finding(topology, topology.spec.pictures[0]).routes == ()
    assert (
        "24.5 GB" in tv.render(topology, panels=["dgx-h100"], highlight="ring", size="14 GB", layout="time-table").svg()
    )


@pytest.mark.parametrize(("rings", "counts"), [(None, [2, 2, 1, 1]), (1, [1]), (3, [2, 1]), (6, [2, 2, 1, 1])])
def test_so_many_rings(rings, counts):
    wish = {"algorithm": "ring"} | ({} if rings is None else {"rings": rings})
    assert [route.count for route in found(wish, tv.load("dgx-1v")).routes] == counts


def test_a_ring_through_switches_says_how_often_it_runs():
    (route,) = found("ring").routes
    assert (route.count, len(route.hops)) == (18, 8)


def test_nvls_is_a_tree_below_all_chips():
    (route,) = found("nvls", size="14 GB").routes
    assert (route.shape, route.nodes[:2], {hop.via for hop in route.hops}) == ("tree", ("nvs0", "gpu0"), {CHIPS})
    assert found("nvls", size="14 GB").estimate.seconds == pytest.approx(0.035)
