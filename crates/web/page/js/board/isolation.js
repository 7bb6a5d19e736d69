// An Isolation board: stone tiles, two pieces, and holes where tiles were removed. What is legal is in the state.

import { s, h, set } from "../dom.js";
import { pace } from "../settings.js";
import { tick } from "../sound.js";
import { t } from "../text/text.js";
import { arrow } from "./arrow.js";
import { IsolationCell } from "./isolation-cell.js";
import { pawn } from "./pawn.js";
import { tellWidth } from "./width.js";

/** @typedef {import("../types.js").BoardView} BoardView */
/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Chip} Chip */
/** @typedef {import("../types.js").IsolationBoardData} IsolationBoardData */
/** @typedef {import("../types.js").BoardHandlers} BoardHandlers */

/** Room for the signs below and on the left; the other two sides need less. */
const SIGNS = 24;
const EDGE = 12;
/** Pixels of the window's height that are taken by what is above and below a board. */
const AROUND = 290;
const TALL_AT_LEAST = 400;
/** Pixels above a board on a phone that lies on its side: there the board has the rest. */
const ABOVE = 104;

/** @implements {BoardView} */
export class IsolationBoard {
  element = h("div", { class: "board isolation" });
  #svg = s("svg", { role: "grid", "aria-label": t("board.isolation") });
  /** @type {IsolationCell[]} */
  #cells = [];
  /** @type {SVGGElement[]} */
  #pieces = [];
  /** @type {State | null} */
  #state = null;
  /** @type {Map<string, Chip> | null} */
  #chips = null;
  /** @type {string | null} the cell chosen to step to, while the cell to remove is still open */
  #step = null;
  /** @type {string | null} */
  #pointed = null;
  #rows = 0;
  #cols = 0;
  #size = 0;
  #room = 0;
  #tall = 0;
  #focused = 0;
  #allowed = false;
  #flipped = false;
  /** @type {Animation[]} */
  #moving = [];
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
    for (const animation of this.#moving.splice(0)) animation.cancel();
    this.#arrows.replaceChildren();
    this.#svg.classList.toggle("glide", this.#state !== null);
    this.#state = state;
    this.#step = null;
    const board = this.#board();
    if (board.rows !== this.#rows || board.cols !== this.#cols) {
      this.#rows = board.rows;
      this.#cols = board.cols;
      this.#focused = Math.floor(board.rows / 2) * board.cols + Math.floor(board.cols / 2);
      this.#draw();
    }
    this.#settle();
  }

