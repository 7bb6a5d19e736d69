// What players are called. A game names each of its two players by a word: “you”, an agent such as “level:3”, any other
// name, or nothing, which is simply the first or second player.

import { t } from "./text.js";

/** @typedef {[string, string]} Names */
/** @typedef {import("../types.js").Player} Player */

export const YOU = "you";

/** Players of whom nothing is known. @type {Names} */
export const NOBODY = ["", ""];

/**
 * The names of the players; null: a person.
 * @param {[string | null, string | null]} agents
 * @returns {Names}
 */
export function namesOf(agents) {
  const shared = agents.every((agent) => agent === null);
  const name = (/** @type {string | null} */ agent) => agent ?? (shared ? "" : YOU);
  return [name(agents[0]), name(agents[1])];
}

/**
 * A name at the beginning of a sentence, or alone.
 * @param {Names} names
 * @param {Player} player
 */
export function Who(names, player) {
  return named(names[player]) ?? (names[player] === YOU ? t("player.you.Who") : t(player === 0 ? "player.0.Who" : "player.1.Who"));
}

/**
 * A name inside a sentence.
 * @param {Names} names
 * @param {Player} player
 */
export function who(names, player) {
  return named(names[player]) ?? (names[player] === YOU ? t("player.you.who") : t(player === 0 ? "player.0.who" : "player.1.who"));
}

/**
 * A name that comes again and again.
 * @param {Names} names
 * @param {Player} player
 */
export function shortName(names, player) {
  return named(names[player]) ?? (names[player] === YOU ? t("player.you.who") : t(player === 0 ? "player.0.short" : "player.1.short"));
}

/** Something that can be seen: no space, mark or control character, and no letter that looks like a space. */
const SEEN = /[^\p{C}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0]/u;

/**
 * @param {string} name
 * @returns {string | null} null: there is no name to be seen
 */
function named(name) {
  if (name === "" || name === YOU) return null;
  const told = agentName(name);
  return SEEN.test(told) ? told : null;
}

/**
 * What an agent is called.
 * @param {string} agent
 */
export function agentName(agent) {
  const level = /^level:(\d+)$/.exec(agent);
  if (level) return t("opponent.level.name", { level: Number(level[1]) });
  if (agent === "engine") return t("opponent.engine.name");
  if (agent === "mcts") return t("opponent.mcts.name");
  if (agent === "perfect") return t("opponent.perfect.name");
  return agent.startsWith("own:") ? agent.slice(4) : agent;
}
