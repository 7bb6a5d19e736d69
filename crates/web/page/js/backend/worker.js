// The worker of a page without a server: it holds the module and carries messages between it and the page. Between the
// slices of an analysis it reads messages that have come in the meantime.
//
//   page -> worker                       worker -> page
//   {start: Start}                       {begun: true}
//   {turn, question: {name, request}}    {turn, answer} or {turn, refused}
//   {turn, think: Ask}                   {turn, heard: true}, then {say: Say} as it is thought
//   {resting: boolean}                   (nothing: analyses rest, or continue)
//   whenever the module broke down:      {broken: string}

/** @typedef {import("../types.js").ToWorker} ToWorker */
/** @typedef {import("../types.js").FromWorker} FromWorker */
/** @typedef {{memory: WebAssembly.Memory, room: (bytes: number) => number, hear: () => void, take: (name: number) => number}} Module */

const writer = new TextEncoder();
const reader = new TextDecoder();

/** @type {Module | null} */
let loaded = null;
/** Where nets are, by name. @type {Record<string, string>} */
let nets = {};
/** Files that could not be loaded or used: one try is enough. @type {Set<string>} */
const missing = new Set();
/** What the module has said in the current call. @type {any[]} */
let said = [];
let resting = false;
let stepping = false;
/** Work that is done one after the other. */
let queue = Promise.resolve();

/** @param {FromWorker} message */
const post = (message) => globalThis.postMessage(message);

/**
 * @param {number} place
 * @param {number} bytes
 */
function read(place, bytes) {
  return reader.decode(new Uint8Array(/** @type {Module} */ (loaded).memory.buffer, place, bytes));
}

/** @param {Uint8Array[]} parts */
function write(parts) {
  const { room, memory } = /** @type {Module} */ (loaded);
  let place = room(parts.reduce((sum, part) => sum + part.length, 0));
  if (place === 0) throw new Error("a request is too long");
  for (const part of parts) {
    new Uint8Array(memory.buffer).set(part, place);
    place += part.length;
  }
}

/**
 * Hands a request to the module. News of thoughts goes to the page at once, the rest is returned.
 * @param {object} request
 * @returns {any[]}
 */
function hand(request) {
  said = [];
  write([writer.encode(JSON.stringify(request))]);
  /** @type {Module} */ (loaded).hear();
  return said;
}

/** @param {import("../types.js").Start} start */
function begin(start) {
  nets = start.nets;
  const instance = new WebAssembly.Instance(start.module, {
    worker: {
      say: (/** @type {number} */ place, /** @type {number} */ bytes) => {
        const frame = JSON.parse(read(place, bytes));
        if (frame.say) post({ say: frame.say });
        else said.push(frame);
      },
      complain: (/** @type {number} */ place, /** @type {number} */ bytes) => console.error(read(place, bytes)),
      now: () => performance.timeOrigin + performance.now(),
    },
  });
  loaded = /** @type {any} */ (instance.exports);
  hand({ memory: { mib: start.mib } });
  post({ begun: true });
}

/**
 * Loads the net that a game needs; without it the engine evaluates positions in a simpler way.
 * @param {string | undefined} game
 */
async function bring(game) {
  if (!game) return;
  const name = hand({ needs: { game } })[0]?.needs?.file;
  if (!name || missing.has(name)) return;
  try {
    const response = await fetch(nets[name]);
    if (!response.ok) throw new Error(`${response.status}`);
    const label = writer.encode(name);
    write([label, new Uint8Array(await response.arrayBuffer())]);
    if (!(/** @type {Module} */ (loaded).take(label.length))) missing.add(name);
  } catch {
    missing.add(name);
  }
}

// Messages to itself are queued with those of the page, so that no message waits longer than a slice.
const onwards = new MessageChannel();
onwards.port1.onmessage = () => {
  queue = queue.then(step).catch(broke);
};

function step() {
  stepping = false;
  go(hand({ step: { resting } }));
}

/** @param {any[]} heard */
function go(heard) {
  const more = heard.some((frame) => frame.thinking?.more);
  if (!more || stepping) return;
  stepping = true;
  onwards.port2.postMessage(null);
}

/** @param {unknown} error */
function broke(error) {
  post({ broken: String(error) });
}

/** @param {ToWorker} data */
async function hear(data) {
  if ("start" in data) return begin(data.start);
  if ("resting" in data) {
    resting = data.resting;
    return go([{ thinking: { more: !resting } }]);
  }
  if ("question" in data) {
    const [{ answer, refused }] = hand({ question: data.question });
    return post(refused ? { turn: data.turn, refused } : { turn: data.turn, answer });
  }
  post({ turn: data.turn, heard: true });
  await bring(data.think.line?.game);
  go(hand({ think: data.think }));
}

globalThis.onmessage = ({ data }) => {
  queue = queue.then(() => hear(data)).catch(broke);
};
