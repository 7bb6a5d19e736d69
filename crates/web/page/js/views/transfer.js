// Bringing games in and out: paste, export, links.

import { readLine, readText } from "../api.js";
import { h, refill } from "../dom.js";
import { lineLink } from "../link.js";
import { copy, download, openDialog } from "../say.js";

/** @typedef {import("../types.js").LineAnswer} LineAnswer */
/** @typedef {import("../tree.js").Tree} Tree */

/**
 * @param {string} game what is on the board
 * @param {(answer: LineAnswer) => void} onRead
 */
export function openPaste(game, onRead) {
  const text = h("textarea", { id: "paste-text", "aria-label": "Position, moves or record", spellcheck: "false", placeholder: "4 4 0 5 5 5 1 4 4 4 4 4 4 0 0" });
  const problem = h("p", { class: "problem", role: "alert" });
  const read = async () => {
    try {
      const answer = await readText(text.value, game);
      dialog.close();
      onRead(answer);
    } catch (error) {
      refill(problem, /** @type {Error} */ (error).message);
    }
  };
  const dialog = openDialog("Paste a position or a game",
    h("div", { class: "stack" },
      h("p", { class: "muted small" }, "House numbers and the player to move, a Kalah Game Protocol position in angle brackets, Isolation rows, a list of moves, or a game record."),
      text, problem,
      h("div", { class: "row end" }, h("button", { type: "button", class: "main", id: "paste-read", onclick: read }, "Open it"))));
  text.focus();
}

/** @param {Tree} tree */
export async function openExport(tree) {
  const nodes = tree.line();
  const line = tree.asLine(nodes[nodes.length - 1]);
  const { record, text: soFar } = await readLine(line);
  const row = (/** @type {string} */ title, /** @type {string} */ text, /** @type {string | null} */ file) => {
    const box = h("textarea", { class: "short", readonly: true, "aria-label": title });
    box.value = text;
    return h("div", { class: "field" }, title, box, h("div", { class: "row" },
      h("button", { type: "button", onclick: () => copy(text, `${title} copied`) }, "Copy"),
      file ? h("button", { type: "button", onclick: () => download(file, text) }, "Save as a file") : null));
  };
  openDialog("Export", h("div", { class: "stack" },
    row("Position on the board", tree.current.state.position, null),
    row("Game so far", soFar, "game.txt"),
    record ? row("Game record", record, "record.txt") : h("p", { class: "muted small" }, "A finished game can be exported as a record, too."),
    row("Link", linkTo(tree), null)));
}

/**
 * The address of what is on the board, with the whole line around it.
 * @param {Tree} tree
 */
export function linkTo(tree) {
  const nodes = tree.line();
  return new URL(lineLink("analysis", tree.asLine(nodes[nodes.length - 1]), tree.current.ply), location.href).href;
}
