// Puzzles: positions in which exactly one move keeps the win.

import { puzzle as askPuzzle, puzzles as askPuzzles, tryPuzzle } from "../api.js";
import { h, icon, refill } from "../dom.js";
import { lineLink } from "../link.js";
import { pills } from "../parts/gameform.js";
import { Stage } from "../parts/stage.js";
import { complain, say } from "../say.js";
import { load, save } from "../settings.js";
import { NEUTRAL, chip, gameName, withNames } from "../words.js";

/** @typedef {import("../main.js").View} View */
/** @typedef {import("../types.js").Puzzle} Puzzle */
/** @typedef {import("../types.js").PuzzleListed} PuzzleListed */
/** @typedef {import("../types.js").Verdict} Verdict */

/** @implements {View} */
export class PuzzlesView {
  title = "Puzzles";
  #stage = new Stage({ move: (move) => this.#try(move), say, values: true });
  #heading = h("h1", { class: "game-name" });
  #goal = h("p", { class: "goal" });
  #verdict = h("div", { class: "verdict", "aria-live": "polite" });
  #buttons = h("div", { class: "row" });
  #filters = h("div", { class: "stack" });
  #list = h("div", { class: "puzzle-list" });
  element = h("div", { class: "table" },
    h("section", { class: "stack", "aria-label": "Puzzle" }, this.#stage.element),
    h("aside", { class: "stack side", "aria-label": "Puzzles" },
      h("div", { class: "card" }, this.#heading, this.#goal, this.#verdict, this.#buttons),
      h("div", { class: "card stack" }, h("h2", {}, "All puzzles"), this.#filters, this.#list)));
  /** @type {PuzzleListed[]} */
  #all = [];
  /** @type {Puzzle | null} */
  #puzzle = null;
  /** @type {string[]} everything played from the start, replies included */
  #moves = [];
  /** @type {Verdict | null} a wrong try that is still on the board */
  #wrong = null;
  #failed = false;
  /** @type {Record<string, "solved" | "helped">} */
  #done = Object(load("puzzles", {}));
  #kind = load("puzzle-kind", "all");
  #level = load("puzzle-level", "0");

  /** @param {URLSearchParams} params */
  async open(params) {
    this.#all = (await askPuzzles()).puzzles;
    this.#drawFilters();
    const wanted = params.get("id") ?? this.#listed().find((one) => !this.#done[one.id])?.id ?? this.#all[0]?.id;
    if (wanted) await this.#load(wanted);
    else refill(this.#verdict, h("p", {}, "This server has no puzzles."));
  }

  close() {
    this.#stage.board.close();
  }

  #listed() {
    return this.#all.filter((one) => (this.#kind === "all" || one.game.startsWith(this.#kind)) && (this.#level === "0" || one.level === Number(this.#level)));
  }

  #drawFilters() {
    const levels = [...new Set(this.#all.map((one) => one.level))].sort();
    refill(this.#filters,
      pills("Game", "puzzle-kind", [{ value: "all", text: "Both" }, { value: "kalah", text: "Kalah" }, { value: "isolation", text: "Isolation" }], this.#kind, (value) => {
        this.#kind = value;
        save("puzzle-kind", value);
        this.#drawList();
      }),
      pills("Grade", "puzzle-level", [{ value: "0", text: "All" }, ...levels.map((level) => ({ value: String(level), text: "★".repeat(level) }))], this.#level, (value) => {
        this.#level = value;
        save("puzzle-level", value);
        this.#drawList();
      }));
    // Stars are read as a number.
    for (const input of this.#filters.querySelectorAll('input[name="puzzle-level"]')) {
      const { value } = /** @type {HTMLInputElement} */ (input);
      input.setAttribute("aria-label", value === "0" ? "All grades" : `Grade ${value}`);
    }
    this.#drawList();
  }

  #drawList() {
    const listed = this.#listed();
    const solved = listed.filter((one) => this.#done[one.id] === "solved").length;
    refill(this.#list,
      h("p", { class: "muted small" }, `${solved} of ${listed.length} solved`),
      h("div", { class: "puzzle-grid" }, listed.map((one) => h("a", {
        class: `puzzle-link ${this.#done[one.id] ?? ""}`, href: `#/puzzles?id=${one.id}`, "aria-current": one.id === this.#puzzle?.id ? "true" : null,
        title: `${gameName(one.game)}, grade ${one.level}`, "aria-label": `Puzzle ${one.id}, ${gameName(one.game)}, grade ${one.level}${this.#done[one.id] ? `, ${this.#done[one.id]}` : ""}`,
      }, one.id))));
    const current = this.#list.querySelector("[aria-current]");
    const grid = this.#list.querySelector(".puzzle-grid");
    if (current instanceof HTMLElement && grid) grid.scrollTop = current.offsetTop - 80;
  }

  /** @param {string} id */
  async #load(id) {
    const puzzle = await askPuzzle(id);
    const goal = withNames(puzzle.goal, NEUTRAL);
    this.#puzzle = puzzle;
    this.#moves = [];
    this.#wrong = null;
    this.#failed = false;
    this.#stage.board.values(null);
    this.#stage.board.flip((puzzle.state.to_move === 1) === (puzzle.state.board.kind === "kalah"));
    this.#stage.allow(true);
    this.#stage.jump(puzzle.state);
    refill(this.#heading, `Puzzle ${puzzle.id} `, h("span", { class: "stars", role: "img", "aria-label": `grade ${puzzle.level}` }, "★".repeat(puzzle.level)));
    refill(this.#goal, h("strong", {}, gameName(puzzle.game)), ". ", goal, puzzle.moves > 1 ? ` ${puzzle.moves} moves to find.` : "");
    refill(this.#verdict);
    this.#drawButtons(false);
    this.#drawList();
    say(goal);
  }

  /** @param {boolean} solved */
  #drawButtons(solved) {
    const puzzle = this.#puzzle;
    if (!puzzle) return;
    const listed = this.#listed();
    const here = listed.findIndex((one) => one.id === puzzle.id);
    const next = listed.slice(here + 1).find((one) => this.#done[one.id] !== "solved") ?? listed.find((one) => one.id !== puzzle.id && this.#done[one.id] !== "solved");
    refill(this.#buttons,
      this.#wrong ? h("button", { type: "button", class: "main", id: "retry", onclick: () => this.#retry() }, icon("back"), "Try again") : null,
      solved ? null : h("button", { type: "button", onclick: () => this.#reveal() }, "Show the solution"),
      next ? h("a", { class: solved ? "button main" : "button", id: "next-puzzle", href: `#/puzzles?id=${next.id}` }, "Next puzzle") : null,
      solved ? h("a", { class: "button", href: lineLink("analysis", { game: puzzle.game, start: puzzle.start, moves: this.#moves }) }, "Analyse") : null);
  }

  /** @param {string} move */
  async #try(move) {
    const puzzle = this.#puzzle;
    if (!puzzle || this.#wrong) return;
    const before = this.#moves.length;
    this.#stage.allow(false);
    try {
      const answer = await tryPuzzle(puzzle.id, [...this.#moves, move]);
      if (this.#puzzle !== puzzle) return;
      for (const state of answer.states.slice(before + 1)) this.#stage.next(state);
      if (answer.verdict === "wrong") {
        this.#wrong = answer;
        this.#failed = true;
      } else {
        this.#moves = answer.moves;
        this.#stage.allow(answer.verdict === "right");
      }
      if (answer.verdict === "solved") this.#finish(this.#failed ? "helped" : "solved");
      this.#speak(answer);
      this.#drawButtons(answer.verdict === "solved");
      if (answer.verdict !== "right") document.getElementById(answer.verdict === "wrong" ? "retry" : "next-puzzle")?.focus({ preventScroll: true });
    } catch (error) {
      this.#stage.allow(true);
      complain(error);
    }
  }

  /** @param {Verdict} answer */
  #speak(answer) {
    const tone = answer.verdict === "wrong" ? "bad" : "good";
    refill(this.#verdict, h("p", { class: `badge-line ${tone}` }, icon(answer.verdict === "wrong" ? "cross" : "check"), answer.words));
  }

  /** @param {"solved" | "helped"} how */
  #finish(how) {
    const puzzle = this.#puzzle;
    if (!puzzle || this.#done[puzzle.id] === "solved") return;
    this.#done[puzzle.id] = how;
    save("puzzles", this.#done);
    this.#drawList();
  }

  async #retry() {
    const puzzle = this.#puzzle;
    const wrong = this.#wrong;
    if (!puzzle || !wrong) return;
    this.#wrong = null;
    refill(this.#verdict);
    this.#stage.allow(true);
    this.#stage.jump(wrong.states[this.#moves.length]);
    this.#drawButtons(false);
  }

  async #reveal() {
    const puzzle = this.#puzzle;
    if (!puzzle) return;
    try {
      if (this.#wrong) await this.#retry();
      const answer = await tryPuzzle(puzzle.id, this.#moves, true);
      this.#failed = true;
      this.#finish("helped");
      const best = answer.solution?.[this.#moves.length] ?? answer.solution?.[0];
      if (best) this.#stage.board.point(best);
      if (answer.values) this.#stage.board.values(new Map(answer.values.map((one) => [one.move, chip(one.value, one.proven, one.unit ?? "seeds", one.move === best)])));
      refill(this.#verdict, h("p", {}, "The move is ", h("strong", {}, best ?? "?"), ". ", answer.solution && answer.solution.length > 1 ? `The whole line: ${answer.solution.join(" ")}.` : ""));
    } catch (error) {
      complain(error);
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "b") {
      this.#stage.board.focus();
      return true;
    }
    if (this.#wrong && (event.key === "Backspace" || event.key === "u" || event.key === "ArrowLeft")) {
      void this.#retry();
      return true;
    }
    return this.#stage.key(event);
  }
}
