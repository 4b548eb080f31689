"use strict";
// The form of a new game: offers only agents that play the chosen game, and shows the options of the chosen agent.
(() => {
  const find = (name) => document.getElementById(name);
  const game = find("game");
  if (!game) return;
  const favourites = JSON.parse(find("favourites").textContent);
  const lists = ["first", "second"].map(find);

  const fit = (isNew) => {
    const bare = game.value.split(":")[0];
    for (const list of lists) {
      for (const option of list.querySelectorAll("[data-games]")) {
        const games = option.dataset.games.split(" ").filter(Boolean);
        option.disabled = option.hidden = games.length > 0 && !games.includes(bare);
      }
      if (list.selectedOptions[0]?.disabled || (isNew && list.value !== "human")) {
        list.value = favourites[bare] ?? favourites[""];
      }
      hint(list);
    }
  };
  const hint = (list) => {
    const field = find(`${list.id}_options`);
    const said = list.selectedOptions[0]?.dataset.hint ?? "";
    field.placeholder = said;
    field.disabled = list.value === "human";
  };

  game.addEventListener("change", () => fit(true));
  for (const list of lists) list.addEventListener("change", () => hint(list));
  fit(false);
})();
