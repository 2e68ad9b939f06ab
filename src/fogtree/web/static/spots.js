"use strict";
// Poker spots: the form with its cards and its grids to paint on, and walking from place to place. What a range means, what is
// wrong with a field, and all that is shown of a solution comes from the server.

const form = document.querySelector("form[data-spot]");

// --- the form ---

const field = (name) => form.elements[name];

function cardsOf(text) {
  const letters = text.replace(/[\s,]+/g, "").replace(/10/g, "T").replace(/[♠♥♦♣]/g, (suit) => "shdc"["♠♥♦♣".indexOf(suit)]);
  return letters.match(/../g) || [];
}

function markCards() {
  const lying = cardsOf(field("board").value).map((card) => card[0].toUpperCase() + card[1].toLowerCase());
  for (const one of form.querySelectorAll("[data-card]")) one.setAttribute("aria-pressed", lying.includes(one.dataset.card));
  const streets = ["flop", "turn", "river"].slice(Math.min(2, Math.max(0, lying.length - 3)));
  for (const row of form.querySelectorAll("[data-street]")) row.hidden = !streets.includes(row.dataset.street);
  for (const cell of form.querySelectorAll("[data-donk]")) { // nobody has called before the first street
    const row = cell.closest("[data-street]");
    cell.hidden = streets.length === 1;
    cell.classList.toggle("unused", Boolean(row) && row.dataset.street === streets[0]);
  }
}

function pickCard(card) {
  const lying = cardsOf(field("board").value);
  const left = lying.filter((one) => one.toLowerCase() !== card.toLowerCase());
  if (left.length === lying.length && lying.length < 5) left.push(card);
  field("board").value = left.join(" ");
  look();
}

let looking = null;
let asked = 0;
const painted = new Set(); // ranges that were painted: their texts are tidied up

function look(tidy) {
  if (tidy) painted.add(tidy);
  markCards();
  clearTimeout(looking);
  const number = ++asked; // an answer to what was there before is not heard
  looking = setTimeout(async () => {
    try {
      const answer = await fetch("/spots/check", {
        method: "POST",
        body: new URLSearchParams(new FormData(form)),
        headers: { accept: "application/json", "x-fogtree-token": token },
      });
      const told = await contentOf(answer);
      if (number !== asked || painting) return; // what is painted is asked about when it is done
      if (told.trouble) return trouble(told.trouble);
      showWrong(form, told.wrong);
      for (const [who, range] of Object.entries(told.ranges)) showRange(who, range);
    } catch {
      trouble(SILENT);
    }
  }, 150);
}

function showRange(who, range) {
  if (!range.cells) return; // it is wrong: the grid stays as it was
  for (const cell of form.querySelectorAll(`[data-range=${who}] [data-group]`)) weigh(cell, range.cells[cell.dataset.group] || 0);
  form.querySelector(`[data-told=${who}]`).textContent = range.told;
  if (painted.delete(who) && document.activeElement !== field(who)) field(who).value = range.text;
}

function weigh(cell, weight) {
  cell.dataset.weight = weight;
  cell.style.setProperty("--w", weight);
  cell.setAttribute("aria-pressed", weight > 0);
  cell.setAttribute("aria-label", `${cell.dataset.group}, ${Math.round(100 * weight)} percent`);
}

let painting = null; // the range and the weight that are painted while the button is down

function beginPaint(cell) {
  const who = cell.closest("[data-range]").dataset.range;
  const wanted = Number(form.querySelector(`[data-brush=${who}]`).value) / 100;
  painting = { who, weight: Number(cell.dataset.weight || 0) === wanted ? 0 : wanted, parts: [] };
  paint(cell);
}

function paint(cell) {
  if (!painting || cell.closest("[data-range]").dataset.range !== painting.who) return;
  const group = cell.dataset.group;
  if (painting.parts.some((part) => part.startsWith(`${group}:`))) return;
  painting.parts.push(`${group}:${painting.weight}`);
  weigh(cell, painting.weight);
}

function endPaint() {
  if (!painting) return;
  const { who, parts } = painting;
  painting = null;
  field(who).value = [field(who).value.trim(), ...parts].filter(Boolean).join(","); // later parts count; the server tidies up
  look(who);
}

function walkGrid(event) {
  const cell = event.target.closest("[data-group]");
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 13, ArrowUp: -13 }[event.key];
  if (!cell || !step) return;
  const all = [...cell.closest(".paint").querySelectorAll("[data-group]")];
  const next = all[all.indexOf(cell) + step];
  event.preventDefault();
  if (!next) return;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

