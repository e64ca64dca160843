// Posts what was done on a page and puts the fragments that come back in place. Everything is drawn
// and decided by the server; here are only transport, uploads, keys and confirmations.
"use strict";

const words = JSON.parse(document.body.dataset.words);  // what is said from here, in the reader's language
const told = (key, values = {}) => (words[key] || key).replace(/\{(\w+)\}/g, (_, name) => values[name]);

// ---------------------------------------------------------------- acting and looking

let line = Promise.resolve();  // one request after the other, in the order of the clicks
let waiting = 0;
let timer = 0;
let last = "";  // what was asked for last
let leaving = false;  // for another page: what was clicked here since is about nothing any more
let pressed = null;  // while a button of the mouse is down, nothing moves away from under it
const typing = new WeakSet();  // fields whose text was not sent yet
const STEPWISE = /^(step|undo|edit:(undo|redo))$/;  // twice is two steps; of all else a double click is one

function act(kind, value, agreed = false) {
  const wanted = JSON.stringify([kind, value]);
  if (kind && waiting && wanted === last && !STEPWISE.test(kind)) return line;
  if (kind) last = wanted;
  wait(1);
  clearTimeout(timer);
  line = line.then(() => send(kind, value, agreed)).finally(() => wait(-1));
  return line;
}

function wait(more) {
  waiting += more;
  document.body.toggleAttribute("data-waiting", waiting > 0);
}

async function send(kind, value, agreed) {
  if (leaving) return;
  const have = {};
  for (const part of document.querySelectorAll("[data-fragment]")) have[part.dataset.fragment] = part.dataset.version;
  let answer;
  try {
    answer = await fetch(location.pathname, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ act: kind, value, have, agreed }),
    });
  } catch {
    if (kind) say(told("The server does not answer. Nothing you said before is lost."), "trouble");
    lookIn(3);
    return;
  }
  if (answer.ok) {
    const found = await answer.json();
    await pressed;
    show(found);  // controls show what holds, also while somebody thinks
    if (found.kind === "ask" && window.confirm(found.say)) await send(kind, value, true);
  }
  else if (answer.status === 401 || answer.status === 404) location.reload();  // logged out, or forgotten
  else say((await answer.json()).error, "trouble");
}

function show(found) {
  if (found.go) { leaving = true; location.assign(found.go); return; }
  for (const [name, { version, html }] of Object.entries(found.fragments)) {
    const old = document.querySelector(`[data-fragment="${CSS.escape(name)}"]`);
    if (!old) { location.reload(); return; }  // the page has other parts now
    const fresh = old.cloneNode(false);
    fresh.innerHTML = html;
    fresh.dataset.version = version;
    morph(old, fresh);
  }
  if (found.say && found.kind !== "ask") say(found.say, found.kind);
  lookIn(found.look);
}

function lookIn(seconds) {
  clearTimeout(timer);
  if (seconds) timer = setTimeout(() => { if (document.hidden || waiting) lookIn(seconds); else act("", ""); }, 1000 * seconds);
}

