// Views that are left while they wait for something, and moves that are tried during a review: no thought begins in a view that is
// closed, since it would take the place of what the next view thinks about, and nothing waits for ever.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SHAPES, openPage, ready, startBrowser, startServer, visit } from "./support.js";

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

/** A line whose last move is a blunder, and none of whose positions is proven at once. */
const LINE = "game=kalah:6x6:standard&moves=1.1.2.2.3.3.4.4.5";
const OTHER = "game=kalah:6x6:standard&moves=1.1.2.2";

/** A page whose requests are written down, and whose answers can be held back. */
async function slowPage() {
  const { page, faults } = await openPage(browser, SHAPES[0]);
  /** What was asked over the socket. @type {any[]} */
  const asked = [];
  /** Answers of the socket and of questions about lines that are held back, as long as there is a list. @type {{socket: (() => void)[] | null, lines: (() => void)[] | null}} */
  const held = { socket: null, lines: null };
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const answers = socket.connectToServer();
    socket.onMessage((message) => {
      asked.push(JSON.parse(String(message)));
      answers.send(message);
    });
    answers.onMessage((message) => (held.socket ? held.socket.push(() => socket.send(message)) : socket.send(message)));
  });
  await page.route(/\/api\/v1\/line$/, async (route) => {
    const { lines } = held;
    if (lines) await new Promise((resolve) => lines.push(() => resolve(null)));
    await route.continue();
  });
  const until = async (/** @type {() => boolean} */ wanted) => {
    for (let tries = 0; !wanted(); tries++) {
      assert.ok(tries < 400, JSON.stringify(asked));
      await page.waitForTimeout(50);
    }
  };
  const release = (/** @type {"socket" | "lines"} */ what) => {
    const late = held[what] ?? [];
    held[what] = null;
    for (const send of late) send();
  };
  /** Everything that was asked since it was forgotten last, without what was only stopped. */
  const kinds = () => asked.map((one) => one.type).filter((type) => type !== "stop");
  return { page, faults, asked, held, until, release, kinds };
}

/** Another view, by its address. @param {import("playwright-core").Page} page @param {string} hash */
const leaveFor = (page, hash) => page.evaluate((to) => void (location.hash = to), hash);

