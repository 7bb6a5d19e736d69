// Every text on the page exists in all languages.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { BOARDS, LONG, SHAPES, cutOff, openPage, ready, sideways, startBrowser, startServer, visit } from "./support.js";

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

/**
 * Every text that is shown or read aloud and does not come from the catalogue. In the language “qps”, texts of the catalogue stand in
 * brackets.
 * @param {Page} page
 */
function unmarked(page) {
  return page.evaluate(() => {
    const strip = (/** @type {string} */ text) => {
      let before = "";
      while (before !== text) {
        before = text;
        text = text.replace(/⟦[^⟦⟧]*⟧/g, "");
      }
      return text;
    };
    const said = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      // A figure in larger type is part of its sentence.
      const whole = node.parentElement?.closest(".score") ?? node;
      if (!node.parentElement?.closest("kbd, pre, code, noscript, script, .brand, textarea")) said.push(whole.textContent ?? "");
    }
    for (const element of document.body.querySelectorAll("[aria-label], [title], [alt]")) {
      for (const name of ["aria-label", "title", "alt"]) said.push(element.getAttribute(name) ?? "");
    }
    const known = /English|Deutsch|繁體中文|\b[ki]\d{3}\b/g;
    return [...new Set(said.filter((text) => /\p{L}{3}/u.test(strip(text).replace(known, ""))))];
  });
}

test("every sentence comes from the catalogue", async () => {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  await page.addInitScript(() => localStorage.setItem("kalahari.settings", JSON.stringify({ language: "qps" })));
  const check = async (/** @type {string} */ name) => assert.deepEqual(await unmarked(page), [], name);
  await visit(page, server.url, "#/play?game=kalah:6x4:standard&moves=2&vs=level:1&side=0");
  await page.waitForSelector(".pit.playable");
  await check("play");
  await page.keyboard.press("h");
  await page.waitForSelector(".advice .icon");
  await page.waitForFunction(() => document.querySelector(".arrow.best"));
  await check("a hint");
  await page.keyboard.press("n");
  await page.waitForSelector("dialog[open]");
  await check("new game");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await check("help");
  await page.keyboard.press("Escape");
  await page.keyboard.press("s");
  await check("settings");
  await page.keyboard.press("Escape");
  await visit(page, server.url, "#/analysis?game=kalah:4x3:standard&moves=1.0.3.2");
  await page.waitForSelector(".thinker .value .badge");
  await check("analysis");
  await page.getByRole("button", { name: "⟦Export⟧" }).click();
  await page.waitForSelector("dialog[open] textarea");
  await check("export");
  await page.keyboard.press("Escape");
  await page.keyboard.press("e");
  await page.waitForSelector("#use-position:not(:disabled)");
  await check("editor");
  await visit(page, server.url, "#/analysis?game=isolation:5x5:classic");
  await page.waitForSelector(".chip text");
  await check("analysis of Isolation");
  await visit(page, server.url, "#/review?game=kalah:4x3:standard&moves=0.0.1.1.3.0");
  await page.waitForSelector(".figures");
  await check("review");
  await visit(page, server.url, "#/puzzles");
  await page.waitForSelector(".puzzle-link");
  await page.getByRole("button", { name: "⟦Show the solution⟧" }).click();
  await page.waitForSelector(".pointed");
  await check("puzzles");
  await visit(page, server.url, "#/arena");
  await check("arena");
  await page.goto(`${server.url}/#/analysis?game=kalah:99x1`);
  await ready(page, "failure");
  assert.deepEqual((await unmarked(page)), [], "failure");
  assert.deepEqual(faults.filter((fault) => !/status of 4\d\d/.test(fault)), []);
  await page.context().close();
});

test("the browser chooses the language, and the user changes it", async () => {
  const context = await browser.newContext({ locale: "zh-TW", viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  await page.goto(`${server.url}/#/play`);
  await ready(page, "play");
  assert.equal(await page.evaluate(() => document.documentElement.lang), "zh-Hant");
  assert.match((await page.locator(".status").textContent()) ?? "", /輪到你了/);
  await page.keyboard.press("s");
  await page.locator('input[name="set-language"][value="de"]').click();
  await page.waitForFunction(() => document.documentElement.lang === "de");
  await ready(page, "play");
  assert.match((await page.locator(".status").textContent()) ?? "", /Du bist am Zug/);
  await page.reload();
  await ready(page, "play");
  assert.equal(await page.evaluate(() => document.documentElement.lang), "de", "the choice is kept");
  await context.close();
});

/** Each language at each size with one of the boards; with --long all combinations. */
const COMBINATIONS = ["zh-Hant", "de", "en"].flatMap((language, i) => SHAPES.flatMap((shape, j) => BOARDS.map((board, k) => ({ language, shape, board, some: language !== "en" && k === (2 * i + j + 1) % 4 && (i + j) % 2 === 0 }))))
  .filter(({ some }) => LONG || some);

for (const { language, shape, board } of COMBINATIONS) {
  test(`play, analysis, review and puzzles in ${language}, ${shape.name}, ${board}`, async () => {
    const { page, faults } = await openPage(browser, shape);
    await page.addInitScript((chosen) => localStorage.setItem("kalahari.settings", JSON.stringify(chosen)), { language, board });
    const whole = async (/** @type {string} */ name) => {
      assert.equal(await sideways(page), 0, name);
      assert.deepEqual(await cutOff(page), [], name);
    };
    await visit(page, server.url, "#/play?game=kalah:4x3:standard&vs=level:1&side=0");
    await page.locator(".pit.playable").first().click();
    await page.waitForFunction(() => document.querySelectorAll(".moves .move").length >= 2);
    await whole("play");
    await page.keyboard.press("a");
    await ready(page, "analysis");
    await page.waitForSelector(".thinker .value .badge");
    await whole("analysis");
    await page.keyboard.press("r");
    await ready(page, "review");
    await page.waitForSelector(".figures");
    await whole("review");
    await visit(page, server.url, "#/puzzles");
    await page.waitForSelector(".puzzle-link");
    await whole("puzzles");
    const text = await page.evaluate(() => document.body.innerText);
    if (language !== "en") assert.doesNotMatch(text, /\b(the|move|player|puzzle)\b/i, "some English text is left");
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}
