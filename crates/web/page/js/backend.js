// The only way to the back end of the page. All requests go through here, in the shapes of wire.d.ts:
// positions, steps, values and reasons travel, sentences never. The rules live there; this page only asks.

import { Browser } from "./backend/browser.js";
import { Server } from "./backend/server.js";

/** @typedef {import("./types.js").Line} Line */
/** @typedef {import("./types.js").Wanted} Wanted */
/** @typedef {import("./types.js").News} News */
/** @typedef {import("./types.js").Questions} Questions */

/** Milliseconds to wait before a back end that was lost is asked again. */
export const PATIENCE = 2000;

/**
 * What came with the page, so that nothing has to be asked before the first board is there.
 * @type {Partial<import("./types.js").Given>}
 */
const given = JSON.parse(globalThis.document?.getElementById("given")?.textContent || "{}");

/** The files that replace a server, where there is none. */
export const site = given.site ?? null;

/** @type {import("./types.js").Backend} */
let backend = site ? new Browser(site) : new Server();

/**
 * Puts another back end behind the page.
 * @param {import("./types.js").Backend} other
 */
export function stand(other) {
  backend = other;
}

/**
 * A question that has one answer.
 * @template {keyof Questions} Q
 * @param {Q} question
 * @param {Questions[Q]["request"]} request
 * @returns {Promise<Questions[Q]["answer"]>}
 */
export const ask = (question, request) => backend.ask(question, request);

/**
 * Something to think about; `hear` is called with everything as it is found.
 * @param {Wanted} wanted
 * @param {(news: News) => void} hear
 */
export const think = (wanted, hear) => backend.think(wanted, hear);

/** Gets ready to think. */
export const warm = () => backend.warm();

/**
 * Asks for the one piece of news that matters.
 * @template {News["type"]} T
 * @param {Wanted} wanted
 * @param {T} type
 * @returns {{answer: Promise<Extract<News, {type: T}> | null>, stop: () => void}} null if it was stopped
 */
export function thinkOne(wanted, type) {
  /** @type {Extract<News, {type: T}> | null} */
  let found = null;
  /** @type {(news: Extract<News, {type: T}>) => void} */
  let resolve = () => {};
  /** @type {Promise<Extract<News, {type: T}>>} */
  const first = new Promise((set) => (resolve = set));
  const running = backend.think(wanted, (news) => {
    if (news.type !== type) return;
    found = /** @type {Extract<News, {type: T}>} */ (news);
    resolve(found);
  });
  return { answer: Promise.race([first, running.done.then(() => found)]), stop: running.stop };
}

/** @type {Promise<import("./types.js").Meta> | null} */
let known = given.meta ? Promise.resolve(given.meta) : null;

/** What can be asked for; asked once. */
export function meta() {
  known ??= ask("meta", {}).catch((error) => {
    known = null;
    throw error;
  });
  return known;
}

/**
 * A line with all its positions.
 * @param {Line} line
 */
export async function readLine(line) {
  const { first } = given;
  if (first && line.game === first.game && line.start === null && line.moves.length === 0) return first;
  return ask("line", { game: line.game, start: line.start, moves: line.moves });
}

/**
 * What every legal move of a position leads to.
 * @param {string} game
 * @param {string} position
 */
export const readAhead = async (game, position) => (await ask("line", { game, start: position, ahead: true })).ahead;
