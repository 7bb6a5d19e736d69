// The strips above and below the board: who plays, who is to move, and what each has.

import { h } from "../dom.js";
import { NOBODY, Who } from "../text/names.js";
import { number, t } from "../text/text.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Player} Player */
/** @typedef {import("../text/names.js").Names} Names */

/**
 * @param {Player} player
 * @param {Names} names
 * @param {State} state
 * @param {string} note such as “is thinking”
 * @param {Node | null} clock
 * @param {{winner: Player | null} | null} end how the game ended, if it has, by the rules or otherwise
 */
export function strip(player, names, state, note, clock, end) {
  const turn = !end && state.to_move === player;
  const { board } = state;
  const score = board.kind === "kalah" ? t("play.in.store", { n: board.stores[player] }) : board.rule === "trail" ? t("cells", { n: board.visited[player] }) : "";
  const figure = board.kind === "kalah" ? number(board.stores[player]) : board.rule === "trail" ? number(board.visited[player]) : "";
  const won = end?.winner === player;
  const side = Who(NOBODY, player);
  const [before, after] = figure ? score.split(figure) : ["", ""];
  return h("div", { class: `strip p${player}${turn ? " turn" : ""}`, "data-player": player },
    h("span", { class: "dot", "aria-hidden": "true" }),
    h("span", { class: "who" }, Who(names, player)),
    Who(names, player) === side ? null : h("span", { class: "small muted" }, side),
    won ? h("span", { class: "badge good" }, t("play.won")) : null,
    h("span", { class: "note" }, note),
    clock,
    figure ? h("span", { class: "score" }, h("span", { class: "small muted" }, before), figure, h("span", { class: "small muted" }, after ?? "")) : null,
  );
}
