// Telling people things: on the screen, and through screen readers.

import { byId, h } from "./dom.js";
import { problemWords } from "./text/sentences.js";
import { t } from "./text/text.js";

let timer = 0;

/**
 * Read aloud by screen readers, not shown.
 * @param {string} words
 */
export function say(words) {
  const live = byId("live");
  // The same words twice should be read aloud twice.
  live.textContent = live.textContent === words ? `${words}\u00a0` : words;
}

/**
 * Shown for a moment, and read aloud.
 * @param {string} words
 * @param {"bad"} [tone]
 */
export function toast(words, tone) {
  const box = byId("toast");
  box.textContent = words;
  box.className = `toast on ${tone ?? ""}`;
  window.clearTimeout(timer);
  timer = window.setTimeout(() => box.classList.remove("on"), tone ? 6000 : 2600);
}

/** @param {unknown} error */
export function complain(error) {
  toast(problemWords(error), "bad");
}

/**
 * A window on top of the page. Escape closes it, and the focus goes back where it was.
 * @param {string} title
 * @param {import("./dom.js").Children[]} content
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, ...content) {
  const close = h("button", { type: "button", class: "plain square", "aria-label": t("app.close"), onclick: () => dialog.close() }, "✕");
  const dialog = h("dialog", { "aria-label": title }, h("header", {}, h("h2", {}, title), close), ...content);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Asks a question that is answered by yes or no; Escape is no.
 * @param {string} title
 * @param {string} words
 * @param {string} yes
 * @param {string} no
 * @returns {Promise<boolean>}
 */
export function confirm(title, words, yes, no) {
  return new Promise((resolve) => {
    let sure = false;
    const stay = h("button", { type: "button", class: "main", id: "confirm-no", onclick: () => dialog.close() }, no);
    const go = h("button", { type: "button", id: "confirm-yes", onclick: () => { sure = true; dialog.close(); } }, yes);
    const dialog = openDialog(title, h("p", {}, words), h("div", { class: "row end" }, go, stay));
    dialog.addEventListener("close", () => resolve(sure));
    stay.focus();
  });
}

/**
 * @param {string} text
 * @param {string} thanks
 */
export async function copy(text, thanks) {
  try {
    await navigator.clipboard.writeText(text);
    toast(thanks);
  } catch {
    const box = h("textarea", { readonly: true, "aria-label": t("app.copy.text") });
    box.value = text;
    openDialog(t("app.copy"), box);
    box.select();
  }
}

/**
 * Hands a text to the person as a file.
 * @param {string} name
 * @param {string} text
 */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = h("a", { href: url, download: name });
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 1000);
}
