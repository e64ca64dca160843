// Uploads, keys and confirmations; everything else is drawn and decided by the server.
"use strict";

const tell = (zone, text) => {
  const alert = zone.querySelector("[role=alert]");
  alert.hidden = !text;
  alert.textContent = text;
};

function upload(zone, file) {
  const bar = zone.querySelector("progress");
  const request = new XMLHttpRequest();
  const fail = (text) => {
    bar.hidden = true;
    zone.removeAttribute("aria-busy");
    tell(zone, text);
  };
  request.open("POST", `/api/tables?name=${encodeURIComponent(file.name)}`);
  request.upload.onprogress = (e) => { if (e.lengthComputable) bar.value = e.loaded / e.total; };
  request.onload = () => {
    let answer = {};
    try { answer = JSON.parse(request.responseText); } catch { /* told below */ }
    if (request.status === 201) location.assign(`/t/${answer.id}/table`);
    else fail([answer.error || "The table could not be read.", answer.hint].filter(Boolean).join(" "));
  };
  request.onerror = () => fail("The connection broke off, or the file is too large.");
  tell(zone, "");
  bar.hidden = false;
  bar.value = 0;
  zone.setAttribute("aria-busy", "true");
  request.send(file);
}

async function uploadLadder(input) {
  const file = input.files[0];
  if (!file) return;
  const format = file.name.toLowerCase().endsWith(".json") ? "json" : "csv";
  const answer = await fetch(`${input.dataset.ladder}?format=${format}`, { method: "PUT", body: file });
  if (answer.ok) { location.reload(); return; }
  const problem = await answer.json();
  const said = input.closest("[data-ladder-zone]").querySelector("[role=alert]");
  said.hidden = false;
  said.textContent = `${problem.error} ${problem.hint}`;
}

document.addEventListener("change", (e) => {
  if (e.target.matches("input[data-upload]") && e.target.files.length) {
    upload(e.target.closest("[data-drop]"), e.target.files[0]);
    e.target.value = "";
  } else if (e.target.matches("input[data-ladder]")) uploadLadder(e.target);
});

document.addEventListener("input", (e) => {  // a slider says its value while it moves
  if (e.target.matches("input[type=range]")) {
    const shown = e.target.closest("label, .slider")?.querySelector("output");
    if (shown) shown.textContent = e.target.value;
  }
});

for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (e) => {
    const zone = e.target.closest?.("[data-drop]");
    e.preventDefault();  // a file dropped beside the zone must not replace the page
    document.querySelectorAll("[data-drop]").forEach((each) => each.classList.remove("over"));
    if (!zone) return;
    if (kind === "dragover") zone.classList.add("over");
    if (kind === "drop" && e.dataTransfer.files.length) upload(zone, e.dataTransfer.files[0]);
  });
}

document.addEventListener("click", (e) => {  // before the page hears of it
  const asked = e.target.closest("[data-confirm]");
  if (asked && !window.confirm(asked.dataset.confirm)) {
    e.stopImmediatePropagation();
    e.preventDefault();
  }
}, true);

document.addEventListener("keydown", (e) => {  // keys press the buttons that name them
  if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || e.repeat) return;
  if (e.target.closest("input, select, textarea, dialog, [role=slider], [role=listbox]")) return;
  const button = document.querySelector(`button[data-key~="${CSS.escape(e.key)}"]:not(:disabled)`);
  if (button) {
    e.preventDefault();
    button.click();
  }
});

// A piece of the page that is drawn again keeps the focus where it was.
let held = null;
const valueOf = (control) => (control.matches("button, input[type=radio]") ? control.dataset.value ?? control.value : "");

document.addEventListener("focusin", (e) => {
  const control = e.target.closest("[data-act]");
  held = control && { act: control.dataset.act, value: valueOf(control) };
});
document.addEventListener("pointerdown", (e) => { if (!e.target.closest("[data-act]")) held = null; });
new MutationObserver(() => {
  if (!held || document.activeElement !== document.body) return;
  const alike = document.querySelectorAll(`[data-act="${CSS.escape(held.act)}"]`);
  [...alike].find((control) => valueOf(control) === held.value)?.focus({ preventScroll: true });
}).observe(document.documentElement, { childList: true, subtree: true });
