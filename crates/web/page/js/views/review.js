// A game in review: every move is judged by what it gave away, and can be tried again.

import { think, thinkOne } from "../backend.js";
import { h, icon, refill } from "../dom.js";
import { lineLink, lineOf } from "../link.js";
import { namesOfLine } from "../match-names.js";
import { Graph } from "../parts/graph.js";
import { historyBar, historyKey } from "../parts/history.js";
import { MoveList } from "../parts/moves.js";
import { Stage } from "../parts/stage.js";
import { tool } from "../parts/tool.js";
import { complain, say } from "../say.js";
import { change, load, settings } from "../settings.js";
import { NOBODY, Who } from "../text/names.js";
import { forFirst, gameName, judgedWords, lastWords, moveText, problemWords, short, turningWords } from "../text/sentences.js";
import { number, percent, t } from "../text/text.js";
import { Tree } from "../tree.js";
import { openPaste } from "./transfer.js";

/** @typedef {import("../main.js").View} View */
/** @typedef {import("../types.js").Reviewed} Reviewed */
/** @typedef {import("../types.js").Reviewing} ReviewSummary */
/** @typedef {import("../tree.js").Node} Node */

const MARKS = { best: "", inaccuracy: "?!", mistake: "?", blunder: "??" };
const TONES = { best: "good", inaccuracy: "even", mistake: "warn", blunder: "bad" };

