// Who played the game that is being looked at.

import { playersOf } from "./link.js";
import { load } from "./settings.js";
import { NOBODY, namesOf } from "./text/names.js";

/** @typedef {import("./types.js").Line} Line */

/**
 * Who played a line: the players that the address names, or those who have just played it on this page.
 * @param {Line} line
 * @param {string} hash
 * @returns {import("./text/names.js").Names}
 */
export function namesOfLine(line, hash) {
  const named = playersOf(hash);
  if (named.some((name) => name !== "")) return named;
  const kept = load("match", /** @type {any} */ (null));
  const same = kept?.line?.game === line.game && kept.line.start === line.start && String(kept.line.moves) === String(line.moves);
  return same && Array.isArray(kept.choice?.agents) ? namesOf(kept.choice.agents) : NOBODY;
}
