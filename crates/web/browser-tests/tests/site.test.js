// The page without a server: from a folder, under a path, without a network, after an update, and from a file.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { ACROSS, LONG, SHAPES, accessibilityFaults, openPage, program, ready, sideways, startBrowser, startServer, startSite, visit } from "./support.js";

/** @typedef {import("playwright-core").Page} Page */

const folder = process.env.SITE ?? "";
const skip = folder === "" && "scripts/site has written no page";

/** @type {Awaited<ReturnType<typeof startSite>>} */
let site;
/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  if (skip) return;
  // A project's page has its own path.
  site = await startSite(folder, "/project");
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await site?.stop();
});

/** @param {Page} page */
const kept = (page) => page.evaluate(async () => {
  const registration = await navigator.serviceWorker.ready;
  return registration.active?.state;
});

test("the first load is small and quick", { skip }, async (t) => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const size = (/** @type {string} */ file) => gzipSync(readFileSync(file), { level: 9 }).length;
  const first = files.filter((file) => !file.includes("/nets/") && !file.includes("/book/"));
  const bytes = first.reduce((sum, file) => sum + size(file), 0);
  t.diagnostic(`first load: ${(bytes / 1000).toFixed(0)} kB compressed, the module ${(size(String(first.find((one) => one.endsWith(".wasm")))) / 1000).toFixed(0)} kB`);
  assert.ok(bytes < 1_500_000, `${bytes} bytes`);
  /** @type {number[]} */
  const cold = [];
  /** @type {number[]} */
  const warm = [];
  for (let i = 0; i < 3; i++) {
    const { page } = await openPage(browser, SHAPES[0]);
    // The page is ready when the user can move and the engine has answered.
    const measure = async () => {
      await visit(page, site.url, "#/analysis?game=kalah:6x4:standard");
      await page.waitForSelector(".chip text");
      return page.evaluate(() => performance.now());
    };
    cold.push(await measure());
    await kept(page);
    warm.push(await measure());
    await page.context().close();
  }
  t.diagnostic(`values on the board after ${Math.min(...cold).toFixed(0)} ms cold, ${Math.min(...warm).toFixed(0)} ms warm (goal: 1500, 800)`);
  assert.ok(Math.min(...cold) < 6000);
});

