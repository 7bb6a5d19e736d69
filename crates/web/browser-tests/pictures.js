// Pictures of every view on every board, in two languages, at two sizes: `node pictures.js FOLDER [PART OF A NAME]`.
// Needs KALAHARI and CHROMIUM, as the tests do.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BOARDS, openPage, startBrowser, startServer, visit } from "./tests/support.js";

const [folder = "pictures", part = ""] = process.argv.slice(2);
const VIEWS = [
  { view: "play", hash: "#/play?game=kalah:6x4:standard&moves=2&vs=level:1&side=0", wait: ".pit.playable", key: "h" },
  { view: "isolation", hash: "#/play?game=isolation:7x7:queen&moves=d4.c3&vs=level:1&side=0", wait: ".cell.playable", key: "" },
  { view: "analysis", hash: "#/analysis?game=kalah:6x4:standard&moves=2.5.1.3&players=you,level:3", wait: ".chip text", key: "" },
  { view: "review", hash: "#/review?game=kalah:4x3:standard&moves=0.0.1.1.3.0&players=you,level:1", wait: ".figures", key: "" },
  { view: "puzzles", hash: "#/puzzles", wait: ".puzzle-link", key: "" },
  { view: "arena", hash: "#/arena", wait: "h2", key: "" },
  { view: "newgame", hash: "#/play", wait: ".pit.playable", key: "n" },
  { view: "settings", hash: "#/play", wait: ".pit.playable", key: "s" },
];

mkdirSync(folder, { recursive: true });
const kept = mkdtempSync(join(tmpdir(), "kalahari-"));
const server = await startServer("--host", "127.0.0.2", "--keep", join(kept, "hosting.json"));
/** A room with a free seat. */
const { view } = await (await fetch(`${server.url}/api/v1/rooms`, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ game: "kalah:6x4:standard", name: "Ada", clock: { minutes: 5, increment: 0 } }),
})).json();
VIEWS.push({ view: "seat", hash: `#/room?id=${view.room}`, wait: "#sit", key: "" });
const browser = await startBrowser();
for (const board of BOARDS) {
  for (const language of ["en", "zh-Hant"]) {
    for (const [size, width, height] of /** @type {[string, number, number][]} */ ([["desk", 1280, 800], ["phone", 390, 844]])) {
      const scheme = (BOARDS.indexOf(board) + (size === "desk" ? 0 : 1)) % 2 ? "dark" : "light";
      const { page } = await openPage(browser, { name: "", width, height, scheme });
      await page.addInitScript((chosen) => localStorage.setItem("kalahari.settings", JSON.stringify(chosen)), { language, board });
      for (const { view, hash, wait, key } of VIEWS) {
        const name = `${view}-${board}-${scheme}-${language}-${size}`;
        if (!name.includes(part)) continue;
        await visit(page, server.url, hash);
        await page.waitForSelector(wait, { state: "attached" });
        if (key) await page.keyboard.press(key);
        await page.waitForTimeout(900);
        await page.screenshot({ path: `${folder}/${name}.png` });
      }
      await page.context().close();
    }
  }
}
await browser.close();
await server.stop();
rmSync(kept, { recursive: true });
