"""
The coverage as lines for a terminal, and as the page `docs/coverage.md`.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsh_conformance.run.coverage import Row, Table

HEAD = """\
# Coverage

Which cases check a clause, and how many planted faults (wrong references, see
`conformance/selftests/faults`) break it. The page is written by `dsh-conformance coverage --page`;
a test holds it to the contract, the cases and the faults. Every clause that can be tested has at
least one of each.
"""
SHOWN = 3


def lines(tables: list[Table]) -> Iterator[str]:
    """
    Yield a line for each clause and a sum for each edition.
    """
    for table in tables:
        for row in table.rows:
            yield f"{row.clause.id}  {_short(row)}"
        yield _sum(table)


def page(tables: list[Table]) -> str:
    """
    Return the page: a table of clauses for the first edition, what differs for the others.
    """
    parts = [HEAD]
    seen: set[str] = set()
    for table in tables:
        parts.append(f"## Edition {table.edition}\n\n{_sum(table)}.\n")
        parts.extend(_sections([row for row in table.rows if row.clause.id not in seen]))
        seen |= {row.clause.id for row in table.rows}
    return "\n".join(parts)


def _sections(rows: list[Row]) -> Iterator[str]:
    testable = [row for row in rows if not row.clause.untestable]
    untestable = [row for row in rows if row.clause.untestable]
    if testable:
        head = "| clause | level | cases | faults |\n| --- | --- | --- | ---: |"
        yield "\n".join([head, *map(_cells, testable)]) + "\n"
    if untestable:
        head = "Not to be tested from outside:\n\n| clause | why |\n| --- | --- |"
        told = [f"| `{row.clause.id}` | {row.clause.untestable} |" for row in untestable]
        yield "\n".join([head, *told]) + "\n"


def _cells(row: Row) -> str:
    names = [f"`{case}`" for case in row.cases[:SHOWN]]
    more = f" and {len(row.cases) - SHOWN} more" if len(row.cases) > SHOWN else ""
    cases = ", ".join(names) + more
    return f"| `{row.clause.id}` | {row.clause.level} | {cases} | {len(row.faults)} |"


def _short(row: Row) -> str:
    if row.clause.untestable:
        return f"cannot be tested: {row.clause.untestable}"
    return f"{_count(len(row.cases), 'case')}, {_count(len(row.faults), 'fault')}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _sum(table: Table) -> str:
    testable = [row for row in table.rows if not row.clause.untestable]
    cases = {case for row in testable for case in row.cases}
    faults = {fault for row in testable for fault in row.faults}
    return (
        f"{len(table.rows)} clauses, {len(testable)} of them testable;"
        f" {len(cases)} cases, {len(faults)} planted faults; {len(list(table.gaps()))} gaps"
    )
