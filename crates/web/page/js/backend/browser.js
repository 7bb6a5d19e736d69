// The browser itself behind the page: the module of rules, engine and solver in workers. One answers questions; one or two think,
// depending on the cores of the device. A worker that does not react in time when it should stop is ended, and another takes its place.

import { Refusal } from "./refusal.js";

/** @typedef {import("../types.js").Backend} Backend */
/** @typedef {import("../types.js").News} News */
/** @typedef {import("../types.js").Wanted} Wanted */
/** @typedef {import("../types.js").Reason} Reason */
/** @typedef {import("../types.js").Say} Say */
/** @typedef {import("../types.js").Site} Site */
/** @typedef {import("../types.js").FromWorker} FromWorker */
/** @typedef {import("../types.js").ToWorker} ToWorker */
/**
 * @typedef {object} Job
 * @property {number} id
 * @property {Wanted} wanted
 * @property {Reason | null} ending why it should end, once it should
 * @property {(news: News) => void} hear
 * @property {(error: Refusal | null, reason: Reason) => void} end
 */

/** Milliseconds in which a worker has to react to a message. */
const MOMENT = 250;

/** MiB of a search's table: small on devices with little memory. */
function tableSize() {
  const memory = /** @type {any} */ (navigator).deviceMemory ?? 4;
  return memory >= 2 ? 16 : 4;
}

/** A worker with the module, made again after it was ended. */
class Seat {
  /** @type {Promise<Worker> | null} */
  #worker = null;
  /** @type {Worker | null} */
  #running = null;
  /** What waits for an answer. @type {Map<number, (message: FromWorker) => void>} */
  #turns = new Map();
  #last = 0;

  /**
   * @param {Site} site
   * @param {() => Promise<WebAssembly.Module>} module
   * @param {(message: FromWorker) => void} hear everything that is not an answer
   */
  constructor(site, module, hear) {
    this.site = site;
    this.module = module;
    this.hear = hear;
  }

  /** The worker, as soon as it can receive messages. @returns {Promise<Worker>} */
  start() {
    this.#worker ??= this.#make().catch((error) => {
      this.#worker = null;
      throw error;
    });
    return this.#worker;
  }

  /** @returns {Promise<Worker>} */
  async #make() {
    // The module and the worker are loaded at the same time.
    const loading = this.module();
    let made;
    try {
      made = new Worker(this.site.worker);
    } catch {
      await loading;
      throw new Refusal({ code: "no_worker" });
    }
    this.#running = made;
    const begun = this.#begun(made);
    // It may fail before anything waits for it.
    begun.catch(() => {});
    let module;
    try {
      module = await loading;
    } catch (error) {
      made.terminate();
      throw error;
    }
    const address = (/** @type {string} */ file) => new URL(file, document.baseURI).href;
    const nets = Object.fromEntries(Object.entries(this.site.nets).map(([name, file]) => [name, address(file)]));
    made.postMessage({ start: { module, nets, mib: tableSize() } });
    if (document.hidden) made.postMessage({ resting: true });
    return begun;
  }

  /**
   * Listens to a worker; it has begun once it can receive messages.
   * @param {Worker} made
   * @returns {Promise<Worker>}
   */
  #begun(made) {
    return new Promise((resolve, reject) => {
      made.onerror = (event) => {
        event.preventDefault();
        reject(new Refusal({ code: "no_worker" }));
        this.hear({ broken: event.message ?? "" });
      };
      made.onmessage = ({ data }) => {
        /** @type {FromWorker} */
        const message = data;
        if ("begun" in message) return resolve(made);
        if ("broken" in message) reject(new Refusal({ code: "no_worker" }));
        if (!("turn" in message)) return this.hear(message);
        this.#turns.get(message.turn)?.(message);
        this.#turns.delete(message.turn);
      };
    });
  }

  /**
   * Says something that gets an answer.
   * @param {any} message
   * @returns {Promise<FromWorker>}
   */
  async ask(message) {
    const worker = await this.start();
    const turn = ++this.#last;
    return new Promise((resolve) => {
      this.#turns.set(turn, resolve);
      worker.postMessage({ ...message, turn });
    });
  }

  /** @param {ToWorker} message */
  tell(message) {
    this.#running?.postMessage(message);
  }

  /** Ends the worker. What waited for an answer gets none. */
  end() {
    this.#running?.terminate();
    this.#running = this.#worker = null;
    const waiting = [...this.#turns.values()];
    this.#turns.clear();
    for (const resolve of waiting) resolve({ broken: "ended" });
  }
}

/** The jobs of one worker, and the messages about them. */
class Thinker {
  /** @type {Map<number, Job>} */
  #jobs = new Map();

  /**
   * @param {Site} site
   * @param {() => Promise<WebAssembly.Module>} module
   */
  constructor(site, module) {
    this.seat = new Seat(site, module, (message) => this.#heard(message));
  }

  /**
   * @param {Job} job
   * @param {Job | null} old whose place it takes
   */
  begin(job, old) {
    if (old) old.ending ??= "replaced";
    this.#jobs.set(job.id, job);
    this.#send(job, old !== null);
  }

  /** @param {Job} job */
  stop(job) {
    if (!this.#jobs.has(job.id)) return;
    job.ending ??= "stopped";
    this.#tell({ think: { id: job.id, type: "stop", target: job.id } }, true);
  }

  /** @param {"move" | "thought"} place */
  at(place) {
    return [...this.#jobs.values()].find((job) => placeOf(job.wanted) === place && job.ending === null) ?? null;
  }

  /** @param {boolean} resting */
  rest(resting) {
    this.seat.tell({ resting });
  }

  /**
   * @param {Job} job
   * @param {boolean} urgent
   */
  #send(job, urgent) {
    this.#tell({ think: { ...job.wanted, id: job.id } }, urgent).then((error) => {
      if (error) this.#end(job.id, error, "stopped");
    });
  }

