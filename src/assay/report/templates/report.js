"use strict";
// Everything here is a convenience: without a script tables, figures and plain pages are all there.
// Pages were escaped when the report was made; this script only moves them, and makes no HTML out of texts.
(() => {
  const $ = (id) => document.getElementById(id);
  const root = document.documentElement;
  root.classList.add("js");
  const identity = { createHTML: (html) => html };
  const policy = window.trustedTypes ? trustedTypes.createPolicy("assay", identity) : identity;

  // Light and dark.
  const theme = $("theme"), dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const nameTheme = () => { theme.textContent = isDark() ? "Light" : "Dark"; theme.setAttribute("aria-pressed", isDark()); };
  theme.hidden = false;
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; nameTheme(); });
  dark.addEventListener("change", nameTheme);
  nameTheme();

  // The table: sorting and filtering.
  const table = $("table"), body = table.tBodies[0], all = [...body.rows];
  const filters = $("filters"), find = $("find"), chips = [...filters.querySelectorAll("button[data-mark]")];
  const natural = new Intl.Collator("en", { numeric: true });
  let mark = "";
  const key = (row, column) => {
    const cell = row.cells[column], text = cell.dataset.v ?? cell.textContent;
    const share = /^(\d+)\/(\d+)$/.exec(text);
    if (share) return +share[2] ? share[1] / share[2] : -1;
    const value = Number.parseFloat(text.replace(/,/g, ""));
    return Number.isNaN(value) ? -Infinity : value;
  };
  const sort = (head, column) => {
    const numeric = head.classList.contains("n");
    const rising = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") !== "ascending" : !numeric;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", rising ? "ascending" : "descending");
    const keys = new Map(all.map((row) => [row, numeric ? key(row, column) : row.cells[column].textContent]));
    const order = numeric ? (a, b) => keys.get(a) - keys.get(b) : (a, b) => natural.compare(keys.get(a), keys.get(b));
    all.sort((a, b) => (rising ? 1 : -1) * order(a, b));
    body.append(...all);
  };
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if ("fixed" in head.dataset) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(head, column));
  });
  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of all) {
      const text = row.textContent.toLowerCase();
      const fits = (!mark || ` ${row.dataset.k} `.includes(` ${mark} `)) && words.every((word) => text.includes(word));
      row.classList.toggle("off", !fits);
      shown += fits;
    }
    const total = all.length.toLocaleString("en");
    $("shown").textContent = shown === all.length ? total : `${shown.toLocaleString("en")} of ${total}`;
    $("none").hidden = shown > 0;
    for (const chip of chips) chip.setAttribute("aria-pressed", chip.dataset.mark === mark);
  };
  filters.hidden = false;
  filters.addEventListener("submit", (event) => event.preventDefault());
  find.addEventListener("input", filter);
  for (const chip of chips) chip.addEventListener("click", () => { mark = chip.dataset.mark === mark ? "" : chip.dataset.mark; filter(); });
  for (const link of document.querySelectorAll("a[data-show]")) {
    link.title = "Show the problems with such samples";
    link.addEventListener("click", () => { mark = link.dataset.show; find.value = ""; filter(); });
  }

  // Pages of problems: plain ones lie in the file, others are unpacked when one of them is opened.
  const blocks = [...document.querySelectorAll("script.block")], place = new Map(), unpacked = new Map();
  for (const block of blocks) block.dataset.keys.split(" ").forEach((name, i) => place.set(name, [block, i]));
  const plain = $("plain");
  const has = (name) => place.has(name) || (plain && document.getElementById(name)?.classList.contains("problem"));
  const unpack = (block) => {
    if (!unpacked.has(block)) {
      const bytes = Uint8Array.from(atob(block.textContent), (char) => char.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
      unpacked.set(block, new Response(stream).text().then((text) => text.split("\0")));
    }
    return unpacked.get(block);
  };
  const article = async (name) => {
    if (place.has(name)) {
      const [block, i] = place.get(name);
      const holder = document.createElement("div");
      holder.innerHTML = policy.createHTML((await unpack(block))[i]);
      return holder.firstElementChild;
    }
    return plain.querySelector(`#${name}`).cloneNode(true);
  };

  // A little colour for Python.
  const token = /("""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|(#[^\n]*)|\b(and|as|assert|async|await|break|class|continue|def|del|elif|else|except|False|finally|for|from|global|if|import|in|is|lambda|None|nonlocal|not|or|pass|raise|return|True|try|while|with|yield)\b|\b(\d[\w.]*)\b/g;
  const kinds = [, "str", "com", "kw", "num"];
  const colour = (code) => {
    const lines = [...code.children].flatMap((part) => part.textContent.split(/(?<=\n)/).filter(Boolean).map((text) => {
      const line = document.createElement(part.localName);
      line.textContent = text;
      return line;
    }));
    if (lines.length) code.replaceChildren(...lines);
    const targets = lines.length ? lines : [code];
    const pieces = targets.map(() => []);
    let at = 0;
    const put = (text, kind) => text.split(/(?<=\n)/).forEach((part) => {
      if (!part) return;
      const target = pieces[Math.min(at, pieces.length - 1)];
      if (kind) { const span = document.createElement("span"); span.className = kind; span.textContent = part; target.push(span); }
      else target.push(part);
      if (lines.length && part.endsWith("\n")) at += 1;
    });
    const text = targets.map((line) => line.textContent).join("");
    let last = 0;
    for (const found of text.matchAll(token)) {
      put(text.slice(last, found.index));
      put(found[0], kinds[found.findIndex((group, i) => i && group !== undefined)]);
      last = found.index + found[0].length;
    }
    put(text.slice(last));
    targets.forEach((line, i) => line.replaceChildren(...pieces[i]));
  };
  const showMarked = (within) => {
    for (const line of within.querySelectorAll("pre.code b")) {
      const box = line.closest("pre");
      box.scrollTop += line.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
    }
  };
  document.addEventListener("toggle", (event) => { if (event.target.open && event.target.matches(".answer")) showMarked(event.target); }, true);

  // Opening, and going on to the next one that the table shows.
  const visible = () => all.filter((row) => !row.classList.contains("off")).map((row) => row.cells[0].querySelector("a")?.hash.slice(1)).filter(Boolean);
  let current = null, scrolled = 0;
  const step = (by) => {
    const names = visible(), at = names.indexOf(current);
    const next = names[at < 0 ? 0 : at + by];
    if (next) location.hash = next;
  };
  const show = async () => {
    const name = decodeURIComponent(location.hash.slice(1));
    if (!name || !has(name)) {
      const left = current;
      current = null;
      root.classList.remove("open");
      $("bar").hidden = true;
      $("page").replaceChildren();
      if (left) {
        const link = table.querySelector(`a[href="#${left}"]`);
        if (name === "problems" && link) { scrollTo(0, scrolled); link.focus({ preventScroll: true }); }
        else if (name) document.getElementById(name)?.scrollIntoView();
      }
      return;
    }
    if (!current) scrolled = scrollY;
    current = name;
    const page = await article(name);
    if (current !== name) return;
    page.removeAttribute("id");
    for (const code of page.querySelectorAll("pre.code > code, pre[data-code] > code")) colour(code);
    $("page").replaceChildren(page);
    root.classList.add("open");
    $("bar").hidden = false;
    const names = visible(), at = names.indexOf(name);
    $("place").textContent = at < 0 ? "" : `${(at + 1).toLocaleString("en")} of ${names.length.toLocaleString("en")}`;
    $("previous").disabled = at <= 0;
    $("next").disabled = at === names.length - 1;
    scrollTo(0, 0);
    showMarked(page);
    page.focus({ preventScroll: true });
  };
  $("previous").addEventListener("click", () => step(-1));
  $("next").addEventListener("click", () => step(1));
  addEventListener("hashchange", show);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
    if (event.key === "/" ) { event.preventDefault(); if (current) location.hash = "problems"; setTimeout(() => find.focus()); }
    if (current && event.key === "j") step(1);
    if (current && event.key === "k") step(-1);
    if (current && event.key === "Escape") location.hash = "problems";
  });
  show();

  // The map: a column is a problem.
  for (const map of document.querySelectorAll("svg.map")) {
    const names = map.dataset.order.split(" "), tip = document.createElementNS("http://www.w3.org/2000/svg", "title");
    map.querySelector("title").remove();
    map.setAttribute("aria-label", "Problems and their samples; the table below holds the same");
    map.append(tip);
    const at = (event) => names[Math.min(names.length - 1, Math.floor(((event.clientX - map.getBoundingClientRect().left) / map.clientWidth) * names.length))];
    map.addEventListener("mousemove", (event) => { tip.textContent = table.querySelector(`a[href="#${at(event)}"]`)?.textContent ?? ""; });
    map.addEventListener("click", (event) => { const name = at(event); if (name && has(name)) location.hash = name; });
  }

  // A print is light, and holds what is folded away.
  let chosen;
  addEventListener("beforeprint", () => { chosen = root.dataset.theme; root.dataset.theme = "light"; });
  addEventListener("afterprint", () => { if (chosen) root.dataset.theme = chosen; else delete root.dataset.theme; });
  addEventListener("beforeprint", () => document.querySelectorAll("details:not(.numbers):not([open])").forEach((each) => { if (each.closest("#page") || each.closest("#overview")) each.open = true; }));
})();
