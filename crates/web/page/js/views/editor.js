// Setting up a position. The server says whether it is valid.

import { ask, meta, readLine } from "../backend.js";
import { Board } from "../board/board.js";
import { h, refill } from "../dom.js";
import { GameForm, pills } from "../parts/gameform.js";
import { complain, say } from "../say.js";
import { settings } from "../settings.js";
import { pitNumber, problemWords } from "../text/sentences.js";
import { t } from "../text/text.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Board} BoardData */
/** @typedef {import("../types.js").Note} Note */

const KINDS = [
  { value: ".", text: t("editor.free") }, { value: "1", text: t("editor.first") }, { value: "2", text: t("editor.second") },
  { value: "x", text: t("editor.trail.0") }, { value: "o", text: t("editor.trail.1") }, { value: "#", text: t("editor.gone") },
];

/** @param {Note} note */
const noteWords = (note) => (note.t === "over" ? t("editor.note.over") : t("editor.note.seeds", { seeds: t("seeds", { n: note.seeds }), usual: note.usual }));

export class Editor {
  #room = h("div", { class: "stage" });
  #form = h("div", { class: "stack" });
  #message = h("p", { class: "problem", role: "status" });
  #use = h("button", { type: "button", class: "main", id: "use-position", onclick: () => this.#finish() }, t("editor.use"));
  #board = new Board({ move: () => {}, say, edit: (place, down) => this.#touch(place, down) });
  #brush = "#";
  #timer = 0;
  /** @type {string | null} the position's text, if it is one */
  #start = null;
  panel = h("section", { class: "card stack", "aria-label": t("editor.label") });
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
    this.#board.flip(state.board.kind === "isolation" && settings.flip);
    refill(this.panel, h("h2", {}, t("editor.title")), this.#form, this.#message,
      h("div", { class: "row" }, this.#use,
        h("button", { type: "button", class: "plain", onclick: onCancel }, t("editor.cancel"))),
      h("div", { class: "row" },
        h("button", { type: "button", onclick: () => this.#reset() }, t("editor.start")),
        h("button", { type: "button", onclick: () => this.#clear() }, t("editor.clear"))));
    this.#draw();
    void this.#offerGames();
  }

  close() {
    window.clearTimeout(this.#timer);
    this.#board.close();
  }

  async #offerGames() {
    const form = new GameForm(await meta(), this.game);
    const details = h("details", {}, h("summary", {}, t("editor.other")), form.element,
      h("button", { type: "button", onclick: () => { this.game = form.game; this.#reset(); details.open = false; } }, t("editor.set")));
    this.panel.insertBefore(details, this.#message);
  }

  #draw() {
    const { data } = this;
    const mover = pills(t("editor.mover"), "mover", [{ value: "0", text: t("editor.first") }, { value: "1", text: t("editor.second") }], String(this.mover), (value) => {
      this.mover = value === "0" ? 0 : 1;
      this.#changed(false);
    });
    if (data.kind === "kalah") {
      const input = (/** @type {string} */ label, /** @type {string} */ brief, /** @type {number} */ value, /** @type {(value: number) => void} */ put) =>
        h("label", { class: "mini" }, h("span", { "aria-hidden": "true" }, brief), h("input", {
          type: "number", min: 0, max: 480, value, "aria-label": label, oninput: (/** @type {Event} */ event) => {
            put(Math.max(0, Math.min(480, Math.trunc(Number(/** @type {HTMLInputElement} */ (event.target).value)) || 0)));
            this.#changed(false);
          },
        }));
      const side = (/** @type {0 | 1} */ player) => h("fieldset", {}, h("legend", {}, t(player === 0 ? "player.0.Who" : "player.1.Who")), h("div", { class: "minis" },
        data.pits[player].map((seeds, pit) => input(t(player === 0 ? "editor.pit.0" : "editor.pit.1", { pit: pitNumber(pit) }), pitNumber(pit), seeds, (value) => (data.pits[player][pit] = value))),
        input(t(player === 0 ? "editor.store.0" : "editor.store.1"), t("editor.store"), data.stores[player], (value) => (data.stores[player] = value))));
      refill(this.#form, h("p", { class: "muted small" }, t("editor.kalah")), side(1), side(0), mover);
    } else {
      refill(this.#form, h("p", { class: "muted small" }, t("editor.isolation")),
        pills(t("editor.put"), "brush", KINDS, this.#brush, (value) => (this.#brush = value)), mover);
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

  /** @param {boolean} redraw whether the numbers must be written again */
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
    /** @type {import("../types.js").EditedBoard} */
    const board = data.kind === "kalah" ? { kind: data.kind, pits: data.pits, stores: data.stores } : { kind: data.kind, cells: data.cells };
    const timer = this.#timer;
    try {
      const answer = await ask("setup", { game: this.game, board, to_move: this.mover });
      if (timer !== this.#timer) return;
      this.#start = answer.start;
      this.game = answer.game;
      this.#use.disabled = false;
      this.#message.className = "fine small";
      this.#message.textContent = answer.notes.length ? answer.notes.map(noteWords).join(t("sentence.join")) : t("editor.fine");
    } catch (error) {
      if (timer !== this.#timer) return;
      this.#message.className = "problem";
      this.#message.textContent = problemWords(error);
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
