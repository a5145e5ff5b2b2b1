"""Memory: what a model needs, how many GPUs that takes, and what the picture of it says."""

import pytest

import topoviz as tv
from topoviz.drawing.audit import audit
from topoviz.drawing.scene import Box, Text
from topoviz.jobs.memory import fit
from topoviz.jobs.pouring import poured
from topoviz.model.findings import Filling

BIG = {"params": "70 B", "use": ["inference", "training"]}
TWO_SERVERS = {"contains": {"node": "2 x dgx-h100"}}


def fitted(part="h100-sxm", model=BIG, job=None, **document):
    base = document or {"part": part}
    return fit(tv.load({**base, "model": model, **({"job": job} if job else {})}))


def use_of(memory, word):
    return next(use for use in memory.uses if use.use == word)


def scene(document, **keys):
    return tv.render(tv.load(document), **{"layout": "memory", **keys}).scene()


def texts(drawn):
    return [shape.content for item in drawn.items for shape in item.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize(
    ("part", "word", "needed", "at_least"),
    [
        ("h100-sxm", "inference", 140, 2),
        ("h100-sxm", "training", 1120, 14),
        ("l40s", "inference", 140, 3),
        ("l40s", "training", 1120, 24),
        ("h200-sxm", "inference", 140, 1),
        ("h200-sxm", "training", 1120, 8),
    ],
)
def test_bytes_and_gpus_of_70_billion_parameters(part, word, needed, at_least):
    use = use_of(fitted(part), word)
    assert (use.needed / 1e9, use.gpus_at_least) == (needed, at_least)


@pytest.mark.parametrize(
    ("part", "model", "fits"),
    [
        ("h100-sxm", {"params": "40 B", "use": "inference"}, True),  # exactly full
        ("h100-sxm", {"params": "41 B", "use": "inference"}, False),
        ("dgx-h100", {"params": "40 B", "use": "training"}, True),
        ("dgx-h100", {"params": "41 B", "use": "training"}, False),
        ("gb200-nvl72", BIG, True),
    ],
)
def test_it_fits_up_to_the_last_byte(part, model, fits):
    assert fitted(part, model).fits is fits


def test_without_a_use_both_are_answered():
    assert [use.use for use in fitted(model={"params": "7 B"}).uses] == ["inference", "training"]


def test_parts_of_training_are_two_two_and_three_times_four_bytes():
    parts = use_of(fitted(), "training").fillings
    assert [(part.name, part.each) for part in parts] == [
        ("weights", 2), ("gradients", 2), ("master", 4), ("momentum", 4), ("variance", 4),
    ]  # fmt: skip


def test_bytes_of_an_element_are_an_input():
    use = use_of(fitted(model={"params": "70 B", "bytes": {"weights": 1, "optimizer": 6}}), "training")
    assert use.needed == 70e9 * (1 + 2 + 6)
    assert [part.name for part in use.fillings] == ["weights", "gradients", "optimizer"]


@pytest.mark.parametrize(
    ("job", "each"),
    [
        ({"tp": 8, "pp": 2}, 70.0),
        ({"fsdp": 16}, 70.0),
        ({"fsdp": 8, "dp": 2}, 140.0),
        ({"dp": 16}, 1120.0),
        ({"tp": 1}, 1120.0),  # what is left of the GPUs holds copies, said or not
        ({"tp": 8}, 140.0),
        ({"micro_batch": 1}, 70.0),  # no degree: one copy on all
        (None, 70.0),
    ],
)
def test_degrees_of_a_job_divide_the_state_and_copies_do_not(job, each):
    use = use_of(fitted(job=job, **TWO_SERVERS), "training")
    assert [(tank.count, tank.filled / 1e9) for tank in use.tanks] == [(16, each)]
    assert use.fits is (each <= 80)


@pytest.mark.parametrize(
    ("job", "copies", "said"),
    [
        (None, 1, "One copy, split over the GPUs (ZeRO-3, FSDP, tensor or pipeline parallel)."),
        ({"tp": 8, "pp": 2}, 1, "One copy, split over 16 GPUs: tp 8, pp 2."),
        ({"tp": 8}, 2, "2 copies, each split over 8 GPUs: tp 8, dp 2."),
        ({"tp": 1}, 16, "16 copies, one whole on each GPU: dp 16."),
    ],
)
def test_copies_are_counted_and_said(job, copies, said):
    document = {**TWO_SERVERS, "model": BIG, **({"job": job} if job else {})}
    assert {use.copies for use in fit(tv.load(document)).uses} == {copies}
    assert said in texts(scene(document))


def test_a_layout_that_fills_too_much_is_not_called_too_few_gpus():
    said = texts(scene({**TWO_SERVERS, "model": BIG, "job": {"tp": 8}}))
    assert "70 billion parameters: 16 × H100 can run it and cannot train it (tp 8, dp 2)" in said
    assert not any("not enough" in one for one in said)


def test_gpus_of_two_sorts_are_named_each_with_its_memory():
    said = texts(scene({"contains": {"a": "4 x h100-sxm", "b": "4 x l40s"}, "model": BIG}))
    assert {"4 × H100, 80 GB + 4 × L40S, 48 GB", "17.5 GB on each: 48 GB is the smallest memory"} <= set(said)


def test_activations_and_kv_are_counted_where_the_document_says_enough():
    model = {**BIG, "layers": 80, "hidden": 8192, "kv_hidden": 2048, "sequence": 4096}
    memory = fitted(model=model, job={"micro_batch": 2}, part="dgx-h100")
    last = {use.use: use.fillings[-1] for use in memory.uses}
    assert (last["inference"].name, last["inference"].bytes) == ("kv", 80 * 2048 * 4096 * 2 * 2)
    assert (last["training"].name, last["training"].bytes) == ("activations", 80 * 8192 * 4096 * 2 * 2)


def test_what_is_not_said_is_not_guessed():
    assert use_of(fitted(), "inference").unknown == (("kv", ("layers", "kv_hidden", "sequence", "micro_batch")),)


def test_the_smallest_memory_decides():
    memory = fitted(contains={"a": "4 x h100-sxm", "b": "4 x l40s"}, model={"params": "70 B", "use": "training"})
    assert (memory.per_gpu, memory.memory, len(memory.uses[0].tanks)) == (48e9, 512e9, 2)


def test_ranks_say_who_holds_it():
    topology = tv.load({"part": "dgx-h100", "model": BIG})
    assert fit(topology, ["gpu0", "gpu1"]).gpus == 2


@pytest.mark.parametrize("document", [{"part": "dgx-h100"}, {"part": "dgx-h100", "model": {"layers": 4}}])
def test_without_parameters_there_is_no_answer(document):
    assert fit(tv.load(document)) is None


def test_pouring_loses_nothing_and_overfills_nobody():
    parts = [Filling(name=str(i), bytes=size * 1e9) for i, size in enumerate((3.5, 81, 0.25, 240, 7))]
    tanks = poured(parts, 80e9)
    assert sum(tank.count * tank.filled for tank in tanks) == pytest.approx(331.75e9)
    assert max(tank.filled for tank in tanks) <= 80e9 + 1
    assert sum(tank.count for tank in tanks) == 5


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"part": "h100-sxm"}, "needs a model"),
        ({"part": "h100-sxm", "model": {"layers": 3}}, "needs the parameters of the model"),
        ({"contains": {"gpu": {"kind": "gpu", "count": 2}}, "model": BIG}, "that of gpu is not stated"),
        ({"contains": {"cpu": {"kind": "cpu", "count": 2}}, "model": BIG}, "there is none that is up"),
        ({"part": "l40s", "model": {"params": "7 B", "use": "inference", "bytes": {"weights": 0}}}, "has nothing to fill"),
    ],
)  # fmt: skip
def test_what_is_missing_is_told_with_its_place(document, said):
    with pytest.raises(tv.SpecError, match=said) as caught:
        scene(document)
    (told,) = caught.value.diagnostics
    assert told.mark.source.line(told.mark.line).startswith("layout")


