// Games as they are played: a list, and a board that follows one of them.

import { ask, readLine } from "../backend.js";
import { Board } from "../board/board.js";
import { h, refill } from "../dom.js";
import { lineLink } from "../link.js";
import { complain, openDialog } from "../say.js";
import { gameName, lastWords, resultWords } from "../text/sentences.js";
import { t } from "../text/text.js";

/** @typedef {import("../types.js").LiveEntry} LiveGame */

const EVERY = 700;

export class LiveList {
  #rows = h("div", {}, h("p", { class: "muted" }, t("arena.nobody")));
  element = h("section", { class: "card" }, h("h2", {}, t("arena.under.way")), this.#rows);
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
      if (!document.hidden) this.#draw((await ask("live", {})).games);
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
    refill(this.#rows, h("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": t("arena.under.way") }, h("table", { class: "standings named" },
      h("thead", {}, h("tr", {}, [t("arena.first"), t("arena.second"), t("arena.game"), t("moves"), t("arena.result"), ""].map((text) => h(text ? "th" : "td", text ? { scope: "col" } : {}, text)))),
      h("tbody", {}, games.map((game) => h("tr", {},
        h("th", { scope: "row" }, game.first), h("td", {}, game.second), h("td", {}, gameName(game.line.game)), h("td", {}, game.line.moves.length),
        h("td", {}, game.result ?? "…"),
        h("td", {}, h("button", { type: "button", class: "small-button", "aria-label": t("arena.watch.of", { a: game.first, b: game.second }), onclick: () => watch(game) }, t("arena.watch")))))))));
  }
}

/**
 * Shows a game and every move of it as it is played.
 * @param {LiveGame} game
 */
function watch(game) {
  const board = new Board({ move: () => {}, say: () => {} });
  const words = h("p", { role: "status" });
  const link = h("a", { class: "button", href: lineLink("analysis", game.line, undefined, [game.first, game.second]), onclick: () => dialog.close() }, t("play.analyse"));
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
      const now = (await ask("live", {})).games.find((one) => one.number === game.number);
      if (now && now.line.moves.length !== shown) {
        const { states } = await readLine(now.line);
        if (timer === -1) return;
        const last = states[states.length - 1];
        if (shown >= 0 && now.line.moves.length === shown + 1) void board.play(last);
        else board.show(last);
        shown = now.line.moves.length;
        link.setAttribute("href", lineLink("analysis", now.line, undefined, [now.first, now.second]));
        words.textContent = last.over ? resultWords(last, [now.first, now.second]) : lastWords(last, [now.first, now.second]);
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
