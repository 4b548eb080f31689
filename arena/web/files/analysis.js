"use strict";
// An agent thinks about a position, or a game is played again: shows what the site says of it. It is only ever text here.
(() => {
  const find = (name) => document.getElementById(name);
  const main = document.querySelector("main[data-table]");
  if (!main) return;
  const words = JSON.parse(find("words").textContent);
  const own = `/analysis/${main.dataset.table}`;
  const PING = 20000;
  const svg = find("stage").querySelector("svg.board");
  const plain = find("stage").querySelector("pre.plain");
  let state = { seen: -1 };
  let line = { moves: [], film: null }; // the expected line as it was when somebody began to step through it
  let step = 0;
  let offset = 0; // the clock of the site minus ours, in seconds
  let pulling = false;
  let again = false;
  let isStopped = false;

  const say = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  const text = (element, value) => {
    if (element.textContent !== value) element.textContent = value;
  };
  const make = (name, content = "") => {
    const made = document.createElement(name);
    made.textContent = content;
    return made;
  };
  const percent = (share) => (share === null || share === undefined ? "" : `${(100 * share).toFixed(1)} %`);
  const score = (value) => (value === null || value === undefined ? "" : value.toFixed(2));
  const short = (count) => {
    const [size, unit] = [[1e9, "G"], [1e6, "M"], [1e3, "k"]].find(([size]) => count >= size) ?? [1, ""];
    return unit ? `${(count / size).toFixed(1)} ${unit}` : String(count);
  };

  // The board of the position, or after some moves of the expected line.
  const paint = () => {
    const board = state.board ?? {};
    if (plain && board.text !== undefined) text(plain, board.text);
    if (!svg || !board.change) return;
    if (step && line.film) {
      arenaBoard.player(svg, line.film)(step);
      arenaBoard.thoughts(svg, []);
      return;
    }
    const held = new Array(arenaBoard.count(svg)).fill(0);
    for (let at = 0; at < board.change.length; at += 2) held[board.change[at]] = board.change[at + 1];
    arenaBoard.paint(svg, board.things, held, board.last, board.check);
    arenaBoard.thoughts(svg, state.thought?.marks[find("marks")?.value] ?? []);
  };

  const showLine = () => {
    find("line-part").hidden = !line.moves.length;
    const items = line.moves.map((move, at) => {
      const item = document.createElement("li");
      const button = make("button", move);
      button.type = "button";
      if (at + 1 === step) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => go(at + 1));
      item.append(button);
      return item;
    });
    const hadFocus = find("moves-of-line").contains(document.activeElement);
    find("moves-of-line").replaceChildren(...items);
    if (hadFocus && step) items[step - 1]?.firstChild.focus();
    find("line_start").disabled = find("line_back").disabled = step === 0;
    find("line_on").disabled = step >= line.moves.length || !line.film;
  };

  const go = (wanted) => {
    step = Math.max(0, Math.min(wanted, line.film ? line.moves.length : 0));
    if (!step && state.thought) line = { moves: state.thought.line, film: state.thought.film };
    showLine();
    paint();
  };

  const showCandidates = (found) => {
    find("candidates-part").hidden = !found.length;
    const rows = found.map((one) => {
      const row = document.createElement("tr");
      row.append(make("td", one.move));
      const cells = [one.visits === null ? "" : short(one.visits), percent(one.visits === null ? null : one.share)];
      for (const value of [...cells, percent(one.policy), score(one.value)]) {
        const cell = make("td", value);
        cell.className = "number";
        row.append(cell);
      }
      return row;
    });
    find("candidates").replaceChildren(...rows);
  };

  // A bar as long as the share of the visits, filled as far as the score of first.
  const bar = (share, value) => {
    const SVG = "http://www.w3.org/2000/svg";
    const drawn = document.createElementNS(SVG, "svg");
    drawn.setAttribute("class", "branch");
    drawn.setAttribute("aria-hidden", "true");
    const widths = { all: share, share: share * value };
    for (const [name, part] of Object.entries(widths)) {
      const rect = document.createElementNS(SVG, "rect");
      rect.setAttribute("class", name);
      rect.setAttribute("width", `${(100 * part).toFixed(1)}%`);
      rect.setAttribute("height", "100%");
      drawn.append(rect);
    }
    return drawn;
  };

  const label = (node) => {
    const values = { move: node.move, visits: node.visits.toLocaleString(), value: score(node.value) };
    return make("span", say(words.tree_node, values));
  };

  // The parts of the tree stay as they are, so that what somebody has opened and focused stays so.
  const showTree = (found) => {
    find("tree-part").hidden = !found.length;
    const tree = find("tree");
    const known = new Map([...tree.children].map((item) => [item.dataset.key, item]));
    const most = Math.max(1, ...found.map((node) => node.visits));
    found.forEach((node, at) => {
      let item = known.get(node.key);
      if (!item) {
        item = document.createElement("li");
        item.dataset.key = node.key;
        const details = document.createElement("details");
        details.open = !tree.children.length;
        details.append(document.createElement("summary"), document.createElement("ul"));
        item.append(details);
      }
      known.delete(node.key);
      const [summary, list] = item.firstChild.children;
      summary.replaceChildren(label(node), bar(node.visits / most, node.value ?? 0));
      list.replaceChildren(
        ...node.answers.map((answer) => {
          const leaf = document.createElement("li");
          leaf.append(label(answer), bar(answer.visits / most, answer.value ?? 0));
          return leaf;
        }),
      );
      if (tree.children[at] !== item) tree.insertBefore(item, tree.children[at] ?? null);
    });
    for (const item of known.values()) item.remove();
  };

  const think = (thought) => {
    find("thought").hidden = false;
    const value = thought.value ?? null;
    find("thought").querySelector(".value").toggleAttribute("hidden", value === null);
    find("thought").querySelector(".value .share").setAttribute("width", `${100 * (value ?? 0)}%`);
    const facts = [];
    if (value !== null) facts.push(say(words.value_of_first, { value: score(value) }));
    if (thought.depth) facts.push(say(words.depth, { n: thought.depth }));
    if (thought.nodes) facts.push(say(words.nodes, { n: short(thought.nodes) }));
    if (thought.speed) facts.push(say(words.speed, { n: short(thought.speed) }));
    text(find("facts"), facts.join(", "));
    text(find("said"), thought.text);
    if (!step) {
      line = { moves: thought.line, film: thought.film };
      showLine();
    }
    showCandidates(thought.candidates);
    showTree(thought.tree);
  };

  const caption = () => {
    const name = main.dataset.name;
    if (state.notice) return state.notice;
    if (isStopped || state.phase === "gone") return words.was_stopped;
    if (state.verdict) return state.verdict;
    if (state.problem) return say(words.no_answer, { name, why: state.problem });
    if (state.move) return say(words.plays_after, { name, move: state.move, seconds: state.took });
    if (state.turns) {
      return say(state.differs ? words.rerun_differs : words.rerun_same, state);
    }
    return say(state.phase === "starting" ? words.agent_starts : words.thinks_now, { name });
  };

  const isOver = () => isStopped || ["over", "failed", "gone"].includes(state.phase);

  const show = (found) => {
    state = found;
    offset = (state.now ?? 0) - Date.now() / 1000;
    if (state.thought) think(state.thought);
    paint();
    text(find("caption"), caption());
    for (const [at, change] of (state.changes ?? []).entries()) {
      if (!find("changes").children[at]) find("changes").append(make("li", change));
    }
    find("end").hidden = isOver();
    main.dataset.phase = state.phase;
  };

  const tick = () => {
    const seconds = Math.max(0, Date.now() / 1000 + offset - (state.asked ?? 0));
    text(find("elapsed"), state.phase === "thinking" && state.asked && !isOver() ? `${seconds.toFixed(1)} s` : "");
  };

  const pull = async () => {
    again = true;
    if (pulling || isOver()) return;
    pulling = true;
    while (again) {
      again = false;
      try {
        const answer = await fetch(`${own}/state`);
        const found = await answer.json();
        if (isStopped) break;
        if (found.phase === "gone") show({ ...state, phase: "gone" });
        else if (found.seen > state.seen) show(found);
      } catch {
        // The site cannot be reached; the line at the bottom says so, and the next event or ping tries again.
      }
    }
    pulling = false;
  };

  find("end").addEventListener("click", async () => {
    isStopped = true;
    await fetch(`${own}/end`, { method: "POST", redirect: "manual", body: new URLSearchParams() });
    text(find("caption"), words.was_stopped);
    find("end").hidden = true;
    main.dataset.phase = "stopped";
  });
  find("marks")?.addEventListener("change", paint);
  find("line_start")?.addEventListener("click", () => go(0));
  find("line_back")?.addEventListener("click", () => go(step - 1));
  find("line_on")?.addEventListener("click", () => go(step + 1));
  document.addEventListener("arena-table", (event) => {
    if (event.detail === null || (event.detail.id === main.dataset.table && event.detail.seen > state.seen)) pull();
  });
  setInterval(pull, PING);
  setInterval(tick, 100);
  pull();
})();
