"""NCCL topology XML through a reader that takes what NCCL's own takes, sign by sign, and nothing else."""

from dataclasses import dataclass, field

import pytest

import topoviz as tv
from topoviz import registry
from topoviz.errors import TopovizError
from topoviz.exporters.nccl_xml import write

LONGEST, MOST_ATTRIBUTES, MOST_BELOW, MOST_NODES = 254, 16, 128, 1024  # of the versions with the narrowest limits
INSIDE = {  # element -> what NCCL looks for in it; everything else is left out by it
    "": {"system"},
    "system": {"cpu"},
    "cpu": {"pci", "nic"},
    "pci": {"pci", "gpu", "nic", "pcilink"},
    "gpu": {"nvlink", "c2c"},
    "nic": {"net"},
}
NEEDED = {  # attributes without which NCCL stops; sm and rank it fills in itself on the machine
    "system": {"version"},
    "cpu": {"numaid"},
    "pci": {"busid", "class", "link_speed", "link_width"},
    "gpu": {"dev", "gdr"},
    "nvlink": {"target", "count", "tclass"},
    "c2c": {"count"},
    "net": {"dev", "name"},
}
SPEEDS = {"", *(f"{rate} GT/s PCIe" for rate in ("2.5", "5.0", "8.0", "16.0", "32.0", "64.0"))}
CLASSES = ("0x060400", "0x068000", "0x03", "0x02")
SYSTEMS = ["dgx-h100", "dgx-a100", "dgx-1v", "l40s-server", "hgx-h100", "dgx-b200", "gb200-tray"]
NASTY = {
    "title": 'a "quoted" <title> & more',
    "contains": {
        "cpu": "2 x xeon-spr",
        "gpu": {"part": "h100-sxm", "names": ["机器", "x" * 90]},
        "nic": {"part": "connectx-7", "names": ["卡.例"]},
    },
    "wires": [
        {"from": ["gpu", "nic"], "to": "cpu0", "kind": "pcie"},
        {"from": "gpu", "kind": "nvlink", "rule": "mesh"},
    ],
}


class RefusedError(Exception):
    """What NCCL would warn of before it gives up."""


@dataclass
class Node:
    name: str
    attributes: dict = field(default_factory=dict)
    below: list = field(default_factory=list)

    def every(self):
        yield self
        for one in self.below:
            yield from one.every()


