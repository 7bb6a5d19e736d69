// The WebAssembly module of the page without a server, run in Node: the engine in the browser gives the results of the native engine.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { program, startBrowser, startServer } from "./support.js";

// The tests do not use the tables of this machine.
process.env.KALAHARI_NO_TABLES = "1";
const folder = process.env.SITE ?? "";
const skip = folder === "" && "scripts/site has written no page";
const writer = new TextEncoder();
const reader = new TextDecoder();

/** @type {WebAssembly.Module} */
let compiled;
before(() => {
  if (skip) return;
  const file = readdirSync(folder).find((name) => name.endsWith(".wasm"));
  compiled = new WebAssembly.Module(readFileSync(join(folder, String(file))));
});

/** Makes an instance of the module that collects all its messages. */
function open() {
  /** @type {any[]} */
  let said = [];
  const instance = new WebAssembly.Instance(compiled, {
    worker: {
      say: (/** @type {number} */ place, /** @type {number} */ bytes) => said.push(JSON.parse(reader.decode(new Uint8Array(module.memory.buffer, place, bytes)))),
      complain: (/** @type {number} */ place, /** @type {number} */ bytes) => console.error(reader.decode(new Uint8Array(module.memory.buffer, place, bytes))),
      now: () => performance.timeOrigin + performance.now(),
    },
  });
  const module = /** @type {any} */ (instance.exports);
  const write = (/** @type {Uint8Array} */ bytes) => {
    // The call may grow the memory, which replaces its buffer.
    const place = module.room(bytes.length);
    new Uint8Array(module.memory.buffer).set(bytes, place);
  };
  const hand = (/** @type {object | string} */ request) => {
    said = [];
    write(writer.encode(typeof request === "string" ? request : JSON.stringify(request)));
    module.hear();
    return said;
  };
  const give = (/** @type {string} */ game) => {
    const name = hand({ needs: { game } })[0].needs.file;
    if (name === null) return null;
    const file = readdirSync(join(folder, "nets")).find((one) => one.startsWith(name.replace(".net", "-")));
    const label = writer.encode(name);
    write(Buffer.concat([label, readFileSync(join(folder, "nets", String(file)))]));
    assert.equal(module.take(label.length), 1);
    return name;
  };
  /** Thinks to the end; returns all messages about it. */
  const think = (/** @type {object} */ ask) => {
    const frames = hand({ think: { id: 1, ...ask } });
    while (frames.at(-1).thinking?.more) frames.push(...hand({ step: {} }));
    return frames.filter((frame) => frame.say).map((frame) => frame.say);
  };
  return { hand, give, think };
}

test("the bench signature and the speed", { skip }, (t) => {
  const { hand, give } = open();
  // The games of the bench that have their own nets.
  for (const game of ["kalah:6x6:empty-capture", "kalah:6x6:pre-move-empty", "kalah:4x3", "kalah:7x5"]) assert.ok(give(game), game);
  for (const game of ["kalah:6x4", "kalah:4x3", "kalah:9x4", "isolation:8x8:trail", "nonsense"]) assert.equal(give(game), null, game);
  const native = JSON.parse(execFileSync(program, ["bench", "--json"], { encoding: "utf8" }));
  // During the first run the module is still being compiled.
  for (const when of ["at first", "once it is compiled"]) {
    const began = performance.now();
    const { signature } = hand({ bench: {} })[0].bench;
    const speed = signature / (performance.now() - began) / 1000;
    t.diagnostic(`${speed.toFixed(2)} million nodes a second ${when}, this program ${(native.nodes_per_second / 1e6).toFixed(2)}`);
    assert.equal(signature, native.signature);
  }
});

test("an analysis to the same depth finds the same as the server's", { skip }, async () => {
  const server = await startServer();
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    for (const line of [
      { game: "kalah:6x4:standard", moves: ["2", "5"] }, { game: "kalah:4x3:standard" }, { game: "kalah:8x4:standard" },
      { game: "isolation:7x7:queen" }, { game: "isolation:8x8:trail" },
    ]) {
      const ask = { type: "analyze", line, limit: { depth: 6 } };
      const { give, think } = open();
      give(line.game);
      const here = think(ask);
      const there = await overSocket(page, ask);
      const last = (/** @type {any[]} */ frames) => {
        const { nps: _, time_ms: __, outlook: ___, ...info } = frames.findLast((frame) => frame.type === "info");
        return info;
      };
      assert.deepEqual(last(here), last(there), line.game);
      assert.deepEqual(here.at(-1), there.at(-1), line.game);
    }
  } finally {
    await browser.close();
    await server.stop();
  }
});

