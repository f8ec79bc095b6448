"""
A report as JUnit XML; under pytest, pytest writes one of its own.
"""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

from dsh_conformance.report.plain import case_story
from dsh_conformance.report.told import Report

SUITE = "dsh-conformance"
# What XML 1.0 cannot hold, not even as a reference.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> str:
    """
    Return the XML.
    """
    run = report.data["run"]
    top = ET.Element("testsuites")
    suite = ET.SubElement(top, "testsuite", name=SUITE, time=str(run["seconds"]))
    suite.set("timestamp", run["started"])
    for case in report.cases:
        suite.append(_case(case, report))
    if report.remarks:
        ET.SubElement(suite, "system-out").text = _safe("\n".join(report.remarks))
    for attribute, tag in {"failures": "failure", "errors": "error", "skipped": "skipped"}.items():
        suite.set(attribute, str(len(suite.findall(f"testcase/{tag}"))))
    suite.set("tests", str(len(report.cases)))
    ET.indent(top)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(top, encoding="unicode") + "\n"


def _case(case: dict[str, Any], report: Report) -> ET.Element:
    plugin = case["id"].partition("/")[0]
    element = ET.Element("testcase", classname=f"{SUITE}.{plugin}", name=case["id"])
    element.set("time", f"{case['seconds']:.3f}")
    properties = ET.SubElement(element, "properties")
    for name, value in properties_of(case):
        ET.SubElement(properties, "property", name=name, value=_safe(value))
    kind, text = _verdict(case, report)
    if kind:
        said = ET.SubElement(element, kind, message=_safe(text.split("\n")[0]))
        said.text = _safe(text)
    return element


def properties_of(case: dict[str, Any]) -> list[tuple[str, str]]:
    """
    Return what a case has besides its verdict: clauses, outcome, grade, known failures.
    """
    found = [("clause", clause) for clause in case["clauses"]]
    found.append(("outcome", case["outcome"]))
    grades = {failure["grade"] for failure in case["failures"]}
    if grades:
        found.append(("grade", "wrong effect" if "wrong effect" in grades else "same meaning"))
    known = {case["known"], *(failure["known"] for failure in case["failures"])} - {""}
    return found + [("known-failure", place) for place in sorted(known)]


def _verdict(case: dict[str, Any], report: Report) -> tuple[str, str]:
    if case["outcome"] == "not applicable":
        return "skipped", case["reason"]
    if case["outcome"] == "unverified":
        text = f"unverified ({case['kind']}): {case['reason']}"
        return ("skipped", f"known failure: {text}") if case["known"] else ("failure", text)
    if case["outcome"] == "failed":
        return ("failure" if report.news(case) else "skipped"), case_story(case, report)
    return "", ""


def _safe(text: str) -> str:
    return _FORBIDDEN.sub(lambda found: f"#x{ord(found[0]):02X}", text)
