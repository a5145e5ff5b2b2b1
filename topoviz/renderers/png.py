"""Portable network graphics: pixels, for slides and programs that know no vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoviz.errors import MissingExtra, TopovizError
from topoviz.renderers import svg

if TYPE_CHECKING:
    from topoviz.drawing.scene import Scene
    from topoviz.renderers.theme import Theme

SUFFIX = ".png"
SCALE = 2.0  # pixels per u
# the library below ends the whole process on a picture too big, so it is asked nothing of that kind
MOST_SIDE = 16_384
MOST_PIXELS = 64_000_000


def render(scene: Scene, theme: Theme, *, scale: float = SCALE) -> bytes:
    """Return the picture as PNG, ``scale`` pixels per u; equal input gives equal bytes.

    Raises MissingExtra without the package resvg-py, and TopovizError for a picture
    above 16,384 pixels a side or 64 million in all.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise MissingExtra('PNG needs one more package: pip install "topoviz[png]"') from None
    width, _ = pixels(scene.width, scene.height, scale)
    return bytes(svg_to_bytes(svg_string=svg.render(scene, theme), width=width))


def pixels(width: float, height: float, scale: float) -> tuple[int, int]:
    """Return the size in pixels; raises TopovizError if that is not between one and the limits.

    >>> pixels(960, 661.5, 2)
    (1920, 1323)
    """
    if not (0 < scale <= MOST_SIDE and 0 < width <= MOST_SIDE and 0 < height <= MOST_PIXELS):
        raise TopovizError(f"a picture of {width:g} × {height:g} u at scale {scale:g} cannot be drawn as pixels")
    across, down = max(1, round(width * scale)), max(1, round(height * scale))
    if max(across, down) > MOST_SIDE or across * down > MOST_PIXELS:
        limit = f"{MOST_SIDE:,} a side and {MOST_PIXELS // 1_000_000} million in all"
        raise TopovizError(f"the picture would have {across:,} × {down:,} pixels; at most {limit}")
    return across, down
