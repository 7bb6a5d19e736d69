// What a move does, as far as the page knows without asking.

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Step} Step */

/**
 * @param {State} state before the move
 * @param {State[] | null} ahead what the moves of Kalah lead to
 * @param {string} move
 * @returns {Step[]} nothing if it is not known
 */
export function stepsOf(state, ahead, move) {
  if (state.board.kind === "kalah") return ahead?.find((one) => one.last?.move === move)?.last?.steps ?? [];
  const [to, cell] = move.split("/");
  if (to === "pass") return [];
  /** @type {Step} */
  const go = { t: "step", player: state.to_move, from: state.board.pieces[state.to_move], to };
  return cell === undefined ? [go] : [go, { t: "remove", cell }];
}
