"""What a host tells about itself: collected from tools that are really started, and read again."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import topoviz as tv
from topoviz.cli import cli
from topoviz.errors import SpecError
from topoviz.marks import Source

INPUTS = Path(__file__).parent / "data" / "inputs"
MATRIX = INPUTS / "smi" / "dgx1v-cube-mesh.txt"
NVLINK = INPUTS / "smi" / "nvlink-s-inactive.txt"
WIDTHS = """index, name, pci.bus_id, pcie.link.gen.current, pcie.link.gen.max, pcie.link.width.current, pcie.link.width.max
0, Tesla V100, 00000000:06:00.0, 3, 3, 16, 16
1, Tesla V100, 00000000:07:00.0, 3, 3, 8, 16
"""
TOOL = """#!{python}
import sys, time
said = sys.argv[1:]
{body}
"""


@pytest.fixture
def tools(tmp_path, monkeypatch):
    """A folder that is the only one on PATH, and a way to put tools there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def put(name, body):
        (folder / name).write_text(TOOL.format(python=sys.executable, body=body), encoding="utf-8")
        (folder / name).chmod(0o755)

    return put


def smi(**answers):
    """The body of a tool that prints a file for each first argument and fails for all others."""
    known = {word: str(path) for word, path in answers.items()}
    return (
        f"known = {known!r}\n"
        "word = said[-1] if said[-1] in known else said[0].split('=')[0].strip('-').replace('-', '_')\n"
        "if word not in known:\n    sys.stderr.write('Invalid combination of input arguments.\\n')\n    sys.exit(2)\n"
        "print(open(known[word]).read())\n"
    )


@pytest.fixture
def nvidia(tools, tmp_path):
    (tmp_path / "widths.csv").write_text(WIDTHS)
    (tmp_path / "list.txt").write_text("GPU 0: Tesla V100-SXM2-32GB (UUID: GPU-00000000-0000)\n")
    body = smi(**{"-m": MATRIX, "-s": NVLINK, "query_gpu": tmp_path / "widths.csv", "-L": tmp_path / "list.txt"})
    tools("nvidia-smi", body)
    return tmp_path


def run(*words):
    return CliRunner().invoke(cli, [str(word) for word in words])


def test_a_host_is_captured_and_drawn(nvidia):
    done = run("capture", "-o", nvidia / "host.txt")
    assert done.exit_code == 0
    assert "asked: nvidia-smi nvlink -s: which NVLinks are up" in done.stderr
    assert "not asked: nvidia-smi topo -p2p n: nvidia-smi left with 2: Invalid combination" in done.stderr
    assert "not asked: rocm-smi --showtopo: rocm-smi is not here" in done.stderr
    text = (nvidia / "host.txt").read_text()
    assert text.startswith("# topoviz capture 1\n# ==== nvidia-smi -L; nvidia-smi topo -m\n")
    assert "UUID" not in text
    drawn = run("render", nvidia / "host.txt", "-o", nvidia / "host.svg")
    assert drawn.exit_code == 0, drawn.output
    assert (nvidia / "host.svg").read_text().startswith("<svg")


def test_what_it_read_is_what_its_best_section_says(nvidia):
    run("capture", "-o", nvidia / "host.txt")
    found = tv.load(nvidia / "host.txt")
    alone = tv.load(MATRIX)
    assert found.count("gpu") == alone.count("gpu") == 8
    assert sorted(found.graph.edges(keys=True)) == sorted(alone.graph.edges(keys=True))


def test_what_other_sections_find_wrong_is_told_with_its_line(nvidia):
    run("capture", "-o", nvidia / "host.txt")
    warned = [one for one in tv.load(nvidia / "host.txt").diagnostics if one.severity == "warning"]
    (narrow,) = [one for one in warned if one.code == "narrow-pcie"]
    assert narrow.message == "GPU 1 has PCIe x8 and could have x16"
    lines = (nvidia / "host.txt").read_text().split("\n")
    assert lines[narrow.mark.line - 1].startswith("1, Tesla V100")
    assert any("inactive" in one.message or "NVLink" in one.message for one in warned if one is not narrow)


def test_a_tool_that_hangs_is_left_alone(tools, tmp_path):
    tools("nvidia-smi", "time.sleep(30)\n")
    done = run("capture", "-o", tmp_path / "host.txt", "--seconds", "0.5")
    assert "nvidia-smi did not answer in 0.5 s" in done.stderr
    assert done.exit_code == 1
    assert not (tmp_path / "host.txt").exists()


def test_a_host_without_tools_says_so(tools, tmp_path):
    done = run("capture")
    assert done.exit_code == 1
    assert done.stderr.count("is not here") == 8
    assert "error: no tool of this host answered" in done.stderr


def test_xml_of_hwloc_is_read_from_inside(tools, tmp_path):
    source = next(path for path in sorted((INPUTS / "hwloc").glob("*.xml")) if "<?xml" in path.read_text()[:200])
    tools("lstopo-no-graphics", f"print(open({str(source)!r}).read())\n")
    done = run("capture")
    (tmp_path / "host.txt").write_text(done.stdout)
    assert tv.load(tmp_path / "host.txt").count("cpu") == tv.load(source).count("cpu")


def test_a_file_without_a_machine_is_refused():
    text = "# topoviz capture 1\n# ==== nvidia-smi nvlink -s\nnothing\n"
    with pytest.raises(SpecError, match="no section of this file describes a machine"):
        tv.load(Source("host.txt", text))
