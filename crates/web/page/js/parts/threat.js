// What the other side would do if it were its turn.

import { ask, thinkOne } from "../backend.js";

/**
 * @param {string} game
 * @param {import("../types.js").State} state
 * @param {() => boolean} isWanted whether the answer is still wanted
 * @returns {Promise<import("../types.js").Hint | "nothing" | null>} null if it was not thought about to its end
 */
export async function threat(game, state, isWanted) {
  if (state.over) return "nothing";
  const { board } = state;
  const edited = board.kind === "kalah" ? { kind: board.kind, pits: board.pits, stores: board.stores } : { kind: board.kind, cells: board.cells };
  try {
    const turned = await ask("setup", { game, board: edited, to_move: state.to_move === 0 ? 1 : 0 });
    if (!isWanted()) return null;
    if (turned.state.over) return "nothing";
    return await thinkOne({ type: "hint", line: { game: turned.game, start: turned.start, moves: [] } }, "hint").answer;
  } catch {
    return "nothing"; // In some positions the turn cannot be given to the other side.
  }
}
