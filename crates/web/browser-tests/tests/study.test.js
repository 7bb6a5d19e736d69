// Analysis, review, puzzles, the board editor and links.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ACROSS, CROSSED, SHAPES, openPage, ready, sideways, startBackend, startBrowser, startServer, visit } from "./support.js";

/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
/** @type {import("playwright-core").Browser} */
let browser;
/** A server that knows the solutions, whether or not the page has one. @type {Awaited<ReturnType<typeof startServer>>} */
let knowing;
before(async () => {
  server = await startBackend();
  knowing = await startServer();
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
  await server.stop();
  await knowing.stop();
});

const GAME = "#/analysis?game=kalah:4x3:standard&moves=1.0.3.2";

for (const shape of ACROSS) {
  test(`analyse, branch, copy the link and open it, ${shape.name}`, async () => {
    const { page, faults } = await openPage(browser, shape);
    await visit(page, server.url, "#/analysis?game=kalah:4x3:standard");
    await page.waitForSelector(".chip text");
    const legal = await page.locator(".pit.playable").count();
    await page.waitForFunction((count) => document.querySelectorAll(".chip text").length === count, legal);
    await page.waitForSelector(".pv .move");
    assert.match(await page.locator(".facts").innerText(), /depth \d+ .* nodes .*\/s/);
    // A small game is solved during the test: every value is proven.
    await page.waitForSelector(".thinker .value .badge");
    // The best line can be played by clicking.
    await page.locator(".pv .move").nth(1).click();
    await page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 2);
    // One step back and another move make a branch.
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    const best = await page.locator(".moves .move").first().textContent();
    await page.waitForSelector(".chip text");
    for (const name of await page.locator(".pit.playable").evaluateAll((all) => all.map((one) => String(Number(one.getAttribute("data-pit")) + 1)))) {
      if (best?.startsWith(name)) continue;
      await page.keyboard.press(name);
      break;
    }
    await page.waitForSelector(".branch .move");
    // The whole game, its curve and its link.
    await visit(page, server.url, GAME);
    await page.waitForSelector(".graph .curve[d^='M']", { state: "attached" });
    const box = await page.locator(".graph").boundingBox();
    assert.ok(box);
    await page.locator(".graph").click({ position: { x: box.width / 2, y: box.height / 2 } });
    await page.waitForFunction(() => location.hash.includes("ply=2"));
    await page.keyboard.press("l");
    await page.waitForSelector(".toast.on");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /game=kalah:4x3:standard&moves=1\.0\.3\.2&ply=2$/);
    const shown = await page.locator(".count").allTextContents();
    const other = await openPage(browser, shape);
    await other.page.goto(link);
    await ready(other.page, "analysis");
    assert.deepEqual(await other.page.locator(".count").allTextContents(), shown);
    assert.equal(await sideways(page), 0);
    // Play from this position.
    await page.getByRole("button", { name: "Play on" }).click();
    await ready(page, "play");
    assert.equal(await page.locator(".moves .move").count() >= 2, true);
    assert.deepEqual([...faults, ...other.faults], []);
    await other.page.context().close();
    await page.context().close();
  });
}

for (const shape of CROSSED) {
  test(`edit a board, paste a position, ${shape.name}`, async () => {
    const { page, faults } = await openPage(browser, shape);
    await visit(page, server.url, "#/analysis?game=kalah:6x4:standard");
    await page.keyboard.press("e");
    await page.waitForSelector("#use-position");
    await page.locator('#editor [data-house="0"]').click();
    assert.equal(await page.locator('#editor [data-of="0"] .count').textContent(), "5");
    await page.getByLabel("Second pit 4").fill("9");
    await page.locator('input[name="mover"][value="1"]').check();
    await page.locator("#use-position").click();
    await page.waitForFunction(() => location.hash.includes("start=5,4,4,4,4,4,0,4,4,4,9,4,4,0,1"));
    // The server refuses an invalid position and says why.
    await page.getByRole("button", { name: "Paste" }).click();
    await page.fill("#paste-text", "4 4 4");
    await page.click("#paste-read");
    await page.waitForFunction(() => (document.querySelector("dialog .problem")?.textContent ?? "").length > 10);
    await page.fill("#paste-text", "<3,1,2,3,0,1,2,2,2>");
    await page.click("#paste-read");
    await page.waitForSelector("dialog", { state: "detached" });
    await page.waitForFunction(() => document.querySelectorAll(".pit").length === 6);
    assert.deepEqual((await page.locator(".count").allTextContents()).slice(0, 4), ["3", "0", "1", "1"]);
    // Isolation: block a cell.
    await visit(page, server.url, "#/analysis?game=isolation:5x5:trail");
    await page.keyboard.press("e");
    await page.waitForSelector("#use-position");
    await page.locator('#editor [data-cell="c3"]').click();
    await page.locator("#use-position").click();
    await page.waitForFunction(() => document.querySelector('[data-cell="c3"]')?.getAttribute("data-kind") === "#");
    assert.equal(await sideways(page), 0);
    // A refused setup is an answer of the server that browsers report as a failed request.
    assert.deepEqual(faults.filter((fault) => !/status of 4(00|22)/.test(fault)), []);
    await page.context().close();
  });
}

