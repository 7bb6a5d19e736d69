// Made by `node wire-types.js --write` in browser-tests from the description of the interface. Not to be changed by hand.

/** The address of the server for each question. */
export const ROUTES = {
  arena: { method: "GET", path: "/api/v1/arena", query: /** @type {string[]} */ ([]) },
  arenaGames: { method: "GET", path: "/api/v1/arena/matches/{id}", query: /** @type {string[]} */ (["from","count"]) },
  invitation: { method: "GET", path: "/api/v1/invitation", query: /** @type {string[]} */ (["room"]) },
  line: { method: "POST", path: "/api/v1/line", query: /** @type {string[]} */ ([]) },
  live: { method: "GET", path: "/api/v1/live", query: /** @type {string[]} */ ([]) },
  meta: { method: "GET", path: "/api/v1/meta", query: /** @type {string[]} */ ([]) },
  puzzles: { method: "GET", path: "/api/v1/puzzles", query: /** @type {string[]} */ ([]) },
  puzzle: { method: "GET", path: "/api/v1/puzzles/{id}", query: /** @type {string[]} */ ([]) },
  tryPuzzle: { method: "POST", path: "/api/v1/puzzles/{id}/try", query: /** @type {string[]} */ (["solution"]) },
  openRoom: { method: "POST", path: "/api/v1/rooms", query: /** @type {string[]} */ ([]) },
  room: { method: "GET", path: "/api/v1/rooms/{id}", query: /** @type {string[]} */ ([]) },
  roomDeed: { method: "POST", path: "/api/v1/rooms/{id}/deed", query: /** @type {string[]} */ ([]) },
  roomMove: { method: "POST", path: "/api/v1/rooms/{id}/move", query: /** @type {string[]} */ ([]) },
  takeSeat: { method: "POST", path: "/api/v1/rooms/{id}/seat", query: /** @type {string[]} */ ([]) },
  setup: { method: "POST", path: "/api/v1/setup", query: /** @type {string[]} */ ([]) },
  think: { method: "GET", path: "/api/v1/ws", query: /** @type {string[]} */ ([]) },
};
