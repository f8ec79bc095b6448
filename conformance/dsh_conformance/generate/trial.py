"""
One program on two sides: where do they part, and which law does the history break?
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.errors import AdapterFailure
from dsh_conformance.generate.compare import Unlike, unlike
from dsh_conformance.generate.finding import Finding, Violation
from dsh_conformance.generate.machine import Machine
from dsh_conformance.generate.program import Program, RawStep
from dsh_conformance.generate.record import Record
from dsh_conformance.generate.side import Side, Unsupported
from dsh_conformance.scenario.patterns import Mismatch
from dsh_conformance.scenario.render import compact, difference, value_text
from dsh_conformance.scenario.results import Grade


@dataclass
class Bench:
    """
    What programs are tried on.

    Attributes:
        machine: Whose programs, laws and blame.
        contract: The edition's contract.
        tested: The implementation under test.
        oracle: The one it is held against, or None: laws alone.
        ignored: Identities of findings that are reported already.
    """

    machine: Machine
    contract: Contract
    tested: Side
    oracle: Side | None
    ignored: Collection[tuple[str, str, str]] = ()

    def trial(self, program: Program) -> Finding | None:
        """
        Play a program and return what it shows, or None.

        Raises:
            AdapterNeverUp: An adapter is gone for good.
        """
        return _Trial(self, program).finding()


class _Trial:
    def __init__(self, bench: Bench, program: Program) -> None:
        self.bench = bench
        self.program = program
        edition = bench.contract.edition
        self.steps: list[RawStep] = [edition.words(step) for step in program.steps]
        self.oracle = bench.oracle
        self.part: tuple[Record, Unlike] | None = None

    def finding(self) -> Finding | None:
        tested = self.bench.tested
        try:
            trouble = self._play()
        except AdapterFailure as failure:
            return self._unlearned(failure)
        finally:
            # Making one failure short means meeting it again and again; that is no end of patience.
            tested.connection.end_case(None)
        return trouble if trouble is not None else self._judged()

    def _play(self) -> Finding | None:
        reply = self.bench.tested.begin(self.program)
        if not reply.ok:
            return self._refused(reply.message)
        if self.oracle is not None and not self.oracle.begin(self.program).ok:
            self.oracle = None
        for index, step in enumerate(self.steps):
            if not self._step(index, step):
                break
        return None

    def _refused(self, message: str) -> Finding:
        plugins = compact(list(self.program.plugins))
        reason = f"the implementation does not load {plugins}: {message}"
        return Finding("error", self.program, "", 0, "load", reason=reason, shape="load")

    def _step(self, index: int, step: RawStep) -> bool:
        tested, oracle = self.bench.tested, self.oracle
        if not tested.ready(step) or (oracle is not None and not oracle.ready(step)):
            return True
        try:
            seen = tested.play(index, step)
        except Unsupported:
            return False
        if oracle is None:
            return True
        expected = self._asked(oracle, index, step)
        if expected is None:
            return True
        found = unlike(expected.facts, seen.facts)
        if found is None:
            if "together" in step:
                self.oracle = None  # A race may go either way; from here on only laws tell.
            return True
        self.part = (seen, found)
        return found.words_only and self._forgotten()

    def _forgotten(self) -> bool:
        # Words that are reported already need not end the example.
        assert self.part is not None  # noqa: S101  # It was set on the line before.
        if self._known(self._of_difference(*self.part)) is not None:
            return False
        self.part = None
        return True

    def _asked(self, oracle: Side, index: int, step: RawStep) -> Record | None:
        try:
            return oracle.play(index, step)
        except (Unsupported, AdapterFailure):
            self.oracle = None
            return None

    # What it means

    def _judged(self) -> Finding | None:
        last = self.part[0].index if self.part is not None else len(self.steps)
        broken = [self._of_law(one) for one in self._broken_laws(self.bench.tested)]
        new = [one for one in broken if one.index <= last and self._known(one) is not None]
        if new:
            return min(new, key=lambda one: one.index)
        if self.part is None:
            return None
        assert self.oracle is not None  # noqa: S101  # Two sides parted.
        wrong = self._broken_laws(self.oracle)
        if wrong and not broken:
            return self._known(self._of_oracle(wrong[0]))
        return self._known(self._of_difference(*self.part))

    def _broken_laws(self, side: Side) -> list[Violation]:
        found = [law(side.history) for law in self.bench.machine.laws]
        known = self.bench.contract.clauses
        return [one for one in found if one is not None and one.clause in known]

    def _known(self, finding: Finding) -> Finding | None:
        return None if finding.identity in self.bench.ignored else finding

    def _of_law(self, broken: Violation) -> Finding:
        mismatch = Mismatch((), broken.expected, broken.seen, wording=False)
        return self._finding(
            broken.index,
            broken.clause,
            key=broken.key,
            expected=broken.expected,
            seen=broken.seen,
            mismatches=(mismatch,),
            shape=f"{self._verb_at(broken.index)} {broken.key}",
            law=broken.law,
        )

    def _verb_at(self, index: int) -> str:
        return next(_verb_text(one) for one in self.bench.tested.history if one.index == index)

    def _of_difference(self, record: Record, found: Unlike) -> Finding:
        return self._finding(
            record.index,
            self.bench.machine.blame(record, found),
            key=found.key,
            expected=found.expected,
            seen=found.seen,
            mismatches=found.mismatches,
            shape=f"{_verb_text(record)} {found.key}",
            law="",
        )

    def _finding(
        self, index: int, clause: str, *, mismatches: tuple[Mismatch, ...], **more: Any
    ) -> Finding:
        return Finding(
            kind="failed",
            program=self._until(index),
            clause=clause,
            index=index,
            grade=self._grade(clause, mismatches),
            differences=tuple(difference(one) for one in mismatches),
            records=tuple(one for one in self.bench.tested.history if one.index <= index),
            transcripts=(tuple(self.bench.tested.transcript),),
            **more,
        )

    def _grade(self, clause: str, mismatches: tuple[Mismatch, ...]) -> Grade:
        known = self.bench.contract.clauses.get(clause)
        words = known is not None and bool(known.text) and all(one.wording for one in mismatches)
        return "same meaning" if words else "wrong effect"

    def _of_oracle(self, wrong: Violation) -> Finding:
        assert self.oracle is not None  # noqa: S101  # It is the one that is wrong.
        who = self.oracle.connection.adapter
        reason = (
            f"the oracle {who!r} breaks {wrong.clause} itself ({wrong.law}): "
            f"expected {value_text(wrong.expected)}, it showed {value_text(wrong.seen)}"
        )
        return Finding(
            "oracle",
            self._until(wrong.index),
            wrong.clause,
            wrong.index,
            wrong.key,
            reason=reason,
            shape=wrong.law,
            transcripts=(tuple(self.oracle.transcript),),
        )

    def _unlearned(self, failure: AdapterFailure) -> Finding:
        history = self.bench.tested.history
        index = history[-1].index + 1 if history else 0
        return Finding(
            failure.kind,  # type: ignore[arg-type]  # One of the kinds, as its class says.
            self._until(index),
            "",
            index,
            "",
            reason=str(failure),
            shape=f"{failure.kind} {failure.where}",
            transcripts=(tuple(self.bench.tested.transcript),),
        )

    def _until(self, index: int) -> Program:
        return self.program.with_steps(self.program.steps[: index + 1])


def _verb_text(record: Record) -> str:
    value = record.value if record.verb in {"call", "model-call", "projection"} else ""
    return f"{record.verb} {value}".replace("model-call", "call")