/** @implements {View} */
export class ReviewView {
  title = t("app.review");
  #stage = new Stage({ move: (move) => this.#tryMove(move), say });
  #graph = new Graph((ply) => this.#go(ply));
  #moves = new MoveList((node) => this.#go(node.ply), (node) => {
    const judged = this.#judged[node.ply - 1];
    return judged ? { mark: MARKS[judged.judgement], title: t(`judged.${judged.judgement}`), kind: `j-${judged.judgement}` } : null;
  });
  #heading = h("h1", { class: "game-name" });
  #remark = h("div", { class: "card remark-card", "aria-live": "polite" });
  #summary = h("div", { class: "card", "aria-live": "polite" });
  #turning = h("div", { class: "card", hidden: true });
  element = h("div", { class: "table" },
    h("section", { class: "stack", "aria-label": t("board.label") }, this.#stage.element, historyBar((by) => this.#step(by), tool("flip", t("analysis.flip"), "F", () => this.#flip())), this.#remark, this.#graph.element),
    h("aside", { class: "stack side", "aria-label": t("app.review") },
      h("div", { class: "row apart named" }, this.#heading, h("div", { class: "row tight" },
        h("button", { type: "button", class: "small-button", onclick: () => this.#paste() }, icon("paste"), t("review.paste")),
        h("button", { type: "button", class: "small-button", onclick: () => this.#analyse() }, icon("analysis"), t("review.analyse")))),
      this.#summary, this.#turning,
      h("div", { class: "card" }, h("h2", {}, t("moves")), this.#moves.element)));
  /** @type {Tree | null} */
  #tree = null;
  #names = NOBODY;
  /** @type {Node[]} */
  #nodes = [];
  /** @type {Reviewed[]} by ply */
  #judged = [];
  /** @type {ReviewSummary | null} */
  #result = null;
  /** @type {import("../types.js").Thinking | null} */
  #request = null;
  #ply = 0;
  /** Whether a Kalah board is turned. */
  #turned = false;
  /** The move that is tried again. @type {number | null} */
  #trying = null;
  /** The attempt that is thought about; a step through the game ends it. @type {object | null} */
  #attempt = null;
  /** Whether the remark waits for the judgement of its move. */
  #unjudged = false;
  #closed = false;

  /** @param {URLSearchParams} params */
  async open(params) {
    const kept = load("match", /** @type {any} */ (null));
    const line = lineOf(params) ?? kept?.line;
    if (!line?.moves.length) {
      this.#heading.textContent = t("app.review");
      const tree = await Tree.open({ game: "kalah:6x4:standard", start: null, moves: [] });
      this.#show(tree);
      refill(this.#remark, h("p", {}, t("review.none")));
      refill(this.#summary, h("h2", {}, t("review.none.title")), h("p", { class: "muted" }, t("review.none.about")),
        h("a", { class: "button main", href: "#/play" }, t("review.play")));
      return;
    }
    const tree = await Tree.open(line);
    if (this.#closed) return;
    this.#names = this.#moves.names = namesOfLine(tree.asLine(), location.hash);
    this.#begin(tree);
  }

  close() {
    this.#closed = true;
    this.#request?.stop();
    this.#graph.close();
    this.#stage.board.close();
  }

  /** @param {Tree} tree */
  #show(tree) {
    this.#tree = tree;
    this.#nodes = tree.line();
    this.#judged = [];
    this.#result = null;
    this.#ply = this.#nodes.length - 1;
    this.#trying = null;
    this.#stage.allow(false);
    this.#orient();
    this.#stage.jump(this.#nodes[this.#ply].state);
    this.#moves.show(tree);
    this.#turning.hidden = true;
    this.#drawGraph();
  }

  /** @param {Tree} tree */
  #begin(tree) {
    this.#show(tree);
    this.#heading.textContent = gameName(tree.game);
    this.#drawRemark();
    this.#judge(tree);
  }

  /**
   * Judges all moves, from the last one to the first.
   * @param {Tree} tree
   */
  #judge(tree) {
    const total = this.#nodes.length - 1 - tree.opening;
    const progress = h("progress", { max: total, value: 0, "aria-label": t("review.progress") });
    refill(this.#summary, h("h2", {}, t("review.looking")), progress);
    this.#request?.stop();
    let judged = 0;
    const started = think({ type: "review", line: tree.asLine(), opening: tree.opening }, (frame) => {
      if (frame.type === "reviewed") {
        this.#judged[frame.ply] = frame;
        progress.value = ++judged;
        this.#moves.show(tree);
        this.#moves.mark(this.#nodes[this.#ply]);
        this.#drawGraph();
        if (frame.ply === this.#ply - 1 && this.#unjudged) this.#drawRemark();
      } else if (frame.type === "review") {
        this.#result = frame;
        this.#drawSummary();
        this.#drawGraph();
      }
    });
    this.#request = started;
    const stopped = (/** @type {unknown} */ error) => {
      if (this.#request !== started || this.#result || this.#closed) return;
      refill(this.#summary, h("h2", {}, t("review.stopped")), error ? h("p", {}, problemWords(error)) : null,
        h("button", { type: "button", onclick: () => this.#judge(tree) }, t("app.again")));
    };
    // It also ends without a summary when another thought takes its place.
    started.done.then(() => stopped(null), stopped);
  }

  #drawGraph() {
    const bars = this.#nodes.map((_, ply) => this.#result?.bars[ply] ?? this.#judged[ply]?.bar ?? null);
    const marks = new Map(this.#judged.flatMap((one) => (one && one.judgement !== "best" && one.judgement !== "inaccuracy" ? [[one.ply + 1, one.judgement]] : [])));
    const here = this.#judged[this.#ply];
    this.#graph.show(bars, this.#ply, /** @type {Map<number, string>} */ (marks), here ? short(forFirst(here.best, here.player)) : "");
  }

  #drawSummary() {
    const result = /** @type {ReviewSummary} */ (this.#result);
    const unit = this.#judged.find(Boolean)?.loss.unit ?? "seeds";
    const row = (/** @type {string} */ name, /** @type {(player: ReviewSummary["players"][0]) => string} */ value) =>
      h("tr", {}, h("th", { scope: "row" }, name), result.players.map((player) => h("td", {}, value(player))));
    refill(this.#summary, h("h2", {}, t("review.summary")),
      h("table", { class: "figures" },
        h("thead", {}, h("tr", {}, h("td", {}), result.players.map((one) => h("th", { scope: "col" }, h("span", { class: "dotted" }, h("span", { class: `dot p${one.player}` }), Who(this.#names, one.player)))))),
        h("tbody", {},
          row(t("review.accuracy"), (one) => (one.best + one.inaccuracy + one.mistake + one.blunder ? percent(one.accuracy) : "–")), row(t("review.best"), (one) => number(one.best)), row(t("review.inaccuracies"), (one) => number(one.inaccuracy)),
          row(t("review.mistakes"), (one) => number(one.mistake)), row(t("review.blunders"), (one) => number(one.blunder)),
          row(unit === "seeds" || unit === "cells" ? t("review.given.unit", { unit: t(`unit.${unit}`) }) : t("review.given"), (one) => number(one.loss)))),
      h("p", { class: "small muted" }, t("review.accuracy.about")),
      h("p", { class: "small muted point-of-view" }, t("view.first")));
    this.#turning.hidden = false;
    refill(this.#turning, h("h2", {}, t("review.turning")),
      result.turning_points.length ? h("ul", { class: "points" }, result.turning_points.map((ply) => h("li", {},
        h("p", {}, this.#judged[ply] ? turningWords(this.#judged[ply], this.#names) : ""),
        h("div", { class: "row tight" },
          h("button", { type: "button", class: "small-button", onclick: () => this.#go(ply + 1) }, t("review.show")),
          h("button", { type: "button", class: "small-button try-again", onclick: () => this.#tryAgain(ply) }, t("review.again"))))))
        : h("p", { class: "muted" }, t("review.turning.none")));
    say(t("review.complete"));
  }

  /** The remark about the move that led to the position on the board. */
  #drawRemark() {
    const node = this.#nodes[this.#ply];
    const judged = this.#judged[this.#ply - 1];
    this.#unjudged = !judged;
    if (!node?.parent) return refill(this.#remark, h("p", {}, t("review.start")));
    if (!judged) return refill(this.#remark, h("p", {}, t("moves.move", { ply: node.ply, move: moveText(node.move) }), " ", h("span", { class: "muted" }, t("review.unjudged"))));
    refill(this.#remark,
      h("div", { class: "row" },
        h("strong", {}, t("moves.move", { ply: node.ply, move: moveText(node.move) })),
        h("span", { class: `badge ${TONES[judged.judgement]}` }, t(`judged.${judged.judgement}`)),
        judged.loss.proven ? h("span", { class: "badge good" }, icon("check"), t("proven")) : null,
        h("span", { class: "muted small" }, `${short(forFirst(judged.best, judged.player))} → ${short(forFirst(judged.played, judged.player))}`)),
      h("p", {}, lastWords(node.state, this.#names)),
      h("p", {}, judgedWords(judged, this.#names)),
      judged.judgement === "best" ? null : h("div", { class: "row tight" },
        h("button", { type: "button", class: "small-button", onclick: () => this.#showBest(judged) }, t("review.show.best", { move: moveText(judged.best.move) })),
        h("button", { type: "button", class: "small-button", onclick: () => this.#tryAgain(judged.ply) }, t("review.again"))));
  }

  /** @param {number} ply */
  #go(ply) {
    const node = this.#nodes[Math.max(0, Math.min(this.#nodes.length - 1, ply))];
    if (!node) return;
    this.#trying = null;
    this.#attempt = null;
    this.#stage.allow(false);
    this.#ply = node.ply;
    this.#stage.board.point(null);
    this.#stage.jump(node.state);
    this.#moves.mark(node);
    this.#drawGraph();
    this.#drawRemark();
  }

  /** @param {number} by */
  #step(by) {
    this.#go(this.#ply + by);
  }

  /** @param {Reviewed} judged */
  #showBest(judged) {
    this.#go(judged.ply);
    this.#unjudged = false;
    this.#stage.board.point(judged.best.move);
    refill(this.#remark, h("p", {}, t("review.instead", { move: moveText(judged.played.move), best: moveText(judged.best.move) })),
      h("button", { type: "button", class: "small-button", onclick: () => this.#go(judged.ply + 1) }, t("review.back.move")));
  }

  /** @param {number} ply */
  #tryAgain(ply) {
    this.#go(ply);
    this.#trying = ply;
    this.#unjudged = false;
    this.#stage.allow(true);
    refill(this.#remark, h("p", { class: "headline" }, t("review.again")),
      h("p", {}, t("review.try", { ply: ply + 1, move: moveText(this.#nodes[ply + 1]?.move ?? "") })));
    say(t("review.find"));
    this.#stage.board.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} move */
  async #tryMove(move) {
    const tree = this.#tree;
    const ply = this.#trying;
    if (!tree || ply === null) return;
    const before = this.#nodes[ply];
    this.#trying = null;
    this.#stage.allow(false);
    const attempt = {};
    this.#attempt = attempt;
    const isHere = () => this.#attempt === attempt && !this.#closed;
    try {
      const tried = await Tree.open({ game: tree.game, start: before.state.position, moves: [move] });
      if (!isHere()) return;
      this.#stage.next(tried.current.state);
      refill(this.#remark, h("p", { class: "muted" }, t("review.looking.one")));
      // There is one thought at a time: a review that is not finished begins again afterwards.
      this.#request?.stop();
      this.#request = null;
      const judged = await thinkOne({ type: "review", line: tried.asLine() }, "reviewed").answer;
      if (!isHere()) return;
      if (judged) this.#drawAttempt(judged, ply);
      else this.#tryAgain(ply);
    } catch (error) {
      complain(error);
      if (isHere()) this.#tryAgain(ply);
    } finally {
      if (this.#attempt === attempt) this.#attempt = null;
      // A newer attempt continues the review when it ends.
      if (!this.#closed && !this.#result && !this.#request && !this.#attempt) this.#judge(tree);
    }
  }

  /**
   * What is to be said about a move that was tried again.
   * @param {Reviewed} judged
   * @param {number} ply
   */
  #drawAttempt(judged, ply) {
    const better = judged.loss.value < (this.#judged[ply]?.loss.value ?? 0);
    refill(this.#remark,
      h("div", { class: "row" },
        h("strong", {}, t(judged.judgement === "best" ? "review.that" : better ? "review.better" : "review.not.better")),
        h("span", { class: `badge ${TONES[judged.judgement]}` }, t(`judged.${judged.judgement}`))),
      h("p", {}, judgedWords(judged, this.#names)),
      h("div", { class: "row tight" },
        judged.judgement === "best" ? null : h("button", { type: "button", class: "small-button", onclick: () => this.#tryAgain(ply) }, t("review.again")),
        h("button", { type: "button", class: "small-button", onclick: () => this.#go(ply + 1) }, t("review.back.game"))));
  }

  #paste() {
    openPaste(this.#tree?.game ?? "kalah:6x4:standard", (answer) => {
      location.hash = lineLink("review", answer, undefined, answer.players ?? NOBODY);
    });
  }

  #analyse() {
    const tree = this.#tree;
    if (tree) location.hash = lineLink("analysis", tree.asLine(), this.#ply, this.#names);
  }

  #flip() {
    if (this.#tree?.current.state.board.kind === "isolation") change({ flip: !settings.flip });
    else this.#turned = !this.#turned;
    this.#orient();
  }

  #orient() {
    this.#stage.board.flip(this.#tree?.current.state.board.kind === "isolation" ? settings.flip : this.#turned);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const by = historyKey(event.key);
    if (by) {
      this.#step(by);
      return true;
    }
    const run = /** @type {Record<string, () => void>} */ ({ a: () => this.#analyse(), f: () => this.#flip(), b: () => this.#stage.board.focus() })[event.key];
    if (!run) return this.#stage.key(event);
    run();
    return true;
  }
}
