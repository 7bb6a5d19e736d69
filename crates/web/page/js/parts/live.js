// Games as they are played: a list, and a board that follows one of them.

import { liveGames, readLine } from "../api.js";
import { Board } from "../board/board.js";
import { h, refill } from "../dom.js";
import { lineLink } from "../link.js";
import { complain, openDialog } from "../say.js";
import { gameName } from "../words.js";

/** @typedef {import("../types.js").LiveGame} LiveGame */

const EVERY = 700;

export class LiveList {
  #rows = h("div", {}, h("p", { class: "muted" }, "Nobody plays yet."));
  element = h("section", { class: "card", "aria-label": "Games under way" }, h("h2", {}, "Games under way"), this.#rows);
  #timer = 0;
  #closed = false;
  #shown = "";

  open() {
    void this.#look();
  }

  close() {
    this.#closed = true;
    window.clearTimeout(this.#timer);
  }

  async #look() {
    try {
      if (!document.hidden) this.#draw((await liveGames()).games);
    } catch (error) {
      complain(error);
    }
    if (!this.#closed) this.#timer = window.setTimeout(() => this.#look(), 2 * EVERY);
  }

  /** @param {LiveGame[]} games */
  #draw(games) {
    const stamp = games.map((game) => `${game.number}.${game.line.moves.length}${game.result ?? ""}`).join();
    if (this.#closed || stamp === this.#shown || !games.length) return;
    this.#shown = stamp;
    refill(this.#rows, h("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Games under way" }, h("table", { class: "standings named" },
      h("thead", {}, h("tr", {}, ["First", "Second", "Game", "Moves", "Result", ""].map((text) => h(text ? "th" : "td", text ? { scope: "col" } : {}, text)))),
      h("tbody", {}, games.map((game) => h("tr", {},
        h("th", { scope: "row" }, game.first), h("td", {}, game.second), h("td", {}, gameName(game.line.game)), h("td", {}, game.line.moves.length),
        h("td", {}, game.result ?? "…"),
        h("td", {}, h("button", { type: "button", class: "small-button", "aria-label": `Watch ${game.first} against ${game.second}`, onclick: () => watch(game) }, "Watch"))))))));
  }
}

/**
 * Shows a game and every move of it as it is played.
 * @param {LiveGame} game
 */
function watch(game) {
  const board = new Board({ move: () => {}, say: () => {} });
  const words = h("p", { role: "status" });
  const link = h("a", { class: "button", href: lineLink("analysis", game.line), onclick: () => dialog.close() }, "Analyse");
  const dialog = openDialog(`${game.first} – ${game.second}`, h("div", { class: "watch" }, board.element, words, h("div", { class: "row end" }, link)));
  let shown = -1;
  let timer = 0;
  dialog.addEventListener("close", () => {
    window.clearTimeout(timer);
    timer = -1;
    board.close();
  });
  const follow = async () => {
    try {
      const now = (await liveGames()).games.find((one) => one.number === game.number);
      if (now && now.line.moves.length !== shown) {
        const { states } = await readLine(now.line);
        if (timer === -1) return;
        const last = states[states.length - 1];
        if (shown >= 0 && now.line.moves.length === shown + 1) void board.play(last);
        else board.show(last);
        shown = now.line.moves.length;
        link.setAttribute("href", lineLink("analysis", now.line));
        words.textContent = last.result?.words ?? last.last?.words ?? "";
      }
      if (now?.result && timer !== -1) words.textContent = `${words.textContent} ${now.result}`;
      if (!now || now.result) return;
    } catch (error) {
      complain(error);
    }
    if (timer !== -1) timer = window.setTimeout(follow, EVERY);
  };
  void follow();
}
