"""Systems that nobody built, from a seed: servers, meshes, tori, clusters and racks, with odd names and odd wiring.

Ranges: 1 to 16 GPUs in a server, 1 to 4 CPUs, 0 to 16 PCIe switches, 0 to 72 network cards,
0 to 6 NVSwitches that reach some of the GPUs; meshes of 2 to 12 GPUs with 1 to 4 links a pair;
tori of 4 to 216; 1 to 200 servers on one switch or on a fabric that is counted out; racks of
1 to 20 trays, alone or several; up to three changes that break something.
"""

from __future__ import annotations

import random
from typing import Any

Dice = random.Random
Body = dict[str, Any]

TITLES = ["", "gpu-node", "a-title-of-forty-characters-without-end-", "训练节点", "Rechner-Ä", "A machine with a name of eighty "
          "characters that a person wrote in one long breath"]  # fmt: skip
NAMES = {  # what things of a kind may be called in a document
    "gpu": ["gpu", "gpu", "gpu", "accelerator-of-forty-characters-in-all-x", "加速卡", "toaster", "g"],
    "cpu": ["cpu", "cpu", "cpu", "socket", "处理器", "host-processor-with-a-name-of-forty-char"],
    "pcie": ["sw", "sw", "plx", "交换", "pcie-switch-with-a-name-of-forty-charact"],
    "nic": ["nic", "nic", "mlx5_", "网卡", "network-card-with-a-name-of-forty-charac"],
    "nvswitch": ["nvs", "nvs", "crumb", "交换芯片"],
}
PCIE = ["PCIe 3.0 x16", "PCIe 4.0 x16", "PCIe 5.0 x16", "PCIe 5.0 x8"]
NVLINKS = ["NVLink 2", "NVLink 3", "NVLink 4", "NVLink 5"]
GPUS = ["h100-sxm", "l40s", "b200", "a100-sxm-80gb", "v100-sxm"]
SERVERS = ["dgx-h100", "hgx-h100", "dgx-b200", "dgx-a100"]


def system(seed: int) -> tuple[str, Body]:
    """Return the sort of a system and its document."""
    dice = random.Random(seed)
    sort = dice.choice(SORTS)
    document = sort(dice)
    return sort.__name__, {"title": f"{dice.choice(TITLES)} {seed}".strip(), **document}


def _things(dice: Dice, counts: dict[str, int]) -> tuple[Body, dict[str, list[str]]]:
    """Return ``contains`` and the names of all things by kind."""
    contains: Body = {}
    names: dict[str, list[str]] = {}
    for kind, count in counts.items():
        names[kind] = []
        if not count:
            continue
        word = dice.choice(NAMES[kind])
        contains[word] = {"kind": kind, "count": count}
        names[kind] = [word] if count == 1 else [f"{word}{i}" for i in range(count)]
    return contains, names


def _broken(dice: Dice, wires: list[Body], names: list[str]) -> list[Body]:
    """Return up to three changes: a thing that is down, links that are gone or slow."""
    found: list[Body] = []
    if dice.random() < 0.7:
        return found
    things = dice.sample(names, min(len(names), dice.randint(1, 2)))
    states = [{"state": "down"}, {"state": "degraded"}, {"state": "spare"}, {"absent": True}]
    found += [{"at": thing, **dice.choice(states)} for thing in things]
    gone = {one["at"] for one in found}
    plain = [w for w in wires if "rule" not in w and not gone & {w["from"], w.get("to")}]
    for wire in dice.sample(plain, min(len(plain), 1)):
        lost = {"bandwidth": "1 GB/s"} if wire.get("links", 1) < 2 else {"links": 1}
        found.append({"link": [wire["from"], wire["to"]], **dice.choice([lost, {"state": "down"}])})
    return found


def server(dice: Dice) -> Body:
    """Return CPUs, PCIe switches, GPUs and cards hung anywhere, and NVSwitches that reach some of the GPUs."""
    counts = {
        "gpu": dice.randint(1, 16),
        "cpu": dice.randint(1, 4),
        "pcie": dice.choice([0, 0, 1, 2, 4, 8, 16]),
        "nic": dice.choice([0, 1, 2, 4, 8, 8, 16, 72]),
        "nvswitch": dice.choice([0, 0, 1, 2, 4, 6]),
    }
    contains, names = _things(dice, counts)
    rate = dice.choice(PCIE)
    hosts = names["cpu"] + names["pcie"]
    wires = [_host(name, dice.choice(names["cpu"]), rate) for name in names["pcie"]]
    wires += [_host(name, dice.choice(hosts), rate) for name in (*names["gpu"], *names["nic"])]
    wires += [_second(dice, names, rate) for _ in range(dice.choice([0, 0, 1])) if names["nic"] and names["pcie"]]
    if len(names["cpu"]) > 1:
        wires.append({"from": _group(names["cpu"]), "kind": "upi", "rule": "mesh", "links": dice.randint(1, 3)})
    wires += _some_reach(dice, names)
    return {
        "contains": contains,
        "wires": wires,
        "changes": _broken(dice, wires, [one for mine in names.values() for one in mine]),
    }


