// Bringing games in and out: paste, export, links.

import { ask, readLine } from "../backend.js";
import { h, refill } from "../dom.js";
import { lineLink, linkIn } from "../link.js";
import { copy, download, openDialog } from "../say.js";
import { problemWords } from "../text/sentences.js";
import { t } from "../text/text.js";

/** @typedef {import("../types.js").LineAnswer} LineAnswer */
/** @typedef {import("../tree.js").Tree} Tree */

/**
 * @param {string} game what is on the board
 * @param {(answer: LineAnswer) => void} onRead
 */
export function openPaste(game, onRead) {
  const text = h("textarea", { id: "paste-text", "aria-label": t("paste.label"), spellcheck: "false", placeholder: "4 4 0 5 5 5 1 4 4 4 4 4 4 0 0" });
  const problem = h("p", { class: "problem", role: "alert" });
  const read = async () => {
    const link = linkIn(text.value);
    if (link) {
      dialog.close();
      location.hash = link;
      return;
    }
    try {
      const answer = await ask("line", { text: text.value, game });
      dialog.close();
      onRead(answer);
    } catch (error) {
      refill(problem, problemWords(error, String));
    }
  };
  const dialog = openDialog(t("paste.title"),
    h("div", { class: "stack" },
      h("p", { class: "muted small" }, t("paste.about")),
      text, problem,
      h("div", { class: "row end" }, h("button", { type: "button", class: "main", id: "paste-read", onclick: read }, t("paste.read")))));
  text.focus();
}

/**
 * @param {Tree} tree
 * @param {import("../text/names.js").Names} names
 */
export async function openExport(tree, names) {
  const nodes = tree.line();
  const line = tree.asLine(nodes[nodes.length - 1]);
  const { record, text: soFar } = await readLine(line);
  const row = (/** @type {string} */ title, /** @type {string} */ text, /** @type {string | null} */ file) => {
    const box = h("textarea", { class: "short", readonly: true, "aria-label": title });
    box.value = text;
    return h("div", { class: "field" }, title, box, h("div", { class: "row" },
      h("button", { type: "button", onclick: () => copy(text, t("export.copied", { what: title })) }, t("export.copy")),
      file ? h("button", { type: "button", onclick: () => download(file, text) }, t("export.save")) : null));
  };
  openDialog(t("export.title"), h("div", { class: "stack" },
    row(t("export.position"), tree.current.state.position, null),
    row(t("export.game"), soFar, "game.txt"),
    record ? row(t("export.record"), record, "record.txt") : h("p", { class: "muted small" }, t("export.unfinished")),
    row(t("export.link"), linkTo(tree, names), null)));
}

/**
 * The address of what is on the board, with the whole line around it.
 * @param {Tree} tree
 * @param {import("../text/names.js").Names} names
 */
export function linkTo(tree, names) {
  const nodes = tree.line();
  return new URL(lineLink("analysis", tree.asLine(nodes[nodes.length - 1]), tree.current.ply, names), location.href).href;
}
