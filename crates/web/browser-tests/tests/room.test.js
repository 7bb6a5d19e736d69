// Two people at two devices, by an invitation: one loses the connection twice, and the server is restarted once.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { BACKEND, SHAPES, accessibilityFaults, openPage, ready, sideways, startBrowser, startServer, visit } from "./support.js";

/** @typedef {import("playwright-core").Page} Page */

const skip = BACKEND === "site" && "there is no server";
/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
/** @type {import("playwright-core").Browser} */
let browser;
const folder = mkdtempSync(join(tmpdir(), "kalahari-"));
const hosting = ["--host", "127.0.0.2", "--keep", join(folder, "hosting.json")];
before(async () => {
  if (skip) return;
  server = await startServer(...hosting);
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true });
});

/** @param {Page} page */
const position = (page) => page.locator(".stage").getAttribute("data-position");

/**
 * Waits until all pages show the same position.
 * @param {Page[]} pages
 * @param {string | null} not
 */
async function agree(pages, not) {
  const [first, ...others] = pages;
  await first.waitForFunction((old) => document.querySelector(".stage")?.getAttribute("data-position") !== old, not);
  const now = await position(first);
  for (const page of others) await page.waitForFunction((wanted) => document.querySelector(".stage")?.getAttribute("data-position") === wanted, now);
}

/**
 * The page whose user is to move.
 * @param {Page[]} pages
 */
async function mover(pages) {
  await Promise.race(pages.map((page) => page.waitForSelector(".pit.playable", { state: "attached" })));
  for (const page of pages) if (await page.locator(".pit.playable").count()) return page;
  throw new Error("no user is to move");
}

/** Ordinary complaints of a browser without a network. @param {string[]} faults */
const unexpected = (faults) => faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|WebSocket connection|status of 409/.test(fault));

