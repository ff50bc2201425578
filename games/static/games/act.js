// While somebody fills in the form of an act, the forecast beside it follows. Without this script a
// button asks for it.
"use strict";

const forecast = document.getElementById("forecast");
const form = document.getElementById(forecast?.dataset.of ?? "act");

const LOST = "The server did not answer. What you have typed stays here: try again in a minute.";
const SIGNED_OUT = "You are signed out. What you have typed stays here: "
  + '<a href="/admin/" target="_blank">sign in in another window</a>, and then go on.';
const GONE = "This page is no longer there, or no longer yours. Nothing was done.";
const BROKE = "Something broke on the server, and nothing was done. Its log says what: tell an operator.";
const HALF = "part of it is missing. Please fill in the whole date and time, or clear the field.";
const heading = forecast?.querySelector("h2")?.outerHTML ?? "";
const told = (sentence) => `${heading}<p class="errornote" role="alert">${sentence}</p>`;

if (form && forecast) {
  let waiting = 0;
  let asked = 0;
  let half = null;
  let lost = false;

  document.documentElement.classList.add("with-script");
  // So the server knows that what is touched will be noted.
  const typed = form.elements.namedItem("typed");
  if (typed) typed.value ||= "-";

  // A date of which a part is missing reaches the server as no date at all, which means something
  // else: the next regular deadline, or for good.
  const unfinished = () => [...form.elements].find((one) => one.validity?.badInput) ?? null;

  // Whoever signs in again, in another window, gets another token, and goes on here.
  const sign = () => {
    const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
    if (token) form.elements.namedItem("csrfmiddlewaretoken").value = token;
  };

  const refusal = (answer) => {
    if (!answer || answer.status > 500) return LOST;
    if (answer.redirected) return SIGNED_OUT;
    if (answer.status === 500) return BROKE;
    return answer.ok ? "" : GONE;
  };

  const ask = async () => {
    const mine = ++asked;
    half = unfinished();
    if (half) {
      forecast.innerHTML = told("");
      const label = half.labels[0]?.textContent.trim();
      forecast.querySelector("[role=alert]").textContent = `${label}: ${HALF}`;
      return;
    }
    sign();
    const typed = new FormData(form);
    typed.delete("confirmed");
    const kept = form.querySelector("#typed_name")?.value ?? "";
    const answer = await fetch(form.action || location.href, {
      method: "POST", body: typed, headers: { "X-Forecast": "1" },
    }).catch(() => null);
    if (mine !== asked) return;
    // What is no forecast is a whole page, which does not belong in here.
    const refused = refusal(answer);
    forecast.innerHTML = refused ? told(refused) : await answer.text();
    lost = refused !== "";
    const field = form.querySelector("#typed_name");
    if (field && kept) field.value = kept;
  };

  const follow = (event) => {
    if (event.target.id === "typed_name") return;
    // A new game's preset leaves alone what somebody typed, even if it is as in every game.
    if (typed && event.target.name !== "preset") typed.value += ` ${event.target.name}`;
    // What stands there is out of date until the answer comes.
    forecast.querySelector("button[name=confirmed]")?.setAttribute("disabled", "");
    clearTimeout(waiting);
    waiting = setTimeout(ask, 350);
  };
  form.addEventListener("input", follow);
  // Half a date is no input yet, for some browsers.
  form.addEventListener("focusout", () => { if (unfinished() !== half) ask(); });
  // Some browsers tell of a choice only when it is made.
  form.addEventListener("change", (event) => {
    if (event.target.matches("select, [type=checkbox], [type=radio]")) follow(event);
  });
  form.addEventListener("submit", sign);
  addEventListener("focus", () => { if (lost) ask(); });
  // The way back, or a reload, brings back what was typed, but not what it would do.
  addEventListener("pageshow", () => {
    if (performance.getEntriesByType("navigation")[0]?.type !== "navigate") ask();
  });
}
