// A whole game against level 1: by clicking, and by keyboard alone.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ACROSS, BACKEND, CROSSED, SHAPES, openPage, sideways, startBackend, startBrowser, startServer, visit } from "./support.js";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  server = await startBackend();
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
  await server.stop();
});

/**
 * Waits until the user may move (true) or the game is over (false).
 * @param {Page} page
 */
async function myTurn(page) {
  await page.waitForSelector(".playable, .pass:not([hidden]), .end-card:not([hidden])");
  return !(await page.locator(".end-card").isVisible());
}

/**
 * Makes a move and waits until it is listed: before that, the board still shows the turn that the move ends.
 * @param {Page} page
 * @param {() => Promise<void>} act
 */
async function listedAfter(page, act) {
  const before = await page.locator(".moves .move").count();
  await act();
  await page.waitForFunction((count) => document.querySelectorAll(".moves .move").length > count, before);
}

for (const shape of ACROSS) {
  test(`Kalah by clicking, ${shape.name}`, async () => {
    const { page, faults } = await openPage(browser, shape);
    await visit(page, server.url, "#/play");
    await page.click("#new-game");
    await page.locator("#level").fill("1");
    await page.click("#start");
    let moves = 0;
    while (await myTurn(page)) {
      const pits = page.locator(".pit.playable");
      const chosen = pits.nth(moves % (await pits.count()));
      await listedAfter(page, () => chosen.click());
      assert.ok(++moves < 200, "the game ends");
    }
    assert.match(await page.locator(".end-card").innerText(), /win|draw|lose/i);
    const counts = await page.locator(".count").allTextContents();
    assert.equal(counts.reduce((sum, text) => sum + Number(text), 0), 48, "no seed is lost");
    assert.equal(await sideways(page), 0);
    // A move is taken back, and the game continues.
    await page.getByRole("button", { name: "Undo" }).click();
    assert.ok(await myTurn(page));
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}

for (const shape of CROSSED) {
  test(`Kalah by keyboard alone, ${shape.name}`, async () => {
    const { page, faults } = await openPage(browser, shape);
    await visit(page, server.url, "#/play");
    await page.keyboard.press("n");
    await page.waitForSelector("dialog[open]");
    // From the first field to the level's slider with Tab, down to level 1, and start.
    for (let i = 0; i < 30 && (await page.evaluate(() => document.activeElement?.id)) !== "level"; i++) await page.keyboard.press("Tab");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog", { state: "detached" });
    let moves = 0;
    while (await myTurn(page)) {
      const pit = await page.locator(".pit.playable").first().getAttribute("data-pit");
      await listedAfter(page, async () => {
        // For users, pits are numbered from 1.
        if (moves % 2) return page.keyboard.press(String(Number(pit) + 1));
        // Over the board: the arrow keys, then Enter.
        await page.keyboard.press("b");
        for (let i = 0; i < 12 && !(await page.evaluate(() => document.activeElement?.classList.contains("playable"))); i++) {
          await page.keyboard.press(i === 0 ? "ArrowDown" : i < 7 ? "ArrowRight" : "ArrowLeft");
        }
        await page.keyboard.press("Enter");
      });
      assert.ok(++moves < 200, "the game ends");
    }
    assert.match((await page.locator("#live").textContent()) ?? "", /win|draw/i, "the end is announced");
    await page.keyboard.press("r");
    await page.waitForSelector('html[data-ready="review"]', { state: "attached" });
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}

for (const shape of ACROSS) {
  test(`Isolation with removals, ${shape.name}`, async () => {
    const { page, faults } = await openPage(browser, shape);
    await visit(page, server.url, "#/play?game=isolation:5x5:classic&vs=level:1&side=0");
    let moves = 0;
    while (await myTurn(page)) {
      await page.locator(".cell.playable").first().click();
      await page.waitForSelector(".removing");
      await listedAfter(page, () => page.locator(".cell.playable").last().click());
      assert.ok(++moves < 60, "the game ends");
    }
    assert.match(await page.locator(".end-card").innerText(), /win|lose/i);
    assert.equal(await sideways(page), 0);
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}

test("the seeds are animated, and at the end the screen shows the position", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0], { motion: true });
  await visit(page, server.url, "#/play?game=kalah:6x4:standard");
  await page.locator('[data-house="2"]').click();
  await page.waitForFunction(() => (document.querySelector(".seeds")?.getAnimations({ subtree: true }).length ?? 0) >= 4);
  await page.waitForSelector(".pit.playable");
  assert.deepEqual(await (await page.locator(".count").allTextContents()).slice(0, 7), ["4", "4", "0", "5", "5", "5", "1"]);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("a game continues after the page is left and opened again, and keys step through it", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  await visit(page, server.url, "#/play?game=kalah:6x4:standard");
  const listed = (/** @type {number} */ wanted) => page.waitForFunction((count) => document.querySelectorAll(".moves .move").length === count, wanted);
  for (const [i, key] of ["3", "6", "1"].entries()) {
    await page.keyboard.press(key);
    await listed(i + 1);
  }
  await page.reload();
  await listed(3);
  await page.keyboard.press("ArrowLeft");
  assert.match((await page.locator(".status").textContent()) ?? "", /Move 2 of 3/);
  await page.keyboard.press("End");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open] kbd");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("senseless saved data is dropped", async () => {
  const line = { game: "kalah:6x4:standard", start: null, moves: ["2"] };
  const choice = { game: line.game, agents: [null, null], clock: { minutes: 5, increment: 0 } };
  for (const damage of [{ resigned: 2 }, { late: "x" }, { left: {} }, { left: [1] }, { resigned: [] }, { choice: { ...choice, clock: "soon" } }]) {
    const { page, faults } = await openPage(browser, SHAPES[0]);
    await page.addInitScript((kept) => localStorage.setItem("kalahari.match", JSON.stringify(kept)), { line, choice, ...damage });
    await visit(page, server.url, "#/play");
    assert.equal(await page.locator(".moves .move").count(), 0, JSON.stringify(damage));
    assert.deepEqual(faults, []);
    await page.context().close();
  }
});

test("a clock continues from its old time when the page is loaded again", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  await visit(page, server.url, "#/play?game=kalah:6x4:standard");
  await page.keyboard.press("n");
  await page.getByRole("radio", { name: "5 minutes" }).check();
  await page.click("#start");
  await page.waitForFunction(() => document.querySelector(".strip.p0 .clock")?.textContent === "4:58");
  await page.reload();
  await page.waitForSelector(".strip.p0 .clock");
  assert.match((await page.locator(".strip.p0 .clock").textContent()) ?? "", /^4:5[0-8]$/);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("a game in progress is not replaced without asking", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  await visit(page, server.url, "#/play?game=kalah:6x4:standard&moves=2.5");
  const moves = page.locator(".moves .move");
  const start = async () => {
    await page.keyboard.press("n");
    await page.click("#start");
  };
  await start();
  await page.click("#confirm-no");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.equal(await moves.count(), 2);
  await start();
  await page.click("#confirm-yes");
  await page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 0);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("a server that went away and comes back is asked again", { skip: BACKEND === "site" && "there is no server" }, async () => {
  const first = await startServer();
  const { port } = new URL(first.url);
  const { page } = await openPage(browser, SHAPES[0]);
  // The agent is to move, but the server is down.
  await visit(page, first.url, "#/play?game=kalah:6x4:standard&vs=level:1&side=0");
  await first.stop();
  await page.keyboard.press("1");
  await page.waitForSelector(".toast.on.bad");
  const second = await startServer("--port", port);
  await page.waitForFunction(() => document.querySelectorAll(".moves .move").length >= 2);
  await page.context().close();
  await second.stop();
});
