"""
Faults in how values read inside refusals.
"""

from __future__ import annotations

import json
import math
import re

from dsh_reference.tasks import config, waits, wording
from faults.kit import JOBS_EDITION
from faults.kit import tasks as fault

fault.set(
    "numbers_read_as_in_python",
    "tasks.wait.invalid-number",
    waits,
    "json_text",
    lambda value: json.dumps(value, ensure_ascii=False),
)
fault.after(
    "exponents_have_two_digits",
    "tasks.wait.invalid-number",
    wording,
    "_number",
    lambda text: re.sub(r"e([+-])(\d)$", r"e\g<1>0\2", text),
)
fault.set(
    "whole_numbers_keep_all_digits",
    "tasks.wait.invalid-number",
    waits,
    "json_text",
    lambda value: str(value) if isinstance(value, int) else wording.json_text(value),
)
fault.set(
    "values_of_settings_read_as_json",
    "tasks.config.refusal-text",
    config,
    "plain_text",
    wording.json_text,
)
fault.text(
    "refusals_of_settings_have_other_words",
    "tasks.config.refusal-text",
    config,
    "_PROBLEM",
    "but got",
    "not",
)
fault.set(
    "a_delivery_reads_bare",
    "tasks.wake.config-text",
    config,
    "json_text",
    wording.plain_text,
    edition=JOBS_EDITION,
)
fault.set(
    "wake_ups_may_be_any_number",
    "tasks.wake.config-text",
    config,
    "_LARGEST_WHOLE",
    math.inf,
    edition=JOBS_EDITION,
)