  /**
   * @param {object} message
   * @param {boolean} urgent whether something has to end now
   */
  async #tell(message, urgent) {
    let heard = false;
    try {
      await this.seat.start();
      if (urgent) {
        window.setTimeout(() => {
          if (!heard && [...this.#jobs.values()].some((job) => job.ending)) this.#renew();
        }, MOMENT);
      }
      await this.seat.ask(message);
      heard = true;
      return null;
    } catch (error) {
      heard = true;
      return error instanceof Refusal ? error : new Refusal({ code: "internal" });
    }
  }

  /** Another worker in place of one that does not react: it continues the jobs that should not end. */
  #renew() {
    this.seat.end();
    for (const job of [...this.#jobs.values()]) {
      if (job.ending) this.#end(job.id, null, job.ending);
      else this.#send(job, false);
    }
  }

  /** @param {FromWorker} message */
  #heard(message) {
    if ("say" in message) return this.#say(message.say);
    if (!("broken" in message)) return;
    this.seat.end();
    for (const job of [...this.#jobs.values()]) this.#end(job.id, job.ending ? null : new Refusal({ code: "internal" }), job.ending ?? "stopped");
  }

  /** @param {Say} said */
  #say(said) {
    const job = said.id === null ? undefined : this.#jobs.get(said.id);
    if (!job) return;
    if (said.type === "done") this.#end(job.id, null, said.reason);
    else if (said.type === "error") this.#end(job.id, new Refusal(said), "stopped");
    else if (!job.ending) job.hear(said);
  }

  /**
   * @param {number} id
   * @param {Refusal | null} error
   * @param {Reason} reason
   */
  #end(id, error, reason) {
    const job = this.#jobs.get(id);
    if (!job) return;
    this.#jobs.delete(id);
    job.end(job.ending ? null : error, reason);
  }
}

/** @param {Wanted} wanted */
const placeOf = (wanted) => (wanted.type === "move" ? "move" : "thought");

/** @implements {Backend} */
export class Browser {
  /** @type {Promise<WebAssembly.Module> | null} */
  #module = null;
  #lastId = 0;

  /** @param {Site} site */
  constructor(site) {
    this.site = site;
    const module = () => this.#load();
    this.asked = new Seat(site, module, (message) => {
      if ("broken" in message) this.asked.end();
    });
    const moves = new Thinker(site, module);
    const cores = navigator.hardwareConcurrency ?? 2;
    this.thinkers = { move: moves, thought: cores > 2 ? new Thinker(site, module) : moves };
    document.addEventListener("visibilitychange", () => {
      for (const thinker of new Set(Object.values(this.thinkers))) thinker.rest(document.hidden);
    });
  }

  /**
   * @template {keyof import("../types.js").Questions} Q
   * @param {Q} name
   * @param {import("../types.js").Questions[Q]["request"]} request
   * @returns {Promise<import("../types.js").Questions[Q]["answer"]>}
   */
  async ask(name, request) {
    const message = await this.asked.ask({ question: { name, request } });
    if ("answer" in message) return message.answer;
    throw new Refusal("refused" in message ? message.refused : { code: "internal" });
  }

  /**
   * @param {Wanted} wanted
   * @param {(news: News) => void} hear
   */
  think(wanted, hear) {
    const place = placeOf(wanted);
    const thinker = this.thinkers[place];
    /** @type {Job} */
    const job = { id: ++this.#lastId, wanted, ending: null, hear, end: () => {} };
    /** @type {Promise<Reason>} */
    const done = new Promise((resolve, reject) => {
      job.end = (error, reason) => (error ? reject(error) : resolve(reason));
    });
    thinker.begin(job, thinker.at(place));
    return { done, stop: () => thinker.stop(job) };
  }

  /** Starts the workers before they are needed. */
  warm() {
    for (const seat of [this.asked, this.thinkers.move.seat]) seat.start().catch(() => {});
  }

  /** The module, loaded and compiled once. */
  #load() {
    this.#module ??= load(this.site.module).catch((error) => {
      this.#module = null;
      throw error;
    });
    return this.#module;
  }
}

/**
 * @param {string} file
 * @returns {Promise<WebAssembly.Module>}
 */
async function load(file) {
  // Browsers do not let a page that was opened from a file read the files beside it.
  if (location.protocol === "file:") throw new Refusal({ code: "file" });
  if (typeof WebAssembly !== "object") throw new Refusal({ code: "no_worker" });
  let response;
  try {
    response = await fetch(file);
  } catch {
    throw new Refusal({ code: "no_module" });
  }
  if (!response.ok) throw new Refusal({ code: "no_module" });
  // Some hosts do not send the right type; then the module is compiled after the whole file has been loaded.
  const known = response.headers.get("Content-Type")?.startsWith("application/wasm");
  try {
    return await (known ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer()));
  } catch {
    throw new Refusal({ code: "no_worker" });
  }
}
