# SPDX-License-Identifier: Apache-2.0
"""Compares the outcomes of a suite's tests on nodes without Manx and on nodes with Manx.

usage: compare-suites.py REPORTS TESTS.csv    the table in Markdown on the standard output, test by test in the file
       compare-suites.py --again REPORTS/SUITE  the tests that differed in round 0, as the suite's runner takes them
       compare-suites.py --proof OUT SUITE      whether the nodes of round 0 really ran without Manx and with it

REPORTS/SUITE/ROUND/{without,with} hold JUnit reports. Round 0 is the whole suite; later rounds repeat the tests that
differed. Exit code 1: at least one test passed without Manx in every round and failed with it in every round, or in
more than one. Exit code 2: nothing was shown, because no test passed or Manx was not at work.
"""

import csv
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

COLUMNS = ("without", "with")
PASSED, SKIPPED, FAILED, ABSENT = "passed", "skipped", "failed", "not run"
# Of two reports of one test, of its body and of its teardown, the later of these counts.
SEVERITY = (ABSENT, PASSED, SKIPPED, FAILED)
# Parts of the names of tests with parameters that differ from run to run: identities of objects and of lambdas.
IDENTITY = re.compile(r"@[0-9a-f]+|\$\$Lambda\$?[0-9]*/0x[0-9a-f]+")


def outcome(case):
    kinds = {child.tag for child in case}
    if kinds & {"failure", "error"}:
        return FAILED
    return SKIPPED if "skipped" in kinds else PASSED


def group(case):
    """The file of a Python test or the class of a Java test: (as shown, as the suite's runner takes it)."""
    name = case.get("classname") or ""
    file = case.get("file")
    if file is None:
        return name.removeprefix("com.datastax.oss.driver."), name.rsplit(".", 1)[-1]
    inside = name.removeprefix(file.removesuffix(".py").replace("/", ".")).strip(".")
    return file.removeprefix("tests/integration/"), "::".join([file, inside] if inside else [file])


def read(folder):
    """(group as shown, test) -> (outcome, what to run again) of all reports in a folder."""
    tests = {}
    for report in sorted(folder.glob("*.xml")):
        for case in ElementTree.parse(report).iter("testcase"):
            shown, runnable = group(case)
            inside = runnable.split("::")[1:]
            key = shown, ".".join([*inside, IDENTITY.sub("", case.get("name") or "")])
            before = tests.get(key, (ABSENT,))[0]
            tests[key] = max(before, outcome(case), key=SEVERITY.index), runnable
    return tests


def rounds(suite):
    """The rounds of a suite in order, each a pair of what `read` returns."""
    folders = sorted((folder for folder in suite.iterdir() if folder.is_dir()), key=lambda folder: int(folder.name))
    return [tuple(read(folder / column) for column in COLUMNS) for folder in folders]


def pair(key, one_round):
    return tuple(tests.get(key, (ABSENT,))[0] for tests in one_round)


def differing(first):
    keys = sorted({*first[0], *first[1]})
    return [key for key in keys if len(set(pair(key, first))) > 1]


def again(suite):
    first = rounds(suite)[0]
    return sorted({(first[0].get(key) or first[1].get(key))[1] for key in differing(first)})


def judge(pairs):
    """What a test that differed in round 0 comes to, from its outcomes without and with in each round."""
    without, with_manx = zip(*pairs)
    if set(without) == {PASSED} and PASSED not in with_manx:
        return "fails with Manx"
    if set(without) == {PASSED} and with_manx.count(FAILED) > 1:
        return "fails with Manx at times"
    if set(with_manx) == {PASSED} and PASSED not in without:
        return "fails without Manx"
    return "unsteady"


def counts(keys, first):
    """passed, failed, skipped without and with."""
    outcomes = [pair(key, first) for key in keys]
    return [sum(each[column] == kind for each in outcomes) for kind in (PASSED, FAILED, SKIPPED) for column in (0, 1)]


def table(suite, played):
    first = played[0]
    keys = sorted({*first[0], *first[1]})
    print(f"## The {suite.capitalize()} suite\n")
    print("| file or class | tests | passed without | with | failed without | with | skipped without | with |")
    print("|---|---|---|---|---|---|---|---|")
    for name in sorted({key[0] for key in keys}):
        of_name = [key for key in keys if key[0] == name]
        print(f"| `{name}` | {len(of_name)} | " + " | ".join(map(str, counts(of_name, first))) + " |")
    print(f"| all | {len(keys)} | " + " | ".join(map(str, counts(keys, first))) + " |\n")
    both = [key for key in keys if pair(key, first) == (FAILED, FAILED)]
    print(f"{len(both)} tests fail in both columns" + (":\n" if both else ".\n"))
    for shown, test in both:
        print(f"* `{shown}`: `{test}`")
    print() if both else None


def differences(played):
    """Prints each difference; the number of tests that fail with Manx only."""
    keys = differing(played[0])
    print(f"{len(keys)} tests differ in the first round" + (":\n" if keys else ".\n"))
    if keys:
        print("| test | without, each round | with, each round | verdict |\n|---|---|---|---|")
    verdicts = []
    for key in keys:
        pairs = [pair(key, one_round) for one_round in played]
        verdicts.append(judge(pairs))
        without, with_manx = (", ".join(each) for each in zip(*pairs))
        print(f"| `{key[0]}`: `{key[1]}` | {without} | {with_manx} | {verdicts[-1]} |")
    print() if keys else None
    return sum(verdict.startswith("fails with Manx") for verdict in verdicts)


def not_proved(out, suite):
    """Why the columns of a suite prove nothing; empty if they do."""
    without, with_manx = (out / f"counters-{suite}-{column}-0.json" for column in COLUMNS)
    if without.exists():
        return f"nodes without Manx had its counters: {without}"
    if not with_manx.exists():
        return f"no node with Manx had its counters: {with_manx} is missing"
    counters = json.loads(with_manx.read_text(encoding="utf-8"))
    if not counters.get("requests_planned"):
        return "nodes with Manx planned no request"
    bad = {name: counters[name] for name in ("faults", "breaker_opened") if counters.get(name)}
    return f"Manx failed or stepped aside: {bad}" if bad else ""


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--again":
        print("\n".join(again(pathlib.Path(arguments[1]))))
        return 0
    if len(arguments) == 3 and arguments[0] == "--proof":
        why = not_proved(pathlib.Path(arguments[1]), arguments[2])
        print(why, file=sys.stderr, end="\n" if why else "")
        return 2 if why else 0
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    worse = 0
    with open(arguments[1], "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["suite", "file", "test", *COLUMNS])
        for suite in sorted(pathlib.Path(arguments[0]).iterdir()):
            played = rounds(suite)
            if any(PASSED not in {each[0] for each in column.values()} for column in played[0]):
                print(f"No test of the {suite.name} suite passed in one of the columns.", file=sys.stderr)
                return 2
            table(suite.name, played)
            worse += differences(played)
            for key in sorted({*played[0][0], *played[0][1]}):
                rows.writerow([suite.name, *key, *pair(key, played[0])])
    print(f"{worse} tests pass without Manx and fail with it.")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
