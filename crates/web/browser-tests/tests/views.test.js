// Every view on every board: no accessibility fault, nothing wider than the screen, no error.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ACROSS, BACKEND, SHAPES, accessibilityFaults, openPage, program, ready, sideways, startBackend, startBrowser, startServer, visit } from "./support.js";

/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
/** @type {import("playwright-core").Browser} */
let browser;
const folder = mkdtempSync(join(tmpdir(), "kalahari-"));
before(async () => {
  const store = join(folder, "games.db");
  execFileSync(program, ["tournament", "level:0", "level:1", "level:2", "--game", "kalah:4x3", "--games", "4", "--db", store], { stdio: "ignore" });
  server = await startBackend("--db", store);
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

const VIEWS = [
  { name: "play", hash: "#/play", wait: ".pit.playable" },
  { name: "analysis", hash: "#/analysis?game=kalah:6x4:standard&moves=2.5.1", wait: ".chip text" },
  { name: "analysis of Isolation", hash: "#/analysis?game=isolation:7x7:classic", wait: ".chip text" },
  { name: "review", hash: "#/review?game=kalah:4x3:standard&moves=0.0.1.1", wait: ".figures" },
  { name: "puzzles", hash: "#/puzzles", wait: ".puzzle-link" },
  { name: "arena", hash: "#/arena", wait: BACKEND === "site" ? ".arena .card h2" : ".standings" },
];
const BOARDS = [
  "kalah:1x1:standard", "kalah:3x20:standard", "kalah:6x6:standard", "kalah:8x4:empty-capture", "kalah:12x20:standard",
  "isolation:1x2:trail", "isolation:8x8:trail", "isolation:9x11:knight", "isolation:16x16:queen", "isolation:16x3:classic",
];

for (const shape of SHAPES) {
  test(`every view is accessible, ${shape.name}`, async () => {
    const { page, faults } = await openPage(browser, shape);
    const check = async (/** @type {string} */ name) => {
      // A complete accessibility check takes seconds.
      if (ACROSS.includes(shape)) assert.deepEqual(await accessibilityFaults(page), [], name);
    };
    for (const { name, hash, wait } of VIEWS) {
      await visit(page, server.url, hash);
      await page.waitForSelector(wait, { state: "attached" });
      await check(name);
      assert.equal(await sideways(page), 0, `${name} scrolls sideways`);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), shape.scheme);
    }
    await visit(page, server.url, "#/play");
    await page.click("#new-game");
    await page.waitForSelector("dialog[open]");
    await check("new game");
    await page.keyboard.press("Escape");
    for (const key of ["s", "?"]) {
      await page.keyboard.press(key);
      await page.waitForSelector("dialog[open]");
      await check(key);
      await page.keyboard.press("Escape");
      await page.waitForSelector("dialog", { state: "detached" });
    }
    await visit(page, server.url, "#/analysis");
    await page.getByRole("button", { name: "Edit" }).click();
    await page.waitForSelector("#use-position:not(:disabled)");
    await check("editor");
    assert.equal(await sideways(page), 0, "editor");
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}

for (const [i, board] of ["stone", "paper", "contrast"].entries()) {
  const shape = SHAPES[(i + 1) % SHAPES.length];
  test(`boards of ${board} can be read, ${shape.name}`, async () => {
    const { page, faults } = await openPage(browser, shape);
    await page.addInitScript((chosen) => localStorage.setItem("kalahari.settings", JSON.stringify({ board: chosen })), board);
    for (const { name, hash, wait } of VIEWS.slice(0, 5)) {
      await visit(page, server.url, hash);
      await page.waitForSelector(wait, { state: "attached" });
      assert.deepEqual(await accessibilityFaults(page), [], name);
      assert.equal(await sideways(page), 0, name);
    }
    assert.equal(await page.evaluate(() => document.documentElement.dataset.board), board);
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}

// The theme changes no size.
for (const shape of SHAPES.filter((one) => one.scheme === "light")) {
  test(`every board fits, ${shape.name}`, async () => {
    const { page, faults } = await openPage(browser, shape);
    for (const game of BOARDS) {
      for (const view of ["play", "analysis"]) {
        await visit(page, server.url, `#/${view}?game=${game}`);
        await page.waitForSelector(".board svg");
        assert.equal(await sideways(page), 0, `${game} scrolls sideways`);
        const outside = await page.evaluate(() => {
          const board = document.querySelector(".board svg")?.getBoundingClientRect();
          if (!board) return ["no board"];
          return [...document.querySelectorAll(".board text, .board .bowl, .board .tile")]
            .filter((one) => one.textContent !== "" || one.tagName !== "text")
            .map((one) => ({ one, box: one.getBoundingClientRect() }))
            .filter(({ box }) => box.left < board.left - 1 || box.right > board.right + 1 || box.top < board.top - 1 || box.bottom > board.bottom + 1)
            .map(({ one }) => `${one.getAttribute("class")} ${one.textContent}`);
        });
        assert.deepEqual(outside, [], `${game} is cut off`);
      }
    }
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}

test("everything is visible at every width between a phone and a desktop", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  for (const { name, hash, wait } of VIEWS) {
    await visit(page, server.url, hash);
    await page.waitForSelector(wait, { state: "attached" });
    for (const width of [320, 600, 760, 761, 860, 861, 1000, 1001, 1020, 1021]) {
      await page.setViewportSize({ width, height: 700 });
      assert.equal(await sideways(page), 0, `${name} at ${width}`);
      const right = await page.evaluate(() => document.querySelector("#tools button:last-child")?.getBoundingClientRect().right ?? NaN);
      assert.ok(right <= width, `the tools of ${name} end at ${right} of ${width}`);
    }
  }
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("the strips of players are as wide as the board, and a long name does not move the button beside it", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  const box = async (/** @type {string} */ selector) => /** @type {{x: number, y: number, width: number, height: number}} */ (await page.locator(selector).first().boundingBox());
  for (const game of ["kalah:6x4:standard", "isolation:7x7:queen"]) {
    await visit(page, server.url, `#/play?game=${game}`);
    const [board, strip, name, button] = await Promise.all([".board svg", ".strip", ".game-name", "#new-game"].map(box));
    assert.ok(Math.abs(board.width - strip.width) < 2, `${game}: ${strip.width} for ${board.width}`);
    assert.ok(button.x > name.x + name.width - 1 && button.y < name.y + name.height, game);
  }
  await visit(page, server.url, "#/analysis?game=isolation:7x7:queen");
  assert.ok(Math.abs((await box(".board svg")).width - (await box(".evalbar")).width) < 2);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("a phone in landscape shows the whole board", async () => {
  const { page, faults } = await openPage(browser, { ...SHAPES[2], width: 844, height: 390 });
  for (const game of ["kalah:6x4:standard", "kalah:6x6:standard", "isolation:7x7:classic"]) {
    await visit(page, server.url, `#/play?game=${game}`);
    const bottom = await page.locator(".board svg").evaluate((one) => one.getBoundingClientRect().bottom);
    assert.ok(bottom <= 390, `${game} ends at ${bottom}`);
  }
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("settings need no scrolling on a desktop, and every match of the arena shows its games on a phone", async () => {
  const { page, faults } = await openPage(browser, { ...SHAPES[0], height: 800 });
  await visit(page, server.url, "#/play");
  await page.keyboard.press("s");
  await page.waitForSelector("dialog[open]");
  assert.equal(await page.locator("dialog").evaluate((one) => one.scrollHeight - one.clientHeight), 0);
  await page.context().close();
  if (BACKEND === "site") return;
  const { page: phone, faults: others } = await openPage(browser, SHAPES[2]);
  await visit(phone, server.url, "#/arena");
  await phone.waitForSelector(".matches button");
  for (const right of await phone.locator(".matches button").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))) assert.ok(right <= SHAPES[2].width, `${right}`);
  assert.deepEqual([...faults, ...others], []);
  await phone.context().close();
});

test("long names do not push anything aside", async () => {
  const name = "W".repeat(80);
  for (const shape of [SHAPES[0], SHAPES[2]]) {
    const { page, faults } = await openPage(browser, shape);
    for (const [view, shown] of [["review", ".figures"], ["analysis", ".ranked-move"]]) {
      await visit(page, server.url, `#/${view}?game=kalah:4x3:standard&moves=0.0&players=${name},${name}`);
      await page.waitForSelector(shown);
      assert.equal(await sideways(page), 0, view);
    }
    assert.deepEqual(faults, []);
    await page.context().close();
  }
});

test("a nonsense address shows an error message", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  await page.goto(`${server.url}/#/analysis?game=kalah:99x1&moves=a.b`);
  await ready(page, "failure");
  assert.match((await page.locator(".failure p").textContent()) ?? "", /no such game: kalah:99x1/);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole("link", { name: "To the game", exact: true }).click();
  await ready(page, "play");
  // Inherited properties of objects are not views.
  await page.goto(`${server.url}/#/constructor`);
  await page.waitForSelector(".pit.playable");
  assert.deepEqual(faults.filter((fault) => !/status of 4\d\d/.test(fault)), []);
  await page.context().close();
});
