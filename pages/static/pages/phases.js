// Goes through the phases of a game on one page. Without it each phase has its own address.
const find = (id) => document.getElementById(id);
const board = find("board");

if (board) {
  const stops = [...board.querySelectorAll(".phases a")];
  const slide = find("slide"), list = find("orders"), map = find("map"), told = find("told");
  const larger = find("larger");
  const game = document.querySelector("h1").textContent;
  const hint = told.textContent;
  const parts = new Map();
  let here = Number(board.dataset.here);
  let wanted = here;

  // The two letters of a unit light up with its line in the list, and the other way round.
  const lines = () => [...list.querySelectorAll("li[data-unit]")];
  const drawn = (unit) => map.querySelectorAll(`[data-unit="${CSS.escape(unit)}"]`);

  // Words written anew are read out anew, even if they are the same.
  function say(place, words) {
    if (place.textContent !== words) place.textContent = words;
  }

  function mark(unit) {
    for (const one of board.querySelectorAll(".on")) one.classList.remove("on");
    map.classList.toggle("dim", Boolean(unit));
    const line = unit && lines().find((one) => one.dataset.unit === unit);
    say(told, line ? `${line.dataset.power}: ${line.textContent}` : hint);
    if (!unit) return;
    for (const one of drawn(unit)) one.classList.add("on");
    for (const one of lines()) one.classList.toggle("on", one.dataset.unit === unit);
  }

  // What is too small for the eye is drawn larger, and the map moves within its frame: by a finger, or
  // by the arrows when it has the focus.
  function bring(shape) {
    if (!shape) return;
    const frame = map.getBoundingClientRect(), at = shape.getBoundingClientRect();
    map.scrollBy(at.left + at.width / 2 - frame.left - frame.width / 2,
      at.top + at.height / 2 - frame.top - frame.height / 2);
  }

  const lit = () => map.querySelector("#units .on") || map.querySelector(".on");

  // A phone has it so from the start.
  const moves = () => map.scrollWidth > map.clientWidth;

  function frame() {
    if (moves()) map.tabIndex = 0;
    else map.removeAttribute("tabindex");
  }

  function enlarge() {
    frame();
    bring(lit() || map.querySelector("svg"));
  }

  // One stop of the Tab key for all orders; up and down go from one to the next. Units of an open phase
  // have no result that could be told.
  function prepare() {
    const all = lines();
    all.forEach((one, index) => { one.tabIndex = index ? -1 : 0; });
    told.hidden = !list.querySelector("li[data-unit] span");
  }

  function go(line, step) {
    const all = lines(), next = all[all.indexOf(line) + step];
    if (!next) return;
    line.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  function fetched(index) {
    const link = stops[index];
    if (!parts.has(index)) {
      const version = link.dataset.version;
      const answer = fetch(`${link.pathname}part.json${version ? `?v=${version}` : ""}`)
        .then((one) => (one.ok ? one.json() : Promise.reject(new Error(one.statusText))));
      // What failed, or may still change, is asked for again.
      answer.catch(() => parts.delete(index));
      if (!version) answer.then(() => parts.delete(index), () => {});
      parts.set(index, answer);
    }
    return parts.get(index);
  }

  async function show(index) {
    wanted = Math.max(0, Math.min(stops.length - 1, index));
    slide.value = wanted;
    slide.setAttribute("aria-valuetext", stops[wanted].dataset.title);
    const mine = wanted;
    let part;
    try {
      part = await fetched(mine);
    } catch (error) {
      location.assign(stops[mine].href);
      return;
    }
    if (mine !== wanted) return;
    here = mine;
    paint(part);
    for (const near of [here + 1, here - 1]) if (stops[near]) fetched(near).catch(() => {});
  }

  function paint(part) {
    mark(null);
    find("when").textContent = part.title;
    document.title = `${game}: ${part.title}`;
    const unfolded = list.querySelector(".owners")?.open;
    list.innerHTML = part.list;
    list.querySelector(".owners")?.toggleAttribute("open", Boolean(unfolded));
    const svg = map.querySelector("svg");
    if (svg && part.map) {
      for (const [key, fill] of Object.entries(part.map.fills)) {
        svg.getElementById(`province-${key}`)?.setAttribute("fill", fill);
      }
      for (const [id, content] of [["symbols", part.map.definitions], ["layers", part.map.layers],
        ["legend", part.map.legend]]) svg.getElementById(id).innerHTML = content;
      svg.querySelector("title").textContent = part.map.title;
      svg.querySelector("desc").textContent = part.map.description;
      svg.setAttribute("viewBox", `0 0 ${svg.viewBox.baseVal.width} ${part.map.height}`);
      svg.setAttribute("height", part.map.height);
    }
    stops.forEach((stop, index) => {
      if (index === here) stop.setAttribute("aria-current", "page");
      else stop.removeAttribute("aria-current");
    });
    step("before", stops[here - 1]);
    step("after", stops[here + 1]);
    board.querySelector(".place").textContent = `${here + 1} of ${stops.length}`;
    prepare();
    const short = list.querySelector(".in-short");
    say(find("news"), short ? `${part.title}. ${short.textContent}` : part.title);
    history.replaceState(null, "", stops[here].href);
  }

  function step(id, stop) {
    if (stop) find(id).href = stop.href;
    else find(id).removeAttribute("href");
  }

  const named = (hash) => stops.findIndex((stop) => `#${stop.dataset.name}` === hash);

  slide.hidden = false;
  larger.addEventListener("change", enlarge);
  slide.addEventListener("input", () => show(Number(slide.value)));
  find("before").addEventListener("click", (event) => { event.preventDefault(); show(wanted - 1); });
  find("after").addEventListener("click", (event) => { event.preventDefault(); show(wanted + 1); });
  stops.forEach((stop, index) => stop.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(index);
  }));

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, textarea, select")) return;
    if (event.target === map && event.key !== "Escape") return;
    const line = event.target.closest("li[data-unit]");
    if (event.key === "ArrowRight") show(wanted + 1);
    else if (event.key === "ArrowLeft") show(wanted - 1);
    else if (event.key === "Escape") mark(null);
    else if (line && event.key === "ArrowDown") go(line, 1);
    else if (line && event.key === "ArrowUp") go(line, -1);
    else return;
    event.preventDefault();
  });

  for (const kind of ["mouseover", "focusin", "click"]) {
    board.addEventListener(kind, (event) => {
      const unit = event.target.closest("[data-unit]");
      if (unit) {
        mark(unit.dataset.unit);
        if (moves() && list.contains(unit)) bring(lit());
      }
      else if (kind !== "focusin" && event.target.closest("#map")) mark(null);
    });
  }

  // A finger that strokes the map to the side turns the page; one that strokes down scrolls.
  let from = null;
  map.addEventListener("touchstart", (event) => {
    from = event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  map.addEventListener("touchend", (event) => {
    if (!from || moves() || visualViewport?.scale > 1) return;
    const to = event.changedTouches[0], across = to.clientX - from.clientX;
    if (Math.abs(across) > 60 && Math.abs(across) > 2 * Math.abs(to.clientY - from.clientY)) {
      show(wanted + (across < 0 ? 1 : -1));
    }
  }, { passive: true });

  addEventListener("hashchange", () => { if (named(location.hash) >= 0) show(named(location.hash)); });
  new ResizeObserver(frame).observe(map);
  frame();
  if (moves() && !map.scrollLeft) bring(map.querySelector("svg"));
  prepare();
  if (named(location.hash) >= 0) show(named(location.hash));
}