async function solve(event) {
  event.preventDefault();
  trouble("");
  const button = form.querySelector(".big");
  button.disabled = true;
  try {
    const answer = await fetch("/spots", {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
      headers: { accept: "application/json", "x-fogtree-token": token },
    });
    const told = await contentOf(answer);
    if (told.go) return location.assign(told.go);
    if (!told.wrong) return trouble(told.trouble);
    focusWrong(form, told.wrong);
  } catch {
    trouble(SILENT);
  } finally {
    button.disabled = false;
  }
}

if (form) {
  form.addEventListener("submit", solve);
  form.addEventListener("input", (event) => event.target.dataset.brush || look());
  form.addEventListener("keydown", walkGrid);
  form.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const { card, clear, all, group } = button.dataset;
    if (card) pickCard(card);
    else if (group && event.detail === 0) beginPaint(button), endPaint(); // by a key
    else if (clear || all) {
      field(clear || all).value = clear ? "" : "random";
      if (clear) for (const cell of form.querySelectorAll(`[data-range=${clear}] [data-group]`)) weigh(cell, 0);
      look(clear || all);
    }
  });
  form.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest("[data-group]");
    if (!cell || event.button) return;
    cell.releasePointerCapture(event.pointerId); // so that a finger is heard over the other cells too
    beginPaint(cell);
  });
  form.addEventListener("pointermove", (event) => {
    const below = painting && document.elementFromPoint(event.clientX, event.clientY);
    const cell = below && below.closest("[data-group]");
    if (cell) paint(cell);
  });
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, endPaint);
  window.addEventListener("pageshow", () => look());
}

// --- places of a solution ---

const place = find("view");
const seen = new Map(); // hands that were asked for
let wanted = 0;

async function go(address, key) {
  const number = ++wanted;
  try {
    const html = await load(address.pathname + "/view" + address.search);
    if (number !== wanted) return false;
    place.innerHTML = html;
    fill();
    const again = key && [...place.querySelectorAll("a")].find((one) => keyOf(one) === key);
    const here = place.querySelector(".steps .here a") || [...place.querySelectorAll(".steps .chosen")].at(-1); // the end has no link
    (again || here).focus({ preventScroll: true });
    showHere();
    find("said").textContent = place.querySelector("h2").textContent;
    return true;
  } catch (error) {
    trouble(error.message);
    return false;
  }
}

function showHere() { // on a narrow screen the line on top is wider than the window
  const here = place.querySelector(".steps .here");
  if (here) here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft;
}

function keyOf(link) {
  const around = link.closest("nav");
  return link.dataset.hand || (around && !around.matches(".steps") && around.getAttribute("aria-label") + link.textContent);
}

async function fill() {
  for (const part of place.querySelectorAll("[data-fill]")) await fillWith(part, part.dataset.fill);
}

async function fillWith(part, address) {
  try {
    part.innerHTML = await load(address);
  } catch (error) {
    trouble(error.message);
  }
}

let pointing = null;

async function showHand(link) {
  const base = link.closest("[data-hover]").dataset.hover;
  const address = `${base}${base.includes("?") ? "&" : "?"}hand=${link.dataset.hand}`;
  try {
    if (!seen.has(address)) seen.set(address, await load(address));
    if (pointing === link && link.isConnected) find("hand").innerHTML = seen.get(address);
  } catch (error) {
    trouble(error.message);
  }
}

if (place) {
  place.addEventListener("click", async (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const address = new URL(link.getAttribute("href"), location.href); // an SVG's link has no text as href
    if (address.pathname.endsWith("/cards")) {
      event.preventDefault();
      const part = link.closest("[data-fill]");
      await fillWith(part, address.pathname + address.search);
      const tab = part.contains(document.activeElement) ? null : part.querySelector(".tabs [aria-current]");
      if (tab) tab.focus({ preventScroll: true });
      return;
    }
    if (address.pathname !== location.pathname) return;
    event.preventDefault();
    if (await go(address, keyOf(link))) history.pushState(null, "", address);
  });
  const point = (event) => {
    const link = event.target.closest("[data-hand]");
    if (!link || link === pointing) return;
    pointing = link;
    setTimeout(() => pointing === link && showHand(link), 40);
  };
  place.addEventListener("pointerover", point);
  place.addEventListener("focusin", point);
  place.addEventListener("keydown", (event) => {
    const link = event.target.closest("[data-hand]");
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!link || !step) return;
    const all = [...place.querySelectorAll("[data-hand]")];
    const next = all[all.indexOf(link) + step];
    event.preventDefault();
    if (next) next.focus();
  });
  window.addEventListener("popstate", () => go(new URL(location.href)));
  showHere();
  fill();
}
