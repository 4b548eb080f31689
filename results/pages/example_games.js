"use strict";
(() => {
  const find = (name) => document.getElementById(name);
  const data = JSON.parse(find("data").textContent);
  const choice = find("choice");
  const slider = find("slider");
  let game = data.captions.length - 1;
  let turn = 0;
  if (game < 0) return;

  const svg = find("board").querySelector("svg");
  const plain = find("board").querySelector("pre");
  const players = data.films.map((film) => (svg && film ? arenaBoard.player(svg, film) : () => {}));
  const texts = data.texts.map(arenaBoard.texts);

  const show = (wanted) => {
    const captions = data.captions[game];
    const last = captions.length - 1;
    turn = Math.min(Math.max(wanted, 0), last);
    players[game](turn);
    if (plain) plain.textContent = texts[game][turn];
    find("caption").textContent = captions[turn];
    slider.max = last;
    slider.value = turn;
    slider.setAttribute("aria-valuetext", captions[turn]);
    for (const button of [find("start"), find("back")]) button.disabled = turn === 0;
    for (const button of [find("next"), find("end")]) button.disabled = turn === last;
  };

  const steps = {
    start: () => 0,
    back: () => turn - 1,
    next: () => turn + 1,
    end: () => data.captions[game].length - 1,
  };
  for (const name of Object.keys(steps)) {
    find(name).addEventListener("click", () => show(steps[name]()));
  }
  slider.addEventListener("input", () => show(Number(slider.value)));
  choice.addEventListener("change", () => {
    game = Number(choice.value);
    show(0);
  });
  choice.disabled = false;
  choice.value = String(game);
  find("controls").hidden = false;
  show(data.captions[game].length - 1);
})();
