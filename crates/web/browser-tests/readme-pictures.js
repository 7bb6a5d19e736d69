// Takes the pictures of the README: `KALAHARI=target/release/kalahari node readme-pictures.js`. Writes docs/img/*.webp, and with PNG=FOLDER the same
// pictures as PNG, to look at.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPage, program, startBrowser, startServer, visit } from "./tests/support.js";

const folder = fileURLToPath(new URL("../../../docs/img/", import.meta.url));

/** The moves of a whole game between two levels, for the review. */
function wholeGame() {
  const kept = mkdtempSync(join(tmpdir(), "kalahari-"));
  const store = join(kept, "games.db");
  const options = ["--game", "kalah:6x4", "--games", "2", "--openings", "start", "--db", store];
  execFileSync(program, ["match", "level:4", "level:2", ...options], { stdio: "ignore" });
  const records = execFileSync(program, ["records", "export", "--db", store, "--format", "json"], { encoding: "utf8" });
  rmSync(kept, { recursive: true });
  /** @type {{ moves: string[] }} */
  const first = JSON.parse(records.split("\n")[0] ?? "");
  return first.moves.join(".");
}

const VIEWS = [
  { name: "analysis", hash: "#/analysis?game=kalah:6x4:standard&moves=2.5.1.3", wait: ".chip text", click: "" },
  { name: "play", hash: "#/play?game=kalah:6x4:standard&moves=2.5.1.3&vs=level:3&side=0", wait: ".pit.playable", click: "" },
  { name: "review", hash: `#/review?game=kalah:6x4:standard&moves=${wholeGame()}&players=level:4,level:2`, wait: ".figures", click: "text=Show" },
  { name: "isolation", hash: "#/analysis?game=isolation:7x7:queen&moves=d4.c3.d6.c5", wait: ".chip text", click: "" },
  { name: "puzzles", hash: "#/puzzles", wait: ".puzzle-link", click: ".puzzle-link" },
];

const server = await startServer();
const browser = await startBrowser();
const { page } = await openPage(browser, { name: "", width: 1280, height: 800, scheme: "light" });
// The browser itself makes WebP of its screenshots.
const blank = await browser.newPage();
for (const { name, hash, wait, click } of VIEWS) {
  await visit(page, server.url, hash);
  await page.waitForSelector(wait, { state: "attached" });
  if (click) await page.locator(click).first().click();
  await page.waitForTimeout(3000);
  const png = (await page.screenshot()).toString("base64");
  const webp = await blank.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.85);
  }, png);
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(webp.split(",")[1] ?? "", "base64"));
  if (process.env.PNG) writeFileSync(join(process.env.PNG, `${name}.png`), Buffer.from(png, "base64"));
  console.log(name);
}
await browser.close();
await server.stop();
