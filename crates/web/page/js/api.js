// Questions to the server that have one answer. The rules live there: this page only asks.

import { NEUTRAL, withNames } from "./words.js";

/** @typedef {import("./types.js").Line} Line */

/** What the server refused, in its own words. */
export class Refusal extends Error {
  /** @param {import("./types.js").ErrorBody} body */
  constructor(body) {
    super(withNames(body.message, NEUTRAL));
    this.code = body.code;
    this.field = body.field;
  }
}

/**
 * @param {string} path below /api/v1
 * @param {unknown} [body] sent as JSON if given
 * @returns {Promise<any>}
 */
async function ask(path, body) {
  let response;
  try {
    response = await fetch(`/api/v1/${path}`, body === undefined ? {} : {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Refusal({ code: "offline", message: "The server does not answer. Is “kalahari serve” still running?", field: null });
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  throw new Refusal(answer?.error ?? { code: "internal", message: `The server answered with status ${response.status}.`, field: null });
}

/**
 * What the server has put into the page, so that nothing has to be asked before the first board is there.
 * @type {Partial<import("./types.js").Given>}
 */
const given = JSON.parse(globalThis.document?.getElementById("given")?.textContent || "{}");

/** @type {Promise<import("./types.js").Meta> | null} */
let known = given.meta ? Promise.resolve(given.meta) : null;

/** What the server can do; asked once. */
export function meta() {
  known ??= ask("meta").catch((error) => {
    known = null;
    throw error;
  });
  return /** @type {Promise<import("./types.js").Meta>} */ (known);
}

/**
 * @param {Line} line
 * @returns {Promise<import("./types.js").LineAnswer>}
 */
export async function readLine(line) {
  const { first } = given;
  if (first && line.game === first.game && line.start === null && line.moves.length === 0) return first;
  return ask("line", line);
}

/**
 * What every legal move of a position leads to.
 * @param {string} game
 * @param {string} position
 * @returns {Promise<import("./types.js").State[]>}
 */
export const readAhead = async (game, position) => (await ask("line", { game, start: position, ahead: true })).ahead;

/**
 * @param {string} text a position, moves or a record
 * @param {string} game what is on the board now
 * @returns {Promise<import("./types.js").LineAnswer>}
 */
export const readText = (text, game) => ask("line", { text, game });

/**
 * @param {{game: string, board: object, to_move: number}} setup
 * @returns {Promise<import("./types.js").SetupAnswer>}
 */
export const checkSetup = (setup) => ask("setup", setup);

/** @returns {Promise<{puzzles: import("./types.js").PuzzleListed[]}>} */
export const puzzles = () => ask("puzzles");

/**
 * @param {string} id
 * @returns {Promise<import("./types.js").Puzzle>}
 */
export const puzzle = (id) => ask(`puzzles/${encodeURIComponent(id)}`);

/**
 * @param {string} id
 * @param {string[]} moves
 * @param {boolean} [solution]
 * @returns {Promise<import("./types.js").Verdict>}
 */
export const tryPuzzle = (id, moves, solution = false) =>
  ask(`puzzles/${encodeURIComponent(id)}/try${solution ? "?solution=true" : ""}`, { moves });

/** @returns {Promise<import("./types.js").Arena>} */
export const arena = () => ask("arena");

/**
 * @param {string} id
 * @param {number} from
 * @returns {Promise<import("./types.js").ArenaGames>}
 */
export const arenaGames = (id, from) => ask(`arena/matches/${encodeURIComponent(id)}?from=${from}&count=50`);

/** @returns {Promise<{games: import("./types.js").LiveGame[]}>} */
export const liveGames = () => ask("live");
