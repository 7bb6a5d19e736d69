// Stepping without delay, names, orientation, and help while playing.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ACROSS, SHAPES, openPage, ready, startBrowser, startServer, visit } from "./support.js";

/** @typedef {import("playwright-core").Page} Page */

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

/** A game from its start to its end, always with the last legal move. @param {string} game */
async function wholeGame(game) {
  /** @type {string[]} */
  const moves = [];
  for (;;) {
    /** @type {Response} */
    const answer = await fetch(`${server.url}/api/v1/line`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ game, moves }) });
    /** @type {{states: import("../../page/js/types.js").State[]}} */
    const { states } = await answer.json();
    const last = states[states.length - 1];
    if (last.over) return { moves, states };
    moves.push(last.legal[last.legal.length - 1].move ?? "");
  }
}

for (const view of ["analysis", "review"]) {
  test(`stepping is instant, ${view}`, async (t) => {
    const { page, faults } = await openPage(browser, SHAPES[0], { motion: true });
    const { moves, states } = await wholeGame("kalah:6x4:standard");
    await visit(page, server.url, `#/${view}?game=kalah:6x4:standard&moves=${moves.join(".")}`);
    // Other tests use the processor at the same time, so there are several tries: if the page itself is slow, it is slow every time.
    for (let tries = 1; ; tries++) {
      await page.keyboard.press("Home");
      await page.waitForFunction((wanted) => /** @type {HTMLElement | null} */ (document.querySelector(".stage"))?.dataset.position === wanted, states[0].position);
      // Sixty key presses, one per frame; after each, the board and the list of moves are checked. A busy machine shows few frames
      // a second, whatever they show, so the time of the frames without steps is measured, too.
      const { took, bare, wrong } = await page.evaluate(async (positions) => {
        const wrong = [];
        let at = 0;
        const idle = performance.now();
        for (let i = 0; i < 60; i++) await new Promise(requestAnimationFrame);
        const bare = performance.now() - idle;
        const began = performance.now();
        for (let i = 0; i < 60; i++) {
          const forward = i < positions.length - 1 ? true : i % 2 === 0;
          at = Math.max(0, Math.min(positions.length - 1, at + (forward ? 1 : -1)));
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: forward ? "ArrowRight" : "ArrowLeft", bubbles: true }));
          const counts = [...document.querySelectorAll(".board .count")].map((one) => one.textContent).join(" ");
          const listed = [...document.querySelectorAll(".moves .move")].findIndex((one) => one.hasAttribute("aria-current")) + 1;
          if (!positions[at].startsWith(counts) || listed !== at) wrong.push(`${i}: ${counts} for ${positions[at]}, move ${listed} of ${at}`);
          await new Promise(requestAnimationFrame);
        }
        return { took: performance.now() - began, bare, wrong };
      }, states.map((one) => one.position));
      assert.deepEqual(wrong, [], "board and text are equal after every step");
      t.diagnostic(`60 steps took ${took.toFixed(0)} ms, 60 frames alone ${bare.toFixed(0)} ms (goal: 2000)`);
      if (took < Math.max(2000, 3 * bare)) break;
      assert.ok(tries < 5, `${took} ms, and ${bare} ms without steps`);
    }
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}

