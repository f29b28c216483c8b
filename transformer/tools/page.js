"use strict";

// the runs of a line that are shown: of one that has run once, no slider
function runLabel(entry, index) {
  return entry.count === 1 ? "1 run" : "run " + entry.runs[index][0] + " of " + entry.count;
}

// the statement that a generated line belongs to
function statementOf(values, line) {
  return values.at[line] === undefined ? String(line) : String(values.at[line]);
}

// which generated lines tell about a line of the user's: those that bind its names, the others of it, those of its cotangents
function linesOfUser(values, place, partners) {
  const found = (values.primal[place] || []).map(String);
  for (const partner of partners) {
    if (!partner.adjoint) found.push(statementOf(values, partner.at));
  }
  const computed = found.filter((at, k) => values.lines[at] && found.indexOf(at) === k);
  const bars = (values.bars[place] || []).map(String).filter((at) => values.lines[at] && !computed.includes(at));
  return { computed, bars };
}

// what is said of a value: a cell of a table each
function cellsOf(row) {
  const [name, kind, norm, text, bad] = row;
  return [name, kind, norm, text === kind ? "" : text, bad ? bad + " NaN or inf" : ""];
}

function start() {
  const values = JSON.parse(document.getElementById("values").textContent);
  const panel = document.getElementById("panel");
  const lines = Array.from(document.querySelectorAll(".line"));
  let kept = null;

  function sideOf(line) {
    return line.closest("section").id;
  }

  function partnersOf(line) {
    const group = line.dataset.group;
    return group === undefined ? [line] : lines.filter((other) => other.dataset.group === group);
  }

  function make(kind, text, name) {
    const node = document.createElement(kind);
    if (text !== undefined) node.textContent = text;
    if (name) node.className = name;
    return node;
  }

  function tableOf(rows) {
    const table = make("table");
    const head = table.appendChild(make("tr"));
    for (const title of ["name", "kind", "norm", "first numbers", ""]) head.appendChild(make("th", title));
    for (const row of rows) {
      const tr = table.appendChild(make("tr"));
      cellsOf(row).forEach((cell, k) => tr.appendChild(make("td", cell, k === 4 ? "bad" : k === 0 ? "name" : "")));
    }
    return table;
  }

  function blockOf(at, title) {
    const entry = values.lines[at];
    const block = make("div", undefined, "block");
    block.appendChild(make("h4", title));
    const last = entry.runs.length - 1;
    const label = block.appendChild(make("label"));
    const said = make("span", runLabel(entry, last));
    let table = block.appendChild(tableOf(entry.runs[last][1]));
    if (last > 0) {
      const slider = make("input");
      Object.assign(slider, { type: "range", min: 0, max: last, value: last });
      slider.setAttribute("aria-label", "run of line " + at);
      slider.addEventListener("input", () => {
        const index = Number(slider.value);
        said.textContent = runLabel(entry, index);
        const next = tableOf(entry.runs[index][1]);
        table.replaceWith(next);
        table = next;
      });
      label.appendChild(slider);
    }
    label.appendChild(said);
    return block;
  }

  function say(line) {
    const blocks = [];
    if (sideOf(line) === "right") {
      const at = statementOf(values, line.dataset.at);
      if (values.lines[at]) blocks.push(blockOf(at, "Generated line " + at));
    } else {
      const partners = partnersOf(line).filter((other) => sideOf(other) === "right")
        .map((other) => ({ at: other.dataset.at, adjoint: other.matches(".adjoint, .kept") }));
      const { computed, bars } = linesOfUser(values, line.dataset.at, partners);
      for (const at of computed) blocks.push(blockOf(at, "Computed by line " + at));
      for (const at of bars) blocks.push(blockOf(at, "Cotangent, bound by line " + at));
    }
    panel.replaceChildren(...(blocks.length ? blocks : [make("p", "This line binds no value in the generated source.")]));
  }

  function show(line) {
    const together = partnersOf(line);
    for (const other of lines) {
      other.classList.toggle("partner", together.includes(other));
      other.classList.toggle("chosen", other === line);
    }
    say(line);
  }

  function into(section, line) {
    const box = document.getElementById(section);
    const there = partnersOf(line).find((other) => sideOf(other) === section);
    if (there && !(there.offsetTop - box.offsetTop >= box.scrollTop
        && there.offsetTop - box.offsetTop < box.scrollTop + box.clientHeight - 40)) {
      box.scrollTop = there.offsetTop - box.offsetTop - box.clientHeight / 3;
    }
  }

  function mark(line) {
    kept = line;
    for (const other of lines) other.setAttribute("aria-selected", String(other === kept));
  }

  function keep(line) {
    mark(kept === line ? null : line);
    show(line);
    into(sideOf(line) === "left" ? "right" : "left", line);
  }

  function go(line) {
    for (const other of lines) other.tabIndex = -1;
    line.tabIndex = 0;
    line.focus();
  }

  function near(line, step) {
    const side = lines.filter((other) => sideOf(other) === sideOf(line));
    return side[side.indexOf(line) + step];
  }

  function onKey(event) {
    const line = event.currentTarget;
    const across = partnersOf(line).find((other) => sideOf(other) !== sideOf(line));
    const next = { ArrowDown: near(line, 1), ArrowUp: near(line, -1),
      ArrowLeft: sideOf(line) === "right" && across, ArrowRight: sideOf(line) === "left" && across }[event.key];
    if (next) go(next);
    else if (event.key === "Enter" || event.key === " ") keep(line);
    else if (event.key === "Escape") mark(null);
    else return;
    event.preventDefault();
  }

  for (const line of lines) {
    line.addEventListener("mouseenter", () => { if (!kept) show(line); });
    line.addEventListener("focus", () => { if (!kept) show(line); });
    line.addEventListener("click", () => { go(line); keep(line); });
    line.addEventListener("keydown", onKey);
  }
  for (const id of ["left", "right"]) {
    const first = document.querySelector("#" + id + " .line");
    if (first) first.tabIndex = 0;
  }
  // page.html#right-23 chooses that line
  const asked = lines.find((line) => "#" + line.id === location.hash);
  if (asked) keep(asked);
}

if (typeof document !== "undefined") start();
