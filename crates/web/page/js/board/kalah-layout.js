// Where everything lies on a Kalah board, in pixels of the room it gets. Nothing is drawn here.

/**
 * @typedef {object} House
 * @property {number} x middle
 * @property {number} y
 * @property {number} rx half the width of the bowl
 * @property {number} ry half its height
 * @property {{x: number, y: number}} count where its number of seeds is written
 * @property {{x: number, y: number}} name where the pit's number is written
 * @property {{x: number, y: number}} value where the value of the move is written
 */
/**
 * @typedef {object} KalahLayout
 * @property {number} width
 * @property {number} height
 * @property {boolean} vertical
 * @property {number} seed radius of a seed
 * @property {House[]} houses in the order of the rules: 0..P-1, the store P, P+1..2P, the store 2P+1
 */

const RIM = 12;
/** Columns narrower than this turn the board upright. */
const NARROWEST = 38;
/** Columns are not wider than this, so that small boards stay small. */
const WIDEST = 190;
/** Or than this share of the room, where it is very wide. */
const SHARE = 1 / 6.8;
/** Pixels of the window's height that are taken by what is above and below the board. */
const AROUND = 330;

/**
 * @param {number} pits pits a side, 1 to 12
 * @param {number} room available width in pixels
 * @param {boolean} flipped whether player 1 sits below
 * @param {boolean} values whether the values of moves need room
 * @param {number} [tall] height of the window
 * @returns {KalahLayout}
 */
export function layout(pits, room, flipped, values, tall = 800) {
  const column = Math.min(Math.max(WIDEST, room * SHARE), (room - 2 * RIM) / (pits + 2.2));
  const drawn = column < NARROWEST ? upright(pits, room, values) : lying(pits, column, values, Math.max(260, tall - AROUND));
  if (!flipped) return drawn;
  const half = pits + 1;
  return { ...drawn, houses: drawn.houses.map((_, i) => drawn.houses[(i + half) % (2 * half)]) };
}

/**
 * @param {number} pits
 * @param {number} column
 * @param {boolean} values
 * @param {number} high the available height
 * @returns {KalahLayout}
 */
function lying(pits, column, values, high) {
  const store = column * 1.1;
  const width = 2 * RIM + pits * column + 2 * store;
  const gap = column < 60 ? 2 : 5;
  const top = RIM + 38;
  const strip = values ? 58 : 22;
  // Taller where there is room or columns are narrow, flatter where the window is low. Beside values there is a graph, too.
  const most = (high - 2 * top - strip) / 4;
  const rx = column / 2 - gap;
  const ry = Math.max(Math.min(rx * (values ? 1.35 : 1.55), Math.max(34, most)), Math.min(44, rx * 2.3, Math.max(34, most)));
  const north = top + ry;
  const south = north + 2 * ry + strip;
  const height = south + ry + 38 + RIM;
  /** @type {House[]} */
  const houses = [];
  for (let i = 0; i < pits; i++) {
    const x = RIM + store + (i + 0.5) * column;
    houses[i] = {
      x, y: south, rx, ry,
      count: { x, y: south + ry + 15 },
      name: { x, y: south + ry + 34 },
      value: { x, y: south - ry - 14 },
    };
    houses[2 * pits - i] = {
      x, y: north, rx, ry,
      count: { x, y: north - ry - 13 },
      name: { x, y: north - ry - 32 },
      value: { x, y: north + ry + 14 },
    };
  }
  const middle = height / 2;
  const tall = middle - RIM - 36;
  for (const [index, x] of [[pits, width - RIM - store / 2], [2 * pits + 1, RIM + store / 2]]) {
    const below = index === pits ? 1 : -1;
    houses[index] = {
      x, y: middle, rx: store / 2 - gap - 1, ry: tall,
      count: { x, y: middle + below * (tall + 15) },
      name: { x, y: middle - below * (tall + 15) },
      value: { x, y: middle },
    };
  }
  return { width, height, vertical: false, seed: seedSize(rx, ry), houses };
}

/**
 * Upright: the lower player's pits run down the left side into the store below.
 * @param {number} pits
 * @param {number} room
 * @param {boolean} values
 * @returns {KalahLayout}
 */
function upright(pits, room, values) {
  const width = Math.min(room, 380);
  const row = Math.max(37, Math.min(60, 444 / pits));
  const edge = 46;
  const strip = values ? 104 : 20;
  const rx = (width - 2 * RIM - 2 * edge - strip) / 4;
  const ry = row / 2 - 2.5;
  const storeHeight = 58;
  const top = RIM + storeHeight + 10;
  const height = top + pits * row + 10 + storeHeight + RIM;
  const left = RIM + edge + rx;
  const right = width - left;
  /** @type {House[]} */
  const houses = [];
  for (let i = 0; i < pits; i++) {
    const y = top + (i + 0.5) * row;
    houses[i] = {
      x: left, y, rx, ry,
      count: { x: left - rx - 17, y: y + 1 },
      name: { x: left - rx - 39, y },
      value: { x: left + rx + 26, y },
    };
    houses[2 * pits - i] = {
      x: right, y, rx, ry,
      count: { x: right + rx + 17, y: y + 1 },
      name: { x: right + rx + 39, y },
      value: { x: right - rx - 26, y },
    };
  }
  for (const [index, y] of [[pits, height - RIM - storeHeight / 2], [2 * pits + 1, RIM + storeHeight / 2]]) {
    const x = width / 2;
    const wide = x - RIM - 46;
    const own = index === pits ? -1 : 1;
    houses[index] = {
      x, y, rx: wide, ry: storeHeight / 2 - 3,
      count: { x: x + own * (wide + 24), y },
      name: { x: x - own * (wide + 24), y },
      value: { x, y },
    };
  }
  return { width, height, vertical: true, seed: seedSize(rx, ry), houses };
}

/**
 * @param {number} rx
 * @param {number} ry
 */
function seedSize(rx, ry) {
  return Math.max(3.4, Math.min(Math.max(15, rx / 6), Math.sqrt(rx * ry) * 0.225));
}
