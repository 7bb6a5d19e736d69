// Puzzles: positions in which exactly one move keeps the win.

import { ask } from "../backend.js";
import { h, icon, refill } from "../dom.js";
import { lineLink } from "../link.js";
import { pills } from "../parts/gameform.js";
import { Stage } from "../parts/stage.js";
import { complain, say } from "../say.js";
import { load, save, settings } from "../settings.js";
import { NOBODY, Who } from "../text/names.js";
import { chip, gameName, moveText, moveWorth } from "../text/sentences.js";
import { t } from "../text/text.js";

/** @typedef {import("../main.js").View} View */
/** @typedef {import("../types.js").PuzzleAnswer} Puzzle */
/** @typedef {import("../types.js").PuzzleEntry} PuzzleListed */
/** @typedef {import("../types.js").TryAnswer} Verdict */

/** @implements {View} */
export class PuzzlesView {
  title = t("app.puzzles");
  #stage = new Stage({ move: (move) => this.#try(move), say, values: true });
  #heading = h("h1", { class: "game-name" });
  #goal = h("p", { class: "goal" });
  #verdict = h("div", { class: "verdict", "aria-live": "polite" });
  #buttons = h("div", { class: "row" });
  #filters = h("div", { class: "stack" });
  #list = h("div", { class: "puzzle-list" });
  element = h("div", { class: "table" },
    h("section", { class: "stack", "aria-label": t("puzzle.label") }, this.#stage.element),
    h("aside", { class: "stack side", "aria-label": t("app.puzzles") },
      h("div", { class: "card" }, this.#heading, this.#goal, this.#verdict, this.#buttons),
      h("div", { class: "card stack" }, h("h2", {}, t("puzzle.all")), this.#filters, this.#list)));
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
    this.#all = (await ask("puzzles", {})).puzzles;
    this.#drawFilters();
    const wanted = params.get("id") ?? this.#listed().find((one) => !this.#done[one.id])?.id ?? this.#all[0]?.id;
    if (wanted) await this.#load(wanted);
    else refill(this.#verdict, h("p", {}, t("puzzle.none")));
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
      pills(t("puzzle.game"), "puzzle-kind", [{ value: "all", text: t("puzzle.both") }, { value: "kalah", text: t("kalah") }, { value: "isolation", text: t("isolation") }], this.#kind, (value) => {
        this.#kind = value;
        save("puzzle-kind", value);
        this.#drawList();
      }),
      pills(t("puzzle.grade"), "puzzle-level", [{ value: "0", text: t("puzzle.grade.all") }, ...levels.map((level) => ({ value: String(level), text: "★".repeat(level) }))], this.#level, (value) => {
        this.#level = value;
        save("puzzle-level", value);
        this.#drawList();
      }));
    // Stars are read as a number.
    for (const input of this.#filters.querySelectorAll('input[name="puzzle-level"]')) {
      const { value } = /** @type {HTMLInputElement} */ (input);
      input.setAttribute("aria-label", value === "0" ? t("puzzle.grade.every") : t("puzzle.grade.n", { level: Number(value) }));
    }
    this.#drawList();
  }

  #drawList() {
    const listed = this.#listed();
    const solved = listed.filter((one) => this.#done[one.id] === "solved").length;
    refill(this.#list,
      h("p", { class: "muted small" }, t("puzzle.solved.of", { solved, all: listed.length })),
      h("div", { class: "puzzle-grid" }, listed.map((one) => h("a", {
        class: `puzzle-link ${this.#done[one.id] ?? ""}`, href: `#/puzzles?id=${one.id}`, "aria-current": one.id === this.#puzzle?.id ? "true" : null,
        title: t("puzzle.link.title", { game: gameName(one.game), level: one.level }),
        "aria-label": t("puzzle.link", { id: one.id, game: gameName(one.game), level: one.level }) + (this.#done[one.id] ? t(this.#done[one.id] === "solved" ? "puzzle.link.solved" : "puzzle.link.helped") : ""),
      }, one.id))));
    const current = this.#list.querySelector("[aria-current]");
    const grid = this.#list.querySelector(".puzzle-grid");
    if (current instanceof HTMLElement && grid) grid.scrollTop = current.offsetTop - 80;
  }

  /** @param {string} id */
  async #load(id) {
    const puzzle = await ask("puzzle", { id });
    const goal = t("puzzle.goal", { Who: Who(NOBODY, puzzle.state.to_move) });
    this.#puzzle = puzzle;
    this.#moves = [];
    this.#wrong = null;
    this.#failed = false;
    this.#stage.board.values(null);
    this.#stage.board.flip(puzzle.state.board.kind === "kalah" ? puzzle.state.to_move === 1 : settings.flip);
    this.#stage.allow(true);
    this.#stage.jump(puzzle.state);
    refill(this.#heading, t("puzzle.name", { id: puzzle.id }), " ", h("span", { class: "stars", role: "img", "aria-label": t("puzzle.grade.n", { level: puzzle.level }) }, "★".repeat(puzzle.level)));
    refill(this.#goal, h("strong", {}, gameName(puzzle.game)), h("br", {}), goal, puzzle.moves > 1 ? ` ${t("puzzle.to.find", { n: puzzle.moves })}` : "");
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
      this.#wrong ? h("button", { type: "button", class: "main", id: "retry", onclick: () => this.#retry() }, icon("back"), t("puzzle.retry")) : null,
      solved ? null : h("button", { type: "button", onclick: () => this.#reveal() }, t("puzzle.solution")),
      next ? h("a", { class: solved ? "button main" : "button", id: "next-puzzle", href: `#/puzzles?id=${next.id}` }, t("puzzle.next")) : null,
      solved ? h("a", { class: "button", href: lineLink("analysis", { game: puzzle.game, start: puzzle.start, moves: this.#moves }) }, t("puzzle.analyse")) : null);
  }

  /** @param {string} move */
  async #try(move) {
    const puzzle = this.#puzzle;
    if (!puzzle || this.#wrong) return;
    const before = this.#moves.length;
    this.#stage.allow(false);
    try {
      const answer = await ask("tryPuzzle", { id: puzzle.id, moves: [...this.#moves, move] });
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
    refill(this.#verdict, h("p", { class: `badge-line ${tone}` }, icon(answer.verdict === "wrong" ? "cross" : "check"),
      answer.verdict === "right" ? t("puzzle.right") : t(answer.verdict === "wrong" ? "puzzle.wrong" : "puzzle.solved", { move: moveText(answer.tried.move), worth: moveWorth(answer.tried, this.#puzzle?.state.to_move ?? 0, NOBODY) })));
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
      const answer = await ask("tryPuzzle", { id: puzzle.id, moves: this.#moves, solution: true });
      this.#failed = true;
      this.#finish("helped");
      const best = answer.solution?.[this.#moves.length] ?? answer.solution?.[0];
      if (best) this.#stage.board.point(best);
      this.#stage.board.values(new Map(answer.values.map((one) => [one.move, chip(one, puzzle.state.to_move, one.move === best)])));
      refill(this.#verdict, h("p", {}, t("puzzle.is", { move: moveText(best ?? "?") }), " ", answer.solution && answer.solution.length > 1 ? t("puzzle.line", { moves: answer.solution.map(moveText).join(" ") }) : ""),
        h("p", { class: "small muted point-of-view" }, t("view.first")));
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