for (const shape of ACROSS) {
  test(`play, analysis, review and puzzles, ${shape.name}`, { skip }, async (t) => {
    const { page, faults } = await openPage(browser, shape);
    // One worker thinks on the phone, two on the desk.
    await page.addInitScript((cores) => Object.defineProperty(navigator, "hardwareConcurrency", { get: () => cores }), shape.width < 500 ? 2 : 8);
    await visit(page, site.url, "#/play?game=kalah:6x4:standard&vs=level:6&side=0");
    /** @type {number[]} */
    const times = [];
    for (let i = 0; i < 6; i++) {
      await page.waitForSelector(".pit.playable, .end-card:not([hidden])");
      if (await page.locator(".end-card").isVisible()) break;
      const before = await page.locator(".moves .move").count();
      const began = performance.now();
      await page.locator(".pit.playable").first().click();
      await page.waitForFunction((count) => document.querySelectorAll(".moves .move").length > count, before);
      await page.waitForSelector(".pit.playable, .end-card:not([hidden])");
      times.push(performance.now() - began);
    }
    t.diagnostic(`a move and the reply of level 6 take ${times.map((time) => time.toFixed(0)).join(", ")} ms with everything on the screen`);
    await visit(page, site.url, "#/analysis?game=kalah:4x3:standard");
    await page.waitForSelector(".thinker .value .badge");
    // A net that is not in the first load, and a game without a net.
    for (const game of ["kalah:8x4:standard", "isolation:7x7:queen"]) {
      await visit(page, site.url, `#/analysis?game=${game}`);
      await page.waitForSelector(".chip text");
    }
    // One worker for questions, one that thinks, and another one if there are enough cores.
    assert.equal(page.workers().length, shape.width < 500 ? 2 : 3);
    assert.ok(await page.evaluate(async () => (await caches.keys()).length > 0));
    await visit(page, site.url, "#/review?game=kalah:4x3:standard&moves=0.0.1.1.3.0");
    await page.waitForSelector(".figures");
    await visit(page, site.url, "#/puzzles");
    await page.waitForSelector(".puzzle-link");
    // Views that are not available say why.
    assert.equal(await page.locator('#tabs a[href="#/arena"]').count(), 0);
    await visit(page, site.url, "#/arena");
    assert.match(await page.locator(".arena").innerText(), /without a server/);
    await page.evaluate(() => (location.hash = "#/room?id=abc"));
    await ready(page, "failure");
    assert.match(await page.locator(".failure p").innerText(), /needs a server/);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await sideways(page), 0);
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}

test("a review, a move and an analysis end when they are left", { skip }, async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  await visit(page, site.url, "#/analysis?game=kalah:6x6:standard");
  await page.waitForSelector(".chip text");
  await visit(page, site.url, "#/review?game=kalah:6x6:standard&moves=1.0.2.1.3.2");
  await visit(page, site.url, "#/play?game=kalah:6x6:standard&vs=perfect&side=1");
  await visit(page, site.url, "#/analysis?game=kalah:4x3:standard");
  await page.waitForSelector(".thinker .value .badge");
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("the engine in Chromium gives the results of the native engine", { skip }, async (t) => {
  const { page } = await openPage(browser, SHAPES[0]);
  await page.goto(site.url + "/");
  const { bench, seconds } = await page.evaluate(async () => {
    const given = JSON.parse(document.getElementById("given")?.textContent ?? "{}");
    /** @type {any[]} */
    const said = [];
    const decode = (/** @type {number} */ place, /** @type {number} */ bytes) => new TextDecoder().decode(new Uint8Array(engine.memory.buffer, place, bytes));
    const { instance } = await WebAssembly.instantiate(await (await fetch(given.site.module)).arrayBuffer(), {
      worker: { say: (/** @type {number} */ place, /** @type {number} */ bytes) => said.push(JSON.parse(decode(place, bytes))), complain: () => {}, now: () => performance.now() },
    });
    const engine = /** @type {any} */ (instance.exports);
    const write = (/** @type {Uint8Array} */ bytes) => {
      // The call may grow the memory, which replaces its buffer.
      const place = engine.room(bytes.length);
      new Uint8Array(engine.memory.buffer).set(bytes, place);
    };
    for (const [name, file] of Object.entries(given.site.nets)) {
      const label = new TextEncoder().encode(name);
      write(new Uint8Array([...label, ...new Uint8Array(await (await fetch(/** @type {string} */ (file))).arrayBuffer())]));
      engine.take(label.length);
    }
    const began = performance.now();
    write(new TextEncoder().encode('{"bench":{}}'));
    engine.hear();
    return { bench: said[0].bench, seconds: (performance.now() - began) / 1000 };
  });
  t.diagnostic(`Chromium: ${(bench.signature / seconds / 1e6).toFixed(2)} million nodes a second`);
  assert.equal(bench.signature, JSON.parse(execFileSync(program, ["bench", "--json"], { encoding: "utf8", env: { ...process.env, KALAHARI_NO_TABLES: "1" } })).signature);
  await page.context().close();
});

test("kalah:6x3 is proven on the page to be worth what `kalahari solve` says", { skip: skip || (!LONG && "only with --long") }, async (t) => {
  const native = JSON.parse(execFileSync(program, ["solve", "kalah:6x3", "--value-only", "--json", "--no-tables"], { encoding: "utf8" }));
  const { page, faults } = await openPage(browser, SHAPES[0]);
  await visit(page, site.url, "#/analysis?game=kalah:6x3:standard");
  const began = performance.now();
  // Every first move is proven, and so is the best one.
  await page.waitForFunction(() => document.querySelectorAll(".chip .seal").length === 6 && document.querySelector(".thinker .value .badge"), null, { timeout: 900_000, polling: 500 });
  t.diagnostic(`every first move of kalah:6x3 is proven after ${((performance.now() - began) / 1000).toFixed(1)} s in Chromium`);
  const value = await page.locator(".thinker .value").evaluate((one) => one.firstChild?.textContent ?? "");
  assert.equal(Number(value.replace("−", "-")), native.value ?? native.margin);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("without a network the page opens again and plays", { skip }, async () => {
  const { page } = await openPage(browser, SHAPES[2]);
  await visit(page, site.url, "#/play?game=kalah:6x4:standard&vs=level:2&side=0");
  await kept(page);
  await page.context().setOffline(true);
  await page.reload();
  await ready(page, "play");
  await page.locator(".pit.playable").first().click();
  await page.waitForFunction(() => document.querySelectorAll(".moves .move").length >= 1);
  await visit(page, site.url, "#/analysis?game=kalah:4x4:standard");
  await page.waitForSelector(".chip text");
  await page.context().close();
});

test("a new version is offered and loaded when the user accepts it", { skip }, async () => {
  const copy = mkdtempSync(join(tmpdir(), "kalahari-site-"));
  cpSync(folder, copy, { recursive: true });
  const host = await startSite(copy);
  try {
    const { page } = await openPage(browser, ACROSS[0]);
    await visit(page, host.url, "#/play");
    await kept(page);
    await page.reload();
    await ready(page, "play");
    await page.locator(".pit.playable").first().click();
    const played = () => page.locator(".moves .move").count();
    await page.waitForFunction(() => document.querySelectorAll(".moves .move").length > 0);
    const [old] = await page.evaluate(() => caches.keys());
    const [index, service] = ["index.html", "service-worker.js"].map((name) => join(copy, name));
    writeFileSync(index, readFileSync(index, "utf8").replace("<title>Kalahari", "<title>Newer Kalahari").replace("<html", '<html data-newer="yes"'));
    writeFileSync(service, readFileSync(service, "utf8").replace(/VERSION = "/, 'VERSION = "newer-'));
    // A browser on a busy machine may give up; the page asks again whenever it becomes visible.
    await page.waitForFunction(async () => (await navigator.serviceWorker.ready).update().then(() => true, () => false), null, { polling: 500 });
    await page.waitForSelector("#update");
    // The update is not forced: loading again still shows the version in use.
    await page.reload();
    await ready(page, "play");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.newer), undefined);
    assert.ok((await played()) > 0, "the game is still there");
    await page.waitForSelector("#update");
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.locator("#update button.main").click();
    await page.waitForSelector('html[data-newer="yes"][data-ready="play"]', { state: "attached" });
    assert.ok((await played()) > 0, "the game continues");
    // Only the new version is kept.
    await page.waitForFunction(async () => (await caches.keys()).length === 1);
    assert.notDeepEqual(await page.evaluate(() => caches.keys()), [old]);
    await page.context().close();
  } finally {
    await host.stop();
    rmSync(copy, { recursive: true });
  }
});

test("links of the page with and without a server open in each other", { skip }, async () => {
  const server = await startServer();
  try {
    const hash = "#/analysis?game=kalah:4x3:standard&moves=1.0.3.2&ply=2";
    /** @type {string[][]} */
    const shown = [];
    for (const [from, to] of [[server.url, site.url], [site.url, server.url]]) {
      const { page, faults } = await openPage(browser, SHAPES[0]);
      await visit(page, from, hash);
      await page.keyboard.press("l");
      await page.waitForSelector(".toast.on");
      const link = await page.evaluate(() => navigator.clipboard.readText());
      assert.equal(link, `${from}/${hash}`);
      await visit(page, to, link.slice(from.length + 1));
      shown.push(await page.locator(".count").allTextContents());
      assert.deepEqual(faults, []);
      await page.context().close();
    }
    assert.deepEqual(shown[0], shown[1]);
  } finally {
    await server.stop();
  }
});

test("from a file the page says what to do", { skip }, async () => {
  const { page } = await openPage(browser, SHAPES[0]);
  await page.goto(`file://${folder}/index.html#/puzzles`);
  await ready(page, "failure");
  assert.match((await page.locator(".failure p").textContent()) ?? "", /http\.server/);
  await page.context().close();
});

test("a hidden page stops thinking", { skip }, async () => {
  const { page } = await openPage(browser, SHAPES[0]);
  await visit(page, site.url, "#/analysis?game=kalah:6x6:standard");
  await page.waitForSelector(".chip text");
  const hide = (/** @type {boolean} */ hidden) => page.evaluate((now) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => now });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
  const facts = () => page.locator(".facts").innerText();
  await hide(true);
  // The current step ends; then nothing changes any more.
  await page.waitForTimeout(1500);
  const before = await facts();
  await page.waitForTimeout(1500);
  assert.equal(await facts(), before);
  await hide(false);
  await page.waitForFunction((old) => /** @type {HTMLElement} */ (document.querySelector(".facts")).innerText !== old, before);
  await page.context().close();
});

test("the size of tables depends on the device", { skip }, async () => {
  for (const [memory, mib] of [[8, 16], [1, 4]]) {
    const { page } = await openPage(browser, SHAPES[2]);
    await page.addInitScript((gigabytes) => {
      Object.defineProperty(navigator, "deviceMemory", { get: () => gigabytes });
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ ...rest) {
        if (message.start) document.documentElement.dataset.mib = message.start.mib;
        return post.call(this, message, ...rest);
      };
    }, memory);
    await visit(page, site.url, "#/analysis?game=kalah:4x3:standard");
    await page.waitForSelector(".chip text");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.mib), String(mib));
    await page.context().close();
  }
});

test("the page can be installed", { skip }, async () => {
  const { page } = await openPage(browser, SHAPES[2]);
  await visit(page, site.url, "#/play");
  await kept(page);
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A new profile counts as a private window.
  assert.deepEqual(installabilityErrors.filter((one) => one.errorId !== "in-incognito"), []);
  const { url, errors, data } = await session.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  const manifest = JSON.parse(String(data));
  assert.equal(new URL(manifest.start_url, url).href, `${site.url}/`);
  for (const { src, sizes } of manifest.icons) {
    const wide = await page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return image.naturalWidth;
    }, new URL(src, url).href);
    if (sizes !== "any") assert.equal(`${wide}x${wide}`, sizes);
  }
  await page.context().close();
});

test("the folder is complete", { skip }, () => {
  for (const name of ["index.html", "manifest.webmanifest", "service-worker.js", "icon.svg", "icon-192.png", "icon-512.png"]) {
    assert.ok(statSync(join(folder, name)).size > 100, name);
  }
  // Relative addresses only: a host may put the folder anywhere.
  assert.doesNotMatch(readFileSync(join(folder, "index.html"), "utf8"), /(src|href)="\//);
});
