// Sentences of the server, told to the person who plays; and short forms of numbers.

/** @typedef {import("./types.js").Chip} Chip */
/** @typedef {import("./types.js").Unit} Unit */

/** What players are called where nothing else is known. @type {[string, string]} */
export const NEUTRAL = ["First player", "Second player"];

/**
 * Puts names in the place of “Player 0” and “Player 1”; “You” gets its verb, “First player” an article inside a sentence.
 * @param {string} words
 * @param {[string, string]} names
 */
export function withNames(words, names) {
  return words.replace(/\b(P|p)layer ([01])('s)?( \w+)?/g, (_, initial, player, owner = "", next = "") => {
    const name = names[Number(player)];
    if (initial === "p" && /^(First|Second) player$/.test(name)) return `the ${name.toLowerCase()}${owner}${next}`;
    if (name !== "You") return name + owner + next;
    const you = initial === "P" ? "You" : "you";
    if (owner) return `${you}r${next}`;
    return you + (next ? ` ${plural(next.slice(1))}` : "");
  });
}

/** @param {string} verb as “she” uses it */
function plural(verb) {
  if (verb === "is") return "are";
  if (verb === "has") return "have";
  if (/(ss|sh|ch|x)es$/.test(verb)) return verb.slice(0, -2);
  return /[^s]s$/.test(verb) ? verb.slice(0, -1) : verb;
}

/**
 * A value as players write it: +3, −1.5, 0.
 * @param {number} value
 * @param {Unit} unit
 */
export function short(value, unit) {
  if (unit === "result") return value > 0 ? "win" : value < 0 ? "loss" : "draw";
  const size = Math.abs(value);
  const text = size >= 10 ? size.toFixed(0) : String(Math.round(size * 10) / 10);
  return value === 0 || text === "0" ? "0" : `${value > 0 ? "+" : "−"}${text}`;
}

/**
 * @param {number} value
 * @param {boolean} proven
 * @param {Unit} unit
 * @param {boolean} best
 * @returns {Chip}
 */
export function chip(value, proven, unit, best) {
  const text = unit === "result" ? (value > 0 ? "+1" : value < 0 ? "−1" : "0") : short(value, unit);
  return { text, proven, best, tone: text === "0" ? "even" : value > 0 ? "good" : "bad" };
}

/**
 * 1234567 as 1.2 M.
 * @param {number} count
 */
export function brief(count) {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  if (count >= 1e4) return `${Math.round(count / 1e3)} k`;
  return String(Math.round(count));
}

/**
 * `kalah:6x4:standard` as people say it.
 * @param {string} game
 */
export function gameName(game) {
  const [kind, size = "", rule = ""] = game.split(":");
  return `${kind === "kalah" ? "Kalah" : "Isolation"} ${size.replace("x", "×")}${rule && rule !== "standard" ? `, ${rule}` : ""}`;
}
