// The server behind the page: questions go over HTTP, thoughts over one WebSocket, which is opened again
// automatically when it was lost.

import { Refusal } from "./refusal.js";
import { ROUTES } from "./routes.js";

/** @typedef {import("../types.js").Backend} Backend */
/** @typedef {import("../types.js").Say} Say */
/** @typedef {import("../types.js").News} News */
/** @typedef {import("../types.js").Wanted} Wanted */
/** @typedef {import("../types.js").Reason} Reason */
/** @typedef {{hear: (news: News) => void, end: (error: Refusal | null, reason: Reason) => void}} Listener */

/** The server keeps sending news of a room that is watched; after this many milliseconds of silence the connection counts as lost. */
const SILENCE = 12_000;

/** @implements {Backend} */
export class Server {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<number, Listener>} */
  #listeners = new Map();
  #lastId = 0;
  #heardAt = 0;
  /** Thoughts that send news all the time. @type {Set<number>} */
  #talkative = new Set();
  #guard = 0;

  constructor() {
    // A connection does not notice that the network is gone.
    globalThis.addEventListener?.("offline", () => {
      if (!isHere()) this.#lose(this.#socket);
    });
  }

  /**
   * @template {keyof import("../types.js").Questions} Q
   * @param {Q} question
   * @param {import("../types.js").Questions[Q]["request"]} request
   * @returns {Promise<import("../types.js").Questions[Q]["answer"]>}
   */
  async ask(question, request) {
    const { method, path, query } = ROUTES[question];
    /** @type {Record<string, any>} */
    const body = { ...request };
    const take = (/** @type {string} */ name) => {
      const value = body[name];
      delete body[name];
      return value;
    };
    const address = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(take(name))));
    const asked = query.flatMap((name) => {
      const value = take(name);
      return value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`];
    });
    const url = asked.length ? `${address}?${asked.join("&")}` : address;
    let response;
    try {
      response = await fetch(url, method === "GET" ? {} : { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    } catch {
      throw new Refusal({ code: "offline" });
    }
    const answer = await response.json().catch(() => null);
    if (response.ok && answer !== null) return answer;
    throw new Refusal(answer?.error ?? { code: "internal" });
  }

  /**
   * @param {Wanted} wanted
   * @param {(news: News) => void} hear
   */
  think(wanted, hear) {
    const id = ++this.#lastId;
    let stopped = false;
    /** @type {Promise<Reason>} */
    const done = new Promise((resolve, reject) => {
      this.#connect().then((open) => {
        if (stopped) return resolve("stopped");
        this.#listeners.set(id, {
          hear: (news) => {
            if (!stopped) hear(news);
          },
          end: (error, reason) => (error && !stopped ? reject(error) : resolve(reason)),
        });
        if (wanted.type === "watch") this.#listen(id);
        open.send(JSON.stringify({ ...wanted, id }));
      }).catch((error) => (stopped ? resolve("stopped") : reject(error)));
    });
    const stop = () => {
      if (stopped) return;
      stopped = true;
      if (this.#listeners.has(id) && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ id: ++this.#lastId, type: "stop", target: id }));
    };
    return { done, stop };
  }

  /** Opens the connection before it is needed. */
  warm() {
    this.#connect().catch(() => {});
  }

  /** @returns {Promise<WebSocket>} */
  #connect() {
    const open = this.#socket;
    if (open && open.readyState <= WebSocket.OPEN) return opened(open);
    if (!navigator.onLine && !isHere()) return Promise.reject(new Refusal({ code: "offline" }));
    const made = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${ROUTES.think.path}`);
    this.#socket = made;
    made.addEventListener("message", (event) => this.#heard(event.data));
    made.addEventListener("close", () => this.#lose(made));
    return opened(made);
  }

  /**
   * A connection is gone: everything that waits for an answer gets an error.
   * @param {WebSocket | null} made
   */
  #lose(made) {
    if (!made || this.#socket !== made) return;
    this.#socket = null;
    made.close();
    for (const [id, listener] of [...this.#listeners]) {
      this.#listeners.delete(id);
      listener.end(new Refusal({ code: "lost" }), "stopped");
    }
    this.#talkative.clear();
  }

  /**
   * From now on silence means that the connection is lost.
   * @param {number} id
   */
  #listen(id) {
    this.#heardAt = performance.now();
    this.#talkative.add(id);
    window.clearInterval(this.#guard);
    this.#guard = window.setInterval(() => {
      if (this.#talkative.size === 0) window.clearInterval(this.#guard);
      else if (performance.now() - this.#heardAt > SILENCE) this.#lose(this.#socket);
    }, 1000);
  }

  /** @param {string} text */
  #heard(text) {
    this.#heardAt = performance.now();
    /** @type {Say} */
    let said;
    try {
      said = JSON.parse(text);
    } catch {
      return;
    }
    const listener = said.id === null ? undefined : this.#listeners.get(said.id);
    if (said.id === null || !listener) return;
    if (said.type !== "done" && said.type !== "error") return listener.hear(said);
    this.#listeners.delete(said.id);
    this.#talkative.delete(said.id);
    if (said.type === "done") listener.end(null, said.reason);
    else listener.end(new Refusal(said), "stopped");
  }
}

/** Whether the server is on this machine: it needs no network then. */
const isHere = () => ["localhost", "127.0.0.1"].includes(location.hostname);

/**
 * @param {WebSocket} made
 * @returns {Promise<WebSocket>}
 */
function opened(made) {
  if (made.readyState === WebSocket.OPEN) return Promise.resolve(made);
  return new Promise((resolve, reject) => {
    made.addEventListener("open", () => resolve(made), { once: true });
    made.addEventListener("close", () => reject(new Refusal({ code: "offline" })), { once: true });
  });
}
