"""Measure the texts of SVG files in Chromium: python tests/audit_browser.py FILE... [--tolerance 0.5].

Every file is measured twice, with the fonts that the picture asks for and with DejaVu
Sans, the widest common one. Reported: texts that meet, leave the page or the shape that
they stand in, and type below 12 u; and what is really painted: text with a contrast
under 4.5 (large text: 3) to what lies below it, links over things that they do not join.
Exit 1 if there is a finding.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import sys
import tempfile
from pathlib import Path

from shoot import run

SCRIPT = r"""
const TOLERANCE = __TOLERANCE__, SMALLEST = 11.99;
const shown = t => "'" + t.textContent.trim() + "'";
const inDefs = e => e.closest('defs, pattern, symbol, clipPath') !== null;

function box(text) {  // letters without the leading of the line
  const b = text.getBBox(), m = text.getCTM(), root = text.ownerSVGElement.getCTM();
  const y = parseFloat(text.getAttribute('y') || '0');
  const size = Math.max(...[text, ...text.querySelectorAll('tspan')].map(e => parseFloat(getComputedStyle(e).fontSize)));
  return {x: b.x, right: b.x + b.width, y: y - 0.74 * size, bottom: y + 0.2 * size, text, size};
}

function smallest(text) {
  const parts = text.children.length ? [...text.children] : [text];
  return Math.min(...parts.filter(p => p.textContent.trim()).map(p => parseFloat(getComputedStyle(p).fontSize)));
}

function home(t) {  // the smallest shape of the text's own component around its anchor
  const node = t.text.closest('g.node');
  if (!node) return null;
  const x = parseFloat(t.text.getAttribute('x')), y = (t.y + t.bottom) / 2;
  const shapes = [...node.querySelectorAll('rect, path, circle, ellipse')].map(e => e.getBBox())
    .filter(b => b.height > 0.8 * t.size && b.width > 8);
  const around = shapes.filter(b => b.x <= x && x <= b.x + b.width && b.y <= y && y <= b.y + b.height);
  around.sort((a, b) => a.width * a.height - b.width * b.height);
  return around.length ? around[0] : null;
}

function audit(svg) {
  const found = [], view = svg.viewBox.baseVal;
  const texts = [...svg.querySelectorAll('text')].filter(t => !inDefs(t) && t.textContent.trim()).map(box);
  for (const t of texts) {
    const size = smallest(t.text);
    if (size < SMALLEST) found.push(`${shown(t.text)} is set in ${size} u`);
    if (t.x < view.x - TOLERANCE || t.right > view.x + view.width + TOLERANCE ||
        t.y < view.y - TOLERANCE || t.bottom > view.y + view.height + TOLERANCE)
      found.push(`${shown(t.text)} leaves the page`);
    const b = home(t);
    if (b && (t.x < b.x - TOLERANCE || t.right > b.x + b.width + TOLERANCE))
      found.push(`${shown(t.text)} is ${Math.max(b.x - t.x, t.right - b.x - b.width).toFixed(1)} u wider than its shape`);
  }
  texts.sort((a, b) => a.x - b.x);
  texts.forEach((a, i) => {
    for (let j = i + 1; j < texts.length && texts[j].x < a.right - TOLERANCE; j++) {
      const b = texts[j];
      if (Math.min(a.bottom, b.bottom) - Math.max(a.y, b.y) > TOLERANCE)
        found.push(`${shown(a.text)} meets ${shown(b.text)} at ${b.x.toFixed(0)}, ${b.bottom.toFixed(0)}`);
    }
  });
  return found;
}

function light(colour) {  // relative luminance, WCAG 2
  const parts = colour.match(/[\d.]+/g).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4));
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

