// The analysis of one position as it comes in: value, best line, depth and speed.

import { PATIENCE, think } from "../backend.js";
import { h, icon, refill } from "../dom.js";
import { complain } from "../say.js";
import { NOBODY, shortName } from "../text/names.js";
import { chip, forFirst, lineWords, moveText, moveWorth, outlookWords, positionWorth, resultWords, short } from "../text/sentences.js";
import { brief, t } from "../text/text.js";

/** @typedef {import("../types.js").Info} Info */
/** @typedef {import("../types.js").Line} Line */
/** @typedef {import("../types.js").Chip} Chip */
/** @typedef {import("../types.js").Player} Player */

/** Most moves listed by value; the board shows all. */
const LISTED = 8;

/** Two positions within this many milliseconds are steps through a game. */
const STEPPING = 120;

export class Thinker {
  #switch = h("button", { type: "button", class: "small-button", "aria-pressed": "true", title: t("thinker.switch"), onclick: () => this.toggle() });
  #value = h("div", { class: "value" });
  #words = h("p", { class: "told" });
  #facts = h("p", { class: "facts small muted" });
  #best = h("div", { class: "pv" });
  #list = h("div", { class: "ranked" });
  element = h("section", { class: "card thinker", "aria-label": t("app.analysis") },
    h("div", { class: "row apart" }, this.#value, this.#switch), this.#words, this.#best, this.#list, this.#facts,
    h("p", { class: "small muted point-of-view" }, t("view.first")));
  /** @type {import("../types.js").Thinking | null} */
  #request = null;
  #on = true;
  /** When the last position came. */
  #shown = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  names = NOBODY;
  /** @type {Line | null} */
  #line = null;
  /** @type {Player} */
  #mover = 0;

  /**
   * @param {object} handlers
   * @param {(info: Info, mover: Player) => void} handlers.info
   * @param {(moves: string[]) => void} handlers.play plays moves from the position that is analysed
   */
  constructor(handlers) {
    this.handlers = handlers;
    this.#drawSwitch();
  }

  /** Forgets the position and stops thinking. */
  clear() {
    this.stop();
    this.#line = null;
    refill(this.#best);
    refill(this.#list);
    this.#facts.textContent = "";
    this.#value.textContent = "…";
    this.#value.className = "value even";
    this.#words.textContent = this.#on ? t("thinker.thinking") : t("thinker.off");
  }

  /**
   * Thinks about the end of a line; what was thought about before is dropped.
   * @param {Line} line
   * @param {import("../types.js").State} state
   */
  show(line, state) {
    this.clear();
    this.#line = line;
    this.#mover = state.to_move;
    this.#switch.hidden = state.over;
    if (state.over) {
      this.#value.textContent = t("thinker.end");
      this.#words.textContent = resultWords(state, this.names);
      this.#line = null;
      return;
    }
    // A person who steps through a game quickly does not wait for thoughts in between.
    const now = performance.now();
    const hurried = now - this.#shown < STEPPING;
    this.#shown = now;
    if (!this.#on) return;
    if (hurried) this.#timer = setTimeout(() => this.#start(), STEPPING);
    else this.#start();
  }

  #start() {
    if (!this.#line) return;
    const started = think({ type: "analyze", line: this.#line }, (news) => {
      if (news.type === "info" && this.#request === started) this.#draw(news);
    });
    this.#request = started;
    started.done.then(() => this.element.classList.remove("busy")).catch((error) => {
      this.element.classList.remove("busy");
      if (this.#request !== started) return;
      complain(error);
      // The server may come back: then the analysis continues.
      if (error.code !== "offline" && error.code !== "lost") return;
      const timer = setTimeout(() => this.#start(), PATIENCE);
      this.#request = { ...started, stop: () => clearTimeout(timer) };
    });
    this.element.classList.add("busy");
  }

  stop() {
    clearTimeout(this.#timer);
    this.#request?.stop();
    this.#request = null;
    this.element.classList.remove("busy");
  }

  toggle() {
    this.#on = !this.#on;
    this.#drawSwitch();
    if (this.#on) this.#start();
    else this.stop();
  }

  #drawSwitch() {
    this.#switch.setAttribute("aria-pressed", String(this.#on));
    refill(this.#switch, icon(this.#on ? "pause" : "next"), this.#on ? t("thinker.stop") : t("thinker.think"));
  }

  /** @param {Info} info */
  #draw(info) {
    const mover = this.#mover;
    const seen = forFirst(info, mover);
    this.#value.className = `value ${chip(seen, 0, false).tone}`;
    refill(this.#value, short(seen), info.proven ? h("span", { class: "badge good" }, icon("check"), t("proven")) : null);
    this.#words.textContent = positionWorth(info, mover, this.names);
    refill(this.#best,
      h("h2", { class: "minor" }, t("thinker.best")),
      h("div", { class: "row tight" }, info.pv.map((move, i) => h("button", {
        type: "button", class: "move", "aria-label": t("thinker.up.to", { move: moveText(move) }), onclick: () => this.handlers.play(info.pv.slice(0, i + 1)),
      }, moveText(move)))),
      h("p", { class: "small muted pv-words" }, lineWords(info, (player) => shortName(this.names, player))));
    const ranked = [...info.moves].sort((a, b) => rank(b, info) - rank(a, info));
    refill(this.#list, h("h2", { class: "minor" }, t("thinker.ranked")), h("ul", {}, ranked.slice(0, LISTED).map((one) => {
      const mark = chip(one, mover, one.move === info.best);
      return h("li", {}, h("button", { type: "button", class: "ranked-move", onclick: () => this.handlers.play([one.move]) },
        h("b", {}, moveText(one.move)),
        h("span", { class: `badge ${mark.tone}` }, mark.text),
        h("span", { class: "small muted" }, moveWorth(one, mover, this.names))));
    })), ranked.length > LISTED ? h("p", { class: "small muted" }, t("thinker.more", { n: ranked.length - LISTED })) : null);
    const facts = t("thinker.facts", { depth: info.depth, nodes: brief(info.nodes), speed: brief(info.nps), time: t("seconds", { n: Math.round(info.time_ms / 100) / 10 }) });
    this.#facts.textContent = info.outlook ? `${facts} · ${outlookWords(info.outlook, mover)}` : facts;
    this.handlers.info(info, mover);
  }
}

/**
 * @param {import("../types.js").MoveInfo} move
 * @param {Info} info
 */
function rank(move, info) {
  // A proven result outweighs any guess in points.
  const weight = move.unit === "result" ? 1e6 : 1;
  return move.value * weight + (move.move === info.best ? 1e-6 : 0);
}

/**
 * What the board shows of an analysis.
 * @param {Info} info
 * @param {Player} mover
 * @returns {Map<string, Chip>}
 */
export function chips(info, mover) {
  return new Map(info.moves.map((one) => [one.move, chip(one, mover, one.move === info.best)]));
}
