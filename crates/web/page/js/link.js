// Addresses: every view, with what it shows, is a link that can be kept or sent.

/** @typedef {import("./types.js").Line} Line */

/**
 * @typedef {object} Route
 * @property {string} view
 * @property {URLSearchParams} params
 */

/**
 * @param {string} hash
 * @returns {Route}
 */
export function parse(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  return { view: path || "play", params: new URLSearchParams(query) };
}

/**
 * The part of an address of this page that says what is shown.
 * @param {string} text
 * @returns {string | null} null if it is no such address
 */
export const linkIn = (text) => /#\/(?:play|analysis|review|puzzles|arena|room)\b\S*/.exec(text)?.[0] ?? null;

/**
 * @param {string} view
 * @param {Line} line
 * @param {number} [ply] the move that is on the board, if it is not the last
 * @param {import("./text/names.js").Names} [names] who played
 */
export function lineLink(view, line, ply, names = ["", ""]) {
  const parts = [`game=${line.game.replace("+", "%2B")}`];
  if (line.start !== null) parts.push(`start=${line.start.trim().replace(/\s+/g, ",").replace(/#/g, "%23")}`);
  if (line.moves.length) parts.push(`moves=${line.moves.join(".")}`);
  if (line.opening) parts.push(`opening=${line.opening}`);
  if (ply !== undefined && ply !== line.moves.length) parts.push(`ply=${ply}`);
  if (names.some((name) => name !== "")) parts.push(`players=${names.map((name) => encodeURIComponent(name).replace(/%3A/g, ":")).join(",")}`);
  return `#/${view}?${parts.join("&")}`;
}

/**
 * @param {string} hash
 * @returns {import("./text/names.js").Names} who played, as far as an address says
 */
export function playersOf(hash) {
  const found = /[?&]players=([^&]*)/.exec(hash)?.[1].split(",") ?? [];
  const name = (/** @type {string | undefined} */ text) => {
    try {
      return decodeURIComponent(text ?? "").slice(0, 80);
    } catch {
      return "";
    }
  };
  return [name(found[0]), name(found[1])];
}

/**
 * @param {URLSearchParams} params
 * @returns {(Line & {ply: number | null}) | null} null if the address holds no line
 */
export function lineOf(params) {
  const game = params.get("game");
  if (!game) return null;
  const moves = params.get("moves");
  const ply = params.get("ply");
  return {
    game,
    start: params.get("start")?.replace(/,/g, " ") ?? null,
    moves: moves ? moves.split(".") : [],
    opening: Number(params.get("opening")) || 0,
    ply: ply === null ? null : Number(ply),
  };
}
