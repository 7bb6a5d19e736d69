// A Kalah board: wood, bowls, seeds and numbers. It knows no rule: what may be chosen, and what a move does, is in the state.

import { s, h, set } from "../dom.js";
import { pace, settings } from "../settings.js";
import { tick } from "../sound.js";
import { doWords } from "../text/sentences.js";
import { t } from "../text/text.js";
import { arrow } from "./arrow.js";
import { layout } from "./kalah-layout.js";
import { Seeds } from "./seeds.js";
import { sowing } from "./sowing.js";
import { tellWidth } from "./width.js";
import { wood } from "./wood.js";
import { KalahHouse } from "./kalah-house.js";

/** @typedef {import("../types.js").BoardView} BoardView */
/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Chip} Chip */
/** @typedef {import("../types.js").KalahBoardData} KalahBoardData */
/** @typedef {import("../types.js").BoardHandlers} BoardHandlers */

/** @implements {BoardView} */
export class KalahBoard {
  element = h("div", { class: "board kalah" });
  #svg = s("svg", { role: "group", "aria-label": t("board.kalah") });
  /** @type {KalahHouse[]} */
  #houses = [];
  /** @type {Seeds | null} */
  #seeds = null;
  /** @type {import("./kalah-layout.js").KalahLayout | null} */
  #layout = null;
  /** @type {State | null} */
  #state = null;
  /** @type {import("./timeline.js").Timeline | null} */
  #running = null;
  /** @type {Map<string, Chip> | null} */
  #chips = null;
  #flipped = false;
  #allowed = false;
  #pits = 0;
  #focused = 0;
  #room = 0;
  /** @type {string | null} */
  #pointed = null;
  #tall = 0;
  #arrows = s("g", { class: "arrows", "aria-hidden": "true" });
  #watch = new ResizeObserver(() => this.#resize());

  /** @param {BoardHandlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    this.element.append(this.#svg);
    this.#watch.observe(this.element);
    addEventListener("resize", this.#onWindow);
    this.#svg.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** @param {State} state */
  show(state) {
    this.#finish();
    this.#arrows.replaceChildren();
    this.#svg.classList.toggle("glide", this.#state !== null);
    this.#state = state;
    const board = /** @type {KalahBoardData} */ (state.board);
    if (board.pits[0].length !== this.#pits) {
      this.#pits = board.pits[0].length;
      this.#focused = 0;
      this.#draw();
    }
    this.#settle();
  }

  /** @param {State} state */
  async play(state) {
    this.#finish();
    const ms = pace();
    const board = /** @type {KalahBoardData} */ (state.board);
    if (!this.#seeds || !this.#layout || !state.last || ms === 0 || board.pits[0].length !== this.#pits) {
      this.show(state);
      if (state.last) tick("store");
      return;
    }
    this.#state = state;
    this.#svg.classList.remove("glide");
    this.#arrows.replaceChildren();
    this.#peek(-1);
    this.values(null);
    this.point(null);
    this.#refresh(true);
    this.#markLast(true);
    const running = sowing({
      seeds: this.#seeds,
      layout: this.#layout,
      steps: state.last.steps,
      pace: ms,
      count: (house, count) => this.#houses[house].count(count),
      sound: tick,
    });
    this.#running = running;
    await running.run();
    if (this.#running !== running) return;
    this.#running = null;
    this.#settle();
  }

  /** @param {boolean} on */
  allow(on) {
    if (this.#allowed === on) return;
    this.#allowed = on;
    this.#refresh(this.#running !== null);
  }

  /** @param {Map<string, Chip> | null} chips */
  values(chips) {
    this.#chips = chips;
    const state = this.#state;
    this.#houses.forEach((drawn, house) => {
      const move = state ? this.#moveOf(house, state) : null;
      drawn.value(move === null ? undefined : chips?.get(move));
    });
  }