def _group(names: list[str]) -> str:
    return names[0].rstrip("0123456789") if len(names) > 1 else names[0]


def _host(name: str, host: str, rate: str) -> Body:
    return {"from": name, "to": host, "kind": "pcie", "bandwidth": rate}


def _second(dice: Dice, names: dict[str, list[str]], rate: str) -> Body:
    """Return one more way to the host: a card with two feet, as multi-host cards have."""
    return _host(dice.choice(names["nic"]), dice.choice(names["cpu"] + names["pcie"]), rate)


def _some_reach(dice: Dice, names: dict[str, list[str]]) -> list[Body]:
    """Return NVLink from some or all GPUs to each chip; some GPUs may have none."""
    link, every = dice.choice(NVLINKS), dice.random() < 0.5
    wires = []
    for chip in names["nvswitch"]:
        gpus = names["gpu"] if every else sorted(dice.sample(names["gpu"], dice.randint(1, len(names["gpu"]))))
        wires += [
            {"from": gpu, "to": chip, "kind": "nvlink", "links": dice.randint(1, 6), "bandwidth": link} for gpu in gpus
        ]
    return wires


def lonely(dice: Dice) -> Body:
    """Return very little: one GPU, no links, or a handful of things that nothing joins."""
    counts = {"gpu": dice.choice([1, 1, 2, 5]), "cpu": dice.choice([0, 0, 1, 3]), "nic": dice.choice([0, 0, 1, 72])}
    contains, names = _things(dice, counts)
    wires = [_host(names["gpu"][0], names["cpu"][0], "PCIe 4.0 x16")] if names["cpu"] and dice.random() < 0.4 else []
    return {"contains": contains, "wires": wires}


def mesh(dice: Dice) -> Body:
    """Return GPUs with direct links of uneven number, whole or in pieces, with or without a host."""
    gpus = dice.randint(2, 12)
    contains, names = _things(dice, {"gpu": gpus, "cpu": dice.choice([0, 0, 1, 2, 3])})
    link, share = dice.choice(NVLINKS), dice.choice([0.2, 0.5, 1.0])
    mine = names["gpu"]
    pairs = [(a, b) for n, a in enumerate(mine) for b in mine[n + 1 :] if dice.random() < share]
    wires: list[Body] = [
        {"from": a, "to": b, "kind": "nvlink", "links": dice.randint(1, 4), "bandwidth": link} for a, b in pairs
    ]
    if names["cpu"]:
        wires += [_host(name, names["cpu"][n % len(names["cpu"])], "PCIe 4.0 x16") for n, name in enumerate(mine)]
    return {"contains": contains, "wires": wires, "changes": _broken(dice, wires, mine)}


def torus(dice: Dice) -> Body:
    """Return GPUs in a grid of two or three dimensions."""
    shape = [dice.randint(2, 6) for _ in range(dice.choice([2, 2, 3]))]
    count = 1
    for side in shape:
        count *= side
    wires = [{"from": "gpu", "kind": "ici", "rule": "torus", "shape": shape, "bandwidth": "100 GB/s"}]
    return {"contains": {"gpu": {"kind": "gpu", "count": count}}, "wires": wires}


def cluster(dice: Dice) -> Body:
    """Return servers on a fabric that is counted out, rail-optimised or not, of one plane."""
    gpus = dice.choice([1, 4, 8])
    name = dice.choice(["node", "node", "dgx", "节点", "server-with-a-name-of-forty-characters-in"])
    node = {**_node(dice, gpus), "count": dice.choice([2, 3, 5, 8, 16, 32, 100, 130, 200])}
    fabric: Body = {"join": f"{name}/nic", **dice.choice([_INFINIBAND, _ETHERNET])}
    if fabric["kind"] == "ethernet":
        node["contains"]["nic"] = {
            "kind": "nic",
            "count": gpus,
            "ports": {"ethernet": "400GbE", "pcie": "PCIe 5.0 x16"},
        }
    if gpus > 1 and dice.random() < 0.6:
        fabric["rails"] = gpus
    if dice.random() < 0.3:
        fabric["oversubscription"] = dice.choice([2, 3])
    return {"contains": {name: node}, "fabric": [fabric]}


