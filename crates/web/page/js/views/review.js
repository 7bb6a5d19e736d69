// A game looked back on: every move judged by what it gave away, and the chance to do better.

import { h, icon, refill } from "../dom.js";
import { lineLink, lineOf } from "../link.js";
import { Graph } from "../parts/graph.js";
import { historyBar, historyKey } from "../parts/history.js";
import { namesOfLine } from "../names.js";
import { MoveList } from "../parts/moves.js";
import { Stage } from "../parts/stage.js";
import { complain, say } from "../say.js";
import { load } from "../settings.js";
import { request, requestOne } from "../socket.js";
import { Tree } from "../tree.js";
import { NEUTRAL, gameName, short, withNames } from "../words.js";
import { openPaste } from "./transfer.js";

/** @typedef {import("../main.js").View} View */
/** @typedef {import("../types.js").Reviewed} Reviewed */
/** @typedef {import("../types.js").ReviewSummary} ReviewSummary */
/** @typedef {import("../tree.js").Node} Node */

const MARKS = { best: "", inaccuracy: "?!", mistake: "?", blunder: "??" };
const TONES = { best: "good", inaccuracy: "even", mistake: "warn", blunder: "bad" };

/** @implements {View} */
export class ReviewView {
  title = "Review";
  #stage = new Stage({ move: (move) => this.#tryMove(move), say });
  #graph = new Graph((ply) => this.#go(ply));
  #moves = new MoveList((node) => this.#go(node.ply), (node) => {
    const judged = this.#judged[node.ply - 1];
    return judged ? { mark: MARKS[judged.judgement], title: judged.judgement, kind: `j-${judged.judgement}` } : null;
  });
  #heading = h("h1", { class: "game-name" });
  #remark = h("div", { class: "card remark-card", "aria-live": "polite" });
  #summary = h("div", { class: "card", "aria-live": "polite" });
  #turning = h("div", { class: "card", hidden: true });
  element = h("div", { class: "table" },
    h("section", { class: "stack", "aria-label": "Board" }, this.#stage.element, historyBar((by) => this.#step(by)), this.#remark, this.#graph.element),
    h("aside", { class: "stack side", "aria-label": "Review" },
      h("div", { class: "row apart" }, this.#heading, h("div", { class: "row tight" },
        h("button", { type: "button", class: "small-button", onclick: () => this.#paste() }, icon("paste"), "Paste"),
        h("button", { type: "button", class: "small-button", onclick: () => this.#analyse() }, icon("analysis"), "Analyse"))),
      this.#summary, this.#turning,
      h("div", { class: "card" }, h("h2", {}, "Moves"), this.#moves.element)));
  /** @type {Tree | null} */
  #tree = null;
  #names = NEUTRAL;
  /** @type {Node[]} */
  #nodes = [];
  /** @type {Reviewed[]} by ply */
  #judged = [];
  /** @type {ReviewSummary | null} */
  #result = null;
  /** @type {import("../socket.js").Request | null} */
  #request = null;
  #ply = 0;
  /** The move that is tried anew. @type {number | null} */
  #trying = null;

  /** @param {URLSearchParams} params */
  async open(params) {
    const kept = load("match", /** @type {any} */ (null));
    const line = lineOf(params) ?? kept?.line;
    if (!line?.moves.length) {
      this.#heading.textContent = "Review";
      const tree = await Tree.open({ game: "kalah:6x4:standard", start: null, moves: [] });
      this.#show(tree);
      refill(this.#remark, h("p", {}, "There is no game yet. Play one, or paste a record."));
      refill(this.#summary, h("h2", {}, "Nothing to review yet"), h("p", { class: "muted" }, "After a game, every move is judged here by what it gave away."),
        h("a", { class: "button main", href: "#/play" }, "Play a game"));
      return;
    }
    const tree = await Tree.open(line);
    this.#names = this.#moves.names = await namesOfLine(tree.asLine(), tree.players);
    this.#begin(tree);
  }

  close() {
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
    this.#stage.jump(this.#nodes[this.#ply].state);
    this.#moves.show(tree);
    this.#turning.hidden = true;
    this.#drawGraph();
  }

  /** @param {Tree} tree */
  #begin(tree) {
    this.#show(tree);
    this.#heading.textContent = gameName(tree.game);
    const total = this.#nodes.length - 1 - tree.opening;
    const progress = h("progress", { max: total, value: 0, "aria-label": "Moves looked at" });
    refill(this.#summary, h("h2", {}, "Looking at every move"), progress);
    this.#drawRemark();
    this.#request?.stop();
    const started = request({ type: "review", line: tree.asLine(), opening: tree.opening }, (frame) => {
      if (frame.type === "reviewed") {
        this.#judged[frame.ply] = frame;
        progress.value = this.#judged.filter(Boolean).length;
        this.#moves.show(tree);
        this.#moves.mark(this.#nodes[this.#ply]);
        this.#drawGraph();
        if (frame.ply === this.#ply - 1) this.#drawRemark();
      } else if (frame.type === "review") {
        this.#result = frame;
        this.#drawSummary();
        this.#drawGraph();
      }
    });
    this.#request = started;
    started.done.catch((error) => {
      refill(this.#summary, h("h2", {}, "The review stopped"), h("p", {}, error.message), h("button", { type: "button", onclick: () => this.#begin(tree) }, "Try again"));
    });
  }

  #drawGraph() {
    const bars = this.#nodes.map((_, ply) => this.#result?.bars[ply] ?? this.#judged[ply]?.bar ?? null);
    const marks = new Map(this.#judged.flatMap((one) => (one && one.judgement !== "best" && one.judgement !== "inaccuracy" ? [[one.ply + 1, one.judgement]] : [])));
    this.#graph.show(bars, this.#ply, /** @type {Map<number, string>} */ (marks));
  }

  #drawSummary() {
    const result = /** @type {ReviewSummary} */ (this.#result);
    const unit = this.#judged.find(Boolean)?.unit ?? "seeds";
    const row = (/** @type {string} */ name, /** @type {(player: ReviewSummary["players"][0]) => string} */ value) =>
      h("tr", {}, h("th", { scope: "row" }, name), result.players.map((player) => h("td", {}, value(player))));
    refill(this.#summary, h("h2", {}, "How it was played"),
      h("table", { class: "figures" },
        h("thead", {}, h("tr", {}, h("td", {}), result.players.map((one) => h("th", { scope: "col" }, h("span", { class: `dot p${one.player}` }), this.#names[one.player])))),
        h("tbody", {},
          row("Accuracy", (one) => `${Math.round(one.accuracy * 100)} %`), row("Best moves", (one) => String(one.best)), row("Inaccuracies", (one) => String(one.inaccuracy)),
          row("Mistakes", (one) => String(one.mistake)), row("Blunders", (one) => String(one.blunder)),
          row(unit === "seeds" || unit === "cells" ? `Given away, ${unit}` : "Given away", (one) => String(Math.round(one.loss * 10) / 10)))),
      h("p", { class: "muted small" }, "Accuracy is the average over all moves that were a choice: a move that gives nothing away counts 100 %, and half as much with every 4 seeds given away, or with every quarter of the result where seeds are not counted."));
    this.#turning.hidden = false;
    refill(this.#turning, h("h2", {}, "Turning points"),
      result.turning_points.length ? h("ul", { class: "points" }, result.turning_points.map((point) => h("li", {},
        h("p", {}, withNames(point.words, this.#names)),
        h("div", { class: "row tight" },
          h("button", { type: "button", class: "small-button", onclick: () => this.#go(point.ply + 1) }, "Show"),
          h("button", { type: "button", class: "small-button try-again", onclick: () => this.#tryAgain(point.ply) }, "Try again")))))
        : h("p", { class: "muted" }, "No single move turned this game."));
    say("The review is complete.");
  }

  /** What is said of the move that led to the position on the board. */
  #drawRemark() {
    const node = this.#nodes[this.#ply];
    const judged = this.#judged[this.#ply - 1];
    if (!node?.parent) return refill(this.#remark, h("p", {}, "The start of the game. Walk through the moves with the arrow keys."));
    if (!judged) return refill(this.#remark, h("p", {}, `Move ${node.ply}: ${node.move}. `, h("span", { class: "muted" }, "Not judged yet.")));
    refill(this.#remark,
      h("div", { class: "row" },
        h("strong", {}, `Move ${node.ply}: ${node.move}`),
        h("span", { class: `badge ${TONES[judged.judgement]}` }, judged.judgement),
        judged.proven ? h("span", { class: "badge good" }, icon("check"), "proven") : null,
        h("span", { class: "muted small" }, `${short(judged.value, judged.unit)} → ${short(judged.value_played, judged.unit)}`)),
      h("p", {}, judged.words),
      judged.judgement === "best" ? null : h("div", { class: "row tight" },
        h("button", { type: "button", class: "small-button", onclick: () => this.#showBest(judged) }, `Show ${judged.best}`),
        h("button", { type: "button", class: "small-button", onclick: () => this.#tryAgain(judged.ply) }, "Try again")));
  }

  /** @param {number} ply */
  #go(ply) {
    const node = this.#nodes[Math.max(0, Math.min(this.#nodes.length - 1, ply))];
    if (!node) return;
    this.#trying = null;
    this.#stage.allow(false);
    const forward = node.ply === this.#ply + 1;
    this.#ply = node.ply;
    this.#stage.board.point(null);
    if (forward) this.#stage.next(node.state);
    else this.#stage.jump(node.state);
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
    this.#stage.board.point(judged.best);
    refill(this.#remark, h("p", {}, "Instead of ", h("strong", {}, judged.move), " the best move was ", h("strong", {}, judged.best), "."),
      h("button", { type: "button", class: "small-button", onclick: () => this.#go(judged.ply + 1) }, "Back to the move played"));
  }

  /** @param {number} ply */
  #tryAgain(ply) {
    this.#go(ply);
    this.#trying = ply;
    this.#stage.allow(true);
    refill(this.#remark, h("p", { class: "headline" }, "Try again"),
      h("p", {}, `You are back before move ${ply + 1}. The game went ${this.#judged[ply]?.move ?? "on"}: find something better.`));
    say("Find a better move.");
    this.#stage.board.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} move */
  async #tryMove(move) {
    const tree = this.#tree;
    const ply = this.#trying;
    if (!tree || ply === null) return;
    const before = this.#nodes[ply];
    this.#trying = null;
    try {
      const attempt = await Tree.open({ game: tree.game, start: before.state.position, moves: [move] });
      this.#stage.allow(false);
      this.#stage.next(attempt.current.state);
      refill(this.#remark, h("p", { class: "muted" }, "Looking at it…"));
      /** @type {Reviewed | null} */
      const judged = await requestOne({ type: "review", line: attempt.asLine() }, "reviewed").answer;
      if (!judged) return;
      const better = judged.loss < (this.#judged[ply]?.loss ?? 0);
      refill(this.#remark,
        h("div", { class: "row" },
          h("strong", {}, judged.judgement === "best" ? "That is it." : better ? "Better than in the game." : "Not better."),
          h("span", { class: `badge ${TONES[judged.judgement]}` }, judged.judgement)),
        h("p", {}, judged.words),
        h("div", { class: "row tight" },
          judged.judgement === "best" ? null : h("button", { type: "button", class: "small-button", onclick: () => this.#tryAgain(ply) }, "Try again"),
          h("button", { type: "button", class: "small-button", onclick: () => this.#go(ply + 1) }, "Back to the game")));
    } catch (error) {
      complain(error);
    }
  }

  #paste() {
    openPaste(this.#tree?.game ?? "kalah:6x4:standard", (answer) => {
      location.hash = lineLink("review", answer);
    });
  }

  #analyse() {
    const tree = this.#tree;
    if (tree) location.hash = lineLink("analysis", tree.asLine(), this.#ply);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const by = historyKey(event.key);
    if (by) {
      this.#step(by);
      return true;
    }
    const run = /** @type {Record<string, () => void>} */ ({ a: () => this.#analyse(), b: () => this.#stage.board.focus() })[event.key];
    if (!run) return this.#stage.key(event);
    run();
    return true;
  }
}
