"""The picture in words: what could replace it, and every drawn link in a table."""

import pytest

import topoviz as tv


def text(name, **keys):
    return tv.render(tv.load(name), **keys).text(".txt")


@pytest.mark.parametrize("name", ["dgx-h100", "gb200-nvl72", "l40s-server", "superpod-h100"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_drawn_link_is_a_row(name, lang):
    picture = tv.render(tv.load(name), lang=lang)
    drawn = [data for i in picture.scene().items if i.role == "link" and "source" in (data := dict(i.data))]
    lines = picture.text(".txt").splitlines()
    rows = [line.split()[:2] for line in lines]
    assert all([one["source"], one["target"]] in rows for one in drawn)
    assert picture.scene().description in lines


def test_rates_stand_beside_their_links():
    row = next(line.split() for line in text("dgx-h100").splitlines() if line.startswith("gpu0 ") and " nvs0 " in line)
    assert row == ["gpu0", "nvs0", "nvlink", "5", "125"]


def test_a_highlighted_way_is_told():
    assert "gpu0 → gpu1" in text("dgx-h100", highlight="ring")


def test_it_is_saved_by_its_suffix(tmp_path):
    (file,) = tv.render(tv.load("dgx-h100")).save(tmp_path / "a.txt")
    assert file.read_text(encoding="utf-8").startswith("DGX H100")


@pytest.mark.parametrize(
    ("algorithm", "lang", "said"),
    [
        ("ring", "en", "Ring all-reduce over 8 GPUs: gpu0 → gpu1"),
        ("tree", "en", "Double binary tree all-reduce over 8 GPUs"),
        ("nvls", "en", "All-reduce over 8 GPUs with the switches reducing (NVLS)"),
        ("tree", "zh", "双二叉树 all-reduce"),
    ],
)
def test_the_description_names_the_algorithm(algorithm, lang, said):
    words = text("dgx-h100", highlight={"algorithm": algorithm}, lang=lang)
    assert said in words
    assert algorithm == "ring" or not {"Ring ", "环形"} & {words[i : i + 5] for i in range(len(words))}


def test_several_rings_are_told_together():
    two = {
        "contains": {"node": "2 x dgx-h100", "leaf": "8 x qm9700"},
        "wires": [{"from": "node/nic", "to": "leaf", "kind": "infiniband", "rule": "rail"}],
    }
    words = tv.render(tv.load(two), highlight="ring").scene().description
    assert "in 8 rings, one of them node0/gpu0" in words
    assert "400 GB/s per direction in all" in words


def test_the_description_of_memory_says_whether_it_fits():
    model = {"params": "70 B", "use": ["inference", "training"]}
    words = tv.render(tv.load({"part": "dgx-h100", "model": model}), layout="memory").text(".txt")
    assert "70 billion parameters: 8 × H100 can run it and cannot train it." in words
    assert "70 × 10⁹ parameters × 16 bytes = 1,120 GB" in words


@pytest.mark.parametrize("title", ["{gpu.count} GPUs", "{part}: {gpu.count} GPUs"])
def test_a_title_with_fields_is_filled_in_every_word_of_the_picture(title):
    picture = tv.render(tv.load({"part": "dgx-h100", "title": title}))
    assert "8 GPUs" in picture.scene().description
    assert "{" not in picture.svg().split("</style>")[-1].replace("{}", "")