_INFINIBAND = {"switch": "qm9700", "kind": "infiniband"}
_ETHERNET = {"switch": "sn5600", "kind": "ethernet"}


def _node(dice: Dice, gpus: int) -> Body:
    return {
        "contains": {"gpu": {"part": dice.choice(GPUS), "count": gpus}, "nic": {"part": "connectx-7", "count": gpus}},
        "wires": [{"from": "gpu", "to": "nic", "kind": "pcie", "rule": "pairwise", "bandwidth": "PCIe 3.0 x16"}],
    }


def peers(dice: Dice) -> Body:
    """Return 3 to 200 servers on one switch, with one card or two cards each."""
    count, gpus, cards = dice.choice([3, 4, 7, 12, 24, 33, 64, 128, 200]), dice.choice([1, 2, 8]), dice.choice([1, 2])
    node = {
        "kind": "node",
        "count": count,
        "contains": {
            "gpu": {"kind": "gpu", "count": gpus},
            "nic": {"kind": "nic", "count": cards},
            "cpu": {"kind": "cpu"},
        },
        "wires": [_host("gpu", "cpu", "PCIe 4.0 x16"), _host("nic", "cpu", "PCIe 4.0 x16")],
    }
    name = dice.choice(["node", "主机", "a-host-with-a-name-of-forty-characters-i"])
    wires = [{"from": f"{name}/nic", "to": "tor", "kind": "ethernet", "bandwidth": "200GbE"}]
    return {"contains": {name: node, "tor": {"kind": "switch"}}, "wires": wires}


def mixed(dice: Dice) -> Body:
    """Return servers of different make on switches, wired by hand, with a second network beside the first."""
    contains: Body = {}
    wires: list[Body] = []
    switches = dice.randint(1, 4)
    for n, part in enumerate(dice.sample(SERVERS, dice.randint(1, 3))):
        name = dice.choice([f"n{n}x", f"第{n}组", f"a-group-of-servers-of-forty-chars-no-{n}-x"])
        contains[name] = {"part": part, "count": dice.randint(1, 3)}
        wires.append({"from": f"{name}/nic", "to": "tor", "kind": "infiniband", "rule": _spread(dice, switches)})
    contains["tor"] = {"kind": "switch", "count": switches}
    if dice.random() < 0.4:
        contains["box"] = {"part": "l40s-server", "count": dice.randint(1, 2)}
        contains["lan"] = {"kind": "switch"}
        wires.append({"from": "box/nic", "to": "lan", "kind": "ethernet"})
    return {"contains": contains, "wires": wires}


def _spread(dice: Dice, switches: int) -> str:
    """Return a rule by which cards of one port go to so many switches."""
    return "all" if switches == 1 else "rail" if switches == 3 else dice.choice(["block", "rail"])


def _tray(dice: Dice, height: int) -> Body:
    cpus = dice.randint(1, 2)
    return {
        "kind": "tray",
        "count": dice.randint(1, height),
        "contains": {"gpu": {"kind": "gpu", "count": dice.randint(1, 8)}, "cpu": {"kind": "cpu", "count": cpus}},
        "wires": [_host("gpu", "cpu" if cpus == 1 else "cpu0", "PCIe 5.0 x16")],
    }


def rack(dice: Dice) -> Body:
    """Return trays with GPUs in a rack, some with switches of their own."""
    contains: Body = {dice.choice(["tray", "tray", "blade", "抽屉"]): _tray(dice, 20)}
    trays = next(iter(contains))
    wires = []
    if dice.random() < 0.6:
        contains["nvs"] = {"kind": "nvswitch", "count": dice.choice([1, 2, 4, 9, 18])}
        wires = [{"from": f"{trays}/gpu", "to": "nvs", "kind": "nvlink", "bandwidth": "NVLink 5"}]
    return {"kind": "rack", "height": 48, "contains": contains, "wires": wires}


def racks(dice: Dice) -> Body:
    """Return several racks of servers on the switches of a row."""
    node = {**_node(dice, 4), "kind": "node", "count": dice.randint(1, 8)}
    inner = {"kind": "rack", "height": 48, "count": dice.choice([2, 3, 4, 8]), "contains": {"node": node}}
    name = dice.choice(["rack", "机柜", "a-row-of-racks-with-a-long-name-of-forty"])
    switches = dice.randint(1, 4)
    wire = {"from": f"{name}/node/nic", "to": "spine", "kind": "infiniband", "rule": _spread(dice, switches)}
    return {"contains": {name: inner, "spine": {"kind": "switch", "count": switches}}, "wires": [wire]}


SORTS = (server, server, server, lonely, mesh, torus, cluster, peers, mixed, rack, racks)
