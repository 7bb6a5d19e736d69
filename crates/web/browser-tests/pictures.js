// Takes pictures of every view on every board, in every language, at two sizes: `node pictures.js FOLDER [PART OF A NAME]`. Prints which
// texts are cut off. Needs KALAHARI and CHROMIUM, as the tests do.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BOARDS, cutOff, openPage, program, sideways, startBrowser, startServer, visit } from "./tests/support.js";

const [folder = "pictures", part = ""] = process.argv.slice(2);
const VIEWS = [
  { view: "play", hash: "#/play?game=kalah:6x4:standard&moves=2&vs=level:1&side=0", wait: ".pit.playable", key: "h" },
  { view: "isolation", hash: "#/play?game=isolation:7x7:queen&moves=d4.c3&vs=level:1&side=0", wait: ".cell.playable", key: "" },
  { view: "end", hash: "#/play?game=kalah:3x3:standard&start=0,0,0,10,0,0,0,8,0", wait: ".end-card", key: "" },
  { view: "analysis", hash: "#/analysis?game=kalah:6x4:standard&moves=2.5.1.3&players=you,level:3", wait: ".chip text", key: "" },
  { view: "analysis2", hash: "#/analysis?game=isolation:7x7:classic", wait: ".chip text", key: "" },
  { view: "editor", hash: "#/analysis?game=kalah:6x4:standard&moves=2", wait: ".chip text", key: "e" },
  { view: "review", hash: "#/review?game=kalah:4x3:standard&moves=0.0.1.1.3.0&players=you,level:1", wait: ".figures", key: "" },
  { view: "puzzles", hash: "#/puzzles", wait: ".puzzle-link", key: "" },
  { view: "arena", hash: "#/arena", wait: ".standings", key: "" },
  { view: "newgame", hash: "#/play?game=kalah:6x4:standard", wait: ".pit.playable", key: "n" },
  { view: "settings", hash: "#/play?game=kalah:6x4:standard", wait: ".pit.playable", key: "s" },
  { view: "keys", hash: "#/play?game=kalah:6x4:standard", wait: ".pit.playable", key: "?" },
];

mkdirSync(folder, { recursive: true });
const kept = mkdtempSync(join(tmpdir(), "kalahari-"));
const store = join(kept, "games.db");
execFileSync(program, ["tournament", "level:0", "level:1", "level:2", "--game", "kalah:4x3", "--games", "4", "--db", store], { stdio: "ignore" });
const server = await startServer("--host", "127.0.0.2", "--keep", join(kept, "hosting.json"), "--db", store);
const post = async (/** @type {string} */ path, /** @type {object} */ body) =>
  (await fetch(`${server.url}/api/v1/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })).json();
/** Rooms: one with a free seat, and one in which a player has resigned. */
const wanted = { game: "kalah:6x4:standard", name: "Ada", clock: { minutes: 5, increment: 0 }, side: "first" };
const waiting = await post("rooms", wanted);
const ended = await post("rooms", wanted);
const { room } = ended.view;
await post(`rooms/${room}/seat`, { name: "Maximiliane von Hohenstein" });
await post(`rooms/${room}/move`, { seat: ended.seat, round: 1, ply: 0, move: "2" });
await post(`rooms/${room}/deed`, { seat: ended.seat, round: 1, deed: "resign" });
VIEWS.push({ view: "seat", hash: `#/room?id=${waiting.view.room}`, wait: "#sit", key: "" }, { view: "room", hash: `#/room?id=${room}`, wait: ".end-card", key: "" });
const browser = await startBrowser();
for (const board of BOARDS) {
  for (const language of ["en", "zh-Hant", "de"]) {
    for (const [size, width, height] of /** @type {[string, number, number][]} */ ([["desk", 1280, 800], ["phone", 360, 780]])) {
      const scheme = (BOARDS.indexOf(board) + (size === "desk" ? 0 : 1)) % 2 ? "dark" : "light";
      const named = VIEWS.map((one) => ({ ...one, name: `${one.view}-${board}-${scheme}-${language}-${size}` })).filter(({ name }) => name.includes(part));
      if (!named.length) continue;
      const { page, faults } = await openPage(browser, { name: "", width, height, scheme });
      await page.addInitScript((chosen) => localStorage.setItem("kalahari.settings", JSON.stringify(chosen)), { language, board });
      for (const { name, hash, wait, key } of named) {
        await visit(page, server.url, hash);
        await page.waitForSelector(wait, { state: "attached" });
        if (key) await page.keyboard.press(key);
        await page.waitForTimeout(700);
        await page.screenshot({ path: `${folder}/${name}.png`, fullPage: size === "phone" });
        const found = [...(await cutOff(page)), ...faults.splice(0)];
        if (await sideways(page)) found.push("wider than the screen");
        for (const fault of found) console.log(`${name}: ${fault}`);
      }
      await page.context().close();
    }
  }
}
await browser.close();
await server.stop();
rmSync(kept, { recursive: true });
