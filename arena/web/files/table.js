"use strict";
// A table: shows the board, takes clicks, drags and keys, and sends orders. What the site says is only ever text here.
(() => {
  const find = (name) => document.getElementById(name);
  const main = document.querySelector("main[data-table]");
  if (!main) return;
  const words = JSON.parse(find("words").textContent);
  const own = `/table/${main.dataset.table}`;
  const PING = 20000;
  const svg = find("stage").querySelector("svg.board");
  const plain = find("stage").querySelector("pre.plain");
  const columns = svg ? Number(svg.dataset.columns) : 1;
  const isShow = main.classList.contains("exhibition");
  let state = { seen: -1, legal: [], cells: [], moves: [] };
  let clicks = []; // the clicks of the move that is being made
  let cells = []; // the buttons over the cells of the board
  let offset = 0; // the clock of the site minus ours, in seconds
  let pulling = false;
  let again = false;

  const say = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  const seats = ["first", "second"];
  const nameOf = (seat) => {
    if (!state.people?.includes(seat)) return state.names?.[seat] ?? "";
    return state.people.length === 1 && main.dataset.mine === "yes" ? words.you : `${words.person} (${words[seat]})`;
  };
  const isMine = () => main.dataset.mine === "yes" && state.people?.includes(state.seat);
  const text = (element, value) => {
    if (element.textContent !== value) element.textContent = value;
  };

  // Orders. Each names the board that it is about, so that none is taken for a later one.
  const order = async (kind, value = "") => {
    clicks = [];
    mark();
    const body = new URLSearchParams({ kind, step: state.step, text: value });
    const answer = await fetch(`${own}/order`, { method: "POST", body });
    const refusal = answer.ok ? "" : ((await answer.json().catch(() => ({}))).refusal ?? "over");
    if (refusal) text(find("caption"), words[`refused_${refusal}`] ?? refusal);
    pull();
  };

  const matching = (path) => state.legal.filter((move) => path.every((name, at) => move[at + 1] === name));
  const isCell = (name) => state.cells.includes(name);

  const place = (name) => {
    const at = state.cells.indexOf(name);
    return [Math.floor(at / columns), at % columns];
  };
  // The top left and the bottom right corner of the rectangle that two cells span.
  const corners = (one, other) => {
    const [[top, left], [bottom, right]] = [place(one), place(other)];
    const cell = (row, column) => state.cells[row * columns + column];
    return [cell(Math.min(top, bottom), Math.min(left, right)), cell(Math.max(top, bottom), Math.max(left, right))];
  };

  const press = (name) => {
    if (!state.legal.length || !isMine()) return;
    if (clicks.length && clicks.at(-1) === name && !state.areas) clicks = [];
    else if (state.areas && isCell(name)) return corner(name);
    else {
      const next = matching([...clicks, name]).length ? [...clicks, name] : [name];
      const found = matching(next);
      const whole = found.find((move) => move.length === next.length + 1);
      if (whole) return order("move", whole[0]);
      clicks = found.length ? next : [];
    }
    mark();
  };

  const corner = (name) => {
    if (!clicks.length) {
      clicks = [name];
      return mark();
    }
    const found = matching(corners(clicks[0], name))[0];
    clicks = [];
    if (found) return order("move", found[0]);
    text(find("caption"), words["refused_illegal"]);
    mark();
  };

  // The cells that may be clicked next.
  const targets = () => {
    if (!state.areas) return new Set(matching(clicks).map((move) => move[clicks.length + 1]));
    const found = new Set(state.legal.map((move) => move[1]).filter((name) => !isCell(name))); // such as pass
    if (!clicks.length) return found;
    const [row, column] = place(clicks[0]);
    for (const [, one, other] of state.legal) {
      if (!isCell(one)) continue;
      const [[top, left], [bottom, right]] = [place(one), place(other)];
      if ((row === top || row === bottom) && (column === left || column === right)) {
        found.add(state.cells[(top + bottom - row) * columns + left + right - column]);
      }
    }
    return found;
  };

  const within = (one, other) => {
    const [first, last] = corners(one, other).map(place);
    return (at) => {
      const [row, column] = [Math.floor(at / columns), at % columns];
      return row >= first[0] && row <= last[0] && column >= first[1] && column <= last[1];
    };
  };

  // Shows which cells are chosen and which may be, and the choices that are no cells: pass, promotion.
  const mark = (hovered) => {
    const possible = isMine() ? targets() : new Set();
    // On an empty board every cell is possible: saying so for each would hide everything else.
    const areMany = !clicks.length && possible.size > state.cells.length / 2;
    const isInside = state.areas && clicks.length ? within(clicks[0], hovered ?? clicks[0]) : () => false;
    cells.forEach((button, at) => {
      const name = state.cells[at];
      const isChosen = clicks.includes(name) || isInside(at);
      const isPossible = possible.has(name);
      button.classList.toggle("chosen", isChosen);
      button.classList.toggle("possible", isPossible && !areMany);
      button.classList.toggle("source", isPossible && !clicks.length && !areMany);
      button.classList.toggle("taken", Boolean(state.holds[at]));
      const notes = [state.holds[at] || words.empty_cell];
      if (isChosen) notes.push(words.is_chosen);
      else if (isPossible) notes.push(clicks.length || !state.holds[at] ? words.is_target : words.can_move);
      const label = `${name}, ${notes.join(", ")}`;
      if (button.ariaLabel !== label) button.ariaLabel = label;
    });
    choices([...possible].filter((name) => !isCell(name)));
  };

  const choices = (names) => {
    const box = find("choices");
    const isPromotion = names.some((name) => name.startsWith("="));
    const label = (name) => {
      if (name === "pass") return words.pass;
      return name.startsWith("=") ? (words[`piece_${name.slice(1)}`] ?? name.slice(1)) : name;
    };
    const hadFocus = box.contains(document.activeElement);
    if (!svg && names.length) return chooser(box);
    const buttons = names.map((name) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label(name);
      button.dataset.choice = name;
      button.addEventListener("click", () => press(name));
      return button;
    });
    const title = document.createElement("span");
    title.textContent = isPromotion ? words.promote : "";
    box.replaceChildren(...(isPromotion ? [title] : []), ...buttons);
    box.ariaLabel = isPromotion ? words.promote : words.choose_move;
    box.hidden = !buttons.length;
    if (isPromotion || (hadFocus && buttons.length)) buttons[0].focus();
  };

  // A game without a board: a list of its moves.
  const chooser = (box) => {
    const list = document.createElement("select");
    list.id = "move-list";
    list.ariaLabel = words.choose_move;
    for (const [move] of state.legal) list.append(new Option(move, move));
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words.play_move;
    button.addEventListener("click", () => order("move", list.value));
    box.replaceChildren(list, button);
    box.ariaLabel = words.choose_move;
    box.hidden = false;
  };

  // Buttons over the cells of the picture: for the mouse, for keys and for screen readers.
  const build = () => {
    const rows = state.cells.length / columns;
    const [width, height] = [45 * columns + 20, 45 * rows + 20];
    const grid = document.createElement("div");
    grid.id = "cells";
    grid.setAttribute("role", "grid");
    grid.ariaLabel = words.board_of;
    grid.classList.toggle("areas", Boolean(state.areas));
    grid.style.left = `${2000 / width}%`;
    grid.style.bottom = `${2000 / height}%`;
    find("stage").style.setProperty("--ratio", String(width / height));
    grid.style.setProperty("--columns", String(columns));
    for (let row = 0; row < rows; row += 1) {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      for (let column = 0; column < columns; column += 1) {
        const button = document.createElement("button");
        button.type = "button";
        button.setAttribute("role", "gridcell");
        button.tabIndex = cells.length ? -1 : 0;
        button.dataset.cell = state.cells[cells.length];
        cells.push(button);
        line.append(button);
      }
      grid.append(line);
    }
    find("stage").append(grid);
    svg.ariaHidden = "true";
    watch(grid);
  };

  const focus = (at) => {
    for (const button of cells) button.tabIndex = -1;
    cells[at].tabIndex = 0;
    cells[at].focus();
  };

  const watch = (grid) => {
    const cellOf = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]")?.dataset.cell;
    let from = null;
    grid.addEventListener("click", (event) => {
      const button = event.target.closest("[data-cell]");
      if (button) press(button.dataset.cell);
    });
    grid.addEventListener("pointerdown", (event) => (from = event.button === 0 ? cellOf(event) : null));
    grid.addEventListener("pointermove", (event) => {
      if (from && state.areas && isMine()) {
        const over = cellOf(event);
        if (over && over !== from) clicks = [from];
        if (over && clicks.length) mark(over);
      }
    });
    grid.addEventListener("pointerup", (event) => {
      const [start, end] = [from, cellOf(event)];
      from = null;
      // Down and up on one cell is a click; on two cells it is a drag.
      if (!start || !end || start === end) return;
      clicks = [];
      press(start);
      press(end);
    });
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
    grid.addEventListener("keydown", (event) => {
      const at = cells.indexOf(event.target);
      if (at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "Escape") {
        clicks = [];
        mark();
      } else if (event.key in steps) {
        const next = at + steps[event.key];
        const isSide = Math.abs(steps[event.key]) === 1 && columns > 1;
        if (next >= 0 && next < cells.length && !(isSide && Math.floor(next / columns) !== Math.floor(at / columns))) {
          focus(next);
          if (state.areas && clicks.length) mark(state.cells[next]);
        }
      } else return;
      event.preventDefault();
    });
  };

  const seconds = (value) => (value >= 100 ? `${Math.round(value)} s` : `${Math.max(0, value).toFixed(1)} s`);
  const elapsed = () => Math.max(0, Date.now() / 1000 + offset - (state.asked ?? 0));

  const tick = () => {
    const isThinking = state.phase === "hint" || (state.phase === "move" && state.seat && !state.people.includes(state.seat));
    text(find("elapsed"), isThinking ? seconds(elapsed()) : "");
    for (const seat of seats) {
      const place = document.querySelector(`[data-clock="${seat}"]`);
      const runs = state.phase === "move" && state.seat === seat;
      const left = (state.clocks?.[seat] ?? 0) - (runs ? elapsed() : 0);
      const isTimed = state.clocks && !state.untimed.includes(seat);
      text(place.querySelector("dd"), isTimed ? seconds(left) : "\u2013");
      place.toggleAttribute("data-running", runs);
    }
  };

  const paint = () => {
    const board = state.board ?? {};
    if (plain && board.text !== undefined) text(plain, board.text);
    if (!svg || !board.change) return;
    const held = new Array(arenaBoard.count(svg)).fill(0);
    for (let at = 0; at < board.change.length; at += 2) held[board.change[at]] = board.change[at + 1];
    arenaBoard.paint(svg, board.things, held, board.last, board.check);
  };

  // What the agents claim, and the hint, over the board.
  const think = () => {
    for (const seat of seats) {
      const claim = state.claims?.[seat];
      const box = document.querySelector(`[data-claim="${seat}"]`);
      box.hidden = !claim;
      if (!claim) continue;
      text(box.querySelector("p"), `${nameOf(seat)}: ${claim.text}`);
      const value = claim.value ?? null;
      box.querySelector("svg").toggleAttribute("hidden", value === null);
      box.querySelector(".share").setAttribute("width", `${100 * (value ?? 0)}%`);
    }
    if (!svg) return;
    const isAgents = state.phase === "move" && !state.people.includes(state.seat);
    const claimed = find("marks").checked && isAgents ? (state.claims?.[state.seat]?.marks ?? []) : [];
    arenaBoard.thoughts(svg, state.hint?.marks ?? claimed);
  };

  const outcome = () => {
    const { winner, reason, detail } = state.result;
    const one = main.dataset.mine === "yes" && state.people.length === 1 ? state.people[0] : null;
    let verdict = winner ? say(words.wins, { name: nameOf(winner) }) : words.draw;
    if (winner && one) verdict = winner === one ? words.you_win : words.you_lose;
    return `${verdict} (${[reason, detail].filter(Boolean).join(", ")})`;
  };

  const caption = (before) => {
    if (state.phase === "failed" || state.phase === "gone") return state.notice || words.no_table;
    if (state.phase === "starting") return words.starts;
    const said = [];
    if (state.back) said.push(words.took_back);
    else if (state.moves.length > (before.moves?.length ?? 0) || state.phase === "over") {
      const mover = seats.find((seat) => seat !== state.seat) ?? "";
      const who = state.phase === "over" ? state.mover : mover;
      if (state.moves.length && who) said.push(say(words.has_played, { name: nameOf(who), move: state.moves.at(-1) }));
    }
    if (state.result) return [...said, outcome()].join(". ");
    if (state.hint?.move) said.push(say(words.hint_is, { name: state.hint.by, move: state.hint.move }));
    if (state.hint?.problem) said.push(say(words.no_hint, { why: state.hint.problem }));
    if (state.seat) {
      said.push(isMine() && state.people.length === 1 ? words.your_turn : say(words.turn_of, { name: nameOf(state.seat) }));
    }
    return said.join(". ");
  };

  const buttons = () => {
    const isOver = ["over", "failed", "gone"].includes(state.phase);
    if (find("tools")) {
      find("tools").hidden = isOver || !state.people?.length || main.dataset.mine !== "yes";
      find("hint").disabled = !isMine() || state.phase !== "move";
      find("undo").disabled = !state.moves.length;
      find("after").hidden = !isOver;
      find("end").hidden = isOver || main.dataset.mine !== "yes";
      find("replay").hidden = !state.result;
      if (state.result) find("replay").href = `/game/${state.result.record}`;
      find("again").hidden = find("swap").hidden = state.phase === "gone";
    }
    const banner = find("banner");
    banner.hidden = !state.result;
    main.classList.toggle("decided", Boolean(state.result));
    if (state.result) {
      text(banner, outcome());
      if (isShow) banner.append(document.createElement("br"), words.next_game);
    }
  };

  const show = (found) => {
    const before = state;
    state = found;
    offset = (state.now ?? 0) - Date.now() / 1000;
    if (before.step !== state.step) clicks = [];
    if (svg && !cells.length && state.cells?.length) build();
    if (state.cells) {
      paint();
      mark();
    }
    if (state.names) {
      text(main.querySelector("h1"), `${nameOf("first")} - ${nameOf("second")}`);
      for (const seat of seats) {
        text(document.querySelector(`[data-clock="${seat}"] dt`), `${nameOf(seat)} (${words[seat]})`);
      }
      const pairs = state.moves.map((move, at) => (at % 2 ? move : `${at / 2 + 1}. ${move}`));
      text(find("line"), pairs.join(" "));
      find("line").scrollTop = find("line").scrollHeight;
      think();
      tick();
    }
    if (!before.moves || before.step !== state.step || before.phase !== state.phase || state.hint) {
      text(find("caption"), caption(before));
    }
    const thinker = state.phase === "hint" ? find("adviser")?.selectedOptions[0]?.textContent : nameOf(state.seat);
    const isThinking = state.phase === "hint" || (state.phase === "move" && state.seat && !state.people.includes(state.seat));
    text(find("thinking"), isThinking ? say(state.phase === "hint" ? words.looks_for_hint : words.thinks, { name: thinker }) : "");
    buttons();
    main.dataset.phase = state.phase;
    main.dataset.step = String(state.step ?? 0);
  };

  const pull = async () => {
    again = true;
    if (pulling) return;
    pulling = true;
    while (again) {
      again = false;
      try {
        const answer = await fetch(`${own}/state`);
        const found = await answer.json();
        if (found.phase === "gone") {
          if (isShow) location.reload();
          show({ ...state, phase: "gone", legal: [], seat: null, notice: words.no_table });
        } else if (found.seen > state.seen) show({ ...found, holds: found.holds ?? [], cells: found.cells ?? [] });
      } catch {
        // The site cannot be reached; the line at the bottom says so, and the next event or ping tries again.
      }
    }
    pulling = false;
  };

  const leave = async (path, fields) => {
    const answer = await fetch(`${own}/${path}`, { method: "POST", body: new URLSearchParams(fields) });
    if (answer.redirected) location.assign(answer.url);
    else text(find("caption"), answer.status === 503 ? words.full : words.no_table);
  };

  // What cannot be undone needs a second press.
  const twice = (name, act) => {
    const button = find(name);
    if (!button) return;
    const label = button.textContent;
    let timer = 0;
    const calm = () => {
      clearTimeout(timer);
      timer = 0;
      button.textContent = label;
    };
    button.addEventListener("click", () => {
      if (timer) {
        calm();
        act();
        return;
      }
      button.textContent = words.really;
      timer = setTimeout(calm, 4000);
    });
  };

  twice("resign", () => order("resign"));
  twice("end", () => leave("end", {}));
  find("undo")?.addEventListener("click", () => order("undo"));
  find("hint")?.addEventListener("click", () => order("hint", find("adviser").value));
  find("again")?.addEventListener("click", () => leave("again", {}));
  find("swap")?.addEventListener("click", () => leave("again", { swap: "yes" }));
  find("marks").addEventListener("change", think);
  find("full")?.addEventListener("click", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen();
  });
  document.addEventListener("arena-table", (event) => {
    if (event.detail === null || (event.detail.id === main.dataset.table && event.detail.seen > state.seen)) pull();
  });
  setInterval(() => {
    if (!(isShow && document.hidden)) pull();
  }, PING);
  setInterval(tick, 100);
  pull();
})();
