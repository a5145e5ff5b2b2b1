"""Units: what is read, what is refused with which hint, what is written."""

from __future__ import annotations

import pytest

from topoviz.model import units


@pytest.mark.parametrize(
    ("written", "line", "nccl", "link"),
    [
        ("50 GB/s", 50, 50, ""), ("50 GB/s per direction", 50, 50, ""), ("100 GB/s both directions", 50, 50, ""), ("1.8 TB/s both directions", 900, 900, ""),
        ("400 Gb/s", 50, 50, ""), ("400Gbps", 50, 50, ""), ("400 Gbit/s", 50, 50, ""), ("50 GBps", 50, 50, ""), ("400 gbps", 50, 50, ""),
        ("1 GiB/s", 1.073741824, 1.073741824, ""), ("500 MB/s", 0.5, 0.5, ""),
        ("NVLink 1", 20, 18, "NVLink 1"), ("NVLink 2", 25, 20, "NVLink 2"), ("NVLink 3", 25, 20, "NVLink 3"), ("NVLink 4", 25, 20.6, "NVLink 4"),
        ("NVLink 5", 50, 40.1, "NVLink 5"), ("NVLink 6", 50, 40.1, "NVLink 6"), ("NVLink4", 25, 20.6, "NVLink 4"),
        ("PCIe 3.0 x16", 16, 12, "PCIe 3.0 x16"), ("PCIe 4.0 x16", 32, 24, "PCIe 4.0 x16"), ("PCIe 5.0 x16", 64, 48, "PCIe 5.0 x16"),
        ("PCIe 6.0 x16", 128, 96, "PCIe 6.0 x16"), ("PCIe 5.0 x8", 32, 24, "PCIe 5.0 x8"), ("PCIe Gen5 x16", 64, 48, "PCIe 5.0 x16"),
        ("PCIe 4.0 x1", 2, 1.5, "PCIe 4.0 x1"), ("EDR", 12.5, 12.5, "EDR"), ("HDR", 25, 25, "HDR"), ("NDR", 50, 50, "NDR"), ("XDR", 100, 100, "XDR"),
        ("400GbE", 50, 50, "400GbE"), ("100 GbE", 12.5, 12.5, "100GbE"), ("1GbE", 0.125, 0.125, "1GbE"),
        ("QPI", None, None, "QPI"), ("UPI", None, None, "UPI"), ("xGMI", None, None, "xGMI"),
    ],
)  # fmt: skip
def test_rates(written: str, line: float | None, nccl: float | None, link: str) -> None:
    rate = units.rate(written)
    assert (rate.line, rate.nccl, rate.link, rate.written) == (line, nccl, link, written)


@pytest.mark.parametrize(
    ("written", "message", "hint"),
    [
        (50, "bandwidth 50 has no unit", "50 GB/s, 50 Gb/s, or the name of a link such as NVLink 4"),
        (400, "bandwidth 400 has no unit", "400 Gb/s are 50 GB/s"),
        ("400G", "bandwidth '400G' has no unit that topoviz knows", "400 Gb/s are 50 GB/s; 400 GB/s are 3200 Gb/s"),
        (
            "50 gb/s",
            "bandwidth '50 gb/s' has no unit that topoviz knows",
            "50 Gb/s are 6.25 GB/s; 50 GB/s are 400 Gb/s",
        ),
        (
            "1.8 TB/s bidirectional",
            "bandwidth '1.8 TB/s bidirectional' has a word that topoviz does not know",
            "write 1.8 TB/s both directions",
        ),
        ("NVLink 7", "unknown link 'NVLink 7'", "NVLink 1 … NVLink 6 are known; give a number instead: 100 GB/s"),
        ("PCIe 5.0", "unknown link 'PCIe 5.0'", "PCIe has x1, x2, x4, x8 and x16"),
        ("NVLnk 4", "unknown link 'NVLnk 4'", "did you mean 'NVLink 4'?"),
        ("fast", "unknown link 'fast'", "50 GB/s, 400 Gb/s, or the name of a link such as NVLink 4"),
        ("0 GB/s", "bandwidth '0 GB/s' is not a rate above 0", ""),
    ],
)
def test_rates_refused(written: str | float, message: str, hint: str) -> None:
    with pytest.raises(units.UnreadableError) as wrong:
        units.rate(written)
    assert (str(wrong.value), wrong.value.hint) == (message, hint)


@pytest.mark.parametrize(
    ("written", "read"), [("14 GB", 14e9), ("14GiB", 14 * 2**30), ("80 B", 80), ("1.5 TB", 1.5e12), ("512 MB", 512e6)]
)
def test_sizes(written: str, read: float) -> None:
    assert units.size(written) == read


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        (14, "14 GB, 14 GiB"),
        ("14 Gb", "14 Gb are 1.75 GB"),
        ("14 megabytes", "14 MB"),
        ("14G", "14 GB"),
        ("much", "14 GB, 14 GiB"),
        ("0 GB", ""),
    ],
)
def test_sizes_refused(written: str | float, hint: str) -> None:
    with pytest.raises(units.UnreadableError) as wrong:
        units.size(written)
    assert wrong.value.hint == hint


@pytest.mark.parametrize(
    ("written", "read"), [(70e9, 70e9), ("70 B", 70e9), ("350 M", 350e6), ("1.5 T", 1.5e12), ("7e9", 7e9)]
)
def test_parameters(written: str | float, read: float) -> None:
    assert units.parameters(written) == read


@pytest.mark.parametrize("written", ["70 GB", "many", 0, -1, "70 b", 1e30])
def test_parameters_refused(written: str | float) -> None:
    with pytest.raises(units.UnreadableError):
        units.parameters(written)


def test_measured_is_a_share_or_a_rate() -> None:
    rate = units.share("370 GB/s")
    assert units.share("82 %") == units.share("82%") == 0.82
    assert not isinstance(rate, float)
    assert rate.line == 370


@pytest.mark.parametrize("written", [0.82, 82, "120 %", "0 %", "much"])
def test_measured_refused(written: str | float) -> None:
    with pytest.raises(units.UnreadableError):
        units.share(written)


@pytest.mark.parametrize(
    ("value", "written"),
    [(450, "450 GB/s"), (900, "900 GB/s"), (3600, "3.6 TB/s"), (64_800, "64.8 TB/s"), (129_600, "130 TB/s"), (999.6, "1 TB/s"), (0.125, "125 MB/s"), (31.51, "31.5 GB/s")],
)  # fmt: skip
def test_rates_as_text(value: float, written: str) -> None:
    assert units.rate_text(value) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [(24.5e9, "24.5 GB"), (14e9, "14 GB"), (1.75e9, "1.75 GB"), (512, "512 B"), (140e9, "140 GB"), (1e12, "1 TB")],
)
def test_sizes_as_text(value: float, written: str) -> None:
    assert units.size_text(value) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.0544444, "54 ms"),
        (0.765625, "766 ms"),
        (0.0272222, "27 ms"),
        (1.53, "1.5 s"),
        (0.0081, "8.1 ms"),
        (5e-6, "5 µs"),
        (62, "62 s"),
        (0.0009999, "1 ms"),
    ],
)
def test_times_as_text(value: float, written: str) -> None:
    assert units.seconds_text(value) == written


@pytest.mark.parametrize(
    ("value", "written"), [(999, "999"), (1000, "1,000"), (16384, "16,384"), (5.25, "5.25"), (5.0, "5")]
)
def test_numbers_as_text(value: float, written: str) -> None:
    assert units.number(value) == written


def test_every_link_name_reads_as_itself() -> None:
    assert [units.rate(name).link for name in units.links()] == list(units.links())
