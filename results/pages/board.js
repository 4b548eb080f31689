"use strict";
// Shows the boards of a game in the picture that Python drew: what stands in the cells, and which cells are marked.
const arenaBoard = (() => {
  const SIZE = 45;

  const make = (name, attributes, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text) made.textContent = text;
    return made;
  };

  // The things in all cells after each turn; a film has only the changes.
  const boards = (film, cells) => {
    let held = new Array(cells).fill(0);
    return film.changes.map((change) => {
      held = held.slice();
      for (let at = 0; at < change.length; at += 2) held[change[at]] = change[at + 1];
      return held;
    });
  };

  const mark = (svg, place) => {
    const round = { cx: place.x + SIZE / 2, cy: place.y + SIZE / 2, fill: "none" };
    if (svg.classList.contains("lines")) {
      return make("circle", { class: "last", ...round, r: 7, stroke: "#d03030", "stroke-width": 3 });
    }
    if (svg.classList.contains("cells")) {
      const edge = { fill: "none", stroke: "#e8c020", "stroke-width": 3 };
      return make("rect", { class: "last", x: place.x + 3, y: place.y + 3, width: SIZE - 6, height: SIZE - 6, ...edge });
    }
    return make("rect", { class: "last", ...place, width: SIZE, height: SIZE, fill: "#e8d44d", opacity: 0.6 });
  };

  const paint = (svg, things, held, last, check) => {
    const columns = Number(svg.dataset.columns);
    const place = (cell) => ({ x: SIZE * (cell % columns), y: SIZE * Math.floor(cell / columns) });
    const standing = [];
    held.forEach((thing, cell) => {
      const [shape, text] = things[thing];
      const at = place(cell);
      if (shape) standing.push(make("use", { href: `#${shape}`, ...at }));
      else if (text) standing.push(make("text", { x: at.x + SIZE / 2, y: at.y + 30 }, text));
    });
    svg.querySelector(".things").replaceChildren(...standing);
    const checks = check.map((cell) => {
      const at = place(cell);
      return make("circle", { class: "check", cx: at.x + SIZE / 2, cy: at.y + SIZE / 2, r: 21, fill: "#d03030" });
    });
    svg.querySelector(".marks").replaceChildren(...last.map((cell) => mark(svg, place(cell))), ...checks);
  };

  // The moves that a search looks at, over everything else: an arrow, a spot or a rectangle for each.
  const thoughts = (svg, marks) => {
    svg.querySelector(".thoughts")?.remove();
    if (!marks.length) return;
    const columns = Number(svg.dataset.columns);
    const middle = (cell) => [SIZE * (cell % columns) + SIZE / 2, SIZE * Math.floor(cell / columns) + SIZE / 2];
    const layer = make("g", { class: "thoughts", fill: "#1f5fa8", stroke: "#ffffff", "stroke-width": 1 });
    for (const [cells, share] of marks) {
      const opacity = (0.35 + 0.5 * share).toFixed(2);
      const [x, y] = middle(cells[0]);
      if (cells.length === 1) {
        layer.append(make("circle", { cx: x, cy: y, r: (5 + 13 * Math.sqrt(share)).toFixed(1), opacity }));
        continue;
      }
      const [a, b] = middle(cells[1]);
      if (cells.length === 3) {
        const [left, top] = [Math.min(x, a) - SIZE / 2 + 2, Math.min(y, b) - SIZE / 2 + 2];
        const size = { width: Math.abs(a - x) + SIZE - 4, height: Math.abs(b - y) + SIZE - 4 };
        layer.append(make("rect", { x: left, y: top, ...size, opacity: (opacity * 0.6).toFixed(2) }));
        continue;
      }
      const length = Math.hypot(a - x, b - y) || 1;
      const [u, v] = [(a - x) / length, (b - y) / length];
      const half = 1.5 + 4 * share;
      const head = half + 6;
      const at = (along, across) => `${(x + u * along - v * across).toFixed(1)} ${(y + v * along + u * across).toFixed(1)}`;
      const neck = length - 14;
      const corners = [
        at(8, half), at(neck, half), at(neck, head), at(length - 2, 0), at(neck, -head), at(neck, -half), at(8, -half),
      ];
      layer.append(make("path", { d: `M${corners.join("L")}Z`, opacity }));
    }
    svg.append(layer);
  };

  const count = (svg) => {
    const size = svg.viewBox.baseVal;
    return Math.round(((size.width - 20) / SIZE) * ((size.height - 20) / SIZE));
  };

  // The boards of one game in one picture: a function that shows the board after some turns.
  const player = (svg, film) => {
    const held = boards(film, count(svg));
    return (turn) => paint(svg, film.things, held[turn], film.last[turn], film.check[turn]);
  };

  // Texts come whole, or as pairs of a place and a character that differs from the text before.
  const texts = (changes) => {
    let text = "";
    return changes.map((change) => {
      if (typeof change === "string") return (text = change);
      const letters = Array.from(text);
      for (let at = 0; at < change.length; at += 2) letters[change[at]] = change[at + 1];
      return (text = letters.join(""));
    });
  };

  return { count, player, paint, texts, thoughts };
})();