  /** @param {string | null} move */
  point(move) {
    this.#pointed = move;
    this.#houses.forEach((drawn, house) => {
      const here = this.#state && move !== null && this.#moveOf(house, this.#state) === move;
      drawn.mark("pointed", Boolean(here));
    });
  }

  /** @param {import("../types.js").Arrow[]} arrows */
  arrows(arrows) {
    const plan = this.#layout;
    if (!plan || this.#running) return;
    const half = this.#pits + 1;
    this.#arrows.replaceChildren(...arrows.flatMap(({ kind, steps }) => {
      let from = -1;
      let to = -1;
      for (const step of steps) {
        if (step.t === "lift") from = step.player * half + step.pit;
        if (step.t === "sow") to = step.player * half + (step.pit ?? this.#pits);
      }
      return from < 0 || to < 0 ? [] : [arrow(kind, plan.houses[from], plan.houses[to], Math.max(12, plan.seed * 1.9))];
    }));
  }

  /**
   * Shows what the move of a house would do; -1: nothing.
   * @param {number} house
   */
  #peek(house) {
    const state = this.#state;
    const move = house >= 0 && state && this.#allowed && !this.#running ? this.#moveOf(house, state) : null;
    const after = move !== null && settings.preview ? this.handlers.ahead?.(move) : null;
    const half = this.#pits + 1;
    /** @type {Map<number, number>} */
    const sown = new Map();
    const taken = new Set();
    let again = -1;
    for (const step of after?.last?.steps ?? []) {
      if (step.t === "sow") {
        const to = step.player * half + (step.pit ?? this.#pits);
        sown.set(to, (sown.get(to) ?? 0) + 1);
      }
      if (step.t === "capture") {
        for (const pit of step.from) taken.add(pit.player * half + pit.pit);
        const store = step.player * half + this.#pits;
        sown.set(store, (sown.get(store) ?? 0) + step.seeds);
      }
      if (step.t === "again") again = step.player * half + this.#pits;
    }
    this.#houses.forEach((drawn, index) => {
      const count = sown.get(index) ?? 0;
      const kind = taken.has(index) ? "taken" : index === again ? "again" : "sown";
      const text = taken.has(index) ? "×" : count ? `+${count}${index === again ? " ↻" : ""}` : "";
      drawn.ghost(text, kind);
      if (drawn.isPit) drawn.would(index === house && after?.last ? doWords(after.last.steps) : "");
    });
  }

  /** @param {boolean} on */
  flip(on) {
    if (this.#flipped === on) return;
    this.#finish();
    this.#flipped = on;
    if (!this.#state) return;
    this.#draw();
    this.#settle();
  }

  focus() {
    this.#houses[this.#focused]?.group.focus();
  }

  /** @param {string} key */
  key(key) {
    // Digits are pits as they are numbered on the board; after 9 come the next keys of that row.
    const pit = (settings.numbers === "0" ? "0123456789-=" : "1234567890-=").indexOf(key);
    const state = this.#state;
    if (key.length !== 1 || pit < 0 || pit >= this.#pits || !state) return false;
    this.#choose(state.to_move * (this.#pits + 1) + pit);
    return true;
  }

  close() {
    this.#finish();
    this.#watch.disconnect();
    removeEventListener("resize", this.#onWindow);
  }

  #finish() {
    const running = this.#running;
    this.#running = null;
    running?.finish();
  }

  #onWindow = () => this.#resize();

  #resize() {
    const room = this.element.clientWidth;
    const tall = innerHeight;
    if ((Math.abs(room - this.#room) < 1 && tall === this.#tall) || room === 0) return;
    this.#room = room;
    this.#tall = tall;
    if (this.#pits === 0) return;
    this.#finish();
    this.#draw();
    this.#settle();
  }

  /**
   * The legal move that begins at a house, if it is one.
   * @param {number} house
   * @param {State} state
   */
  #moveOf(house, state) {
    const half = this.#pits + 1;
    if (Math.floor(house / half) !== state.to_move) return null;
    return state.legal.find((legal) => legal.pit === house % half)?.move ?? null;
  }

  /** @param {number} house */
  #choose(house) {
    const state = this.#state;
    if (this.handlers.edit) return this.handlers.edit(house, false);
    if (!state || !this.#allowed || this.#running) return;
    const move = this.#moveOf(house, state);
    if (move !== null) return this.handlers.move(move);
    const own = Math.floor(house / (this.#pits + 1)) === state.to_move;
    this.handlers.say(t(own ? "board.empty" : "board.not.yours"));
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const from = this.#layout?.houses[this.#focused];
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way && from && this.#layout) {
      event.preventDefault();
      event.stopPropagation();
      const houses = this.#layout.houses;
      let best = -1;
      let nearest = Infinity;
      for (let house = 0; house < houses.length; house++) {
        const ahead = (houses[house].x - from.x) * way[0] + (houses[house].y - from.y) * way[1];
        const aside = Math.abs((houses[house].x - from.x) * way[1]) + Math.abs((houses[house].y - from.y) * way[0]);
        if (ahead < 2 || !this.#houses[house].isPit || ahead + 3 * aside >= nearest) continue;
        nearest = ahead + 3 * aside;
        best = house;
      }
      if (best >= 0) this.#focus(best);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      this.#choose(this.#focused);
    }
  }

  /** @param {number} house */
  #focus(house) {
    this.#houses[this.#focused]?.group.setAttribute("tabindex", "-1");
    this.#focused = house;
    this.#houses[house].group.setAttribute("tabindex", "0");
    this.#houses[house].group.focus();
  }

  #draw() {
    const had = this.#svg.contains(document.activeElement);
    this.#room ||= this.element.clientWidth;
    const room = this.#room || 600;
    this.#tall ||= innerHeight;
    const plan = layout(this.#pits, room, this.#flipped, this.handlers.values ?? false, this.#tall);
    this.#layout = plan;
    set(this.#svg, { viewBox: `0 0 ${plan.width} ${plan.height}`, width: plan.width, height: plan.height });
    tellWidth(plan.width);
    const seeds = s("g", { class: "seeds" });
    this.#seeds = new Seeds(seeds);
    this.#houses = plan.houses.map((place, house) => this.#prepare(new KalahHouse(house, this.#pits, place, place.rx < 26 && !plan.vertical), house));
    this.#houses[this.#focused]?.group.setAttribute("tabindex", "0");
    this.#svg.replaceChildren(
      wood(plan.width, plan.height), ...this.#houses.map((drawn) => drawn.group), seeds, this.#arrows,
      s("g", { class: "labels", "aria-hidden": "true" }, ...this.#houses.map((drawn) => drawn.labels)),
    );
    if (had) this.focus();
  }

  /**
   * Makes a house react.
   * @param {KalahHouse} drawn
   * @param {number} house
   */
  #prepare(drawn, house) {
    const { edit } = this.handlers;
    // A pointer does not take the focus, so that the arrow keys stay with the moves of the game.
    drawn.group.addEventListener("mousedown", (event) => event.preventDefault());
    if (drawn.isPit || edit) drawn.group.addEventListener("click", () => this.#choose(house));
    if (drawn.isPit && !edit) {
      for (const event of ["pointerenter", "focus"]) drawn.group.addEventListener(event, () => this.#peek(house));
      for (const event of ["pointerleave", "blur"]) drawn.group.addEventListener(event, () => this.#peek(-1));
    }
    if (edit) {
      drawn.group.addEventListener("contextmenu", (event) => {
        event.preventDefault();
        edit(house, true);
      });
    }
    return drawn;
  }

  /** Brings everything drawn in line with the state. */
  #settle() {
    if (!this.#state || !this.#layout || !this.#seeds) return;
    const board = /** @type {KalahBoardData} */ (this.#state.board);
    const counts = [...board.pits[0], board.stores[0], ...board.pits[1], board.stores[1]];
    this.#seeds.settle(counts, this.#layout);
    counts.forEach((count, house) => this.#houses[house].count(count));
    this.#refresh(false);
    this.#markLast(false);
    this.#peek(-1);
    this.values(this.#chips);
    this.point(this.#pointed);
  }

  /** @param {boolean} busy */
  #refresh(busy) {
    const state = this.#state;
    if (!state) return;
    this.#svg.classList.toggle("busy", busy);
    this.#houses.forEach((drawn, house) => {
      const playable = this.#allowed && !busy && this.#moveOf(house, state) !== null;
      drawn.mark("playable", playable);
      if (drawn.isPit) set(drawn.group, { "aria-disabled": playable || this.handlers.edit ? null : "true" });
    });
  }

  /** @param {boolean} onTheWay whether the seeds have not landed yet */
  #markLast(onTheWay) {
    const half = this.#pits + 1;
    let from = -1;
    let to = -1;
    for (const step of this.#state?.last?.steps ?? []) {
      if (step.t === "lift") from = step.player * half + step.pit;
      if (step.t === "sow") to = step.player * half + (step.pit ?? this.#pits);
    }
    this.#houses.forEach((drawn, house) => {
      drawn.mark("from", house === from);
      drawn.mark("landed", house === to && !onTheWay);
    });
  }
}
