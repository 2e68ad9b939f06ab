"use strict";
// The board of a match: clicks and drags play moves, a picker asks where several moves lead to one place, and large boards are
// zoomed. The picture comes from the server; here it is only dressed.

const LEAST_TEXT = 11; // pixels
const LEAST_TARGET = 24;
const FAR = 6; // pixels that a press must move to be a drag
const STEPS = { in: 1.25, out: 0.8 }; // of the zoom

const onBoard = (selector) => [...document.querySelectorAll(`#board ${selector}`)];
const grounds = (place) => onBoard(`[data-place="${CSS.escape(place)}"]`);
const ways = (from, to) => onBoard(".way").filter((one) => one.dataset.from === from && (to === undefined || one.dataset.to === to));
const pieces = (place) => onBoard(".piece").filter((one) => one.dataset.place === place);

let origin = null; // the place of the man that is to move
let drag = null;
let dragged = false; // the press that has just ended was a drag, and its click means nothing

function actionButton(action) {
  return document.querySelector(`#moves .actions button[value="${CSS.escape(action)}"]`);
}

function play(action) {
  select(null);
  const button = actionButton(action);
  if (button) send(button.form, button);
}

// what lies under a point of the screen: a shape that carries an action, or a place
function under(event) {
  const all = document.elementsFromPoint(event.clientX, event.clientY);
  const hit = (kind) => [event.target, ...all].map((one) => one.closest && one.closest(`#board ${kind}`)).find(Boolean);
  const shape = hit("[data-action]:not(.way)");
  const place = hit("[data-place]");
  return { action: shape && shape.dataset.action, place: place && place.dataset.place };
}

function select(place) {
  origin = place;
  onBoard(".chosen, #board .taken").forEach((one) => one.classList.remove("chosen", "taken"));
  if (place === null) return;
  ways(place).forEach((one) => one.classList.add("chosen"));
  grounds(place)[0].classList.add("taken");
}

// a move from place to place; returns whether there is one
function go(from, to) {
  const found = ways(from, to);
  if (found.length === 1) {
    shift(found[0]);
    play(found[0].dataset.action);
  } else if (found.length > 1) pick(found);
  return found.length > 0;
}

// show the man at once where he goes; the server's picture follows
function shift(way) {
  const [man] = pieces(way.dataset.from);
  const button = actionButton(way.dataset.action);
  if (!man || !button || sending.has(questionOf(button.form))) return;
  const [from, to] = [way.dataset.from, way.dataset.to].map((place) => grounds(place)[0].getBBox());
  const middle = (side, length) => to[side] + to[length] / 2 - from[side] - from[length] / 2;
  man.setAttribute("transform", `translate(${middle("x", "width")} ${middle("y", "height")})`);
  man.parentNode.append(man);
}

// --- several moves lead to one place ---

function pick(found) {
  closePicker();
  const box = document.createElement("div");
  box.className = "picker";
  box.setAttribute("role", "dialog");
  box.setAttribute("aria-label", "Choose a move");
  box.append(...found.map(choiceButton).reverse()); // the highest number first: in chess the queen
  const frame = document.querySelector(".frame");
  frame.append(box);
  const [spot, around] = [grounds(found[0].dataset.to)[0], frame].map((one) => one.getBoundingClientRect());
  const left = spot.left + spot.width / 2 - box.offsetWidth / 2 - around.left;
  box.style.left = `${Math.max(0, Math.min(left, around.width - box.offsetWidth))}px`;
  box.style.top = `${Math.max(0, Math.min(spot.top - around.top, around.height - box.offsetHeight))}px`;
  box.querySelector("button").focus({ preventScroll: true });
}

function choiceButton(way) {
  const button = document.createElement("button");
  const choice = way.querySelector(".choice");
  button.type = "button";
  button.title = way.dataset.label;
  button.setAttribute("aria-label", way.dataset.label);
  if (choice) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "-22 -22 44 44");
    svg.append(...[...choice.children].map((one) => one.cloneNode(true)));
    button.append(svg);
  } else button.textContent = way.dataset.label;
  button.addEventListener("click", (event) => {
    if (event.detail > 1) return; // the second half of a double click that opened the picker
    closePicker();
    shift(way);
    play(way.dataset.action);
  });
  return button;
}

function closePicker() {
  document.querySelectorAll(".picker").forEach((one) => one.remove());
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  closePicker();
  select(null);
});

// --- presses, drags and clicks ---

