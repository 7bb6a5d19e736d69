// The one place that knows which board a game has.

import { IsolationBoard } from "./isolation.js";
import { KalahBoard } from "./kalah.js";

/** @typedef {import("../types.js").BoardView} BoardView */

/**
 * Holds a board for whatever state it is shown; changes the kind of board when the game changes.
 * @implements {BoardView}
 */
export class Board {
  element = document.createElement("div");
  /** @type {import("../types.js").BoardView | null} */
  #board = null;
  #kind = "";
  #allowed = false;
  #flipped = false;

  /** @param {import("../types.js").BoardHandlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    this.element.className = "board-room";
  }

  /**
   * @param {import("../types.js").State} state
   * @returns {import("../types.js").BoardView}
   */
  #fit(state) {
    if (this.#board && this.#kind === state.board.kind) return this.#board;
    this.#board?.close();
    this.#kind = state.board.kind;
    const board = this.#kind === "kalah" ? new KalahBoard(this.handlers) : new IsolationBoard(this.handlers);
    this.element.replaceChildren(board.element);
    board.allow(this.#allowed);
    board.flip(this.#flipped);
    this.#board = board;
    return board;
  }

  /** @param {import("../types.js").State} state */
  show(state) {
    this.#fit(state).show(state);
  }

  /** @param {import("../types.js").State} state */
  play(state) {
    return this.#fit(state).play(state);
  }

  /** @param {boolean} on */
  allow(on) {
    this.#allowed = on;
    this.#board?.allow(on);
  }

  /** @param {Map<string, import("../types.js").Chip> | null} chips */
  values(chips) {
    this.#board?.values(chips);
  }

  /** @param {string | null} move */
  point(move) {
    this.#board?.point(move);
  }

  /** @param {import("../types.js").Arrow[]} arrows */
  arrows(arrows) {
    this.#board?.arrows(arrows);
  }

  /** @param {boolean} on */
  flip(on) {
    this.#flipped = on;
    this.#board?.flip(on);
  }

  focus() {
    this.#board?.focus();
  }

  /** @param {string} key */
  key(key) {
    return this.#board?.key(key) ?? false;
  }

  close() {
    this.#board?.close();
    this.#board = null;
    this.#kind = "";
  }
}
