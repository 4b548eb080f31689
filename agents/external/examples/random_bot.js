// Plays random moves in any game: an entrant over JSON lines in JavaScript.
//   arena play 'json:command="node random_bot.js"' random --game othello
"use strict";
const lines = require("node:readline").createInterface({ input: process.stdin });
let dice = 1;

function random(below) {
  // A linear congruential generator: Math.random cannot be seeded.
  dice = (Math.imul(dice, 1664525) + 1013904223) >>> 0;
  return Math.floor((dice / 2 ** 32) * below);
}

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "start") {
    dice = message.seed;
    say({ type: "ready", name: "Random in JavaScript 1.0" });
  } else if (message.type === "move") {
    say({ move: message.legal[random(message.legal.length)] });
  } else if (message.type === "end") {
    process.exit(0);
  }
});
