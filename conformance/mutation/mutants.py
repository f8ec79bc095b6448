"""
The mutants of a module, made by the operators of Cosmic Ray.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

# Operators that take arguments are left out: what they put in has nothing to do with the code.
# So is the one that does nothing.
LEFT_OUT = "core/NoOp"


@dataclass(frozen=True)
class Mutant:
    """
    One change of a module.

    Attributes:
        operator: Who made it.
        line: The line that is changed, from 1.
        before: The line as it is.
        after: The line as the mutant has it.
        source: The whole module.
    """

    operator: str
    line: int
    before: str
    after: str
    source: str

    @property
    def key(self) -> str:
        """
        What a verdict is filed under; it outlives a move to another line.
        """
        return f"{self.before} → {self.after}"


def mutants(source: str) -> Iterator[Mutant]:
    """
    Yield the mutants of a module that differ from it, and from each other, when run.
    """
    seen = {_meaning(source)}
    for name in operator_names():
        operator = get_operator(name)
        if name == LEFT_OUT or operator.arguments():
            continue
        for occurrence in range(_positions(source, operator)):
            mutated = mutate_code(source, operator(), occurrence)
            if mutated is None or (meaning := _meaning(mutated)) in seen:
                continue
            seen.add(meaning)
            yield _mutant(name, source, mutated)


def _positions(source: str, operator: type) -> int:
    made = operator()
    return sum(len(list(made.mutation_positions(node))) for node in ast_nodes(get_ast(source)))


def _mutant(operator: str, source: str, mutated: str) -> Mutant:
    old, new = source.splitlines(), mutated.splitlines()
    line = next(i for i, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1])
    return Mutant(operator, line + 1, old[line].strip(), new[line].strip(), mutated)


class _Bare(ast.NodeTransformer):
    """
    Drops what Python does not look at when it runs: annotations.
    """

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:  # The visitor's name.
        """
        Keep the assignment alone.
        """
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """
        Keep the name alone.
        """
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:  # As above.
        """
        Keep the body alone.
        """
        node.returns = None
        return self.generic_visit(node)


def _meaning(source: str) -> str:
    try:
        return ast.dump(_Bare().visit(ast.parse(source)))
    except SyntaxError:
        return source
