// The analysis of one position as it comes in: value, best line, depth and speed.

import { h, icon, refill } from "../dom.js";
import { complain } from "../say.js";
import { PATIENCE, request } from "../socket.js";
import { NEUTRAL, brief, chip, short, withNames } from "../words.js";

/** @typedef {import("../types.js").Info} Info */
/** @typedef {import("../types.js").Line} Line */
/** @typedef {import("../types.js").Chip} Chip */

/** Most moves listed by value; the board shows all. */
const LISTED = 8;

export class Thinker {
  #switch = h("button", { type: "button", class: "small-button", "aria-pressed": "true", title: "Start or stop thinking (Space)", onclick: () => this.toggle() });
  #value = h("div", { class: "value" });
  #words = h("p", { class: "told" });
  #facts = h("p", { class: "facts small muted" });
  #best = h("div", { class: "pv" });
  #list = h("div", { class: "ranked" });
  element = h("section", { class: "card thinker", "aria-label": "Analysis" },
    h("div", { class: "row apart" }, this.#value, this.#switch), this.#words, this.#best, this.#list, this.#facts);
  /** @type {import("../socket.js").Request | null} */
  #request = null;
  #on = true;
  names = NEUTRAL;
  /** @type {Line | null} */
  #line = null;

  /**
   * @param {object} handlers
   * @param {(info: Info) => void} handlers.info
   * @param {(moves: string[]) => void} handlers.play plays moves from the position that is analysed
   */
  constructor(handlers) {
    this.handlers = handlers;
    this.#drawSwitch();
  }

  /**
   * Thinks about the end of a line; what was thought about before is dropped.
   * @param {Line} line
   * @param {import("../types.js").State} state
   */
  show(line, state) {
    this.#line = line;
    this.#request?.stop();
    this.#request = null;
    refill(this.#best);
    refill(this.#list);
    this.#facts.textContent = "";
    this.#switch.hidden = state.over;
    if (state.over) {
      this.#value.textContent = "End";
      this.#value.className = "value even";
      this.#words.textContent = withNames(state.result?.words ?? "The game is over.", this.names);
      this.#line = null;
      return;
    }
    this.#value.textContent = "…";
    this.#value.className = "value even";
    this.#words.textContent = this.#on ? "Thinking" : "Thinking is switched off.";
    if (this.#on) this.#start();
  }

  #start() {
    if (!this.#line) return;
    const started = request({ type: "analyze", line: this.#line }, (frame) => {
      if (frame.type === "info" && this.#request === started) this.#draw(frame);
    });
    this.#request = started;
    started.done.then(() => this.element.classList.remove("busy")).catch((error) => {
      this.element.classList.remove("busy");
      if (this.#request !== started) return;
      complain(error);
      // The server may come back: then the analysis goes on.
      if (error.code !== "offline") return;
      const timer = setTimeout(() => this.#start(), PATIENCE);
      this.#request = { ...started, stop: () => clearTimeout(timer) };
    });
    this.element.classList.add("busy");
  }

  stop() {
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
    refill(this.#switch, icon(this.#on ? "pause" : "next"), this.#on ? "Stop" : "Think");
  }

  /** @param {Info} info */
  #draw(info) {
    const tone = chip(info.value, info.proven, info.unit, false).tone;
    this.#value.className = `value ${tone}`;
    refill(this.#value, short(info.value, info.unit), info.proven ? h("span", { class: "badge good" }, icon("check"), "proven") : null);
    this.#words.textContent = withNames(info.words, this.names);
    refill(this.#best,
      h("h3", {}, "Best line"),
      h("div", { class: "row tight" }, info.pv.map((move, i) => h("button", {
        type: "button", class: "move", "aria-label": `Play the line up to ${move}`, onclick: () => this.handlers.play(info.pv.slice(0, i + 1)),
      }, move))),
      h("p", { class: "small muted pv-words" }, lineWords(info.pv_words, this.names)));
    const ranked = [...info.moves].sort((a, b) => rank(b, info) - rank(a, info));
    refill(this.#list, h("h3", {}, "Moves by value"), h("ul", {}, ranked.slice(0, LISTED).map((one) => {
      const mark = chip(one.value, one.proven, one.unit ?? info.unit, one.move === info.best);
      return h("li", {}, h("button", { type: "button", class: "ranked-move", onclick: () => this.handlers.play([one.move]) },
        h("b", {}, one.move),
        h("span", { class: `badge ${mark.tone}` }, short(one.value, one.unit ?? info.unit)),
        h("span", { class: "small muted" }, one.words)));
    })), ranked.length > LISTED ? h("p", { class: "small muted" }, `and ${ranked.length - LISTED} more`) : null);
    this.#facts.textContent = `depth ${info.depth} · ${brief(info.nodes)} nodes · ${brief(info.nps)}/s · ${(info.time_ms / 1000).toFixed(1)} s${info.outlook ? ` · ${info.outlook}` : ""}`;
    this.handlers.info(info);
  }
}

/**
 * A line told by turns: the names are short, because they come again and again.
 * @param {string} words
 * @param {[string, string]} names
 */
function lineWords(words, names) {
  const short = /** @type {[string, string]} */ (names.map((name) => (NEUTRAL.includes(name) ? name.split(" ")[0].toLowerCase() : name)));
  const told = withNames(words, short);
  return told.charAt(0).toUpperCase() + told.slice(1);
}

/**
 * @param {import("../types.js").MoveValue} move
 * @param {Info} info
 */
function rank(move, info) {
  // A proven result outweighs any guess in points.
  const weight = (move.unit ?? info.unit) === "result" ? 1e6 : 1;
  return move.value * weight + (move.move === info.best ? 1e-6 : 0);
}

/**
 * What the board shows of an analysis.
 * @param {Info} info
 * @returns {Map<string, Chip>}
 */
export function chips(info) {
  return new Map(info.moves.map((one) => [one.move, chip(one.value, one.proven, one.unit ?? info.unit, one.move === info.best)]));
}
