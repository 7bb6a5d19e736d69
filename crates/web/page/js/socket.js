// One connection for everything that thinks. It comes back by itself when it was lost.

import { Refusal } from "./api.js";

/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {{frame: (frame: Frame) => void, end: (error: Refusal | null, reason: string) => void}} Listener */

/** Milliseconds until whoever needs a server that is gone should ask again. */
export const PATIENCE = 2000;

/** @type {WebSocket | null} */
let socket = null;
/** @type {Map<number, Listener>} */
const listeners = new Map();
let lastId = 0;

/** @returns {Promise<WebSocket>} */
function connect() {
  if (socket && socket.readyState <= WebSocket.OPEN) return opened(socket);
  const made = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/v1/ws`);
  socket = made;
  made.addEventListener("message", (event) => {
    /** @type {Frame} */
    let frame;
    try {
      frame = JSON.parse(event.data);
    } catch {
      return;
    }
    if (frame.id === null) return;
    const listener = listeners.get(frame.id);
    if (!listener) return;
    if (frame.type === "done" || frame.type === "error") {
      listeners.delete(frame.id);
      listener.end(frame.type === "error" ? new Refusal(frame) : null, frame.type === "done" ? frame.reason : frame.code);
    } else {
      listener.frame(frame);
    }
  });
  made.addEventListener("close", () => {
    if (socket === made) socket = null;
    for (const [id, listener] of [...listeners]) {
      listeners.delete(id);
      listener.end(new Refusal({ code: "offline", message: "The connection to the server was lost.", field: null }), "offline");
    }
  });
  return opened(made);
}

/**
 * @param {WebSocket} made
 * @returns {Promise<WebSocket>}
 */
function opened(made) {
  if (made.readyState === WebSocket.OPEN) return Promise.resolve(made);
  return new Promise((resolve, reject) => {
    made.addEventListener("open", () => resolve(made), { once: true });
    made.addEventListener("close", () => reject(new Refusal({ code: "offline", message: "The server does not answer.", field: null })), { once: true });
  });
}

/** Opens the connection before it is needed. */
export function warm() {
  connect().catch(() => {});
}

/**
 * Something the server was asked to think about.
 * @typedef {object} Request
 * @property {Promise<string>} done the reason why it ended; rejects with what was refused
 * @property {() => void} stop
 */

/**
 * @param {Record<string, unknown> & {type: string}} message without its id
 * @param {(frame: any) => void} onFrame
 * @returns {Request}
 */
export function request(message, onFrame) {
  const id = ++lastId;
  let stopped = false;
  /** @type {Promise<string>} */
  const done = new Promise((resolve, reject) => {
    connect().then((open) => {
      if (stopped) return resolve("stopped");
      listeners.set(id, {
        frame: (frame) => {
          if (!stopped) onFrame(frame);
        },
        end: (error, reason) => (error && !stopped ? reject(error) : resolve(reason)),
      });
      open.send(JSON.stringify({ ...message, id }));
    }).catch((error) => (stopped ? resolve("stopped") : reject(error)));
  });
  return {
    done,
    stop() {
      if (stopped) return;
      stopped = true;
      if (listeners.has(id) && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id: ++lastId, type: "stop", target: id }));
    },
  };
}

/**
 * Asks for the one frame that matters.
 * @param {Record<string, unknown> & {type: string}} message
 * @param {string} type of the frame wanted
 * @returns {{answer: Promise<any>, stop: () => void}} the answer is null if it was stopped
 */
export function requestOne(message, type) {
  let found = /** @type {any} */ (null);
  /** @type {(frame: any) => void} */
  let resolve = () => {};
  const first = new Promise((set) => (resolve = set));
  const running = request(message, (frame) => {
    if (frame.type !== type) return;
    found = frame;
    resolve(frame);
  });
  return { answer: Promise.race([first, running.done.then(() => found)]), stop: running.stop };
}
