// The strips above and below the board: who plays, who is to move, and what each has.

import { h } from "../dom.js";

/** @typedef {import("../types.js").State} State */

/**
 * @param {0 | 1} player
 * @param {string} name
 * @param {State} state
 * @param {string} note such as “thinks”
 */
export function strip(player, name, state, note) {
  const turn = !state.over && state.to_move === player;
  const score = state.board.kind === "kalah" ? state.board.stores[player] : state.board.rule === "trail" ? state.board.visited[player] : null;
  const unit = state.board.kind === "kalah" ? "in store" : "cells";
  const won = state.over && state.result?.winner === player;
  return h("div", { class: `strip p${player}${turn ? " turn" : ""}`, "data-player": player },
    h("span", { class: "dot", "aria-hidden": "true" }),
    h("span", { class: "who" }, name),
    /player/.test(name) ? null : h("span", { class: "small muted" }, player === 0 ? "first" : "second"),
    won ? h("span", { class: "badge good" }, "won") : null,
    h("span", { class: "note" }, note),
    score === null ? null : h("span", { class: "score" }, String(score), h("span", { class: "small muted" }, ` ${unit}`)),
  );
}