class Reader:
    """The rules of NCCL's parser: one blank between attributes, quotes round values, no prolog, no entities, no text."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def sign(self):
        if self.at >= len(self.text):
            raise RefusedError("Unexpected EOF")
        self.at += 1
        return self.text[self.at - 1]

    def token(self):
        """A name up to the sign that ends it; with a value if that is an equals sign."""
        said = ""
        while (sign := self.sign()) not in " >/\n\r":
            if sign == "=":
                return said, self.value(), self.sign()
            said += sign
            if len(said) > LONGEST:
                raise RefusedError(f"name {said} too long")
        return said, None, sign

    def value(self):
        if self.sign() != '"':
            raise RefusedError("Expected double quote")
        end = self.text.find('"', self.at)
        said, self.at = self.text[self.at : end], end + 1
        if end < 0 or len(said.encode()) > LONGEST:
            raise RefusedError("value too long")
        return said

    def node(self):
        """The next element: its kind (open, close, single) and itself; nothing at the end."""
        while self.at < len(self.text) and self.text[self.at] in " \n\r":
            self.at += 1
        if self.at == len(self.text):
            return "", None
        if self.sign() != "<":
            raise RefusedError("expecting '<'")
        name, _, last = self.token()
        if not name and last == "/":
            name, _, last = self.token()
            return "close", Node(name)
        found = Node(name)
        while last == " ":
            key, value, last = self.token()
            found.attributes[key] = value
        if len(found.attributes) > MOST_ATTRIBUTES:
            raise RefusedError("too many attributes")
        kind = "single" if last == "/" else "open"
        if kind == "single":
            _, _, last = self.token()
        if last != ">":
            raise RefusedError(f"expected >, got {last!r}")
        return kind, found

    def below(self, head):
        while True:
            kind, found = self.node()
            if not kind:
                if head.name:
                    raise RefusedError(f"unterminated {head.name}")
                return head
            if kind == "close":
                if found.name != head.name:
                    raise RefusedError(f"XML Mismatch : {head.name} / {found.name}")
                return head
            if len(head.below) == MOST_BELOW:
                raise RefusedError("too many subnodes")
            head.below.append(found)
            if kind == "open":
                self.below(found)


def read(text):
    (system,) = Reader(text).below(Node("")).below
    if len(list(system.every())) > MOST_NODES:
        raise RefusedError("too many nodes")
    return system


def written(document):
    return registry.get("topoviz.exporters", "nccl-xml").write(tv.load(document))


@pytest.fixture(scope="module", params=[*SYSTEMS, NASTY], ids=[*SYSTEMS, "odd-names"])
def system(request):
    return read(written(request.param))


def test_every_element_stands_where_nccl_looks_for_it(system):
    assert system.name in INSIDE[""]
    for one in system.every():
        allowed = INSIDE.get(one.name, set())
        assert {below.name for below in one.below} <= allowed | ({"xgmi"} if one.name == "gpu" else set())


def test_no_attribute_is_missing_without_which_nccl_stops(system):
    for one in system.every():
        assert set(one.attributes) >= NEEDED.get(one.name, set()), one


def test_words_are_those_of_nccls_tables(system):
    for one in system.every():
        if one.name == "pci":
            assert one.attributes["link_speed"] in SPEEDS
            assert one.attributes["class"].startswith(CLASSES)
            assert one.attributes["link_width"].isdecimal()
        if one.name == "cpu":
            assert one.attributes.get("arch", "x86_64") in {"x86_64", "arm64", "ppc64"}
            assert one.attributes.get("vendor", "GenuineIntel") in {"GenuineIntel", "AuthenticAMD", "ARM"}


def test_addresses_are_addresses_and_each_is_there_once(system):
    seen = [one.attributes["busid"] for one in system.every() if one.name == "pci"]
    assert len(set(seen)) == len(seen)
    for one in seen:
        domain, bus, rest = one.split(":")
        assert (len(domain), len(bus), len(rest)) == (4, 2, 4)
        assert int(domain, 16) + int(bus, 16) + int(rest.replace(".", ""), 16) >= 0


def test_nvlinks_lead_to_a_gpu_of_the_file_or_to_a_switch(system):
    gpus = {one.attributes["busid"] for one in system.every() if one.below and one.below[0].name == "gpu"}
    for one in system.every():
        if one.name == "nvlink":
            to_gpu = one.attributes["target"] in gpus
            assert one.attributes["tclass"] == ("0x030200" if to_gpu else "0x068000")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('<?xml version="1.0"?>\n<system version="1"></system>', "expected >"),
        ("<system version='1'></system>", "double quote"),
        ('<system  version="1"><cpu></system>', "Mismatch"),
        ('<system version="1">text</system>', "expecting '<'"),
        ('<system version="1"><cpu numaid="0"/>', "unterminated"),
        (f'<system version="{"1" * 300}"></system>', "too long"),
        ('<system version="1">' + "<cpu/>" * 129 + "</system>", "too many subnodes"),
    ],
)
def test_the_reader_of_these_tests_refuses_what_nccl_refuses(text, said):
    with pytest.raises(RefusedError, match=said):
        read(text)


def test_more_than_the_reader_takes_is_an_error_here():
    crowd = {"contains": {"cpu": "cpu", "gpu": "130 x gpu"}, "wires": [{"from": "gpu", "to": "cpu", "kind": "pcie"}]}
    with pytest.raises(TopovizError, match="130 elements"):
        written(crowd)


@pytest.mark.parametrize(
    ("machine", "hosts", "part"),
    [("superpod-h100-su", 32, "dgx-h100"), ("gb200-nvl72", 18, "gb200-tray"), ("superpod-gb200-su", 144, "gb200-tray")],
)
def test_several_hosts_are_counted_and_one_of_them_is_offered(machine, hosts, part):
    with pytest.raises(TopovizError, match=f"there are {hosts}\n.*topoviz export {part} --to nccl-xml"):
        write(tv.load(machine))


def test_a_server_without_gpus_is_no_host_of_nccl():
    head = {"kind": "node", "contains": {"cpu": "cpu"}}
    assert write(tv.load({"contains": {"head": head, "node": "1 x dgx-h100"}})).count("<gpu ") == 8


def test_hosts_without_a_part_are_to_be_written_down():
    node = {"kind": "node", "contains": {"gpu": "2 x gpu"}, "count": 2}
    with pytest.raises(TopovizError, match="write one of them into a document of its own"):
        write(tv.load({"contains": {"node": node}}))
