"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const OUTCOMES = ["passed", "failed", "unverified", "not applicable", "not run", "untestable"];
  const PLAYED = OUTCOMES.slice(0, 4);
  const SIGNS = { passed: "✓", failed: "✗", unverified: "?", "not applicable": "–", "not run": "·", untestable: "·" };
  const byId = (id) => document.getElementById(id);
  const clauses = new Map(data.clauses.map((clause) => [clause.id, clause]));
  const cases = new Map(data.cases.map((one) => [one.id, one]));
  const entries = new Map(data.knownFailures.map((entry) => [entry.where, entry]));

  // What the implementation said only ever becomes text: no markup is made of it.
  function element(name, properties, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties || {})) {
      if (key === "class") made.className = value;
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  }
  const css = (outcome) => outcome.replace(" ", "-");
  const badge = (outcome, known) =>
    element("span", { class: known ? "known" : css(outcome) }, `${SIGNS[outcome]} ${outcome}${known ? " (known)" : ""}`);
  const link = (address, text) =>
    /^https?:\/\//i.test(address) ? element("a", { href: address, rel: "noreferrer" }, text) : document.createTextNode(text);
  const to = (kind, id) => element("a", { href: `#${new URLSearchParams({ [kind]: id })}` }, id);

  // ---- head, summary, known failures

  function head() {
    const implementation = data.implementation, run = data.run;
    const facts = [
      ["Implementation", `${implementation.name} ${implementation.version} (${implementation.language})`],
      ["Edition", data.edition.name],
      ["Suite", `${data.suite.name} ${data.suite.version}`],
      ["Run", `${run.started}, ${run.seconds} s, ${data.cases.length} of ${run.planned} cases`],
      ["Adapter", data.adapter.command],
    ];
    if (data.adapter.build) facts.push(["Build", data.adapter.build]);
    const list = element("dl", { class: "meta" });
    for (const [name, value] of facts) list.append(element("dt", {}, name), element("dd", {}, value));
    const style = run.verdict === "conformant" ? "passed" : run.verdict === "non-conformant" ? "failed" : "unverified";
    byId("head").append(
      element("h1", {}, `${implementation.name}: `, element("span", { class: `verdict ${style}` }, run.verdict)),
      list,
    );
    if (!data.complete) byId("head").append(element("p", { class: "alert" }, `Incomplete: ${data.incompleteReason}.`));
    for (const remark of data.remarks || []) byId("head").append(element("p", { class: "note" }, `Note: ${remark}.`));
  }

  function summary() {
    const rows = new Map();
    for (const clause of data.clauses) {
      const key = `${clause.plugin} ${clause.level}`;
      if (!rows.has(key)) rows.set(key, { plugin: clause.plugin, level: clause.level, counts: {} });
      const counts = rows.get(key).counts;
      counts[clause.outcome] = (counts[clause.outcome] || 0) + 1;
    }
    const table = element("table", {}, element("caption", { class: "dim" }, "Clauses by plugin and level"));
    const top = element("tr", {}, element("th", { scope: "col" }, "plugin"), element("th", { scope: "col" }, "level"));
    for (const outcome of OUTCOMES) top.append(element("th", { scope: "col", class: "number" }, outcome));
    const body = element("tbody");
    for (const { plugin, level, counts } of rows.values()) {
      const row = element("tr", {}, element("th", { scope: "row" }, plugin), element("td", {}, level));
      for (const outcome of OUTCOMES) {
        const cell = element("td", { class: "number" });
        if (counts[outcome]) {
          cell.append(element("a", { href: `#${new URLSearchParams({ plugin, level, outcome })}`, class: css(outcome),
            "aria-label": `${counts[outcome]} ${outcome}, ${plugin} ${level}` }, String(counts[outcome])));
        } else cell.append(element("span", { class: "dim" }, "0"));
        row.append(cell);
      }
      body.append(row);
    }
    table.append(element("thead", {}, top), body);
    byId("summary").append(element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Summary table" }, table));
  }

  function known() {
    if (!data.knownFailures.length) return;
    byId("known").hidden = false;
    const list = element("ul");
    for (const entry of data.knownFailures) {
      const wrong = entry.state === "stale" || entry.state === "expired";
      const item = element("li", {},
        element("strong", { class: wrong ? "failed" : "known" }, entry.state), " ",
        entry.clause ? to(clauses.has(entry.clause) ? "clause" : "q", entry.clause) : null,
        entry.clause && entry.case ? " in " : null,
        entry.case ? to(cases.has(entry.case) ? "case" : "q", entry.case) : null,
        `: ${entry.reason} (${entry.kind}, `, link(entry.issue, "issue"), entry.expires ? `, until ${entry.expires}` : null, ")");
      if (entry.state === "stale") item.append(element("div", { class: "dim" }, `No longer fails: ${entry.passed.join(", ")}`));
      list.append(item);
    }
    byId("known-list").append(list);
  }

  // ---- clauses

  const clauseRows = new Map(), caseRows = new Map();

  function matrix() {
    const table = element("table", { class: "matrix" });
    const top = element("tr", {}, element("th", { scope: "col" }, "clause"), element("th", { scope: "col" }, "outcome"));
    for (const outcome of PLAYED) top.append(element("th", { scope: "col", class: "number count" }, outcome));
    const body = element("tbody");
    data.clauses.forEach((clause, index) => {
      const counts = {};
      for (const id of clause.cases) { const share = shareOf(cases.get(id), clause.id); counts[share] = (counts[share] || 0) + 1; }
      const button = toggle(`clause-${index}`, "row", clause.id);
      const row = element("tr", {}, element("th", { scope: "row" }, button, element("span", { class: "dim" }, clause.level)),
        element("td", {}, badge(clause.outcome, clause.known)));
      for (const outcome of PLAYED) {
        row.append(element("td", { class: "number count" },
          counts[outcome] ? element("span", { class: css(outcome) }, String(counts[outcome])) : element("span", { class: "dim" }, "0")));
      }
      const cell = element("td", { colspan: String(PLAYED.length + 2), id: `clause-${index}` });
      const detail = element("tr", { hidden: true }, cell);
      const open = fold(button, detail, cell, () => clauseBody(clause), "clause", clause.id);
      clauseRows.set(clause.id, { row, detail, button, open, thing: clause });
      body.append(row, detail);
    });
    table.append(element("thead", {}, top), body);
    byId("matrix").append(table);
  }

  function shareOf(one, clause) {
    if (!one) return "unverified";
    if (one.failures.some((failure) => failure.clause === clause)) return "failed";
    return one.outcome === "failed" ? "unverified" : one.outcome;
  }

  function clauseBody(clause) {
    const body = element("div", { class: "body" }, element("p", {}, clause.statement), element("p", { class: "dim" }, clause.source));
    for (const text of clause.text) body.append(element("pre", {}, text));
    if (clause.untestable) body.append(element("p", {}, `Cannot be tested from outside: ${clause.untestable}`));
    if (clause.aliases.length) body.append(element("p", { class: "dim" }, `formerly ${clause.aliases.join(", ")}`));
    if (clause.cases.length) {
      const list = element("ul", { class: "chips" });
      for (const id of clause.cases) list.append(element("li", {}, badge(shareOf(cases.get(id), clause.id)), " ", to("case", id)));
      body.append(element("h3", {}, "Cases"), list);
    } else if (!clause.untestable) body.append(element("p", { class: "dim" }, "No case of this run looks at it."));
    return body;
  }

  // ---- cases

  function caseList() {
    data.cases.forEach((one, index) => {
      const button = toggle(`case-${index}`, "case", one.id);
      const holder = element("div", { id: `case-${index}`, hidden: true });
      const item = element("div", { class: "case-item" }, element("div", { class: "case-line" }, button, badge(one.outcome, isKnown(one))), holder);
      const open = fold(button, holder, holder, () => caseBody(one), "case", one.id);
      caseRows.set(one.id, { row: item, detail: holder, button, open, thing: one });
      byId("cases").append(item);
    });
  }

  const isKnown = (one) => one.outcome === "failed" ? one.failures.every((f) => f.known) : Boolean(one.known);

  function caseBody(one) {
    const body = element("div", { class: "body" });
    if (one.claim) body.append(element("p", {}, one.claim));
    const list = element("ul", { class: "chips", "aria-label": "Clauses" });
    for (const id of one.clauses) list.append(element("li", {}, to("clause", id)));
    body.append(list);
    if (one.reason) body.append(element("pre", {}, one.kind ? `${one.kind}: ${one.reason}` : one.reason));
    if (one.known) body.append(knownLine(one.known));
    for (const failure of one.failures) body.append(failureBody(failure));
    for (const fold of one.folds) body.append(foldBody(fold));
    if (one.script.length) body.append(element("h3", {}, "Script"), scriptBody(one));
    if (one.transcript) body.append(transcript(one.transcript));
    return body;
  }

  function knownLine(place) {
    const entry = entries.get(place);
    if (!entry) return element("p", { class: "known" }, `Known failure (${place})`);
    return element("p", { class: "known" }, `Known (${entry.kind}): ${entry.reason}. `, link(entry.issue, "issue"));
  }

  function failureBody(failure) {
    const clause = clauses.get(failure.clause);
    const part = element("section", {}, element("h3", {}, to("clause", failure.clause), ` (${clause ? clause.level : "?"}): ${failure.grade}`));
    if (clause) part.append(element("p", {}, clause.statement), element("p", { class: "dim" }, clause.source));
    if (failure.known) part.append(knownLine(failure.known));
    part.append(element("p", { class: "dim" }, `at ${failure.where}, ${failure.key}`));
    if (failure.note) part.append(element("p", {}, failure.note));
    for (const difference of failure.differences) {
      if (difference.path && difference.path !== "text") part.append(element("p", {}, "in ", element("code", {}, difference.path)));
      part.append(element("div", { class: "two" }, side("expected", difference.expected), side("seen", difference.seen)));
    }
    if (failure.more) part.append(element("p", { class: "dim" }, `… and ${failure.more} more differences`));
    return part;
  }

  function side(name, pieces) {
    const text = element("pre", { class: name });
    for (const [piece, differs] of pieces) text.append(differs ? element("mark", {}, piece) : piece);
    return element("div", {}, element("div", { class: "dim" }, name), text);
  }

  function foldBody(fold) {
    const column = (name, messages) => {
      const made = element("div", { class: "column" }, element("div", { class: "dim" }, `${name} (${messages.length})`));
      for (const message of messages) {
        made.append(element("div", { class: `message ${message.mark}` },
          element("div", { class: "dim" }, message.kind, message.mark ? `, ${message.mark}` : null),
          element("div", { class: "text" }, message.text)));
      }
      return made;
    };
    return element("section", {}, element("h3", {}, `Context of ${fold.agent}, before and after`),
      element("div", { class: "two fold" }, column("before", fold.before), column("after", fold.after)));
  }

  function scriptBody(one) {
    const list = element("ol", { class: "script" });
    one.script.forEach((line, number) => {
      const last = one.outcome !== "passed" && number === one.script.length - 1;
      const item = element("li", { class: last ? "last" : "" }, element("code", {}, line.step));
      if (line.expected) item.append(element("div", { class: "two" }, side("expected", [[line.expected, 0]]), side("seen", [[line.seen, 0]])));
      list.append(item);
    });
    return list;
  }

  function transcript(exchanges) {
    const made = element("details", {}, element("summary", {}, `Transcript (${exchanges.length} calls)`));
    made.addEventListener("toggle", () => {
      if (made.childElementCount > 1) return;
      for (const [method, params, reply] of exchanges) made.append(element("pre", {}, `→ ${method} ${params}\n← ${reply}`));
    });
    return made;
  }

  // ---- opening and closing

  function toggle(target, style, text) {
    return element("button", { type: "button", class: style, "aria-expanded": "false", "aria-controls": target }, text);
  }

  function fold(button, holder, inside, body, kind, id) {
    const open = (wanted) => {
      if (wanted && !inside.childElementCount) inside.append(body());
      holder.hidden = !wanted;
      button.setAttribute("aria-expanded", String(wanted));
    };
    button.addEventListener("click", () => {
      open(holder.hidden);
      write({ ...state, case: null, clause: null, ...(holder.hidden ? {} : { [kind]: id }) });
    });
    return open;
  }

  // ---- filters, kept in the address

  const FIELDS = ["q", "plugin", "level", "outcome"];
  let state = {};

  function filters() {
    const form = byId("filters");
    const choose = (name, label, values) => {
      const select = element("select", { id: `f-${name}`, name });
      for (const [value, text] of [["", "all"], ...values.map((v) => (Array.isArray(v) ? v : [v, v]))]) {
        select.append(element("option", { value }, text));
      }
      return element("div", {}, element("label", { for: `f-${name}` }, label), select);
    };
    form.append(
      element("div", { class: "search" }, element("label", { for: "f-q" }, "Search ( / )"), element("input", { id: "f-q", name: "q", type: "search", autocomplete: "off" })),
      choose("plugin", "Plugin", [...new Set(data.clauses.map((clause) => clause.plugin))]),
      choose("level", "Level", ["must", "should", "may"]),
      choose("outcome", "Outcome", [["new", "failed, not known"], ...OUTCOMES]),
      element("button", { type: "reset" }, "Clear"),
    );
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => write({ ...state, ...read(form) }));
    form.addEventListener("reset", () => write({}));
  }

  const read = (form) => Object.fromEntries(FIELDS.map((name) => [name, form.elements[name].value]));

  function write(next) {
    const kept = Object.entries(next).filter(([, value]) => value);
    const address = `#${new URLSearchParams(kept)}`;
    if (address !== (location.hash || "#")) location.replace(address);
    apply(Object.fromEntries(kept));
  }

  function apply(next) {
    state = next;
    const form = byId("filters");
    for (const name of FIELDS) if (form.elements[name].value !== (next[name] || "")) form.elements[name].value = next[name] || "";
    const words = (next.q || "").toLowerCase().split(/\s+/).filter(Boolean);
    const has = (text) => words.every((word) => text.toLowerCase().includes(word));
    const wanted = (outcome, isNew) => !next.outcome || (next.outcome === "new" ? isNew : outcome === next.outcome);
    let shownClauses = 0, shownCases = 0;
    for (const entry of clauseRows.values()) {
      const clause = entry.thing;
      const fits = (!next.plugin || clause.plugin === next.plugin) && (!next.level || clause.level === next.level)
        && wanted(clause.outcome, clause.outcome === "failed" && !clause.known)
        && has([clause.id, clause.statement, clause.source, ...clause.text].join(" "));
      show(entry, fits);
      shownClauses += fits;
    }
    for (const entry of caseRows.values()) {
      const one = entry.thing;
      const its = one.clauses.map((id) => clauses.get(id)).filter(Boolean);
      const fits = (!next.plugin || its.some((clause) => clause.plugin === next.plugin))
        && (!next.level || its.some((clause) => clause.level === next.level))
        && wanted(one.outcome, one.outcome === "failed" && one.failures.some((failure) => !failure.known))
        && has([one.id, one.claim, one.reason, ...one.clauses].join(" "));
      show(entry, fits);
      shownCases += fits;
    }
    byId("count").textContent = `${shownClauses} of ${data.clauses.length} clauses, ${shownCases} of ${data.cases.length} cases`;
  }

  function show(entry, fits) {
    entry.row.hidden = !fits;
    if (entry.detail !== entry.row && !entry.row.contains(entry.detail)) {
      entry.detail.hidden = !fits || entry.button.getAttribute("aria-expanded") !== "true";
    }
  }

  function follow() {
    const next = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    apply(next);
    const target = next.case ? caseRows.get(next.case) : next.clause ? clauseRows.get(next.clause) : null;
    if (!target) return;
    target.row.hidden = false;
    target.open(true);
    target.row.scrollIntoView({ block: "start" });
    target.button.focus({ preventScroll: true });
  }

  // ---- keys

  function keys() {
    const dialog = byId("keys");
    const list = element("dl", { class: "meta" });
    for (const [key, text] of [["/", "search"], ["j, k", "next, previous row"], ["Enter", "open or close it"], ["f", "failures that are not known"], ["Escape", "clear the filters"], ["?", "this help"]]) {
      list.append(element("dt", {}, element("kbd", {}, key)), element("dd", {}, text));
    }
    const close = element("button", { type: "button" }, "Close");
    close.addEventListener("click", () => dialog.close());
    dialog.append(element("h2", { id: "keys-title" }, "Keys"), list, close);
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
      const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
      if (event.key === "Escape") { write({}); document.activeElement.blur(); return; }
      if (typing) return;
      const act = { "/": () => byId("f-q").focus(), "?": () => dialog.showModal(), j: () => step(1), k: () => step(-1), f: () => write({ ...state, outcome: "new" }) }[event.key];
      if (act) { event.preventDefault(); act(); }
    });
  }

  function step(by) {
    const rows = [...clauseRows.values(), ...caseRows.values()].filter((entry) => !entry.row.hidden).map((entry) => entry.button);
    const at = rows.indexOf(document.activeElement);
    const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by];
    if (next) next.focus();
  }

  function foot() {
    const digest = (name, value) => (value ? `${name} ${value.slice(0, 12)}` : null);
    const parts = [digest("spec", data.suite.specDigest), digest("fixtures", data.suite.fixturesDigest), digest("adapter", data.adapter.digest),
      `Python ${data.environment.python}`, data.environment.platform];
    byId("foot").append(parts.filter(Boolean).join(" · "), " · press ", element("kbd", {}, "?"), " for keys");
  }

  head(); summary(); known(); filters(); matrix(); caseList(); keys(); foot();
  window.addEventListener("hashchange", follow);
  window.addEventListener("beforeprint", () => {
    for (const entry of caseRows.values()) if (entry.thing.outcome === "failed") entry.open(true);
  });
  follow();
})();