// Make one tree read like another and keep what is the same: focus, scrolling, open folds, and bars
// that move from where they were.
function morph(old, fresh) {
  if (old.nodeName !== fresh.nodeName) { old.replaceWith(fresh); return; }
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (name !== "open" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  const rows = new Map([...old.children].filter((row) => row.dataset.row).map((row) => [row.dataset.row, row]));
  const children = [...fresh.childNodes];  // some of them move over
  children.forEach((child, i) => {
    const at = old.childNodes[i] ?? null, row = child.dataset?.row;
    const same = row ? rows.get(row) : at?.dataset?.row ? null : at;  // a row is itself or new
    if (!same) { old.insertBefore(child, at); return; }
    if (same !== at) old.insertBefore(same, at);
    morph(same, child);
  });
  while (old.childNodes.length > children.length) old.lastChild.remove();
  if (old.matches("input[type=radio], input[type=checkbox]:not([data-node])")) old.checked = fresh.checked;
  else if (old.matches("option")) old.selected = fresh.selected;
  else if (old.matches("input:not([type=file])") && !typing.has(old)) old.value = fresh.value;
}

let letGo = () => {};
document.addEventListener("pointerdown", () => {
  pressed = new Promise((up) => { letGo = () => setTimeout(() => { pressed = null; up(); }); });  // after its click
});
for (const kind of ["pointerup", "pointercancel", "dragend", "blur"]) window.addEventListener(kind, () => letGo());
document.addEventListener("input", (e) => { if (e.target.matches("input")) typing.add(e.target); });
document.addEventListener("change", (e) => typing.delete(e.target), true);
window.addEventListener("pageshow", () => { leaving = false; });  // back again, as it was

function say(text, kind) {
  const place = document.getElementById("told");
  const note = document.createElement("p");
  note.className = kind;
  note.textContent = text;
  place.append(note);
  setTimeout(() => note.remove(), 8000);
}

document.addEventListener("click", (e) => {
  const found = e.target.closest("button[data-act], a[data-act]");
  if (!found || found.disabled) return;
  e.preventDefault();
  if (!found.dataset.confirm || window.confirm(found.dataset.confirm)) act(found.dataset.act, found.dataset.value || "");
});

document.addEventListener("keydown", (e) => {  // keys press the buttons that name them
  if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || e.repeat) return;
  if (e.target.closest("input, select, textarea")) return;
  const button = document.querySelector(`button[data-key~="${CSS.escape(e.key)}"]:not(:disabled)`);
  if (button) {
    e.preventDefault();
    button.click();
  }
});

document.addEventListener("input", (e) => {  // a slider says its value while it moves
  if (e.target.matches("input[type=range]")) e.target.closest("label").querySelector("output").textContent = e.target.value;
});

lookIn(Number(document.body.dataset.look));

// ---------------------------------------------------------------- several fields, sent together

document.addEventListener("click", (e) => {
  const button = e.target.closest("button[data-send]");
  if (!button) return;
  const fields = [...button.closest("[data-parts]").querySelectorAll("input[data-part]")];
  act(button.dataset.send, fields.map((field) => field.value.replaceAll("\n", " ")).join("\n"));
});

// ---------------------------------------------------------------- tables of any length

let scrolled = 0;

document.addEventListener("scroll", (e) => {  // only the rows around what is seen are drawn
  const zone = e.target;
  if (!zone.matches?.("[data-virtual]")) return;
  clearTimeout(scrolled);
  scrolled = setTimeout(() => {
    const first = Math.floor(zone.scrollTop / zone.dataset.height), at = Number(zone.dataset.virtual);
    const seen = Math.ceil(zone.clientHeight / zone.dataset.height), drawn = Number(zone.dataset.drawn);
    const above = at > 0 && first < at, below = first + seen > at + drawn && at + drawn < Number(zone.dataset.rows);
    if (above || below) act("at", String(Math.max(0, first - Math.floor((drawn - seen) / 2))));
  }, 60);
}, true);

document.addEventListener("change", (e) => {  // in another order one begins at the top
  if (e.target.matches("select[data-act=by]")) document.querySelector("[data-virtual]")?.scrollTo(0, 0);
}, true);

// ---------------------------------------------------------------- many columns

const slots = () => [...document.querySelectorAll(".slot")];

document.addEventListener("input", (e) => {
  if (!e.target.matches("input[data-filter]")) return;
  const word = e.target.value.toLowerCase();
  for (const slot of slots()) slot.hidden = !slot.querySelector(".field").dataset.name.includes(word);
  document.querySelector("[data-count]").textContent = told("{n} of {all} columns", { n: slots().filter((slot) => !slot.hidden).length, all: slots().length });
});

document.addEventListener("change", (e) => {
  if (!e.target.matches("select[data-all]") || !e.target.value) return;
  const shown = slots().filter((slot) => !slot.hidden).map((slot) => slot.dataset.fragment.slice("column-".length));
  act(`roles:${e.target.value}`, shown.join(","));
  e.target.value = "";
});

// ---------------------------------------------------------------- files

