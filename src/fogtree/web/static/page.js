"use strict";
// What the page does beyond links and forms: it takes over parts that the server sends, and walks through matches. All HTML
// comes from the server. board.js lets boards be played on.

const body = document.body;
const token = document.querySelector("meta[name=fogtree-token]").content;
const SILENT = "The server does not answer. Is it still running?";
const find = (id) => document.getElementById(id);

function trouble(sentence) {
  find("trouble").textContent = sentence || "";
}

// --- parts that change ---

let newest = 0; // the version that is shown; the stream and the answer to a click may overtake each other
const served = new Map([...document.querySelectorAll("main [id]")].map((one) => [one.id, one.innerHTML])); // as it came

function takeOver(message) {
  if (message.version < newest) return;
  newest = message.version || newest;
  for (const [id, html] of Object.entries(message.parts || {})) {
    const place = find(id);
    if (!place || place.dataset.html === html || isAsServed(place, html)) continue;
    const focused = place.contains(document.activeElement) ? nameOf(document.activeElement) : null;
    const open = [...place.querySelectorAll("details")].map((one) => one.open);
    if (place.getAttribute("role") === "status") place.textContent = textOf(html);
    else place.innerHTML = html;
    place.dataset.html = html;
    place.querySelectorAll("details").forEach((one, n) => (one.open = open[n] || false));
    if (focused !== null) refocus(place, focused);
  }
  if (message.facts) learn(message.facts);
}

function isAsServed(place, html) { // the stream begins with what the page had: drawn anew, a man just taken up is put down
  const before = served.get(place.id);
  served.delete(place.id);
  if (before === undefined) return false;
  const drawn = place.cloneNode(false);
  drawn.innerHTML = html;
  if (drawn.innerHTML !== before) return false;
  place.dataset.html = html;
  return true;
}

function textOf(html) {
  return new DOMParser().parseFromString(html, "text/html").body.textContent;
}

function nameOf(element) {
  return element.name ? `${element.name}=${element.value}` : element.textContent;
}

function refocus(place, name) {
  const all = [...place.querySelectorAll("button, input:not([type=hidden]), a")];
  const same = all.find((one) => nameOf(one) === name);
  const next = same || place.querySelector(".actions button") || all[0];
  if (next) next.focus({ preventScroll: true });
  else if (place.id === "moves") waiting = true;
}

let waiting = false; // the focus was on a move, and goes back there when the next moves come

function learn(facts) {
  if (waiting && find("moves") && find("moves").querySelector("button")) {
    waiting = false;
    const lost = document.activeElement === body || !document.activeElement;
    if (lost) find("moves").querySelector("button").focus({ preventScroll: true });
  }
  const waits = document.querySelector("[data-ready]"); // there is more to see than when the page was loaded
  if (waits && facts.ready > Number(waits.dataset.ready)) location.reload();
  if (find("reel")) reel.learn(facts);
}

// --- the stream; only a page that is looked at has one, for a browser opens few connections to one server ---

let stream = null;
let over = false;

function connect() {
  if (!body.dataset.live || stream || over || document.hidden) return;
  stream = new EventSource(body.dataset.live);
  stream.onopen = () => trouble("");
  stream.onmessage = (event) => {
    trouble("");
    takeOver(JSON.parse(event.data));
  };
  stream.addEventListener("end", () => {
    over = true;
    disconnect();
  });
  stream.onerror = () =>
    trouble(
      stream.readyState === EventSource.CLOSED
        ? "The server does not know this page any more. It was started anew, or the work was put away."
        : "The connection to the server is lost. The page tries again.",
    );
}

function disconnect() {
  if (stream) stream.close();
  stream = null;
}

document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
window.addEventListener("pagehide", disconnect);
window.addEventListener("pageshow", connect);

// --- forms ---

const sending = new Set(); // what waits for its answer; the stream may bring the next turn before it

function questionOf(form) { // a form and its turn, in which it is sent once
  const { turn } = form.elements;
  return `${form.getAttribute("action")} ${turn ? turn.value : ""}`;
}

async function send(form, button) {
  const question = questionOf(form);
  if (sending.has(question)) return;
  sending.add(question);
  trouble("");
  showWrong(form, {});
  const fields = new URLSearchParams(new FormData(form));
  if (button && button.name) fields.set(button.name, button.value);
  try {
    const answer = await fetch(form.getAttribute("action"), { // form.action may be a button of that name
      method: "POST",
      body: fields,
      headers: { accept: "application/json", "x-fogtree-token": token },
    });
    const message = await contentOf(answer);
    if (message.go) location.assign(message.go);
    else if (message.wrong) focusWrong(form, message.wrong);
    else if (message.trouble) trouble(message.trouble);
    else takeOver(message);
  } catch {
    trouble(SILENT);
  } finally {
    sending.delete(question);
  }
}

function showWrong(form, wrong) { // a sentence beside each field that is wrong
  for (const place of form.querySelectorAll("[data-error]")) {
    const words = wrong[place.dataset.error] || "";
    if (place.textContent !== words) place.textContent = words;
    const control = form.elements[place.dataset.error];
    if (control) control.setAttribute("aria-invalid", Boolean(words));
  }
}