def test_an_overlay_without_tanks_is_a_warning():
    picture = tv.render(tv.load({"part": "dgx-h100", "model": BIG}), layout="nvswitch-server", overlay="memory")
    assert [one.message for one in picture.warnings] == [
        "overlay memory is not drawn: the layout 'nvswitch-server' has no tanks"
    ]


def test_the_overlay_alone_chooses_the_layout():
    drawn = tv.render(tv.load({"part": "dgx-h100", "model": BIG}), overlay="memory").scene()
    assert drawn.title == "70 billion parameters: 8 × H100 can run it and cannot train it"


@pytest.mark.parametrize(
    "said",
    ["70 × 10⁹ parameters × 2 bytes = 140 GB", "70 × 10⁹ parameters × 16 bytes = 1,120 GB", "1,120 GB ÷ 80 GB = 14",
     "1 × H100 is not enough", "2 × H100, 80 GB each", "exactly full: 0 GB left", "too much", "room"],
)  # fmt: skip
def test_the_picture_says_the_sum_the_division_and_the_answer(said):
    assert said in texts(scene({"part": "h100-sxm", "model": BIG}))


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{model}", "70 billion parameters"),
        ("{weights}, {gradients}, {optimizer}", "140 GB, 140 GB, 840 GB"),
        ("{verdict}", "2 × H100 to run it, 14 × H100 or more to train it"),
        ("{kv} of cache", ""),
        ("{unknown}", "Not counted: KV cache, activations (needs layers, kv_hidden, sequence, micro_batch, hidden)"),
    ],
)
def test_fields_of_the_model(template, said):
    assert (said in texts(scene({"part": "h100-sxm", "model": BIG}, subtitle=template))) is bool(said)


