"use strict";
(() => {
  const find = (name) => document.getElementById(name);
  const data = JSON.parse(find("data").textContent);
  const last = data.captions.length - 1;
  const { offset, size } = data; // the turns before this page, and those of each page
  const texts = arenaBoard.texts(data.texts);
  const svg = find("board").querySelector("svg");
  const plain = find("board").querySelector("pre");
  const missing = find("board").querySelector(".missing");
  const paint = svg && data.film ? arenaBoard.player(svg, data.film) : () => {};
  const rows = document.querySelectorAll("tr[data-turn]");
  const list = find("moves");
  const chosen = find("from-turn"); // the site lets people go on from the turn that is shown
  const slider = find("slider");
  let turn = last;

  const board = (wanted) => {
    const isThere = wanted < data.boards;
    missing.hidden = isThere;
    for (const one of [svg, plain]) if (one) one.toggleAttribute("hidden", !isThere);
    if (isThere) paint(wanted);
    if (isThere && plain) plain.textContent = texts[wanted];
  };

  // What the player to move claims, and the line of this turn in the graph.
  const claims = data.claims || {};
  const now = document.querySelector(".evaluation .now");
  const think = () => {
    const box = find("claim");
    if (!box) return;
    const [value, text, marks] = claims[turn] || [null, "", []];
    box.hidden = false;
    box.querySelector(".value").toggleAttribute("hidden", value === null);
    box.querySelector(".share").setAttribute("width", `${100 * (value || 0)}%`);
    find("claim-text").textContent = text || "\u2013";
    if (svg) arenaBoard.thoughts(svg, find("marks").checked ? marks : []);
    if (!now) return;
    const { left, step } = now.ownerSVGElement.dataset;
    for (const end of ["x1", "x2"]) now.setAttribute(end, Number(left) + (turn + offset) * Number(step));
  };

  const mark = () => {
    for (const row of rows) {
      const here = Number(row.dataset.turn) === turn + offset;
      if (here) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
      // Only the list is scrolled, never the page under the reader's eyes.
      if (here && list.scrollHeight > list.clientHeight) {
        list.scrollTop = row.offsetTop - list.clientHeight / 2;
      }
    }
  };

  // A step by hand ends the playing; a step of the player does not.
  const player = find("play");
  let timer = 0;
  const play = (on) => {
    clearInterval(timer);
    timer = on ? setInterval(() => (turn < last ? show(turn + 1) : play(false)), Number(find("speed").value)) : 0;
    player.setAttribute("aria-pressed", String(on));
    player.textContent = on ? "\u23f8" : "\u25b6";
  };
  const toggle = () => {
    if (!timer && turn === last) show(0);
    play(!timer);
  };

  const show = (wanted) => {
    turn = Math.min(Math.max(wanted, 0), last);
    board(turn);
    find("text").textContent = texts[turn];
    find("caption").textContent = data.captions[turn];
    find("first").textContent = data.clocks[turn][0];
    find("second").textContent = data.clocks[turn][1];
    slider.value = turn;
    if (chosen) chosen.value = turn + offset;
    slider.setAttribute("aria-valuetext", data.captions[turn]);
    for (const button of [find("start"), find("back")]) button.disabled = turn === 0;
    for (const button of [find("next"), find("end")]) button.disabled = turn === last;
    mark();
    think();
  };

  const steps = {
    ArrowLeft: () => turn - 1,
    ArrowRight: () => turn + 1,
    Home: () => 0,
    End: () => last,
  };
  const buttons = { start: "Home", back: "ArrowLeft", next: "ArrowRight", end: "End" };

  document.addEventListener("keydown", (event) => {
    const isOurs = event.key in steps || event.key === " ";
    if (!isOurs || event.ctrlKey || event.altKey || event.metaKey) return;
    // Keys that a control or a link under the focus needs for itself.
    if (event.target.closest("select, input, summary")) return;
    if (event.key === " " && event.target.closest("button, a")) return;
    event.preventDefault();
    if (event.key === " ") return toggle();
    play(false);
    show(steps[event.key]());
  });
  for (const [name, key] of Object.entries(buttons)) {
    find(name).addEventListener("click", () => {
      play(false);
      show(steps[key]());
    });
  }
  player.addEventListener("click", toggle);
  find("marks")?.addEventListener("change", think);
  find("speed").addEventListener("change", () => play(timer !== 0));
  slider.addEventListener("input", () => show(Number(slider.value)));
  list.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-turn]");
    if (!row) return;
    event.preventDefault();
    show(Number(row.dataset.turn) - offset);
  });

  const linked = () => {
    const found = /^#turn-(\d+)$/.exec(location.hash);
    if (!found) return;
    const wanted = Number(found[1]) - offset;
    const isElsewhere = (wanted > last && Number(found[1]) <= data.turns) || wanted < 0;
    if (isElsewhere) location.assign(`?part=${Math.ceil(found[1] / size)}${location.hash}`);
    else show(wanted);
  };
  window.addEventListener("hashchange", linked);
  find("controls").hidden = false;
  show(data.begin - offset);
  linked();
})();
