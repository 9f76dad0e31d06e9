#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns the recording of a terminal into a picture (SVG) that plays its frames.

usage: tools/terminal-picture.py RECORDING COMMAND PICTURE [SECONDS]

RECORDING  the output of script(1): script -qfec './manx top --on production' RECORDING
COMMAND    shown above the frames, because the recording does not contain it
SECONDS    each frame is shown, 2 unless given

A frame begins where the screen is cleared. The guide's picture of ./manx top was made by this script.
"""
import html
import re
import sys

CLEARED = re.compile(r"\x1b\[(?:H\x1b\[)?[23]?J(?:\x1b\[H)?")
SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
WIDTH, HEIGHT, MARGIN = 7.3, 17, 14


def frames(recording):
    """The screens, each a list of lines."""
    text = re.sub(r"^Script (started|done).*\n?", "", recording, flags=re.M).replace("\r", "")
    screens = []
    for part in CLEARED.split(text)[1:]:
        lines = SEQUENCE.sub("", part).rstrip().split("\n")
        if any(lines):
            screens.append(lines)
    return screens


def picture(screens, command, seconds):
    """All frames above each other; CSS shows one at a time."""
    rows = max(len(lines) for lines in screens) + 2
    columns = max(len(line) for lines in screens for line in lines)
    width, height = columns * WIDTH + 2 * MARGIN, rows * HEIGHT + 2 * MARGIN
    last = len(screens) - 1
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" aria-label="{html.escape(command, quote=True)}">',
        "<style>",
        "text { font: 12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #d6deeb; white-space: pre; }",
        ".command { fill: #7fdbca; }",
        f"g {{ opacity: 0; animation: shown {seconds * len(screens)}s infinite step-end; }}",
        f"@keyframes shown {{ 0% {{ opacity: 1; }} {100 / len(screens):.4f}% {{ opacity: 0; }} }}",
        f"@media print {{ g {{ animation: none; }} g.last {{ opacity: 1; }} }}",
        "</style>",
        f'<rect width="{width:.0f}" height="{height:.0f}" rx="6" fill="#011627"/>',
        line(0, "$ " + command, ' class="command"', columns),
    ]
    for number, lines in enumerate(screens):
        name = ' class="last"' if number == last else ""
        out.append(f'<g{name} style="animation-delay: {number * seconds}s">')
        out += [line(row + 2, text, "", columns) for row, text in enumerate(lines) if text.strip()]
        out.append("</g>")
    return "\n".join(out + ["</svg>", ""])


def line(row, text, attributes, columns):
    """One line; its length is fixed, so that columns stay columns in any font."""
    text = text.rstrip()[: max(columns, 100)]
    return (
        f'<text x="{MARGIN}" y="{MARGIN + row * HEIGHT + 12}" textLength="{len(text) * WIDTH:.0f}"'
        f'{attributes} xml:space="preserve">{html.escape(text)}</text>'
    )


def main(arguments):
    if len(arguments) not in (3, 4):
        sys.exit(__doc__)
    with open(arguments[0], encoding="utf-8") as file:
        screens = frames(file.read())
    if not screens:
        sys.exit(f"terminal-picture: {arguments[0]} holds no frame: the screen is never cleared in it")
    seconds = float(arguments[3]) if len(arguments) == 4 else 2.0
    with open(arguments[2], "w", encoding="utf-8") as file:
        file.write(picture(screens, arguments[1], seconds))


if __name__ == "__main__":
    main(sys.argv[1:])
