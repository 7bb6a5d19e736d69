// What the two players are called in sentences.

import { meta } from "./api.js";
import { load } from "./settings.js";
import { NEUTRAL } from "./words.js";

/** @typedef {import("./types.js").Line} Line */

/**
 * @param {[string | null, string | null]} agents null: a person
 * @returns {Promise<[string, string]>}
 */
export async function namesOf(agents) {
  const { opponents } = await meta();
  const shared = agents.every((agent) => agent === null);
  const name = (/** @type {0 | 1} */ player) => {
    const agent = agents[player];
    if (agent === null) return shared ? NEUTRAL[player] : "You";
    return opponents.find((one) => one.agent === agent)?.name ?? agent;
  };
  return [name(0), name(1)];
}

/**
 * Who played a line: whoever its record names, or whoever has just played it on this page.
 * @param {Line} line
 * @param {[string, string] | null} players
 * @returns {Promise<[string, string]>}
 */
export async function namesOfLine(line, players) {
  if (players) return players;
  const kept = load("match", /** @type {any} */ (null));
  const same = kept?.line?.game === line.game && kept.line.start === line.start && String(kept.line.moves) === String(line.moves);
  return same && Array.isArray(kept.choice?.agents) ? namesOf(kept.choice.agents) : NEUTRAL;
}
