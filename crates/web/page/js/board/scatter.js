// Where seeds lie: always the same place for the same house and number, so that a seed that stays does not move.

/** Seeds have this many colours (`seed-0` … in the style sheet). */
export const COLOURS = 7;

/**
 * A number in 0..1 that looks random and depends on both arguments only.
 * @param {number} a
 * @param {number} b
 */
export function noise(a, b) {
  let x = Math.imul(a + 0x9e37, 0x85ebca6b) ^ Math.imul(b + 0x79b9, 0xc2b2ae35);
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
  return ((x ^ (x >>> 15)) >>> 0) / 0x100000000;
}

/**
 * The place of a seed in a house: in the pattern of a sunflower, then in a second layer on top.
 * @param {number} house
 * @param {number} index how many seeds lie there already
 * @param {{x: number, y: number, rx: number, ry: number}} bowl
 * @param {number} size radius of a seed
 * @returns {{x: number, y: number, turn: number}}
 */
export function place(house, index, bowl, size) {
  const rx = Math.max(bowl.rx - size * 1.25, 1);
  const ry = Math.max(bowl.ry - size * 1.25, 1);
  const capacity = Math.max(1, Math.round((rx * ry) / (size * size * 1.12)));
  const layer = Math.floor(index / capacity);
  const slot = index % capacity;
  // The first few lie half way out, so that they do not huddle; the middle is filled last.
  const turn = (slot + Math.floor(capacity * 0.2)) % capacity;
  const radius = Math.sqrt((turn + 0.5 + layer * 0.3) / (capacity + layer * 0.3));
  const angle = turn * 2.399963 + house * 1.7 + layer * 0.9;
  const shake = size * 0.28;
  return {
    x: bowl.x + radius * rx * Math.cos(angle) + (noise(house, index) - 0.5) * shake,
    y: bowl.y + radius * ry * Math.sin(angle) + (noise(index, house + 50) - 0.5) * shake,
    turn: Math.round(noise(house + 100, index) * 360),
  };
}