def test_bars_of_the_parts_of_a_model_are_one_bar():
    asked = {"layout": "bars", "table": ["weights", "gradients", "optimizer"]}
    drawn = scene({"part": "h100-sxm", "model": BIG}, **asked)
    widths = [s.width for item in drawn.items for s in item.shapes if isinstance(s, Box) and s.height == 32]
    assert [round(width / widths[0], 2) for width in widths] == [1, 1, 2, 2, 2]


def test_heights_are_in_one_scale():
    drawn = scene({"part": "h100-sxm", "model": {"params": "70 B", "use": "inference"}}, panels=["h100-sxm", "l40s"])
    boxes = [s for item in drawn.items for s in item.shapes if isinstance(s, Box) and s.stroke == "ink2"]
    assert {round(box.height / 1.4) for box in boxes} == {80, 48}


def test_a_fill_is_as_high_as_its_share():
    drawn = scene({"part": "dgx-h100", "model": {"params": "70 B", "use": "inference"}})
    tanks = [s for item in drawn.items for s in item.shapes if isinstance(s, Box) and s.stroke == "ink2"]
    fills = [s for item in drawn.items for s in item.shapes if isinstance(s, Box) and s.fill == "gpu"]
    assert len(tanks) == len(fills) == 8
    assert fills[0].height / (tanks[0].height - 5) == pytest.approx(17.5 / 80)


def test_many_equal_gpus_are_one_stack_with_their_number():
    assert "× 248" in texts(scene({"part": "superpod-h100", "model": BIG}))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("document", "panels"),
    [
        ({"part": "h100-sxm", "model": BIG}, []),
        ({"part": "h100-sxm", "model": BIG}, ["h100-sxm", "l40s", "h200-sxm", "gb200-nvl72"]),
        ({"part": "dgx-h100", "model": BIG}, []),
        ({"part": "superpod-h100", "model": {"params": "1.8 T"}}, []),
        ({"part": "dgx-a100", "model": {"params": "10000 B"}}, []),
        ({**TWO_SERVERS, "model": {**BIG, "layers": 80, "hidden": 8192, "sequence": 4096}, "job": {"fsdp": 8, "dp": 2, "micro_batch": 1}}, []),
    ],
)  # fmt: skip
def test_nothing_meets_or_leaves_its_box(document, panels, lang):
    assert audit(scene(document, lang=lang, **({"panels": panels} if panels else {}))) == ()
