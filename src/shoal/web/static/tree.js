// Picking, finding and dragging in the editor of a tree. What becomes of the tree is decided by the
// server; whatever the mouse does here, keys and buttons do as well.
"use strict";
{
  const editor = () => document.querySelector("[data-editor]");
  const boxes = () => [...editor().querySelectorAll("input[data-node]")].filter((box) => box.offsetParent);
  const picked = () => boxes().filter((box) => box.checked).map((box) => box.value);
  let last = null;  // the box that was picked before, for a range
  let found = false;  // what is picked was found by words: after its name, more may be found
  let single = false;  // one group is named, not one after the other

  function tell(step, ids) {
    const at = document.activeElement?.closest("li[data-row]")?.dataset.row;
    for (const box of editor().querySelectorAll("input[data-node]:checked")) box.checked = false;
    mark();
    return act(`edit:${step}`, ids.join(",")).then(() => focusOn(at));
  }

  function focusOn(row) {
    const fresh = editor()?.querySelector("input[data-fresh]");
    if (fresh) { fresh.focus(); fresh.select(); return; }
    const same = row && editor()?.querySelector(`li[data-row="${CSS.escape(row)}"] input[data-node]`);
    (same || editor()?.querySelector("input[data-node]"))?.focus();
  }

  // After a name: find more, name the next group of a proposal, or stay where it was made.
  function goOn(name) {
    const names = [...editor().querySelectorAll(".head input[type=text]")].filter((each) => each.offsetParent);
    const next = single || name.dataset.fresh !== undefined ? null : names[names.indexOf(name) + 1];
    const at = found ? editor().querySelector("input[data-find]") : next || name.closest(".head").querySelector("input[data-node]");
    found = single = false;
    at.focus();
    if (at.matches("[type=text], [type=search]")) at.select();
  }

  const mark = () => { if (editor()) editor().classList.toggle("picking", picked().length > 0); };

  function move(from, by, range) {
    const all = boxes();
    const next = all[Math.max(0, Math.min(all.length - 1, all.indexOf(from) + by))];
    if (range) from.checked = next.checked = true;
    next.focus();
    mark();
  }

  document.addEventListener("click", (e) => {
    const button = e.target.closest("button[data-pick]");
    if (button) tell(button.dataset.pick, picked());
    if (!e.target.matches("input[data-node]")) return;
    if (e.shiftKey && last?.isConnected) {
      const all = boxes(), ends = [all.indexOf(last), all.indexOf(e.target)].sort((a, b) => a - b);
      all.slice(ends[0], ends[1] + 1).forEach((box) => { box.checked = e.target.checked; });
    }
    last = e.target;
    found = false;
    mark();
  });

  document.addEventListener("keydown", (e) => {
    if (!e.target.closest("[data-editor]") || e.altKey) return;
    const head = e.target.closest(".head");
    if (e.target.matches("input[data-find]") && e.key === "Enter") {
      if (!e.target.value.trim()) return;
      filter(e.target);  // an answer that came meanwhile has drawn all values
      boxes().filter((box) => box.closest(".leaf")).forEach((box) => { box.checked = true; });
      mark();
      found = boxes().some((box) => box.checked);
      boxes().find((box) => box.checked)?.focus();
    } else if (e.target.matches(".head input[type=text]") && e.key === "Enter") goOn(e.target);
    else if (!e.target.matches("input[data-node]")) return;
    else if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z") act(e.shiftKey ? "edit:redo" : "edit:undo", "");
    else if (e.ctrlKey || e.metaKey) return;
    else if (e.key === "ArrowDown" || e.key === "ArrowUp") move(e.target, e.key === "ArrowDown" ? 1 : -1, e.shiftKey);
    else if (e.key === "g" || e.key === "G") tell("gather", picked());
    else if (e.key === "Delete" || e.key === "Backspace") tell("out", picked().length ? picked() : [e.target.value]);
    else if (e.key === "Enter" && head && picked().length) tell(`put:${e.target.value}`, picked());
    else if (e.key === "F2" && head) { single = true; head.querySelector("input[type=text]").select(); }
    else if (e.key === "/") editor().querySelector("input[data-find]").focus();
    else return;
    e.preventDefault();
  });

  document.addEventListener("input", (e) => { if (e.target.matches("input[data-find]")) filter(e.target); });

  function filter(find) {
    const words = find.value.toLowerCase().split(",").map((word) => word.trim()).filter(Boolean);
    const fits = (leaf) => words.some((word) => leaf.querySelector("span").textContent.toLowerCase().includes(word));
    for (const leaf of editor().querySelectorAll(".leaf")) leaf.hidden = words.length > 0 && !fits(leaf);
    for (const group of editor().querySelectorAll(".group")) group.hidden = !group.querySelector(".leaf:not([hidden])");
  }

  // ---------------------------------------------------------------- dragging

  let drag = null, dropped = -1000;

  document.addEventListener("click", (e) => {  // letting go of what was dragged is no click
    if (e.timeStamp - dropped < 60) { e.preventDefault(); e.stopPropagation(); }
  }, true);

  const under = (e) => document.elementFromPoint(e.clientX, e.clientY)?.closest("[data-editor] li[data-row], [data-root]");

  document.addEventListener("pointerdown", (e) => {
    const item = e.target.closest("[data-editor] li[data-row]");
    if (e.pointerType === "touch" || e.button || !item || e.target.closest("input, button")) return;
    drag = { item, x: e.clientX, y: e.clientY, on: false };
  });

  document.addEventListener("pointermove", (e) => {
    if (!drag) return;
    drag.on ||= Math.hypot(e.clientX - drag.x, e.clientY - drag.y) > 5;
    if (!drag.on) return;
    editor().classList.add("dragging");
    editor().querySelectorAll(".over").forEach((each) => each.classList.remove("over"));
    under(e)?.classList.add("over");
  });

  document.addEventListener("pointerup", (e) => {
    const was = drag;
    drag = null;
    if (!was?.on) return;
    dropped = e.timeStamp;
    editor().classList.remove("dragging");
    editor().querySelectorAll(".over").forEach((each) => each.classList.remove("over"));
    const target = under(e), row = was.item.dataset.row;
    const ids = picked().includes(row) ? picked() : [row];
    if (!target || target === was.item) return;
    const group = target.closest(".group");
    if (group) tell(`put:${group.dataset.row}`, ids);
    else if (target.matches(".leaf")) tell("gather", [...ids, target.dataset.row]);
    else tell("put:-1", ids);
  });
}