test("names survive every way into analysis and review", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  await visit(page, server.url, "#/play?game=kalah:4x3:standard&vs=level:1&side=0");
  await page.locator(".pit.playable").first().click();
  await page.waitForFunction(() => document.querySelectorAll(".moves .move").length >= 2);
  const named = () => page.waitForFunction(() => [...document.querySelectorAll(".moves .move")].some((one) => /^(You|Level 1) /.test(/** @type {HTMLElement} */ (one).title)));
  await page.keyboard.press("a");
  await ready(page, "analysis");
  await named();
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => location.hash.includes("ply="));
  assert.match(page.url(), /players=you,level:1/);
  await page.reload();
  await ready(page, "analysis");
  await named();
  await page.keyboard.press("r");
  await ready(page, "review");
  await page.waitForSelector(".figures");
  assert.match((await page.locator(".figures").textContent()) ?? "", /You.*Level 1/);
  await page.keyboard.press("a");
  await ready(page, "analysis");
  await named();
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("the form of a new game first focuses the chosen game", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  await visit(page, server.url, "#/play?game=isolation:5x5:trail&vs=level:1&side=0");
  await page.keyboard.press("n");
  await page.waitForSelector("dialog[open]");
  assert.equal(await page.evaluate(() => /** @type {HTMLInputElement} */ (document.activeElement).checked), true);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("Isolation is seen from the same side everywhere, and a flip is remembered", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  const top = () => page.evaluate(() => {
    const at = (/** @type {string} */ cell) => document.querySelector(`[data-cell="${cell}"]`)?.getBoundingClientRect().top ?? NaN;
    return at("a1") < at("a5");
  });
  const everywhere = async (/** @type {boolean} */ wanted) => {
    for (const hash of ["#/play?game=isolation:5x5:trail&vs=level:1&side=0", "#/play?game=isolation:5x5:trail&vs=level:1&side=1", "#/analysis?game=isolation:5x5:trail", "#/review?game=isolation:5x5:trail&moves=a2"]) {
      await visit(page, server.url, hash);
      await page.waitForSelector(".cell");
      assert.equal(await top(), wanted, hash);
    }
  };
  await everywhere(true);
  await page.keyboard.press("f");
  await everywhere(false);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("a pit shows where its seeds would go", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  await visit(page, server.url, "#/play?game=kalah:6x4:standard");
  await page.waitForTimeout(300);
  await page.hover('[data-house="2"]');
  await page.waitForSelector(".ghost.again text");
  assert.deepEqual(await page.locator(".ghost text").allTextContents(), ["+1", "+1", "+1", "+1 ↻"]);
  await page.mouse.move(0, 0);
  await page.waitForFunction(() => !document.querySelector(".ghost text"));
  // The same by keyboard, and as text.
  await page.keyboard.press("b");
  for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowRight");
  await page.waitForSelector(".ghost.again text");
  assert.match((await page.locator('[data-house="2"]').getAttribute("aria-label")) ?? "", /another turn/);
  // A capture: the pits that would be emptied are marked.
  await visit(page, server.url, "#/play?game=kalah:3x2:standard&start=1,0,2,0,2,2,3,0,0");
  await page.waitForTimeout(300);
  await page.hover('[data-house="0"]');
  await page.waitForSelector(".ghost.taken");
  assert.deepEqual(faults, []);
  await page.context().close();
});

for (const shape of ACROSS) {
  test(`a hint cannot be missed, and a threat is drawn, ${shape.name}`, async () => {
    const { page, faults } = await openPage(browser, shape);
    await visit(page, server.url, "#/play?game=kalah:6x4:standard&vs=level:1&side=0");
    await page.waitForSelector(".pit.playable");
    await page.keyboard.press("h");
    await page.waitForSelector(".arrow.best");
    assert.match((await page.locator(".advice").textContent()) ?? "", /Sow pit \d/);
    const seen = await page.locator(".advice").evaluate((one) => {
      const box = one.getBoundingClientRect();
      return box.top >= 0 && box.bottom <= innerHeight;
    });
    assert.ok(seen, "the hint is in sight");
    await page.keyboard.press("t");
    await page.waitForSelector(".arrow.threat");
    assert.match((await page.locator(".advice").textContent()) ?? "", /other side/);
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}

test("the coach asks before a blunder, and resigning is confirmed", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  await page.addInitScript(() => localStorage.setItem("kalahari.settings", JSON.stringify({ coach: true })));
  // Pit 3 wins by an extra turn; pit 2 throws the game away.
  await visit(page, server.url, "#/play?game=kalah:3x3:standard&start=0,8,1,0,8,0,1,0,0");
  await page.waitForSelector(".pit.playable");
  const bad = await page.evaluate(async () => {
    const socket = new WebSocket(`ws://${location.host}/api/v1/ws`);
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    socket.send(JSON.stringify({ id: 1, type: "analyze", line: { game: "kalah:3x3:standard", start: "0 8 1 0 8 0 1 0 0", moves: [] } }));
    /** @type {any} */
    let info = null;
    await new Promise((resolve) => socket.addEventListener("message", ({ data }) => {
      const said = JSON.parse(data);
      if (said.type === "info") info = said;
      else resolve(null);
    }));
    socket.close();
    return [...info.moves].sort((a, b) => a.value - b.value)[0];
  });
  await page.keyboard.press(String(Number(bad.move) + 1));
  await page.waitForSelector("dialog[open]");
  assert.match((await page.locator("dialog p").textContent()) ?? "", /gives away .* is better: /);
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.equal(await page.locator(".moves .move").count(), 0, "nothing was played");
  await page.getByRole("button", { name: "Resign" }).click();
  await page.click("#confirm-no");
  assert.ok(await page.locator(".end-card").isHidden());
  await page.getByRole("button", { name: "Resign" }).click();
  await page.click("#confirm-yes");
  await page.waitForSelector(".end-card:not([hidden])");
  assert.equal(await page.locator(".strip.p1 .badge").textContent(), "won", "the player who did not resign has won");
  assert.equal(await page.locator(".strip.p0 .badge, .strip.turn").count(), 0);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("clocks run, and a player who runs out of time loses", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  await page.clock.install();
  await visit(page, server.url, "#/play");
  await page.keyboard.press("n");
  await page.locator('input[name="clock"][value="1"]').check();
  await page.click("#start");
  await page.waitForSelector(".clock");
  await page.clock.runFor(5500);
  assert.deepEqual(await page.locator(".clock").allTextContents(), ["3:00", "2:55"]);
  await page.clock.runFor(180_000);
  await page.waitForSelector(".end-card:not([hidden])");
  assert.match((await page.locator(".end-card").textContent()) ?? "", /Your time is up: Level 3 wins/);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("pits are numbered as the user likes, links stay as they are", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  await visit(page, server.url, "#/play?game=kalah:6x4:standard");
  const names = () => page.locator(".board .name").allTextContents();
  assert.deepEqual((await names()).slice(0, 6), ["1", "2", "3", "4", "5", "6"]);
  await page.keyboard.press("3");
  await page.waitForFunction(() => document.querySelector(".moves .move")?.textContent?.startsWith("3"));
  await page.keyboard.press("s");
  await page.locator('input[name="set-numbers"][value="0"]').click();
  await page.waitForFunction(() => document.querySelector(".moves .move")?.textContent?.startsWith("2"));
  assert.deepEqual((await names()).slice(0, 6), ["0", "1", "2", "3", "4", "5"]);
  await page.keyboard.press("a");
  await ready(page, "analysis");
  assert.match(page.url(), /moves=2/);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("an agent of the user can be played against", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kalahari-"));
  writeFileSync(join(folder, "first_legal.py"), "def move(state):\n    return state.legal[0]\n");
  const own = await startServer("--agent", `py:${join(folder, "first_legal.py")}`);
  const { page, faults } = await openPage(browser, SHAPES[0]);
  await visit(page, own.url, "#/play");
  await page.keyboard.press("n");
  await page.locator('input[name="opponent"][value="own:first_legal"]').check();
  await page.click("#start");
  for (let i = 0; i < 3; i++) {
    await page.waitForSelector(".pit.playable");
    const before = await page.locator(".moves .move").count();
    await page.locator(".pit.playable").last().click();
    await page.waitForFunction((count) => document.querySelectorAll(".moves .move").length > count, before);
  }
  await page.waitForFunction(() => [...document.querySelectorAll(".moves .move")].some((one) => /** @type {HTMLElement} */ (one).title.startsWith("first_legal sows")));
  // The answer does not reveal the folder of the agent.
  const meta = await page.evaluate(() => fetch("/api/v1/meta").then((answer) => answer.text()));
  assert.ok(!meta.includes(folder));
  assert.deepEqual(faults, []);
  await page.context().close();
  await own.stop();
  rmSync(folder, { recursive: true });
});

test("the rules beside a game lead to the book", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  await visit(page, server.url, "#/play");
  const link = page.locator("details a[href='book/']");
  const [book] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
  await book.waitForLoadState();
  assert.match(await book.title(), /The book of Kalahari/);
  assert.deepEqual(faults, []);
  await page.context().close();
});