function contrast(a, b) {
  const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function opacity(element) {
  const css = getComputedStyle(element);
  return css.fill.startsWith('rgb') ? parseFloat(css.fillOpacity) * parseFloat(css.opacity) : 0;
}

const filled = element => opacity(element) >= 0.5;

function ground(stack) {  // the colour of things that lie on each other, the first on top
  let colour = [255, 255, 255];
  for (const element of [...stack].reverse()) {
    const part = opacity(element), own = getComputedStyle(element).fill.match(/[\d.]+/g);
    if (part) colour = colour.map((value, i) => value * (1 - part) + own[i] * part);
  }
  return `rgb(${colour.join(',')})`;
}

function read(svg) {  // every text against the first thing below it that is filled
  const found = [];
  for (const text of svg.querySelectorAll('text')) {
    if (inDefs(text) || !text.textContent.trim()) continue;
    const r = text.getBoundingClientRect();
    const below = document.elementsFromPoint(r.x + r.width / 2, r.y + r.height / 2)
      .filter(e => !e.closest('text') && svg.contains(e) && e !== svg);
    if (below.length && !opacity(below[0])) continue;  // a line runs here, which the other audit judges
    const css = getComputedStyle(text), size = parseFloat(css.fontSize);
    const got = contrast(css.fill, ground(below));
    if (got < (size >= 18 ? 3 : 4.5)) found.push(`${shown(text)} has a contrast of ${got.toFixed(2)}`);
  }
  return found;
}

function over(svg) {  // links that are painted on things that they do not join
  const found = new Set();
  for (const link of svg.querySelectorAll('g.link')) {
    const ends = [link.dataset.source || '', link.dataset.target || ''];
    for (const line of link.querySelectorAll('path, line, polyline')) {
      const length = line.getTotalLength(), at = line.getScreenCTM();
      for (let way = 4; way < length - 4; way += 6) {
        const p = line.getPointAtLength(way).matrixTransform(at);
        const here = document.elementsFromPoint(p.x, p.y);
        if (!here.length || !link.contains(here[0])) continue;  // something is painted over it
        for (const element of here) {
          const node = element.closest('g.node');
          if (!node || node.closest('.layer-enclosure') || !filled(element)) continue;
          const id = node.dataset.id || '';
          const own = !id || ends.some(end => end === id || end.startsWith(id + '/') || id.startsWith(end + '/'));
          if (!own) found.add(`the link ${ends.join(' – ')} is painted over ${id}`);
        }
      }
    }
  }
  return [...found];
}

document.body.style.margin = 0;
const result = {};
const style = document.createElement('style');
document.head.append(style);
for (const [fonts, rule] of [['own fonts', ''], ['DejaVu Sans', 'svg, svg text, svg tspan {font-family: "DejaVu Sans" !important}']]) {
  style.textContent = rule;
  for (const [name, source] of Object.entries(SOURCES)) {
    const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
    const broken = parsed.querySelector('parsererror');
    if (broken) { result[name] = [['own fonts', 'not well-formed: ' + broken.textContent.slice(0, 200)]]; continue; }
    const svg = document.importNode(parsed.documentElement, true);
    document.body.append(svg);
    const told = [...audit(svg), ...(rule ? [] : [...read(svg), ...over(svg)])];
    result[name] = (result[name] || []).concat(told.map(finding => [fonts, finding]));
    svg.remove();
  }
}
document.body.textContent = '';
const out = document.createElement('pre');
out.id = 'result';
out.textContent = JSON.stringify(result);
document.body.append(out);
"""


def audit(files: list[Path], tolerance: float = 0.5) -> dict[str, list[tuple[str, str]]]:
    """Return per file its findings: which fonts, and what is wrong."""
    sources = json.dumps({str(file): file.read_text(encoding="utf-8") for file in files}).replace("<", "\\u003c")
    script = f"const SOURCES = {sources};\n" + SCRIPT.replace("__TOLERANCE__", str(tolerance))
    page = f"<!doctype html><meta charset=utf-8><title>audit</title><body><script>{script}</script>"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "audit.html"
        file.write_text(page, encoding="utf-8")
        dumped = run("--window-size=2000,9000", "--dump-dom", file.as_uri())
    found = re.search(r'<pre id="result">(.*?)</pre>', dumped, re.DOTALL)
    if found is None:
        raise RuntimeError(f"the browser did not finish: {dumped[:300]}")
    return {name: [(fonts, text) for fonts, text in rows] for name, rows in json.loads(html.unescape(found[1])).items()}


def main() -> int:
    """Print the findings; return 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--tolerance", type=float, default=0.5)
    wishes = parser.parse_args()
    findings = audit(wishes.files, wishes.tolerance)
    for name, rows in findings.items():
        for fonts, text in rows:
            sys.stdout.write(f"{name} [{fonts}]: {text}\n")
    return int(any(findings.values()))


if __name__ == "__main__":
    sys.exit(main())
