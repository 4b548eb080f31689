"use strict";
// Keeps a page of the site up to date: running games turn by turn, tables when a game is stored.
(() => {
  const articles = () => document.querySelectorAll("[data-game]");
  const parts = () => document.querySelectorAll("[data-part]");
  const article = (id) => document.querySelector(`[data-game="${CSS.escape(id)}"]`);
  const tell = (data) => document.dispatchEvent(new CustomEvent("arena-table", { detail: data }));
  if (!parts().length && !document.querySelector("[data-table]")) return;
  const REFRESH = 400; // at least so many milliseconds between two refreshes
  let source = null;
  let wanted = false;
  let fetching = false;

  // The same page again, read as a document: its parts replace ours. No text becomes HTML here.
  const refresh = () => {
    if (!parts().length) return;
    wanted = true;
    if (fetching) return;
    fetching = true;
    wanted = false;
    const request = new XMLHttpRequest();
    request.responseType = "document";
    request.open("GET", location.href);
    request.addEventListener("loadend", () => {
      if (request.status === 200 && request.response) {
        for (const part of parts()) {
          const fresh = request.response.getElementById(part.id);
          if (!fresh || part.contains(document.activeElement)) continue;
          const opened = [...part.querySelectorAll("details")].map((one) => one.open);
          part.replaceWith(document.adoptNode(fresh));
          fresh.querySelectorAll("details").forEach((one, at) => {
            if (opened[at] !== undefined) one.open = opened[at];
          });
        }
        prepare();
      }
      setTimeout(() => {
        fetching = false;
        if (wanted) refresh();
      }, REFRESH);
    });
    request.send();
  };

  const seconds = (value) => `${Math.max(0, value).toFixed(1)} s`;

  const setClocks = (game, clocks, running, age) => {
    game.querySelectorAll("[data-seat]").forEach((one, at) => {
      one.dataset.left = clocks[at];
      one.dataset.since = running === one.dataset.seat ? performance.now() / 1000 - age : "";
      one.toggleAttribute("data-running", running === one.dataset.seat);
      one.querySelector("dd").textContent = seconds(clocks[at]);
    });
  };

  const prepare = () => {
    for (const game of articles()) {
      const { running, age } = game.dataset;
      const clocks = [...game.querySelectorAll("[data-seat]")].map((one) => Number(one.dataset.left));
      setClocks(game, clocks, running, Number(age));
    }
  };

  const show = (frame) => {
    const game = article(frame.id);
    if (!game) return;
    game.querySelector(".caption").textContent = frame.caption;
    setClocks(game, frame.clocks, frame.running, frame.age);
    const svg = game.querySelector("svg.board");
    const plain = game.querySelector("pre.plain");
    if (frame.text !== undefined && plain) plain.textContent = frame.text;
    if (!svg || !frame.change) return;
    const held = new Array(arenaBoard.count(svg)).fill(0);
    for (let at = 0; at < frame.change.length; at += 2) held[frame.change[at]] = frame.change[at + 1];
    arenaBoard.paint(svg, frame.things, held, frame.last, frame.check);
    arenaBoard.thoughts(svg, []); // what was claimed about the board before
  };

  const on = {
    table: tell,
    reset: (data) => {
      tell(null);
      const known = new Set(data.games.map((frame) => frame.id));
      const here = [...articles()].map((one) => one.dataset.game);
      data.games.forEach(show);
      if (here.length !== known.size || here.some((id) => !known.has(id))) refresh();
    },
    start: refresh,
    stored: refresh,
    training: () => document.querySelector("[data-training]") && refresh(),
    upload: () => document.querySelector("[data-uploads]") && refresh(),
    turn: show,
    claim: (data) => {
      const place = article(data.id)?.querySelector(`[data-claim="${data.seat}"]`);
      if (place) place.textContent = data.text;
      const bar = article(data.id)?.querySelector(`[data-value="${data.seat}"]`);
      bar?.toggleAttribute("hidden", data.value === null);
      bar?.querySelector(".share").setAttribute("width", `${100 * (data.value ?? 0)}%`);
      const svg = article(data.id)?.querySelector("svg.board");
      if (svg && data.marks.length) arenaBoard.thoughts(svg, data.marks);
    },
    end: (data) => {
      const game = article(data.id);
      if (!game) return;
      game.classList.add("over");
      game.querySelector(".caption").textContent += ` - ${document.body.dataset.over}`;
      for (const one of game.querySelectorAll("[data-seat]")) one.dataset.since = "";
      refresh();
    },
  };

  // Browsers allow six connections to one origin, so all tabs share one stream: a visible tab that holds the lock
  // reads it and tells the others. Where there are no locks (another host without TLS), each visible tab has its own.
  const CHANNEL = "arena-events";
  const channel = navigator.locks && window.BroadcastChannel ? new BroadcastChannel(CHANNEL) : null;
  const frames = new Map(); // the last frame of each running game, for tabs that come later
  let release = null;
  let asking = null;

  const remember = (name, data) => {
    if (name === "reset") {
      frames.clear();
      for (const frame of data.games) frames.set(frame.id, frame);
    } else if (name === "turn") frames.set(data.id, data);
    else if (name === "end") frames.delete(data.id);
  };
  const heard = (name, data) => {
    remember(name, data);
    on[name]?.(data);
  };
  const status = (isLost) => {
    document.getElementById("connection").textContent = isLost ? document.body.dataset.lost : "";
  };
  const share = (message) => channel?.postMessage(message);

  const open = () => {
    source = new EventSource("/events");
    for (const name of Object.keys(on)) {
      source.addEventListener(name, (event) => {
        const data = JSON.parse(event.data);
        share({ name, data });
        heard(name, data);
      });
    }
    for (const [name, isLost] of [["open", false], ["error", true]]) {
      source.addEventListener(name, () => {
        status(isLost);
        share({ isLost });
      });
    }
  };
  const close = () => {
    source?.close();
    source = null;
    release?.();
    asking?.abort();
    release = asking = null;
  };

  const connect = () => {
    if (source || asking || document.hidden) return;
    if (!channel) return open();
    asking = new AbortController();
    const holding = () =>
      new Promise((done) => {
        release = done;
        open();
      });
    navigator.locks.request(CHANNEL, { signal: asking.signal }, holding).catch(() => {});
    share({ hello: true });
  };
  channel?.addEventListener("message", ({ data: message }) => {
    if (message.hello && source) share({ name: "reset", data: { games: [...frames.values()] } });
    else if (message.name && !document.hidden) heard(message.name, message.data);
    else if ("isLost" in message) status(message.isLost);
  });

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return close();
    connect();
    refresh();
  });
  setInterval(() => {
    for (const one of document.querySelectorAll("[data-seat][data-running]")) {
      if (!one.dataset.since) continue;
      const left = Number(one.dataset.left) - (performance.now() / 1000 - Number(one.dataset.since));
      one.querySelector("dd").textContent = seconds(left);
    }
  }, 200);
  prepare();
  connect();
})();
