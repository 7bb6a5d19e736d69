// Measures and reports how quick the page is. The asserted bounds are generous, because machines may be busy.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SHAPES, openPage, startBrowser, startServer, visit } from "./support.js";

/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  server = await startServer();
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
  await server.stop();
});

/** @param {number[]} times */
const middle = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];

test("size and time of the first load", async (t) => {
  /** @type {number[]} */
  const times = [];
  /** Times of the same page in the same process, without the start of the process. @type {number[]} */
  const again = [];
  let bytes = 0;
  let files = 0;
  let modules = 0;
  for (let i = 0; i < 5; i++) {
    const { page } = await openPage(browser, SHAPES[0]);
    await visit(page, server.url, "#/play");
    await page.waitForSelector(".pit.playable");
    const found = await page.evaluate(() => {
      const all = /** @type {PerformanceResourceTiming[]} */ ([...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]);
      return { bytes: all.reduce((sum, one) => sum + one.transferSize, 0), files: all.length,
        modules: all.filter((one) => new URL(one.name).pathname.startsWith("/js/")).length,
        ready: performance.getEntriesByName("ready")[0]?.startTime ?? NaN };
    });
    ({ bytes, files, modules } = found);
    times.push(found.ready);
    await page.reload();
    await page.waitForSelector(".pit.playable");
    again.push(await page.evaluate(() => performance.getEntriesByName("ready")[0]?.startTime ?? NaN));
    await page.context().close();
  }
  t.diagnostic(`first load: ${(bytes / 1000).toFixed(1)} kB in ${files} files; ready after ${middle(times).toFixed(0)} ms, loaded again after ${middle(again).toFixed(0)} ms (goal: 150 kB, 300 ms)`);
  assert.equal(modules, 0, "the server has not joined the modules");
  assert.ok(bytes < 150_000, `${bytes} bytes`);
  assert.ok(middle(times) < 3000);
});

test("a move of the user and the reply of level 6", async (t) => {
  const { page } = await openPage(browser, SHAPES[0], { motion: true });
  await visit(page, server.url, "#/play?game=kalah:6x4:standard&vs=level:6&side=0");
  /** @type {number[]} */
  const moves = [];
  /** @type {number[]} */
  const replies = [];
  for (let i = 0; i < 8; i++) {
    await page.waitForSelector(".pit.playable, .end-card:not([hidden])");
    if (await page.locator(".end-card").isVisible()) break;
    // From the click to the first frame in which a seed has left its pit, and to the moment the reply is known.
    const { move, reply } = await page.evaluate(async () => {
      const pit = /** @type {Element} */ (document.querySelector(".pit.playable"));
      const list = /** @type {Element} */ (document.querySelector(".moves"));
      const before = list.querySelectorAll(".move").length;
      const began = performance.now();
      const listed = (/** @type {number} */ count) => new Promise((resolve) => {
        const look = () => list.querySelectorAll(".move").length >= count && (watch.disconnect(), resolve(performance.now()));
        const watch = new MutationObserver(look);
        watch.observe(list, { childList: true, subtree: true });
        setTimeout(() => (watch.disconnect(), resolve(NaN)), 4000);
      });
      const reply = listed(before + 2);
      pit.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      await new Promise((resolve) => {
        const look = () => (document.querySelector(".seeds")?.getAnimations({ subtree: true }).length ? requestAnimationFrame(resolve) : requestAnimationFrame(look));
        look();
      });
      const move = performance.now() - began;
      const again = document.querySelector(".moves .move[aria-current] .extra")?.textContent === "↻";
      return { move, reply: again ? null : Number(await reply) - began };
    });
    moves.push(move);
    if (reply !== null) replies.push(reply);
  }
  t.diagnostic(`a person's move is on the screen after ${middle(moves).toFixed(0)} ms, at most ${Math.max(...moves).toFixed(0)} (goal: 50)`);
  t.diagnostic(`level 6 replies after ${middle(replies).toFixed(0)} ms, at most ${Math.max(...replies).toFixed(0)} (goal: starts within 100)`);
  assert.ok(middle(moves) < 500);
  assert.ok(middle(replies) < 2000);
  await page.context().close();
});
