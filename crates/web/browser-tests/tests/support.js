// What every browser test needs: its own server, a browser, and pages that record their errors.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Browser} Browser */
/** @typedef {{name: string, width: number, height: number, scheme: "light" | "dark"}} Shape */

const root = new URL("../../../../", import.meta.url).pathname;
export const program = process.env.KALAHARI ?? `${root}target/debug/kalahari`;

/** A desktop and a phone, each in light and dark mode. @type {Shape[]} */
export const SHAPES = [
  { name: "1280 light", width: 1280, height: 860, scheme: "light" },
  { name: "1280 dark", width: 1280, height: 860, scheme: "dark" },
  { name: "360 light", width: 360, height: 740, scheme: "light" },
  { name: "360 dark", width: 360, height: 740, scheme: "dark" },
];

/** The back end of the page: `server`, or `site` for the page without a server in the folder SITE. */
export const BACKEND = process.env.BACKEND ?? "server";

/** Whether all combinations are tried. */
export const LONG = process.env.LONG === "1";

/** The materials of boards. */
export const BOARDS = ["wood", "stone", "paper", "contrast"];

/** Both sizes and both themes, each of them once, for tests that take long. */
export const ACROSS = [SHAPES[0], SHAPES[3]];
/** The same with the themes exchanged. */
export const CROSSED = [SHAPES[1], SHAPES[2]];

/**
 * Starts `kalahari serve`, on a free port unless one is named.
 * @param {...string} more arguments
 * @returns {Promise<{url: string, invitation: string, stop: () => Promise<void>}>} the invitation's link, if there is one
 */
export async function startServer(...more) {
  const port = more.includes("--port") ? [] : ["--port", "0"];
  const child = spawn(program, ["serve", ...port, ...more], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  /** @type {string[]} */
  const [url, invitation = ""] = await new Promise((resolve, reject) => {
    let heard = "";
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the server ended with ${code} before it printed its address: ${heard}`)));
    child.stdout.on("data", (data) => {
      heard += data;
      if (/Ctrl-C/.test(heard)) resolve((heard.match(/https?:\/\/\S+/g) ?? []).map((link) => link.replace(/\/$/, "")));
    });
  });
  return {
    url,
    invitation,
    async stop() {
      child.kill("SIGINT");
      const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Kinds of files, as hosts know them. @type {Record<string, string>} */
const KINDS = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png",
  ".wasm": "application/wasm", ".webmanifest": "application/manifest+json",
};

/**
 * Serves a folder as a plain web host does, under the path `base`.
 * @param {string} [folder]
 * @param {string} [base] such as `/project`
 * @returns {Promise<{url: string, stop: () => Promise<void>}>}
 */
export async function startSite(folder = process.env.SITE ?? "", base = "") {
  const host = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://host").pathname);
    if (!path.startsWith(`${base}/`)) return void response.writeHead(404).end();
    const file = normalize(path.slice(base.length)).replace(/\/$/, "/index.html");
    try {
      const content = await readFile(join(folder, file));
      const kind = KINDS[extname(file)] ?? "application/octet-stream";
      response.writeHead(200, { "Content-Type": kind, "Content-Encoding": "gzip", "Cache-Control": "max-age=600" }).end(gzipSync(content));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => host.listen(0, "127.0.0.1", () => resolve(null)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (host.address());
  return {
    url: `http://127.0.0.1:${port}${base}`,
    async stop() {
      host.closeAllConnections();
      await new Promise((resolve) => host.close(resolve));
    },
  };
}

/**
 * Starts the back end that BACKEND names.
 * @param {...string} more arguments of a server
 */
export const startBackend = async (...more) => (BACKEND === "site" ? { invitation: "", ...(await startSite()) } : startServer(...more));

/** @returns {Promise<Browser>} */
export function startBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  });
}

/**
 * A page in a new browser profile; `faults` collects every error that it reports and every request to another machine.
 * @param {Browser} browser
 * @param {Shape} shape
 * @param {{motion?: boolean}} [options] whether animations run; off by default
 * @returns {Promise<{page: Page, faults: string[]}>}
 */
export async function openPage(browser, shape, { motion = false } = {}) {
  const context = await browser.newContext({
    viewport: { width: shape.width, height: shape.height },
    colorScheme: shape.scheme,
    reducedMotion: motion ? "no-preference" : "reduce",
    hasTouch: shape.width < 500,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20000);
  /** @type {string[]} */
  const faults = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!/^(http:\/\/127\.0\.0\.[12]:|data:|blob:)/.test(request.url())) faults.push(`a request left this machine: ${request.url()}`);
  });
  return { page, faults };
}

/**
 * Opens a view and waits until it is shown.
 * @param {Page} page
 * @param {string} url
 * @param {string} hash
 */
export async function visit(page, url, hash) {
  const address = `${url}/${hash}`;
  // Another address of the same page does not reload it: the old view must not be mistaken for the new one.
  await page.evaluate(() => delete document.documentElement.dataset.ready);
  if (page.url() === address) await page.reload();
  else await page.goto(address);
  await ready(page, hash.replace(/^#\//, "").split("?")[0] || "play");
}

/**
 * @param {Page} page
 * @param {string} view
 */
export async function ready(page, view) {
  await page.waitForSelector(`html[data-ready="${view}"]`, { state: "attached" });
}

/**
 * How many pixels the page could be scrolled sideways.
 * @param {Page} page
 */
export function sideways(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/**
 * Texts that are partly hidden: cut off by the box around them, or reaching out of it. Boxes that scroll are no fault.
 * @param {Page} page
 * @returns {Promise<string[]>}
 */
export function cutOff(page) {
  return page.evaluate(() => {
    const faults = [];
    for (const element of document.body.querySelectorAll("*")) {
      if (!(element instanceof HTMLElement) || element.clientWidth <= 1 || element.closest(".unseen, .skip")) continue;
      const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
      if (!own || /auto|scroll/.test(getComputedStyle(element).overflowX)) continue;
      if (element.scrollWidth > element.clientWidth + 1) faults.push(`${element.className || element.tagName}: ${element.textContent?.slice(0, 60)}`);
    }
    // The label of a button stays inside it, on both sides.
    for (const button of document.body.querySelectorAll("button, .pills span")) {
      const words = document.createRange();
      words.selectNodeContents(button);
      const [text, room] = [words, button].map((one) => one.getBoundingClientRect());
      if (room.width > 1 && (text.left < room.left + 1 || text.right > room.right - 1)) faults.push(`button: ${button.textContent}`);
    }
    for (const text of document.querySelectorAll("svg.graph text")) {
      const [box, room] = [text, /** @type {Element} */ (text.closest("svg"))].map((one) => one.getBoundingClientRect());
      if (box.left < room.left - 1 || box.right > room.right + 1) faults.push(`graph: ${text.textContent}`);
    }
    return faults;
  });
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * All accessibility faults, as texts.
 * @param {Page} page
 * @returns {Promise<string[]>}
 */
export async function accessibilityFaults(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (window).axe.run(document, { resultTypes: ["violations"] });
    return violations
      .map((/** @type {any} */ one) => `${one.id}: ${one.nodes.slice(0, 3).map((/** @type {any} */ node) => `${node.html.slice(0, 160)} ${node.failureSummary}`).join(" | ")}`);
  });
}