test("an analysis that is left while it looks at the whole game does not stop the review", async () => {
  const { page, faults, asked, held, until, release, kinds } = await slowPage();
  held.socket = [];
  await visit(page, server.url, `#/analysis?${OTHER}`);
  await until(() => asked.some((one) => one.type === "review" && one.limit));
  await page.keyboard.press("r");
  await until(() => asked.some((one) => one.type === "review" && !one.limit));
  release("socket");
  await page.waitForSelector(".figures");
  assert.deepEqual(kinds(), ["review", "review"]);
  // The same when the editor is opened: nothing is analysed behind it.
  asked.length = 0;
  held.socket = [];
  await visit(page, server.url, `#/analysis?${OTHER}`);
  await until(() => asked.some((one) => one.type === "review" && one.limit));
  await page.keyboard.press("e");
  await until(() => asked.some((one) => one.type === "stop"));
  release("socket");
  await page.waitForTimeout(500);
  assert.deepEqual(kinds(), ["review"]);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("a review that is left while a move is tried does not stop the analysis", async () => {
  const { page, faults, asked, held, until, kinds } = await slowPage();
  await visit(page, server.url, `#/review?${LINE}`);
  await page.waitForSelector(".figures");
  await page.locator(".try-again").first().click();
  held.lines = [];
  asked.length = 0;
  await page.locator(".pit.playable").first().click();
  await until(() => held.lines?.length === 1);
  const late = held.lines;
  held.lines = null;
  await leaveFor(page, `#/analysis?${OTHER}`);
  await until(() => asked.some((one) => one.type === "analyze"));
  late[0]();
  await page.waitForTimeout(500);
  assert.deepEqual(kinds(), ["review", "analyze"], "the look at the game, then its analysis");
  assert.equal(asked[0].line.moves.length, 4);
  assert.equal(await page.locator(".thinker.busy").count(), 1);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("an editor that is left does not take the next view's place", async () => {
  const { page, faults, asked, held, until, kinds } = await slowPage();
  await visit(page, server.url, `#/analysis?${OTHER}`);
  await page.keyboard.press("e");
  await page.waitForSelector("#editor:visible");
  held.lines = [];
  await page.getByRole("button", { name: "Use this position" }).click();
  await until(() => held.lines?.length === 1);
  const late = held.lines;
  held.lines = null;
  asked.length = 0;
  await leaveFor(page, "#/analysis?game=kalah:4x3:standard");
  await until(() => asked.some((one) => one.type === "analyze"));
  late[0]();
  await page.waitForTimeout(600);
  assert.deepEqual(kinds(), ["analyze"]);
  assert.match(page.url(), /kalah:4x3/);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("a game that is left asks nobody for a move", async () => {
  const { page, faults, asked, held, until, kinds } = await slowPage();
  await visit(page, server.url, "#/play?game=kalah:6x6:standard&moves=1&vs=level:1&side=1");
  held.lines = [];
  asked.length = 0;
  // The moves ahead are not known yet, so that a move has to be asked about.
  await page.locator(".pit.playable").nth(1).click();
  await page.waitForTimeout(200);
  const late = held.lines ?? [];
  held.lines = null;
  const moved = asked.length;
  await leaveFor(page, `#/analysis?${OTHER}`);
  await until(() => asked.slice(moved).some((one) => one.type === "analyze"));
  for (const send of late) send();
  await page.waitForTimeout(500);
  assert.ok(!kinds().slice(moved).includes("move"), JSON.stringify(asked));
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("the coach asks nothing in another view", async () => {
  const { page, faults, asked, held, until, release, kinds } = await slowPage();
  await page.addInitScript(() => localStorage.setItem("kalahari.settings", JSON.stringify({ coach: true })));
  await visit(page, server.url, "#/play?game=kalah:6x6:standard&moves=1.1.2.2.3.3.4.4&vs=level:1&side=0");
  held.socket = [];
  asked.length = 0;
  await page.locator('[data-house="5"]').click();
  await until(() => asked.some((one) => one.type === "review"));
  await leaveFor(page, "#/analysis?game=kalah:4x3:standard");
  await ready(page, "analysis");
  release("socket");
  await until(() => asked.some((one) => one.type === "analyze"));
  await page.waitForTimeout(300);
  assert.equal(await page.locator("dialog[open]").count(), 0);
  assert.ok(!kinds().includes("move"), JSON.stringify(asked));
  assert.deepEqual(faults, []);
  await page.context().close();
});

/** Tries the last move again, in the page itself, since a review does not wait. @param {import("playwright-core").Page} page @param {number} pit which one, counted from 0 */
const tryLast = (page, pit) => page.evaluate(async (which) => {
  const click = async (/** @type {string} */ wanted, /** @type {number} */ number) => {
    let found;
    while (!(found = document.querySelectorAll(wanted)[number])) await new Promise(requestAnimationFrame);
    found.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  };
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true }));
  await click(".remark-card button + button", 0);
  await click(".pit.playable", which);
}, pit);

test("moves that are tried again during a review do not end it", async () => {
  const { page, faults, asked, held, until, release } = await slowPage();
  await visit(page, server.url, `#/review?${LINE}`);
  await page.locator(".remark-card button + button").waitFor();
  // From now on the review can be as little finished as this test wants.
  held.socket = [];
  const tried = () => asked.filter((one) => one.type === "review" && one.line.moves.length === 1).length;
  await tryLast(page, 0);
  await until(() => tried() === 1);
  await tryLast(page, 1);
  await until(() => tried() === 2);
  release("socket");
  await page.getByRole("button", { name: "Back to the game" }).waitFor();
  const verdict = await page.locator(".remark-card").textContent();
  await page.waitForSelector(".figures");
  assert.equal(await page.locator(".remark-card").textContent(), verdict, "what is said about the move stays");
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("a step through the game ends an attempt, and one that fails can be repeated", async () => {
  const { page, faults, held, until, release } = await slowPage();
  await visit(page, server.url, `#/review?${LINE}`);
  await page.waitForSelector(".figures");
  await page.locator(".try-again").first().click();
  held.lines = [];
  await page.locator(".pit.playable").first().click();
  await until(() => held.lines?.length === 1);
  await page.keyboard.press("Home");
  const shown = async () => [await page.locator(".remark-card").textContent(), ...(await page.locator(".board .count").allTextContents())];
  const start = await shown();
  release("lines");
  await page.waitForTimeout(500);
  assert.deepEqual(await shown(), start);
  // The server does not answer once.
  await page.locator(".try-again").first().click();
  await page.route(/\/api\/v1\/line$/, (route) => route.abort(), { times: 1 });
  await page.locator(".pit.playable").first().click();
  await page.waitForSelector(".pit.playable");
  await page.locator(".pit.playable").first().click();
  await page.getByRole("button", { name: "Back to the game" }).waitFor();
  assert.deepEqual(faults.filter((fault) => !fault.includes("ERR_FAILED")), []);
  await page.context().close();
});

test("a threat that is asked for twice has one answer", async () => {
  const { page, faults, asked, until } = await slowPage();
  await visit(page, server.url, `#/analysis?${LINE}`);
  await until(() => asked.some((one) => one.type === "analyze"));
  await page.evaluate(() => {
    /** @type {any} */ (window).seen = [];
    new MutationObserver(() => /** @type {any} */ (window).seen.push(document.querySelector(".toast")?.textContent ?? "")).observe(document.body, { subtree: true, childList: true });
  });
  await page.keyboard.press("t");
  await until(() => asked.filter((one) => one.type === "hint").length === 1);
  await page.keyboard.press("t");
  await until(() => asked.filter((one) => one.type === "hint").length === 2);
  await page.waitForFunction(() => /** @type {any} */ (window).seen.some((/** @type {string} */ text) => text));
  assert.ok(!(await page.evaluate(() => /** @type {any} */ (window).seen.join("|"))).includes("Nothing can be threatened"));
  assert.deepEqual(faults, []);
  await page.context().close();
});
