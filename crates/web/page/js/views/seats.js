// Which seats this browser has in which rooms, and what its person is called.

import { ask } from "../backend.js";
import { load, save } from "../settings.js";

/** How many rooms are remembered. */
const MOST = 20;

/** @typedef {{room: string, seat: string}} Kept */

/** @returns {Kept[]} the last one last */
function kept() {
  const list = load("rooms", /** @type {any} */ ([]));
  return Array.isArray(list) ? list.filter((one) => typeof one?.room === "string" && typeof one?.seat === "string") : [];
}

/**
 * The secret of the seat that this browser has in a room.
 * @param {string} room
 */
export const seatIn = (room) => kept().find((one) => one.room === room)?.seat ?? null;

/** @param {import("../types.js").Seated} seated */
function keep({ seat, view }) {
  save("rooms", [...kept().filter((one) => one.room !== view.room), { room: view.room, seat }].slice(-MOST));
  return view;
}

/** What the person was called last. @returns {string} */
export function ownName() {
  const name = load("name", /** @type {any} */ (""));
  return typeof name === "string" ? name : "";
}

/**
 * Opens a room and sits down in it.
 * @param {import("../types.js").NewRoom} wanted
 */
export async function openRoom(wanted) {
  save("name", wanted.name ?? "");
  return keep(await ask("openRoom", wanted));
}

/**
 * Takes the free seat of a room.
 * @param {string} id
 * @param {string} name
 */
export async function takeSeat(id, name) {
  save("name", name);
  return keep(await ask("takeSeat", { id, name }));
}