function focusWrong(form, wrong) {
  showWrong(form, wrong);
  const first = [...form.elements].find((one) => wrong[one.name]);
  if (!first) return;
  const folded = first.closest("details");
  if (folded) folded.open = true; // what is folded away takes no focus, and its sentence is not seen
  first.focus();
}

async function contentOf(answer) {
  const kind = answer.headers.get("content-type") || "";
  return kind.includes("json") ? answer.json() : { trouble: await answer.text() }; // the guard refuses in plain text
}

document.addEventListener("submit", (event) => {
  if (!event.target.hasAttribute("data-fetch")) return;
  event.preventDefault();
  send(event.target, event.submitter);
});

// --- keys: arrows walk through the list of moves ---

document.addEventListener("keydown", (event) => {
  const list = event.target.closest && event.target.closest(".actions");
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!list || !step) return;
  const buttons = [...list.querySelectorAll("button")];
  const next = buttons[(buttons.indexOf(event.target) + step + buttons.length) % buttons.length];
  if (next) next.focus();
  event.preventDefault();
});

// the same keys step through a match that is looked at
document.addEventListener("keydown", (event) => {
  const way = { ArrowRight: "next", ArrowLeft: "back" }[event.key];
  const busy = event.target.closest("input, select, .actions, .scroll") || event.altKey || event.ctrlKey || event.metaKey;
  if (!way || busy || !find("reel") || find("reel").hidden) return;
  reel.press(way);
  event.preventDefault();
});

// --- pieces that are loaded when they are asked for ---

async function load(address) {
  const answer = await fetch(address, { headers: { accept: "application/json" } }).catch(() => null);
  if (!answer) throw new Error(SILENT);
  if (answer.ok) return answer.text();
  throw new Error((await contentOf(answer)).trouble);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest && event.target.closest("[data-load]");
  if (!button) return;
  const words = button.textContent;
  button.disabled = true;
  button.textContent = "Working ...";
  try {
    const place = button.closest("section") || button.parentElement;
    place.innerHTML = await load(button.dataset.load);
    const again = place.querySelector("[data-again]"); // the answer is still being worked out
    if (again) setTimeout(() => again.isConnected && again.click(), 500);
  } catch (error) {
    trouble(error.message);
    button.textContent = words;
    button.disabled = false;
  }
});

document.addEventListener(
  "toggle",
  async (event) => {
    const details = event.target;
    if (!details.open || !details.dataset.unfold) return;
    const address = details.dataset.unfold;
    details.removeAttribute("data-unfold");
    try {
      const html = await load(address);
      details.querySelector(".loading").insertAdjacentHTML("afterend", html);
    } catch (error) {
      details.dataset.unfold = address; // it can be tried again
      details.open = false;
      trouble(error.message);
    }
  },
  true,
);

// --- walking through a match ---

const reel = {
  at: null,
  timer: null,
  steps: 0,
  asked: 0,

  learn(facts) {
    const place = find("reel");
    this.steps = facts.steps;
    this.over = facts.over;
    find("reel-at").max = facts.steps;
    if (!facts.open) return;
    const first = place.hidden;
    place.hidden = false;
    if (this.at === null) {
      const given = new URLSearchParams(location.search).get("step");
      this.at = given !== null ? Number(given) : place.dataset.watch === "yes" ? 0 : facts.begin; // the last decision
      if (given === null || !find("step").children.length) this.show(this.at);
      if (place.dataset.watch === "yes" && given === null) this.run();
    } else if (first) this.show(this.at);
    this.mark();
  },

  async show(step) {
    this.at = Math.max(0, Math.min(step, this.steps));
    this.mark();
    const asked = ++this.asked;
    try {
      const html = await load(`${find("reel").dataset.match}/step/${this.at}`);
      if (asked !== this.asked) return; // a later one was asked for
      find("step").innerHTML = html;
      find("said").textContent = find("step").querySelector("h3").textContent;
      history.replaceState(null, "", `?step=${this.at}`);
    } catch (error) {
      trouble(error.message);
      this.stop();
    }
  },

  mark() {
    find("reel-at").value = this.at;
    find("reel-at").setAttribute("aria-valuetext", `after ${this.at} of ${this.steps} moves`);
  },

  async tick() {
    if (!this.timer) return;
    if (this.at < this.steps) await this.show(this.at + 1);
    else if (this.over) return this.stop();
    if (this.timer) this.timer = setTimeout(() => this.tick(), Number(find("reel-speed").value));
  },

  run() {
    if (this.timer) return;
    document.querySelector("[data-reel=run]").textContent = "Pause";
    this.timer = setTimeout(() => this.tick(), Number(find("reel-speed").value));
  },

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    document.querySelector("[data-reel=run]").textContent = "Play";
  },

  press(name) {
    if (name === "run") return this.timer ? this.stop() : this.run();
    this.stop();
    return this.show({ first: 0, back: this.at - 1, next: this.at + 1, last: this.steps }[name]);
  },
};

if (find("reel")) {
  find("reel").addEventListener("click", (event) => {
    const button = event.target.closest("[data-reel]");
    if (button) reel.press(button.dataset.reel);
  });
  find("reel-at").addEventListener("input", () => {
    reel.stop();
    reel.show(Number(find("reel-at").value));
  });
}

connect();
