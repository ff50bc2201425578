// Offers names of games while somebody types one into the filter; without this script they type it.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const line = document.getElementById("by-game");
  const names = document.getElementById("games");
  if (!line || !names) return;
  let waiting = 0;
  line.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const asked = new URLSearchParams({
        term: line.value, app_label: "games", model_name: "phase", field_name: "game",
      });
      const answer = await fetch(`${line.dataset.names}?${asked}`).catch(() => null);
      if (!answer?.ok) return;
      const found = (await answer.json()).results.map((one) => new Option(one.text, one.text));
      names.replaceChildren(...found);
    }, 250);
  });
});
