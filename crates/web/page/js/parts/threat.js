// What the other side would do if it were its turn.

import { ask, thinkOne } from "../backend.js";

/**
 * @param {string} game
 * @param {import("../types.js").State} state
 * @param {() => boolean} isWanted whether the answer is still wanted
 * @returns {Promise<import("../types.js").Hint | null>} null if there is nothing to fear
 */
export async function threat(game, state, isWanted) {
  if (state.over) return null;
  const { board } = state;
  const edited = board.kind === "kalah" ? { kind: board.kind, pits: board.pits, stores: board.stores } : { kind: board.kind, cells: board.cells };
  try {
    const turned = await ask("setup", { game, board: edited, to_move: state.to_move === 0 ? 1 : 0 });
    if (turned.state.over || !isWanted()) return null;
    return await thinkOne({ type: "hint", line: { game: turned.game, start: turned.start, moves: [] } }, "hint").answer;
  } catch {
    return null; // In some positions the turn cannot be given to the other side.
  }
}
