"""``topoviz import``, and the other commands with files that an importer knows."""

import pytest
from click.testing import CliRunner

import topoviz as tv
from topoviz.cli import cli

MATRIX = """\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity
GPU0\t X \tNV4\t0-7\t0
GPU1\tNV4\t X \t0-7\t0
"""
LOG = "h:1:1 [0] NCCL INFO Channel 00/01 : 0 1\n"


def run(*words, text=None):
    return CliRunner().invoke(cli, [*words], input=text)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "topo.txt").write_text(MATRIX)
    (tmp_path / "nccl.log").write_text(LOG)
    return tmp_path


def test_render_takes_a_matrix(folder):
    assert run("render", "topo.txt", "-o", "now.svg").exit_code == 0
    assert "2-GPU host" in (folder / "now.svg").read_text(encoding="utf-8")


def test_render_takes_standard_input(folder):
    assert run("render", "-", "-o", "now.svg", text=MATRIX).exit_code == 0


def test_render_joins_a_machine_and_its_log(folder):
    gpus = range(3)
    rows = ["\t".join([f"GPU{a}", *("X" if a == b else "NV18" for b in gpus)]) for a in gpus]
    (folder / "fabric.txt").write_text("\tGPU0\tGPU1\tGPU2\n" + "\n".join(rows) + "\n")
    (folder / "nccl.log").write_text(LOG.replace("0 1\n", "0 2 1\n"))
    done = run("render", "fabric.txt", "nccl.log", "--highlight", "routes", "-o", "-")
    assert "channel 0: gpu0, gpu2, gpu1" in done.stdout


def test_import_writes_a_document_that_loads(folder):
    assert run("import", "topo.txt", "nccl.log", "-o", "machine.yaml").exit_code == 0
    found = tv.load(folder / "machine.yaml")
    assert (found.count("gpu"), [route.name for route in found.routes]) == (2, ["channel 0"])


@pytest.mark.usefixtures("folder")
def test_import_to_standard_output():
    assert "wires:\n  - {from: gpu, to: cpu, kind: pcie}\n" in run("import", "topo.txt").stdout


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("form", ["nvidia-smi-topo", "nvidia_smi_topo"])
def test_format_may_be_named(form):
    assert run("import", "topo.txt", "--from", form).exit_code == 0


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["import", "topo.txt", "--from", "nvidia-smi-top"], "did you mean 'nvidia-smi-topo'?"),
        (["import", "topo.txt", "--from", "nccl-log"], "NCCL_DEBUG=INFO"),
        (["import", "nothing.txt"], "'nothing.txt': there is no such file"),
        (["render", "nccl.log"], "there is no machine to draw"),
        (["check", "topo.txt", "nothing.txt"], "'nothing.txt': there is no such file"),
    ],
)
def test_what_is_wrong_is_said(words, said):
    done = run(*words)
    assert (done.exit_code, said in done.output) == (1, True)


def test_wrong_file_is_refused_with_its_line(folder):
    (folder / "cut.txt").write_text(MATRIX + "GPU")
    (folder / "cut.txt").write_text(MATRIX.replace("GPU1\tNV4\t X \t0-7\t0", "GPU1\tNV4"))
    done = run("import", "cut.txt", "-o", "cut.yaml")
    assert (done.exit_code, "cut.txt:3:1: error: row GPU1 has 1 of 2 cells" in done.output) == (1, True)
    assert not (folder / "cut.yaml").exists()


def test_importers_are_listed():
    done = run("list", "importers")
    assert "nvidia-smi-topo    nvidia-smi topo -m:" in done.output
    assert "evidence" not in done.output