document.addEventListener("pointerdown", (event) => {
  dragged = false;
  if (!event.target.closest || event.button !== 0) return;
  if (!event.target.closest(".picker")) closePicker();
  if (!event.target.closest("#board")) return;
  const { place } = under(event);
  if (place === undefined || !ways(place).length || (origin !== null && ways(origin, place).length)) return;
  drag = { place, pointer: event.pointerId, x: event.clientX, y: event.clientY, fresh: origin !== place, moves: false };
  select(place);
});

document.addEventListener("pointermove", (event) => {
  if (!drag || event.pointerId !== drag.pointer) return;
  const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.moves && Math.hypot(dx, dy) < FAR) return;
  drag.moves = true;
  const scale = document.querySelector("#board svg").getScreenCTM().a;
  for (const man of pieces(drag.place)) {
    man.classList.add("dragged");
    man.setAttribute("transform", `translate(${dx / scale} ${dy / scale})`);
    if (man.nextSibling) man.parentNode.append(man);
  }
});

function drop(event, over) {
  if (!drag || event.pointerId !== drag.pointer || !drag.moves) return;
  const { place } = drag;
  drag = null;
  dragged = true;
  for (const man of pieces(place)) {
    man.removeAttribute("transform");
    man.classList.remove("dragged");
  }
  const target = over && under(event).place;
  if (!target || target === place || !go(place, target)) select(target === place ? place : null);
}
document.addEventListener("pointerup", (event) => drop(event, true));
document.addEventListener("pointercancel", (event) => {
  drop(event, false);
  drag = null;
});

document.addEventListener("click", (event) => {
  const pressed = drag;
  drag = null;
  if (!event.target.closest || !event.target.closest("#board") || dragged) return;
  const { action, place } = under(event);
  if (action !== undefined) play(action);
  else if (place === undefined) select(null);
  else if (origin !== null && go(origin, place)) return;
  else select(ways(place).length && !(pressed && !pressed.fresh) ? place : null);
});

// a move of the list that is looked at is marked on the board
function hint(event) {
  const button = event.target.closest && event.target.closest(".actions button");
  onBoard(".hint").forEach((one) => one.classList.remove("hint"));
  if (button) onBoard(`[data-action="${CSS.escape(button.value)}"]`).forEach((one) => one.classList.add("hint"));
}
document.addEventListener("focusin", hint);
document.addEventListener("mouseover", hint);

// --- how large the board is ---

let zoom = 1; // 0 shows the whole board, however small its texts become

// the least scale at which texts can be read and targets can be hit
function leastScale(svg) {
  const number = (one, name) => Number(one.getAttribute(name));
  const least = (found, size) => Math.min(...[...svg.querySelectorAll(found)].map(size).filter((one) => one > 0));
  const text = least("text", (one) => number(one, "font-size"));
  const size = (one) => (one.tagName === "circle" ? 2 * number(one, "r") : Math.min(number(one, "width"), number(one, "height")));
  const target = least("[data-place]:not(.piece), .move:not(.way)", (one) => Math.max(...[...one.children].map(size)));
  return Math.max(0, LEAST_TEXT / text, LEAST_TARGET / target);
}

function dress() {
  select(null);
  closePicker();
  const svg = document.querySelector("#board svg");
  if (!svg) return;
  const { width, height } = svg.viewBox.baseVal;
  const least = zoom === 0 ? 0 : leastScale(svg) * Math.max(1, zoom);
  svg.style.minWidth = `${Math.ceil(width * least)}px`;
  svg.style.minHeight = `${Math.ceil(height * least)}px`;
  svg.style.width = zoom === 0 || zoom === 1 ? "" : `${100 * zoom}%`;
  svg.style.maxHeight = zoom === 0 || zoom === 1 ? "" : "none";
  const board = find("board");
  board.classList.toggle("large", svg.clientWidth > board.clientWidth + 1 || svg.clientHeight > board.clientHeight + 1);
  for (const place of new Set(onBoard(".way").map((one) => one.dataset.from)))
    pieces(place).forEach((one) => one.classList.add("movable"));
}

if (find("board")) {
  new MutationObserver(dress).observe(find("board"), { childList: true });
  window.addEventListener("resize", dress);
  document.addEventListener("click", (event) => {
    const button = event.target.closest && event.target.closest("[data-zoom]");
    if (!button) return;
    zoom = button.dataset.zoom === "fit" ? 0 : Math.min(4, Math.max(0.5, (zoom || 1) * STEPS[button.dataset.zoom]));
    dress();
  });
  dress();
}