  /** @param {State} state */
  async play(state) {
    const ms = pace();
    this.values(null);
    this.#pointed = null;
    this.show(state);
    this.#svg.classList.remove("glide");
    if (!state.last) return;
    tick("step");
    if (ms === 0) return;
    const waits = [];
    for (const step of state.last.steps) {
      if (step.t === "step") {
        const to = this.#middle(this.#index(step.to));
        const from = step.from === null ? { x: to.x, y: to.y - this.#size } : this.#middle(this.#index(step.from));
        const length = Math.max(120, Math.min(420, ms * 3));
        waits.push(this.#pieces[step.player].animate([
          { transform: `translate(${from.x}px, ${from.y}px)`, easing: "ease-in-out" },
          { transform: `translate(${(from.x + to.x) / 2}px, ${(from.y + to.y) / 2 - this.#size * 0.18}px) scale(1.12)`, easing: "ease-in-out" },
          { transform: `translate(${to.x}px, ${to.y}px)` },
        ], { duration: length }));
      } else if (step.t === "remove") {
        const tile = this.#cells[this.#index(step.cell)].tile;
        waits.push(tile.animate([{ transform: "scale(1)", opacity: 1 }, { transform: "scale(0.2) rotate(20deg)", opacity: 0 }], {
          duration: 380, delay: ms * 2, easing: "ease-in", fill: "backwards",
        }));
      }
    }
    this.#moving = waits;
    await Promise.allSettled(waits.map((animation) => animation.finished));
  }

  /** @param {boolean} on */
  allow(on) {
    if (this.#allowed === on) return;
    this.#allowed = on;
    this.#refresh();
  }

  /** @param {Map<string, Chip> | null} chips */
  values(chips) {
    this.#chips = chips;
    if (!this.#state) return;
    /** @type {Map<string, Chip>} */
    const best = new Map();
    // With a removal many moves share a step: its best one is shown there.
    for (const [move, chip] of chips ?? []) {
      const [to, removed] = move.split("/");
      if (this.#step !== null && to !== this.#step) continue;
      const cell = this.#step === null ? to : removed;
      const known = cell === undefined ? undefined : best.get(cell);
      if (cell !== undefined && (!known || chip.rank > known.rank || chip.best)) best.set(cell, chip);
    }
    for (const cell of this.#cells) cell.value(best.get(cell.name));
  }

  /** @param {string | null} move */
  point(move) {
    this.#pointed = move;
    const cells = move?.split("/") ?? [];
    for (const cell of this.#cells) cell.mark("pointed", cells.includes(cell.name));
  }

  /** @param {import("../types.js").Arrow[]} arrows */
  arrows(arrows) {
    this.#arrows.replaceChildren(...arrows.flatMap(({ kind, steps }) => steps.flatMap((step) => {
      if (step.t !== "step") return [];
      const to = this.#middle(this.#index(step.to));
      return [arrow(kind, step.from === null ? to : this.#middle(this.#index(step.from)), to, this.#size * 0.24)];
    })));
  }

  /** @param {boolean} on */
  flip(on) {
    if (this.#flipped === on) return;
    this.#flipped = on;
    if (!this.#state) return;
    this.#draw();
    this.#settle();
  }

  focus() {
    this.#cells[this.#focused]?.group.focus();
  }

  /** @param {string} key */
  key(key) {
    if (key !== "Escape" || this.#step === null) return false;
    this.#step = null;
    this.#refresh();
    this.handlers.say(t("cell.back"));
    return true;
  }

  close() {
    this.#watch.disconnect();
    removeEventListener("resize", this.#onWindow);
  }

  #board() {
    return /** @type {IsolationBoardData} */ (/** @type {State} */ (this.#state).board);
  }

  #onWindow = () => this.#resize();

  #resize() {
    const room = this.element.clientWidth;
    const tall = innerHeight;
    if ((Math.abs(room - this.#room) < 1 && tall === this.#tall) || room === 0) return;
    this.#room = room;
    this.#tall = tall;
    if (!this.#state) return;
    this.#draw();
    this.#settle();
  }

  /** @param {number} cell */
  #name(cell) {
    return String.fromCharCode(97 + (cell % this.#cols)) + (Math.floor(cell / this.#cols) + 1);
  }

  /** @param {string} name */
  #index(name) {
    return (Number(name.slice(1)) - 1) * this.#cols + name.charCodeAt(0) - 97;
  }

  /** @param {number} cell */
  #middle(cell) {
    const row = Math.floor(cell / this.#cols);
    const col = cell % this.#cols;
    return {
      x: SIGNS + ((this.#flipped ? this.#cols - 1 - col : col) + 0.5) * this.#size,
      y: EDGE + ((this.#flipped ? this.#rows - 1 - row : row) + 0.5) * this.#size,
    };
  }

  /** The cells that can be chosen now. */
  #open() {
    const state = this.#state;
    if (!state || !this.#allowed) return new Set();
    if (this.#step !== null) return new Set((state.removable ?? []).filter((cell) => cell !== this.#step));
    return new Set(state.legal.map((legal) => legal.to));
  }

  /** @param {number} cell */
  #choose(cell) {
    if (this.handlers.edit) return this.handlers.edit(cell, false);
    const state = this.#state;
    const name = this.#name(cell);
    if (!state || !this.#allowed) return;
    if (this.#step === name) {
      this.key("Escape");
      return;
    }
    if (!this.#open().has(name)) return this.handlers.say(t("cell.refused", { cell: name }));
    if (this.#step !== null) return this.handlers.move(`${this.#step}/${name}`);
    const legal = state.legal.find((one) => one.to === name);
    if (legal?.move) return this.handlers.move(legal.move);
    this.#step = name;
    this.#refresh();
    this.handlers.say(t("cell.remove", { cell: name }));
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const way = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (way) {
      event.preventDefault();
      event.stopPropagation();
      const turn = this.#flipped ? -1 : 1;
      const row = Math.floor(this.#focused / this.#cols) + way[0] * turn;
      const col = (this.#focused % this.#cols) + way[1] * turn;
      if (row < 0 || col < 0 || row >= this.#rows || col >= this.#cols) return;
      this.#cells[this.#focused].group.setAttribute("tabindex", "-1");
      this.#focused = row * this.#cols + col;
      this.#cells[this.#focused].group.setAttribute("tabindex", "0");
      this.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      this.#choose(this.#focused);
    }
  }

  #draw() {
    const had = this.#svg.contains(document.activeElement);
    this.#room ||= this.element.clientWidth;
    const room = this.#room || 480;
    this.#tall ||= innerHeight;
    // As large as the window allows, but small boards stay small; on a phone the width decides, since the page is scrolled there anyway.
    const high = Math.max(Math.min(TALL_AT_LEAST, this.#tall - ABOVE), this.#tall - AROUND);
    this.#size = Math.floor(Math.min(Math.max(110, room / 11.7), (room - SIGNS - EDGE) / this.#cols, Math.max(30, (high - SIGNS - EDGE) / this.#rows)) * 10) / 10;
    const width = SIGNS + EDGE + this.#cols * this.#size;
    const height = SIGNS + EDGE + this.#rows * this.#size;
    set(this.#svg, { viewBox: `0 0 ${width} ${height}`, width, height });
    tellWidth(width);
    const rows = [];
    this.#cells = [];
    for (let row = 0; row < this.#rows; row++) {
      const group = s("g", { role: "row" });
      for (let col = 0; col < this.#cols; col++) {
        const index = row * this.#cols + col;
        const cell = new IsolationCell(index, this.#name(index), this.#middle(index), this.#size);
        // A pointer does not take the focus, so that the arrow keys stay with the moves of the game.
        cell.group.addEventListener("mousedown", (event) => event.preventDefault());
        cell.group.addEventListener("click", () => this.#choose(index));
        this.#cells.push(cell);
        group.append(cell.group);
      }
      rows.push(group);
    }
    const signs = s("g", { class: "signs", "aria-hidden": "true" });
    for (let col = 0; col < this.#cols; col++) signs.append(s("text", { x: this.#middle(col).x, y: height - SIGNS / 2 }, String.fromCharCode(97 + col)));
    for (let row = 0; row < this.#rows; row++) signs.append(s("text", { x: SIGNS / 2, y: this.#middle(row * this.#cols).y }, row + 1));
    this.#pieces = [0, 1].map((player) => pawn(player, this.#size));
    this.#svg.replaceChildren(
      s("rect", { class: "ground", x: 1, y: 1, width: width - 2, height: height - 2, rx: 18, "aria-hidden": "true" }),
      signs, s("g", { role: "rowgroup" }, ...rows), ...this.#pieces, this.#arrows,
      s("g", { class: "labels", "aria-hidden": "true" }, ...this.#cells.map((cell) => cell.chip)),
    );
    this.#cells[this.#focused]?.group.setAttribute("tabindex", "0");
    if (had) this.focus();
  }

  #settle() {
    const state = this.#state;
    if (!state) return;
    [...this.#board().cells].forEach((kind, cell) => this.#cells[cell].kind(kind));
    this.#refresh();
  }

  #refresh() {
    const state = this.#state;
    if (!state) return;
    const open = this.#open();
    const last = new Set(state.last?.move.split("/"));
    this.#svg.classList.toggle("removing", this.#step !== null);
    this.#svg.classList.toggle("many", open.size > 24);
    this.#svg.classList.toggle("second", state.to_move === 1);
    for (const cell of this.#cells) {
      cell.open(open.has(cell.name));
      cell.mark("last", last.has(cell.name));
      cell.mark("chosen", this.#step === cell.name);
    }
    const mover = state.over ? -1 : state.to_move;
    for (const player of [0, 1]) {
      // A step that waits for its removal is shown as if it were made.
      const at = player === mover && this.#step !== null ? this.#step : this.#board().pieces[player];
      this.#pieces[player].classList.toggle("away", at === null);
      if (at === null) continue;
      const { x, y } = this.#middle(this.#index(at));
      this.#pieces[player].style.transform = `translate(${x}px, ${y}px)`;
    }
    this.#pieces.forEach((piece, player) => piece.classList.toggle("turn", player === mover));
    this.values(this.#chips);
    this.point(this.#pointed);
  }
}