test("a finished game is exported as a record, and the record is pasted", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  await visit(page, server.url, "#/analysis?game=kalah:1x1:standard&moves=0");
  await page.getByRole("button", { name: "Export" }).click();
  const record = await page.getByLabel("Game record").inputValue();
  assert.match(record, /^kalahari-record 1\nGame: kalah:1x1:standard\n/);
  await page.keyboard.press("Escape");
  await visit(page, server.url, "#/analysis?game=kalah:6x4:standard");
  await page.getByRole("button", { name: "Paste" }).click();
  await page.fill("#paste-text", record.replace("First: First", "First: Ada"));
  await page.click("#paste-read");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.waitForFunction(() => document.querySelectorAll(".pit").length === 2);
  assert.equal(await page.locator(".moves .move").count(), 1);
  // A link of this page can be pasted, too.
  await page.getByRole("button", { name: "Paste" }).click();
  await page.fill("#paste-text", `${server.url}/#/analysis?game=kalah:4x3:standard&moves=0.0`);
  await page.click("#paste-read");
  await page.waitForFunction(() => document.querySelectorAll(".pit").length === 8 && document.querySelectorAll(".moves .move").length === 2);
  assert.deepEqual(faults, []);
  await page.context().close();
});

for (const shape of ACROSS) {
  test(`review a game and try again, ${shape.name}`, async () => {
    const { page, faults } = await openPage(browser, shape);
    await visit(page, server.url, "#/review?game=kalah:4x3:standard&moves=0.0.1.1.3.0");
    await page.waitForSelector(".figures");
    assert.equal(await page.locator(".moves .move").count(), 6);
    const judged = await page.locator(".moves .move").evaluateAll((all) => all.filter((one) => /j-/.test(one.className)).length);
    assert.equal(judged, 6, "every move is judged");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector(".remark-card .badge");
    const again = page.getByRole("button", { name: "Try again" }).first();
    await again.click();
    await page.waitForSelector(".pit.playable");
    await page.locator(".pit.playable").first().click();
    await page.waitForFunction(() => /That is it|Better|Not better/.test(document.querySelector(".remark-card")?.textContent ?? ""));
    assert.equal(await sideways(page), 0);
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}

for (const shape of CROSSED) {
  test(`solve a puzzle, ${shape.name}`, async () => {
    const { page, faults } = await openPage(browser, shape);
    await visit(page, server.url, "#/puzzles");
    const { puzzles } = /** @type {any} */ (await (await fetch(`${knowing.url}/api/v1/puzzles`)).json());
    for (const kind of ["kalah", "isolation"]) {
      const id = puzzles.find((/** @type {any} */ one) => one.game.startsWith(kind) && !one.game.includes("classic")).id;
      await visit(page, server.url, `#/puzzles?id=${id}`);
      await page.waitForFunction((wanted) => document.querySelector("h1")?.textContent?.includes(wanted), id);
      const choose = async (/** @type {string} */ move) => {
        await page.waitForSelector(".playable");
        await page.locator(kind === "kalah" ? `.pit.playable[data-pit="${move}"]` : `.cell.playable[data-cell="${move}"]`).click();
      };
      const tried = async (/** @type {string[]} */ moves, query = "") => {
        const answer = await fetch(`${knowing.url}/api/v1/puzzles/${id}/try${query}`, {
          method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ moves }),
        });
        return /** @type {any} */ (await answer.json());
      };
      const solution = async (/** @type {string[]} */ moves) => /** @type {string[]} */ ((await tried(moves, "?solution=true")).solution);
      // First a wrong move, which is refuted and taken back.
      const right = (await solution([]))[0];
      await page.waitForSelector(".playable");
      const wrong = await page.evaluate(({ kind, right }) => {
        const all = [...document.querySelectorAll(".playable")].map((one) => (kind === "kalah" ? one.getAttribute("data-pit") : one.getAttribute("data-cell")));
        return all.find((one) => one !== right);
      }, { kind, right });
      assert.ok(wrong);
      await choose(wrong);
      await page.waitForSelector(".badge-line.bad");
      await page.click("#retry");
      // Then the right ones, until it is solved.
      for (let moves = /** @type {string[]} */ ([]), verdict = ""; verdict !== "solved"; ) {
        const right = (await solution(moves))[moves.length];
        const known = await page.locator(".badge-line.good").count();
        await choose(right);
        ({ moves, verdict } = await tried([...moves, right]));
        assert.notEqual(verdict, "wrong");
        if (known === 0) await page.waitForSelector(".badge-line.good");
      }
      await page.waitForSelector(".puzzle-link.helped");
    }
    assert.equal(await sideways(page), 0);
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}
