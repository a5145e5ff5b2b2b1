"""Systems that nobody built, from a seed: servers, meshes, tori, clusters and racks, with odd names and odd wiring."""

from __future__ import annotations

import random

NAMES = ["", "gpu-node", "a-name-of-forty-characters-that-does-not-end", "训练节点", "Rechner-Ä"]
PCIE = ["PCIe 3.0 x16", "PCIe 4.0 x16", "PCIe 5.0 x16", "PCIe 5.0 x8"]
NVLINKS = ["NVLink 2", "NVLink 3", "NVLink 4", "NVLink 5"]
GPUS = ["h100-sxm", "l40s", "b200", "a100-sxm-80gb", "v100-sxm2-32gb"]
NETWORKS = [("qm9700", "infiniband", "connectx-7"), ("sn5600", "ethernet", "connectx-7")]


def system(seed: int) -> tuple[str, dict]:
    """Return the sort of a system and its document."""
    dice = random.Random(seed)
    sort = dice.choice(SORTS)
    document = sort(dice)
    title = dice.choice(NAMES)
    return sort.__name__, {"title": f"{title} {seed}".strip(), **document}


def server(dice: random.Random) -> dict:
    """CPUs, PCIe switches, GPUs and cards hung anywhere, and NVSwitches that reach some of the GPUs."""
    gpus, cpus, switches = dice.randint(1, 16), dice.randint(1, 4), dice.choice([0, 0, 1, 2, 4, 8, 16])
    nics, chips = dice.choice([0, 1, 2, 4, 8, 8, 16, 72]), dice.choice([0, 0, 1, 2, 4, 6])
    contains = {"gpu": {"kind": "gpu", "count": gpus}, "cpu": {"kind": "cpu", "count": cpus}}
    hosts = [f"cpu{i}" for i in range(cpus)]
    rate = dice.choice(PCIE)
    wires = []
    if switches:
        contains["sw"] = {"kind": "pcie", "count": switches}
        wires += [{"from": f"sw{i}", "to": dice.choice(hosts), "kind": "pcie", "bandwidth": rate} for i in range(switches)]
        hosts = hosts + [f"sw{i}" for i in range(switches)]
    wires += [{"from": f"gpu{i}", "to": dice.choice(hosts), "kind": "pcie", "bandwidth": rate} for i in range(gpus)]
    if nics:
        contains["nic"] = {"kind": "nic", "count": nics}
        wires += [{"from": f"nic{i}", "to": dice.choice(hosts), "kind": "pcie", "bandwidth": rate} for i in range(nics)]
    if cpus > 1:
        wires.append({"from": "cpu", "kind": "upi", "rule": "mesh", "links": dice.randint(1, 3)})
    if chips:
        contains["nvs"] = {"kind": "nvswitch", "count": chips}
        link = dice.choice(NVLINKS)
        for i in range(chips):
            for gpu in sorted(dice.sample(range(gpus), dice.randint(1, gpus))):
                wires.append({"from": f"gpu{gpu}", "to": f"nvs{i}", "kind": "nvlink", "links": dice.randint(1, 6), "bandwidth": link})
    return {"contains": contains, "wires": wires}


def mesh(dice: random.Random) -> dict:
    """GPUs with direct links of uneven number, whole or in pieces, with or without a host."""
    gpus = dice.randint(2, 12)
    link = dice.choice(NVLINKS)
    pairs = [(a, b) for a in range(gpus) for b in range(a + 1, gpus) if dice.random() < dice.choice([0.2, 0.5, 1.0])]
    wires = [
        {"from": f"gpu{a}", "to": f"gpu{b}", "kind": "nvlink", "links": dice.randint(1, 4), "bandwidth": link} for a, b in pairs
    ]
    contains = {"gpu": {"kind": "gpu", "count": gpus}}
    if dice.random() < 0.5:
        contains["cpu"] = {"kind": "cpu", "count": 2}
        wires += [{"from": f"gpu{i}", "to": f"cpu{i % 2}", "kind": "pcie", "bandwidth": "PCIe 4.0 x16"} for i in range(gpus)]
    return {"contains": contains, "wires": wires}


def torus(dice: random.Random) -> dict:
    """GPUs in a grid of two or three dimensions."""
    shape = [dice.randint(2, 6) for _ in range(dice.choice([2, 2, 3]))]
    count = 1
    for side in shape:
        count *= side
    wires = [{"from": "gpu", "kind": "ici", "rule": "torus", "shape": shape, "bandwidth": "100 GB/s"}]
    return {"contains": {"gpu": {"kind": "gpu", "count": count}}, "wires": wires}


def cluster(dice: random.Random) -> dict:
    """Servers on a fabric that is counted out, rail-optimised or not, of one or two planes."""
    switch, kind, card = dice.choice(NETWORKS)
    gpus = dice.choice([1, 4, 8])
    node = {
        "contains": {"gpu": {"part": dice.choice(GPUS), "count": gpus}, "nic": {"part": card, "count": gpus}},
        "wires": [{"from": "gpu", "to": "nic", "kind": "pcie", "rule": "pairwise", "bandwidth": "PCIe 4.0 x16"}],
        "count": dice.choice([2, 3, 5, 8, 16, 32, 100]),
    }
    fabric = {"join": "node/nic", "switch": switch, "kind": kind}
    if gpus > 1 and dice.random() < 0.6:
        fabric["rails"] = gpus
    if dice.random() < 0.3:
        fabric["oversubscription"] = dice.choice([2, 3])
    return {"contains": {"node": node}, "fabric": [fabric]}


def mixed(dice: random.Random) -> dict:
    """Catalog servers of different make on switches, wired by hand."""
    nodes = {f"n{i}x": {"part": dice.choice(["dgx-h100", "l40s-server", "dgx-a100", "mi300x"]), "count": dice.randint(1, 3)} for i in range(dice.randint(1, 2))}  # noqa: E501
    wires = [{"from": f"{name}/nic", "to": "tor", "kind": "infiniband" if "l40s" not in body["part"] else "ethernet"} for name, body in nodes.items() if body["part"] == "dgx-h100"]  # noqa: E501
    contains = {**nodes}
    if wires:
        contains["tor"] = {"kind": "switch", "count": dice.randint(1, 4)}
        wires = [{**wire, "rule": "all", "bandwidth": "NDR"} for wire in wires]
    return {"contains": contains, "wires": wires}


def rack(dice: random.Random) -> dict:
    """Trays with GPUs in a rack, some with switches of their own."""
    gpus = dice.randint(1, 8)
    tray = {
        "kind": "tray",
        "count": dice.randint(1, 20),
        "contains": {"gpu": {"kind": "gpu", "count": gpus}, "cpu": {"kind": "cpu", "count": dice.randint(1, 2)}},
        "wires": [{"from": "gpu", "to": "cpu0", "kind": "pcie", "bandwidth": "PCIe 5.0 x16"}],
    }
    contains = {"tray": tray}
    wires = []
    if dice.random() < 0.6:
        contains["nvs"] = {"kind": "nvswitch", "count": dice.choice([2, 4, 9, 18])}
        wires = [{"from": "tray/gpu", "to": "nvs", "kind": "nvlink", "bandwidth": "NVLink 5"}]
    return {"kind": "rack", "height": 48, "contains": contains, "wires": wires}


SORTS = (server, server, mesh, torus, cluster, mixed, rack)
