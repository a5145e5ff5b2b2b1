import subprocess
import sys
from pathlib import Path

import pytest

import topoviz as tv
from topoviz import resources
from topoviz.errors import MissingEntry
from topoviz.picture import choice, scope, write


def test_front_door():
    assert {
        "load",
        "render",
        "plan",
        "check",
        "Topology",
        "Route",
        "Plan",
        "Picture",
        "TopovizError",
        "SpecError",
        "__version__",
    } <= set(tv.__all__)
    assert all(getattr(tv, name) is not None for name in tv.__all__)


def test_numbers_of_a_dgx_h100():
    graph = tv.load("dgx-h100").graph
    of_gpu3 = {(b, d["links"], d["bandwidth"]) for a, b, d in graph.edges("gpu3", data=True) if d["kind"] == "nvlink"}
    assert of_gpu3 == {("nvs0", 5, 125.0), ("nvs1", 4, 100.0), ("nvs2", 4, 100.0), ("nvs3", 5, 125.0)}


def test_numbers_of_an_nvl72():
    rack = tv.load("gb200-nvl72")
    assert [rack.count(kind) for kind in ("gpu", "cpu", "nvswitch")] == [72, 36, 18]
    assert (rack.total("nvlink").links, rack.total("nvlink").bandwidth) == (1296, 64800.0)


def test_numbers_of_a_rail_cluster():
    cluster = tv.load(
        {
            "contains": {"node": "32 x dgx-h100", "leaf": "8 x qm9700", "spine": "4 x qm9700"},
            "wires": [
                {"from": "node/nic", "to": "leaf", "kind": "infiniband", "rule": "rail"},
                {"from": "leaf", "to": "spine", "kind": "infiniband", "links": 8},
            ],
        }
    )
    up = [link for link in cluster.root.assembly.links if link.source.startswith("leaf")]
    down = [link for link in cluster.root.assembly.links if link.source.startswith("node")]
    assert (sum(link.links for link in up), len(down), {link.bandwidth for link in down}) == (256, 256, {50.0})


def test_a_ring_and_its_time():
    plan = tv.plan(tv.load("dgx-h100"))
    assert (plan.bandwidth, plan.sent(14e9)) == (450.0, 24.5e9)
    assert round(plan.seconds(14e9) * 1000, 1) == 54.4
    assert all(hop.via == ("nvs0", "nvs1", "nvs2", "nvs3") for hop in plan.routes[0].hops)


def test_load_joins_documents(tmp_path):
    (tmp_path / "rings.yaml").write_text('routes:\n  - {name: mine, ring: "gpu[0,2,1,3,4,5,6,7]"}\n')
    (tmp_path / "machine.yaml").write_text("part: dgx-h100\n")
    both = tv.load(tmp_path / "machine.yaml", tmp_path / "rings.yaml")
    assert both.routes[0].nodes[:3] == ("gpu0", "gpu2", "gpu1")
    assert "data-route" in tv.render(both, highlight="mine", size="1 GB").svg()


def test_save_writes_one_file_for_each_language_and_theme(tmp_path):
    picture = tv.render(tv.load("dgx-h100"), lang=["en", "zh"], theme=["light", "dark"])
    assert [p.name for p in picture.save(tmp_path / "a.svg")] == ["a.svg", "a-dark.svg", "a-zh.svg", "a-zh-dark.svg"]


@pytest.mark.parametrize(
    ("suffix", "start"), [(".svg", b"<svg"), (".html", b"<!"), (".png", b"\x89PNG"), (".pdf", b"%PDF")]
)
def test_formats(tmp_path, suffix, start):
    (path,) = tv.render(tv.load("pcie-workstation")).save(tmp_path / f"a{suffix}")
    assert path.read_bytes().startswith(start)


def test_notebooks_see_svg():
    assert tv.render(tv.load("dgx-h100"))._repr_mimebundle_()["image/svg+xml"].startswith("<svg")


def test_the_svg_promise():
    svg = tv.render(tv.load("dgx-h100")).svg()
    assert svg.count('data-kind="gpu"') == 8
    assert 'data-source="gpu0" data-target="nvs0"' in svg
    assert 'data-links="5" data-bandwidth="125"' in svg


def test_unknown_names_are_told():
    with pytest.raises(MissingEntry, match="did you mean 'dgx-h100'"):
        tv.load("dgx-h10")


