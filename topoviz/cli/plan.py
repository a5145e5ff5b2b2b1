"""``topoviz plan``: which way the data go, how fast, what holds them back; memory, groups and a step of a job."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from topoviz.cli import plan_compared, plan_text
from topoviz.cli.inputs import FORMAT, INPUTS, SET, load, split
from topoviz.cli.told import MISUSED, print_json, told

if TYPE_CHECKING:
    from topoviz.cli.plan_text import Case
    from topoviz.collectives.plan import Plan
    from topoviz.model.spec import Picture as Request
    from topoviz.model.topology import Topology

BEST = "best:"
DEFAULTS = MappingProxyType({"collective": "all-reduce", "algorithm": "auto", "rates": "line"})
MOST_TWICE = 512  # GPUs of which a plan is made at two rates


@click.command()
@INPUTS
@click.option("--collective", show_default="all-reduce", help="all-gather, reduce-scatter, broadcast, all-to-all …")
@click.option(
    "--algorithm", show_default="auto", help="ring, tree, nvls, hierarchical, direct, send; auto: what suits."
)
@click.option("--size", default=None, help="Bytes to move, such as 14GB; gives times.")
@click.option("--ranks", "wanted", default=None, help="Which GPUs: a selector, or best:N for those that talk fastest.")
@click.option("--job", "jobs", multiple=True, metavar="K=N,…", help="tp=8,pp=2; repeated: compared side by side.")
@click.option(
    "--compute", default=None, metavar="TIME", help="Computing of a step, such as 0.5s: what of the time it hides."
)
@click.option("--rates", type=click.Choice(["line", "nccl"]), show_default="line", help="What a link carries.")
@click.option("--each", is_flag=True, help="Plan every input by itself instead of joining them.")
@SET
@FORMAT
@told
def plan(
    inputs: tuple[str, ...],
    form: str,
    given: tuple[str, ...],
    jobs: tuple[str, ...],
    *,
    each: bool,
    **options: Any,
) -> None:
    """Say how a collective runs on INPUT: routes, bandwidth, times; memory and groups if there is a model or a job.

    Several inputs are joined into one, or with --each compared; so are several jobs and the panels of a
    picture, each planned as it highlights unless the command says otherwise.

    For example: topoviz plan dgx-h100 --size 14GB. What five GPUs have left: topoviz plan dgx-1v --ranks
    'gpu[0-4]'. Two machines side by side: topoviz plan dgx-h100 dgx-a100 --each.
    """
    said = {key for key in (*DEFAULTS, "wanted") if options[key] is not None}
    options = {**options, **{key: word for key, word in DEFAULTS.items() if key not in said}, "said": bool(said)}
    cases: list[Case] = []
    for group in [(one,) for one in inputs] if each else [inputs]:
        topology = load(group, given)
        for one in topology.diagnostics:
            click.echo(one.render(), err=True)
        cases.extend(_cases(topology, jobs, options))
    if form == "json":
        rows = [plan_text.as_json(case) for case in cases]
        print_json(rows[0] if len(rows) == 1 else rows)
        return
    lines = plan_text.single(cases[0]) if len(cases) == 1 else plan_compared.compared(cases)
    click.echo("\n".join(lines))


def _cases(topology: Topology, jobs: Sequence[str], options: dict[str, Any]) -> Iterator[Case]:
    """Yield what is planned: the machine, once for each job, or the panels of the picture that it asks for."""
    from topoviz.jobs.given import with_job

    size = _size(topology, options["size"])
    options = {**options, "compute": _compute(topology, options["compute"])}
    if jobs:
        for text in jobs:
            yield _case(with_job(topology, _job(text)), size, options, text if len(jobs) > 1 else "")
        return
    for name, one, request in _panels(topology):
        yield _case(one, size, options, name, request)


def _panels(topology: Topology) -> Iterator[tuple[str, Topology, Request | None]]:
    """Yield the machines that the first picture with panels compares; the machine itself if there is none."""
    from topoviz.drawing.own_title import said
    from topoviz.picture import inherited, of

    asked = next((picture for picture in topology.spec.pictures if len(picture.panels) > 1), None)
    if asked is None:
        yield "", topology, None
        return
    for panel in asked.panels:
        drawn = of(topology, panel).topology
        title = "" if isinstance(panel.title, bool) or panel.title is None else said(panel.title, drawn, "en")
        yield title or plan_text.called(drawn), drawn, inherited(asked, panel)


def _highlighted(topology: Topology, request: Request | None, options: dict[str, Any]) -> Plan | None:
    """Return the plan that a panel highlights; None if it does not, or the command says what to plan."""
    from topoviz.asked.routes import plan_of

    return None if request is None or options["said"] else plan_of(topology, request)


def _case(
    topology: Topology, size: float | None, options: dict[str, Any], name: str, request: Request | None = None
) -> Case:
    from topoviz.jobs.groups import exposed, lay
    from topoviz.jobs.memory import fit
    from topoviz.planning import plan as planned

    def rings(inside: Topology, members: Sequence[str]) -> Any:
        return planned(inside, ranks=members, rates=options["rates"])

    from topoviz.collectives.published import published

    ranks = _ranks(topology, options)
    asked = (options["collective"], options["algorithm"])
    made = wish = _highlighted(topology, request, options)
    if made is None and _enough(topology, ranks):
        made = planned(topology, *asked, ranks, options["rates"])
    job = lay(topology, ranks=ranks, rates=options["rates"], planner=rings) if topology.spec.job else None
    return plan_text.Case(
        name=name or plan_text.called(topology),
        topology=topology,
        plan=made,
        size=size,
        memory=fit(topology, ranks),
        job=job,
        compute=options["compute"],
        exposed=exposed(job, options["compute"]) if job is not None and options["compute"] is not None else None,
        counted=_counted(topology, made) if wish is None else None,
        published=None if made is None else published(topology, made),
    )


def _counted(topology: Topology, plan: Plan | None) -> Plan | None:
    """Return the same plan at the rates that NCCL counts; None if it is at them already, or too large to make twice."""
    from topoviz.planning import plan as planned

    if plan is None or plan.rates == "nccl" or len(plan.ranks) > MOST_TWICE:
        return None
    return planned(topology, plan.collective, plan.algorithm, plan.ranks, "nccl")


def _enough(topology: Topology, ranks: Sequence[str] | None) -> bool:
    """Return whether there is anybody to send to; a lone GPU still has memory."""
    return (topology.count("gpu") if ranks is None else len(ranks)) != 1


def _ranks(topology: Topology, options: dict[str, Any]) -> tuple[str, ...] | None:
    """Return the ids that ``--ranks`` means, else those of the job, else None."""
    from topoviz.errors import PlanError
    from topoviz.jobs.best import best
    from topoviz.model.degrees import of_selector
    from topoviz.planning import plan as planned

    wanted = options["wanted"] or topology.spec.job.get("ranks")
    if wanted is None:
        return None
    text = str(wanted)
    if text.startswith(BEST):
        number = text.removeprefix(BEST)
        if not (number.isascii() and number.isdecimal()):
            raise click.UsageError(f"--ranks {text}: write best:4, with a whole number")
        asked = (options["collective"], options["algorithm"])
        return best(topology, int(number), lambda some: planned(topology, *asked, some, options["rates"]).bandwidth)
    found = of_selector(topology.root, split(wanted) if isinstance(wanted, str) else wanted)
    if not found:
        raise PlanError(f"'{text}' matches no GPU")
    return tuple(thing.id for thing in found)


def with_job(topology: Topology, request: Request, text: str) -> tuple[Topology, Request]:
    """Return the topology with the job of ``--job``, and a request that draws its groups unless it has other wishes."""
    from topoviz.jobs.given import with_job as given_job

    wish = request if request.layout or request.overlay else replace(request, overlay=("groups",))
    return given_job(topology, _job(text)), wish


def _job(text: str) -> dict[str, Any]:
    from topoviz.jobs.given import job_of

    try:
        return job_of(text)
    except ValueError as problem:
        raise click.UsageError(f"--job {problem}") from problem


def _size(topology: Topology, text: str | None) -> float | None:
    """Return ``--size`` in bytes, else the size of the first picture that has one."""
    from topoviz.model import units

    if text is None:
        return next((one.size for one in topology.spec.pictures if one.size is not None), None)
    return _read("size", text, units.size)


def _compute(topology: Topology, text: str | None) -> float | None:
    """Return ``--compute`` in seconds, else that of the first picture that has one; a bare number is seconds."""
    from topoviz.model import units

    if text is None:
        return next((one.compute for one in topology.spec.pictures if one.compute is not None), None)
    return _read("compute", f"{text} s" if text.replace(".", "", 1).isdigit() else text, units.duration)


def _read(option: str, text: str, reader: Callable[[str, str], float]) -> float:
    from topoviz.model.units import UnreadableError

    try:
        return reader(text, option)
    except UnreadableError as problem:
        hint = f"\n  hint: {problem.hint}" if problem.hint else ""
        click.echo(f"Error: --{option}: {problem}{hint}", err=True)
        sys.exit(MISUSED)