const trouble = (zone, text) => {
  const alert = zone.querySelector("[role=alert]");
  alert.hidden = !text;
  alert.textContent = text;
};

function uploadTable(zone, file) {
  const bar = zone.querySelector("progress"), line = zone.querySelector("[data-reading]"), cancel = zone.querySelector("[data-cancel]");
  const request = new XMLHttpRequest();  // fetch cannot say how far an upload is
  const began = Date.now();
  let reading = "";  // its address, once the file is there whole
  const end = (text) => {
    bar.hidden = line.hidden = cancel.hidden = true;
    zone.removeAttribute("aria-busy");
    trouble(zone, text);
  };
  const look = async (method = "GET") => {
    const answer = await fetch(reading, { method });
    return answer.ok ? answer.json() : { state: "failed", problem: "", hint: "" };
  };
  const follow = async () => {
    if (!reading) return;  // cancelled since
    const found = await look();
    if (!reading) return;  // cancelled meanwhile
    if (found.state === "done") { location.assign(`/t/${found.table}/table`); return; }
    if (found.state === "failed") { end([found.problem || told("The table could not be read."), found.hint].filter(Boolean).join(" ")); return; }
    const share = found.share === null ? "" : ` ${Math.floor(100 * found.share)} %`;
    if (found.share === null) bar.removeAttribute("value"); else bar.value = found.share;
    line.hidden = false;
    line.textContent = `${told("Reading the table")}:${share} (${Math.round((Date.now() - began) / 1000)} s)`;
    setTimeout(follow, 400);
  };
  request.open("POST", `/api/tables/readings?name=${encodeURIComponent(file.name)}`);
  request.upload.onprogress = (e) => { if (e.lengthComputable) bar.value = e.loaded / e.total; };
  request.onload = () => {
    let answer = {};
    try { answer = JSON.parse(request.responseText); } catch { /* told below */ }
    if (request.status === 202) { reading = `/api/tables/readings/${answer.id}`; follow(); }
    else end([answer.error || told("The table could not be read."), answer.hint].filter(Boolean).join(" "));
  };
  request.onerror = () => end(told("The connection broke off, or the file is too large."));
  request.onabort = () => end(told("Cancelled; nothing of the file was kept."));
  cancel.onclick = async () => {
    if (!reading) { request.abort(); return; }
    await look("DELETE");
    reading = "";
    end(told("Cancelled; nothing of the file was kept."));
  };
  trouble(zone, "");
  bar.hidden = cancel.hidden = false;
  bar.value = 0;
  zone.setAttribute("aria-busy", "true");
  request.send(file);
}

async function uploadBeside(input) {  // a ladder, a tree or a plan for the table of this page
  const file = input.files[0];
  const format = file.name.toLowerCase().endsWith(".json") ? "json" : "csv";
  const answer = await fetch(`${input.dataset.file}?format=${format}`, { method: "PUT", body: file });
  if (answer.ok && input.closest("[data-editor]")) { input.value = ""; act("", ""); return; }
  if (answer.ok) { location.reload(); return; }
  const problem = await answer.json();
  trouble(input.closest("[data-file-zone]"), `${problem.error} ${problem.hint}`);
}

function changed(field) {
  if (field.type === "file" && !field.files.length) return;
  if (field.matches("input[data-upload]")) {
    uploadTable(field.closest("[data-drop]"), field.files[0]);
    field.value = "";
  } else if (field.matches("input[data-file]")) uploadBeside(field);
  else if (field.matches("input[data-act], select[data-act]")) act(field.dataset.act, field.value);
}

document.addEventListener("change", (e) => changed(e.target));
document.querySelectorAll("input[type=file]").forEach(changed);  // chosen before this script was there

for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (e) => {
    const zone = e.target.closest?.("[data-drop]");
    e.preventDefault();  // a file dropped beside the zone must not replace the page
    document.querySelectorAll("[data-drop]").forEach((each) => each.classList.remove("over"));
    if (!zone) return;
    if (kind === "dragover") zone.classList.add("over");
    if (kind === "drop" && e.dataTransfer.files.length) uploadTable(zone, e.dataTransfer.files[0]);
  });
}