def test_an_include_may_not_leave_the_folder(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "out.yaml").write_text("part: dgx-h100\n")
    (tmp_path / "in" / "a.yaml").write_text("include: [link.yaml]\n")
    (tmp_path / "in" / "link.yaml").symlink_to(tmp_path / "out.yaml")
    with pytest.raises(tv.SpecError):
        tv.load(tmp_path / "in" / "a.yaml")


def test_own_parts_beside_the_document_come_first(tmp_path):
    (tmp_path / "catalog").mkdir()
    (tmp_path / "catalog" / "mine.yaml").write_text(
        "kind: node\ntitle: Mine\ncontains: {gpu: 3 x l40s, cpu: x86-cpu}\nwires: [{from: gpu, to: cpu, kind: pcie}]\n"
    )
    (tmp_path / "a.yaml").write_text("part: mine\n")
    assert tv.load(tmp_path / "a.yaml").count("gpu") == 3


def test_shipped_folders_exist():
    assert all(resources.shipped(kind).is_dir() for kind in ("catalog", "layouts", "themes", "lang"))


@pytest.mark.parametrize(
    ("part", "show", "drawn", "layout"),
    [
        ("dgx-h100", ["gpu[0,2]"], {"gpu0", "gpu2"}, "unknown"),
        ("superpod-h100-su", ["node[0-1]"], {"node0", "node1"}, "unknown"),
        ("nvl72-cluster", ["rack[0-1]"], {"rack0", "rack1"}, "nested"),
        ("nvl72-cluster", ["rack3"], {"rack3/tray0"}, "nvlink-rack"),
    ],
)
def test_show_draws_what_it_names_and_nothing_false(part, show, drawn, layout):
    picture = tv.render(tv.load(part), show=show)
    assert choice(picture, resources.Layouts()).layout.name == layout
    ids = {dict(item.data)["id"] for item in picture.scene().items if item.role == "node"}
    assert drawn <= ids
    assert "every GPU reaches" not in picture.svg()


@pytest.mark.parametrize("show", ["gpux", "rack0"])
def test_what_is_not_there_cannot_be_shown(show):
    with pytest.raises(tv.SpecError, match="matches nothing that could be shown"):
        tv.render(tv.load("dgx-h100"), show=show).svg()


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"found": "gone.txt"}, "'gone.txt': there is no such file"),
        ({"layout": "mig"}, "nothing here is cut by MIG, so there are no slices to draw"),
    ],
)
def test_what_cannot_be_drawn_is_one_mistake_with_a_place(keys, said):
    with pytest.raises(tv.SpecError) as caught:
        tv.render(tv.load("dgx-h100"), **keys).svg()
    (told,) = caught.value.diagnostics
    assert told.message == said
    assert told.mark.source.line(told.mark.line).startswith(next(iter(keys)))


@pytest.mark.parametrize(
    ("given", "messages"),
    [
        ("dgx-h100", []),
        ({"contain": {}}, ["unknown key 'contain'"]),
    ],
)
def test_check_takes_an_input_or_a_topology(given, messages):
    assert [one.message for one in tv.check(given)] == messages
    assert tv.check(tv.load("dgx-h100")) == []


@pytest.mark.parametrize(
    ("algorithm", "said"), [("rings", "did you mean 'ring'"), ("nonsense", "there is auto, ring, tree, nvls")]
)
def test_only_known_algorithms_are_planned(algorithm, said):
    with pytest.raises(tv.TopovizError, match=f"unknown algorithm '{algorithm}'; {said}"):
        tv.plan(tv.load("dgx-h100"), algorithm=algorithm)


def test_panels_have_findings_of_their_own():
    topology = tv.load({"pictures": [{"panels": ["dgx-h100", "dgx-a100"], "highlight": "ring", "size": "14 GB"}]})
    picture = tv.render(topology, panels=["dgx-h100", "dgx-a100"], highlight="ring", size="14 GB")
    panels = scope(picture, "en", resources.Layouts()).panels
    assert [panel.findings.estimate.bandwidth for panel in panels] == [450.0, 300.0]
    assert [(panel.number, panel.compact) for panel in panels] == [(1, True), (2, True)]


def test_opening_the_door_opens_no_room():
    code = "import sys, topoviz; print([m for m in sys.modules if m.startswith('topoviz.') or m == 'networkx'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        tv.nothing  # noqa: B018 - to look at it is the test


def test_a_file_is_written_at_once_or_not_at_all(tmp_path, monkeypatch):
    (tmp_path / "a.svg").write_bytes(b"old")
    monkeypatch.setattr(Path, "replace", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write(tmp_path / "a.svg", "new")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("a.svg", b"old")]