test("kalah:6x3 is proven to be worth what `kalahari solve` says", { skip }, (t) => {
  const native = JSON.parse(execFileSync(program, ["solve", "kalah:6x3", "--value-only", "--json", "--no-tables"], { encoding: "utf8" }));
  const { think } = open();
  const began = performance.now();
  const frames = think({ type: "analyze", line: { game: "kalah:6x3:standard" }, limit: { time_ms: 600000 } });
  t.diagnostic(`every first move of kalah:6x3 is proven after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  const info = frames.findLast((frame) => frame.type === "info");
  assert.equal(frames.at(-1).reason, "finished");
  assert.ok(info.proven && info.moves.every((/** @type {any} */ one) => one.proven));
  assert.equal(info.value, native.value ?? native.margin);
});

test("moves, hints, reviews, refusals and nonsense", { skip }, (t) => {
  const { hand, think } = open();
  const line = { game: "kalah:6x4:standard" };
  /** @type {number[]} */
  const times = [];
  for (let i = 0; i < 5; i++) {
    const [move, done] = think({ type: "move", agent: "level:6", line });
    assert.equal(move.type, "move");
    assert.equal(done.reason, "finished");
    times.push(move.time_ms);
  }
  t.diagnostic(`level 6 thinks ${Math.max(...times)} ms at most`);
  for (const agent of ["engine", "mcts", "perfect"]) assert.equal(think({ type: "move", agent, line })[0].type, "move", agent);
  assert.deepEqual(think({ type: "hint", line }).map((frame) => frame.type), ["hint", "done"]);
  const review = think({ type: "review", line: { game: "kalah:4x3:standard", moves: ["1", "0", "3", "2"] }, limit: { time_ms: 20 } });
  assert.deepEqual(review.map((frame) => frame.type), ["reviewed", "reviewed", "reviewed", "reviewed", "review", "done"]);
  // An analysis sends messages before it ends, and ends when it is replaced.
  hand({ think: { id: 7, type: "analyze", line: { game: "kalah:6x6:standard" } } });
  const first = [0, 1, 2].flatMap(() => hand({ step: {} })).filter((frame) => frame.say?.type === "info");
  assert.ok(first.length > 0);
  assert.deepEqual(hand({ step: { resting: true } }), [{ thinking: { more: false } }]);
  assert.deepEqual(hand({ think: { id: 8, type: "hint", line } })[0].say, { type: "done", id: 7, reason: "replaced" });
  assert.deepEqual(hand({ think: { id: 9, type: "stop" } })[0].say, { type: "done", id: 8, reason: "stopped" });
  assert.equal(think({ type: "move", agent: "nobody", line })[0].code, "bad_agent");
  assert.equal(hand("{")[0].refused.code, "bad_json");
  assert.equal(hand({ question: { name: "puzzle", request: { id: "none" } } })[0].refused.code, "not_found");
  assert.equal(hand({ question: { name: "arena", request: {} } })[0].refused.code, "no_store");
});

/**
 * Asks a server over its socket, from a page that it serves.
 * @param {import("playwright-core").Page} page
 * @param {object} ask
 * @returns {Promise<any[]>}
 */
function overSocket(page, ask) {
  return page.evaluate((asked) => new Promise((resolve, reject) => {
    /** @type {any[]} */
    const frames = [];
    const socket = new WebSocket(`ws://${location.host}/api/v1/ws`);
    socket.onopen = () => socket.send(JSON.stringify({ id: 1, ...asked }));
    socket.onerror = reject;
    socket.onmessage = ({ data }) => {
      frames.push(JSON.parse(data));
      if (!["done", "error"].includes(frames.at(-1).type)) return;
      socket.close();
      resolve(frames);
    };
  }), ask);
}
