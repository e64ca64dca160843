// Posts what was done on a page and puts the fragments that come back in place. Everything is drawn
// and decided by the server; here are only transport, uploads, keys and confirmations.
"use strict";

// ---------------------------------------------------------------- acting and looking

let line = Promise.resolve();  // one request after the other, in the order of the clicks
let waiting = 0;
let timer = 0;

function act(kind, value, agreed = false) {
  waiting += 1;
  clearTimeout(timer);
  line = line.then(() => send(kind, value, agreed)).finally(() => { waiting -= 1; });
  return line;
}

async function send(kind, value, agreed) {
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
    if (kind) say("The server does not answer. Nothing you said before is lost.", "trouble");
    lookIn(3);
    return;
  }
  if (answer.ok) {
    const found = await answer.json();
    show(found);  // controls show what holds, also while somebody thinks
    if (found.kind === "ask" && window.confirm(found.say)) await send(kind, value, true);
  }
  else if (answer.status === 401 || answer.status === 404) location.reload();  // logged out, or forgotten
  else say((await answer.json()).error, "trouble");
}

function show(found) {
  if (found.go) { location.assign(found.go); return; }
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
  if (old.matches("input[type=radio]")) old.checked = fresh.checked;
  else if (old.matches("option")) old.selected = fresh.selected;
  else if (old.matches("input:not([type=file])")) old.value = fresh.value;
}

function say(text, kind) {
  const told = document.getElementById("told");
  const note = document.createElement("p");
  note.className = kind;
  note.textContent = text;
  told.append(note);
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

// ---------------------------------------------------------------- many columns

const slots = () => [...document.querySelectorAll(".slot")];

document.addEventListener("input", (e) => {
  if (!e.target.matches("input[data-filter]")) return;
  const word = e.target.value.toLowerCase();
  for (const slot of slots()) slot.hidden = !slot.querySelector(".field").dataset.name.includes(word);
  document.querySelector("[data-count]").textContent = `${slots().filter((slot) => !slot.hidden).length} of ${slots().length} columns`;
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
  const bar = zone.querySelector("progress"), words = zone.querySelector("[data-reading]"), cancel = zone.querySelector("[data-cancel]");
  const request = new XMLHttpRequest();  // fetch cannot say how far an upload is
  let clock = 0;
  const end = (text) => {
    clearInterval(clock);
    bar.hidden = words.hidden = cancel.hidden = true;
    zone.removeAttribute("aria-busy");
    trouble(zone, text);
  };
  const reading = () => {  // the file is there whole; now it is read, which nobody knows the length of
    const began = Date.now();
    bar.removeAttribute("value");
    words.hidden = false;
    words.textContent = "Reading the table";
    clock = setInterval(() => { words.textContent = `Reading the table: ${Math.round((Date.now() - began) / 1000)} s`; }, 1000);
  };
  request.open("POST", `/api/tables?name=${encodeURIComponent(file.name)}`);
  request.upload.onprogress = (e) => { if (e.lengthComputable) bar.value = e.loaded / e.total; };
  request.upload.onload = reading;
  request.onload = () => {
    let answer = {};
    try { answer = JSON.parse(request.responseText); } catch { /* told below */ }
    if (request.status === 201) location.assign(`/t/${answer.id}/table`);
    else end([answer.error || "The table could not be read.", answer.hint].filter(Boolean).join(" "));
  };
  request.onerror = () => end("The connection broke off, or the file is too large.");
  request.onabort = () => end("Cancelled; nothing of the file was kept.");
  cancel.onclick = () => request.abort();
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
