// Setting up a position. Whether it is one, the server says.

import { checkSetup, meta, readLine } from "../api.js";
import { Board } from "../board/board.js";
import { h, refill } from "../dom.js";
import { GameForm, pills } from "../parts/gameform.js";
import { complain, say } from "../say.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").BoardData} BoardData */

const KINDS = [
  { value: ".", text: "Free" }, { value: "1", text: "First" }, { value: "2", text: "Second" },
  { value: "x", text: "First's trail" }, { value: "o", text: "Second's trail" }, { value: "#", text: "Gone" },
];

export class Editor {
  #room = h("div", { class: "stage" });
  #form = h("div", { class: "stack" });
  #message = h("p", { class: "problem", role: "status" });
  #use = h("button", { type: "button", class: "main", id: "use-position", onclick: () => this.#finish() }, "Use this position");
  #board = new Board({ move: () => {}, say, edit: (place, down) => this.#touch(place, down) });
  #brush = "#";
  #timer = 0;
  /** @type {string | null} the position's text, if it is one */
  #start = null;
  panel = h("section", { class: "card stack", "aria-label": "Board editor" });
  element = this.#room;

  /**
   * @param {string} game
   * @param {State} state
   * @param {(game: string, start: string) => void} onUse
   * @param {() => void} onCancel
   */
  constructor(game, state, onUse, onCancel) {
    this.game = game;
    /** @type {BoardData} */
    this.data = structuredClone(state.board);
    this.mover = state.to_move;
    this.onUse = onUse;
    this.#room.append(this.#board.element);
    refill(this.panel, h("h2", {}, "Edit the board"), this.#form, this.#message,
      h("div", { class: "row" }, this.#use,
        h("button", { type: "button", onclick: () => this.#reset() }, "Start position"),
        h("button", { type: "button", onclick: () => this.#clear() }, "Clear"),
        h("button", { type: "button", class: "plain", onclick: onCancel }, "Cancel")));
    this.#draw();
    void this.#offerGames();
  }

  close() {
    window.clearTimeout(this.#timer);
    this.#board.close();
  }

  async #offerGames() {
    const form = new GameForm(await meta(), this.game);
    const details = h("details", {}, h("summary", {}, "Another game or size"), form.element,
      h("button", { type: "button", onclick: () => { this.game = form.game; this.#reset(); details.open = false; } }, "Set it up"));
    this.panel.insertBefore(details, this.#message);
  }

  #draw() {
    const { data } = this;
    const mover = pills("To move", "mover", [{ value: "0", text: "First" }, { value: "1", text: "Second" }], String(this.mover), (value) => {
      this.mover = value === "0" ? 0 : 1;
      this.#changed(false);
    });
    if (data.kind === "kalah") {
      const input = (/** @type {string} */ label, /** @type {number} */ value, /** @type {(value: number) => void} */ put) =>
        h("label", { class: "mini" }, h("span", { "aria-hidden": "true" }, label.replace(/^.*? (pit )?/, "")), h("input", {
          type: "number", min: 0, max: 480, value, "aria-label": label, oninput: (/** @type {Event} */ event) => {
            put(Math.max(0, Math.min(480, Math.trunc(Number(/** @type {HTMLInputElement} */ (event.target).value)) || 0)));
            this.#changed(false);
          },
        }));
      const side = (/** @type {0 | 1} */ player, /** @type {string} */ name) => h("fieldset", {}, h("legend", {}, `${name} player`), h("div", { class: "minis" },
        data.pits[player].map((seeds, pit) => input(`${name} pit ${pit}`, seeds, (value) => (data.pits[player][pit] = value))),
        input(`${name} store`, data.stores[player], (value) => (data.stores[player] = value))));
      refill(this.#form, h("p", { class: "muted small" }, "Click a pit to add a seed, click with the other button to take one, or write the numbers."), side(1, "Second"), side(0, "First"), mover);
    } else {
      refill(this.#form, h("p", { class: "muted small" }, "Choose what to put, then click cells."),
        pills("Put", "brush", KINDS, this.#brush, (value) => (this.#brush = value)), mover);
    }
    this.#changed(false);
  }

  /**
   * @param {number} place
   * @param {boolean} down
   */
  #touch(place, down) {
    const { data } = this;
    if (data.kind === "kalah") {
      const half = data.pits[0].length + 1;
      const player = place < half ? 0 : 1;
      const pit = place % half;
      const by = down ? -1 : 1;
      if (pit === half - 1) data.stores[player] = Math.max(0, data.stores[player] + by);
      else data.pits[player][pit] = Math.max(0, data.pits[player][pit] + by);
    } else {
      const cells = [...data.cells];
      // There is one piece of each player: putting it takes it from where it was.
      if (this.#brush === "1" || this.#brush === "2") cells.forEach((kind, i) => kind === this.#brush && (cells[i] = "."));
      cells[place] = down ? "." : this.#brush;
      data.cells = cells.join("");
    }
    this.#changed(true);
  }

  /** @param {boolean} redraw whether the numbers must be written anew */
  #changed(redraw) {
    const { data } = this;
    if (data.kind === "isolation") {
      const name = (/** @type {number} */ i) => (i < 0 ? null : String.fromCharCode(97 + (i % data.cols)) + (Math.floor(i / data.cols) + 1));
      data.pieces = [name(data.cells.indexOf("1")), name(data.cells.indexOf("2"))];
    } else if (redraw) {
      const inputs = [...this.#form.querySelectorAll("input[type=number]")];
      const values = [...data.pits[1], data.stores[1], ...data.pits[0], data.stores[0]];
      inputs.forEach((input, i) => (/** @type {HTMLInputElement} */ (input).value = String(values[i])));
    }
    this.#board.show({ ply: 0, position: "", to_move: this.mover, board: structuredClone(data), legal: [], removable: null, over: false, result: null, last: null });
    this.#start = null;
    this.#use.disabled = true;
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#check(), 120);
  }

  async #check() {
    const { data } = this;
    const board = data.kind === "kalah" ? { kind: data.kind, pits: data.pits, stores: data.stores } : { kind: data.kind, cells: data.cells };
    const timer = this.#timer;
    try {
      const answer = await checkSetup({ game: this.game, board, to_move: this.mover });
      if (timer !== this.#timer) return;
      this.#start = answer.start;
      this.game = answer.game;
      this.#use.disabled = false;
      this.#message.className = "fine small";
      this.#message.textContent = answer.notes.length ? answer.notes.join(" ") : "This is a position.";
    } catch (error) {
      if (timer !== this.#timer) return;
      this.#message.className = "problem";
      this.#message.textContent = /** @type {Error} */ (error).message;
    }
  }

  #finish() {
    if (this.#start !== null) this.onUse(this.game, this.#start);
  }

  async #reset() {
    try {
      const { states } = await readLine({ game: this.game, start: null, moves: [] });
      this.data = structuredClone(states[0].board);
      this.mover = states[0].to_move;
      this.#draw();
    } catch (error) {
      complain(error);
    }
  }

  #clear() {
    const { data } = this;
    if (data.kind === "kalah") {
      data.pits = [data.pits[0].map(() => 0), data.pits[1].map(() => 0)];
      data.stores = [0, 0];
    } else {
      data.cells = data.cells.replace(/[^12]/g, ".");
    }
    this.#draw();
  }
}