test("two people play by an invitation, through two lost connections and a restart", { skip }, async () => {
  const { page: ada, faults: adasFaults } = await openPage(browser, SHAPES[0]);
  await visit(ada, server.url, "#/play");
  await ada.keyboard.press("n");
  await ada.getByRole("slider", { name: "Pits per side" }).fill("3");
  await ada.getByRole("slider", { name: "Seeds per pit" }).fill("3");
  await ada.getByRole("radio", { name: "A friend elsewhere" }).check();
  await ada.fill("#own-name", "Ada");
  await ada.getByRole("radio", { name: "15 min + 10 s" }).check();
  await ada.click("#start");
  await ready(ada, "room");
  const link = await ada.locator(".invitation .link").inputValue();
  assert.match(link, /^http:\/\/127\.0\.0\.2:\d+\/invite\/[a-z2-9]{26}#\/room\?id=[a-z2-9]{12}$/);
  assert.ok(link.startsWith(server.invitation), "the same invitation as in the terminal");
  await ada.waitForSelector("svg.code path");
  assert.deepEqual(await accessibilityFaults(ada), []);

  const { page: bob, faults: bobsFaults } = await openPage(browser, SHAPES[2]);
  await bob.goto(link);
  await ready(bob, "room");
  assert.ok(!bob.url().includes("invite"), "the secret is not in the address any more");
  await bob.fill("#own-name", "Bob");
  assert.deepEqual(await accessibilityFaults(bob), []);
  assert.equal(await sideways(bob), 0);
  await bob.click("#sit");
  await ada.waitForSelector(".pit.playable");
  assert.match(await ada.locator(".strip.p1").innerText(), /Bob/);
  assert.match(await bob.locator(".strip.p0").innerText(), /Ada/);

  // A spectator uses the same link.
  const { page: eve, faults: evesFaults } = await openPage(browser, SHAPES[1]);
  await eve.goto(link);
  await ready(eve, "room");
  await ada.getByText("1 person is watching").waitFor();

  let moves = 0;
  const play = async () => {
    const before = await position(ada);
    const page = await mover([ada, bob]);
    await page.locator(".pit.playable").first().click();
    await agree([ada, bob, eve], before);
    assert.ok(++moves < 100, "the game ends");
    return page;
  };
  const bobsTurn = async () => {
    while ((await mover([ada, bob])) !== bob) await play();
  };

  // The network is lost, and a move chosen meanwhile is played when it is back.
  await bobsTurn();
  await bob.context().setOffline(true);
  await bob.waitForSelector(".connection:not([hidden])");
  await ada.getByText("not connected").waitFor();
  const before = await position(ada);
  await bob.locator(".pit.playable").first().click();
  await bob.context().setOffline(false);
  await agree([ada, bob, eve], before);
  moves++;
  await bob.waitForSelector(".connection", { state: "hidden" });

  // It is lost again, and the other player moves meanwhile.
  while ((await mover([ada, bob])) !== ada) await play();
  await bob.context().setOffline(true);
  await bob.waitForSelector(".connection:not([hidden])");
  const earlier = await position(ada);
  await ada.locator(".pit.playable").first().click();
  await agree([ada, eve], earlier);
  assert.equal(await position(bob), earlier);
  await bob.context().setOffline(false);
  await agree([ada, bob, eve], earlier);
  moves++;

  // The server is restarted.
  const port = new URL(server.url).port;
  await server.stop();
  for (const page of [ada, bob, eve]) await page.waitForSelector(".connection:not([hidden])");
  server = await startServer(...hosting, "--port", port);
  for (const page of [ada, bob, eve]) await page.waitForSelector(".connection", { state: "hidden" });
  const after = await position(ada);
  assert.equal(await position(bob), after);

  // A takeback is asked for, and declined or accepted.
  const asker = await play();
  const other = asker === ada ? bob : ada;
  if (await other.locator(".pit.playable").count() || await asker.locator(".pit.playable").count()) {
    await asker.getByRole("button", { name: "Take back" }).click();
    await other.getByRole("button", { name: "Decline" }).click();
    await asker.getByText("declines: your move stays").waitFor();
    await asker.getByRole("button", { name: "Take back" }).click();
    await other.getByRole("button", { name: "Accept" }).click();
    for (const page of [ada, bob, eve]) await page.waitForFunction((wanted) => document.querySelector(".stage")?.getAttribute("data-position") === wanted, after);
  }

  // The game is played to its end, then a rematch with the sides changed.
  while (!(await ada.locator(".end-card:not([hidden])").count())) await play();
  for (const page of [ada, bob, eve]) await page.waitForSelector(".end-card:not([hidden])");
  assert.deepEqual(await accessibilityFaults(bob), []);
  assert.equal(await sideways(bob), 0);
  await bob.click("#rematch");
  await ada.getByRole("button", { name: "Accept" }).click();
  await bob.waitForSelector(".pit.playable");
  assert.match(await ada.locator(".strip.p0").innerText(), /Bob/);
  assert.deepEqual([...unexpected(adasFaults), ...unexpected(bobsFaults), ...unexpected(evesFaults)], []);
  for (const page of [ada, bob, eve]) await page.context().close();
});

test("without the invitation nothing is shown, and invited people see no arena", { skip }, async () => {
  const { page } = await openPage(browser, SHAPES[2]);
  const [, address] = /^(http:\/\/[^/]+)/.exec(server.invitation) ?? [];
  const refused = await page.goto(`${address}/`);
  assert.equal(refused?.status(), 401);
  assert.match(await page.locator("main").innerText(), /invitation/);
  assert.equal(await page.locator("script").count(), 0);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.goto(server.invitation);
  await ready(page, "play");
  await page.waitForSelector('a[href="#/arena"]', { state: "detached" });
  assert.equal(await sideways(page), 0);
  // A guest who types the address reads the reason, and sees no commands for the owner.
  await page.evaluate(() => (location.hash = "#/arena"));
  await ready(page, "arena");
  assert.match(await page.locator(".arena .card").innerText(), /not for guests/);
  assert.equal(await page.locator(".command").count(), 0);
  // The page's own invitation.
  await page.getByRole("button", { name: "Invite others" }).click();
  assert.equal(await page.locator(".invitation .link").inputValue(), server.invitation);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.context().close();
});
