// The analysis board: the value of every move, the best line, branches, links, and a board editor.

import { h, refill } from "../dom.js";
import { lineLink, lineOf } from "../link.js";
import { namesOfLine } from "../names.js";
import { EvalBar } from "../parts/evalbar.js";
import { Graph } from "../parts/graph.js";
import { historyBar, historyKey } from "../parts/history.js";
import { MoveList } from "../parts/moves.js";
import { Stage } from "../parts/stage.js";
import { Thinker, chips } from "../parts/thinker.js";
import { tool } from "../parts/tool.js";
import { complain, copy, say } from "../say.js";
import { load } from "../settings.js";
import { request } from "../socket.js";
import { Tree } from "../tree.js";
import { NEUTRAL, gameName, withNames } from "../words.js";
import { Editor } from "./editor.js";
import { linkTo, openExport, openPaste } from "./transfer.js";

/** @typedef {import("../main.js").View} View */
/** @typedef {import("../tree.js").Node} Node */

/** Milliseconds a position gets for the curve of a game. */
const GLANCE = 40;

/** @implements {View} */
export class AnalysisView {
  title = "Analysis";
  #stage = new Stage({ move: (move) => this.#play([move]), say, values: true });
  #bar = new EvalBar();
  #graph = new Graph((ply) => this.#go(this.#tree?.line()[ply]));
  #moves = new MoveList((node) => this.#go(node));
  #heading = h("h1", { class: "game-name" });
  #told = h("p", { class: "told centred" });
  #thinker = new Thinker({
    info: (info) => {
      const node = this.#tree?.current;
      if (!node) return;
      this.#bars.set(node, info.bar);
      this.#bar.show(info.bar, withNames(info.words, this.#names));
      if (this.#stage.idle) this.#stage.board.values(chips(info));
      this.#lastInfo = info;
      this.#drawGraph();
    },
    play: (moves) => this.#play(moves),
  });
  #room = h("div", { class: "stack" }, this.#bar.element, this.#stage.element,
    historyBar((by) => this.#step(by), tool("flip", "Turn", "F", () => this.#flip())), this.#told, this.#graph.element);
  #side = h("div", { class: "stack" }, this.#thinker.element,
    h("div", { class: "card" }, h("div", { class: "row apart" }, h("h2", {}, "Moves"),
      h("div", { class: "row tight" },
        h("button", { type: "button", class: "small-button", title: "Make this branch the main line", onclick: () => this.#promote() }, "Main line"),
        h("button", { type: "button", class: "small-button", title: "Take this move and what follows away", onclick: () => this.#cut() }, "Cut"))),
    this.#moves.element));
  #editorRoom = h("div", { class: "stack", id: "editor", hidden: true });
  #editorSide = h("div", { class: "stack", hidden: true });
  #tools = h("div", { class: "toolbar six" },
    tool("play", "Play on", "", () => this.#playFromHere()), tool("edit", "Edit", "E", () => this.#edit()),
    tool("paste", "Paste", "", () => this.#tree && openPaste(this.#tree.game, (answer) => this.#take(new Tree(answer), answer.players ?? NEUTRAL))),
    tool("link", "Link", "L", () => this.#tree && copy(linkTo(this.#tree), "Link copied")),
    tool("save", "Export", "", () => this.#tree && openExport(this.#tree).catch(complain)),
    tool("review", "Review", "R", () => this.#review()));
  element = h("div", { class: "table" },
    h("section", { "aria-label": "Board" }, this.#room, this.#editorRoom),
    h("aside", { class: "stack side", "aria-label": "Analysis" }, this.#heading, this.#tools, this.#side, this.#editorSide));
  /** @type {Tree | null} */
  #tree = null;
  #names = NEUTRAL;
  /** @type {WeakMap<Node, number>} */
  #bars = new WeakMap();
  /** @type {import("../types.js").Info | null} */
  #lastInfo = null;
  /** @type {Editor | null} */
  #editor = null;
  /** @type {import("../socket.js").Request | null} */
  #glance = null;
  #flipped = false;
  /** A move is on its way to the server: another click is not another move. */
  #playing = false;

  /** @param {URLSearchParams} params */
  async open(params) {
    this.#stage.onShown = () => {
      if (this.#lastInfo) this.#stage.board.values(chips(this.#lastInfo));
    };
    this.#stage.allow(true);
    const line = lineOf(params);
    const kept = load("match", /** @type {any} */ (null));
    const tree = await Tree.open(line ?? kept?.line ?? { game: "kalah:6x4:standard", start: null, moves: [] });
    if (line?.ply != null) tree.current = tree.current.path()[line.ply] ?? tree.current;
    this.#take(tree, await namesOfLine(tree.asLine(tree.line().at(-1)), tree.players));
  }

  close() {
    this.#thinker.stop();
    this.#glance?.stop();
    this.#graph.close();
    this.#editor?.close();
    this.#stage.board.close();
  }

  /**
   * @param {Tree} tree
   * @param {[string, string]} names
   */
  #take(tree, names) {
    this.#tree = tree;
    this.#names = this.#thinker.names = this.#moves.names = names;
    this.#bars = new WeakMap();
    this.#heading.textContent = gameName(tree.game);
    this.#stage.jump(tree.current.state);
    this.#moves.show(tree);
    this.#look();
  }

  /** Everything around the board follows the current position. */
  #look() {
    const tree = this.#tree;
    if (!tree) return;
    const node = tree.current;
    this.#glance?.stop();
    this.#lastInfo = null;
    this.#stage.board.values(null);
    this.#stage.board.point(null);
    this.#moves.mark(node);
    this.#told.textContent = withNames(node.state.last?.words ?? (node.state.over ? "" : `Player ${node.state.to_move} begins.`), this.#names);
    if (node.state.over) {
      const margin = node.state.result?.margin ?? 0;
      this.#bars.set(node, Math.sign(margin));
      this.#bar.show(Math.sign(margin), withNames(node.state.result?.words ?? "", this.#names));
    }
    this.#drawGraph();
    history.replaceState(null, "", new URL(linkTo(tree)).hash);
    const missing = tree.line().some((one) => one !== node && !this.#bars.has(one));
    if (missing) this.#glanceAtGame();
    else this.#thinker.show(tree.asLine(), node.state);
  }

  /** A short look at every position, for the curve; then the thinking begins. */
  #glanceAtGame() {
    const tree = /** @type {Tree} */ (this.#tree);
    const node = tree.current;
    const nodes = tree.line();
    const glance = request({ type: "review", line: tree.asLine(nodes[nodes.length - 1]), limit: { time_ms: GLANCE } }, (frame) => {
      if (frame.type === "reviewed") this.#bars.set(nodes[frame.ply], frame.bar);
      if (frame.type === "review") frame.bars.forEach((/** @type {number} */ bar, /** @type {number} */ ply) => this.#bars.set(nodes[ply], bar));
      this.#drawGraph();
    });
    this.#glance = glance;
    const think = () => {
      if (this.#glance !== glance || this.#tree?.current !== node) return;
      this.#glance = null;
      for (const one of nodes) if (!this.#bars.has(one)) this.#bars.set(one, 0);
      this.#thinker.show(tree.asLine(), node.state);
    };
    glance.done.then(think, think);
  }

  #drawGraph() {
    const tree = this.#tree;
    if (!tree) return;
    const nodes = tree.line();
    this.#graph.show(nodes.map((node) => this.#bars.get(node) ?? null), nodes.indexOf(tree.current));
    const here = this.#bars.get(tree.current);
    if (here !== undefined && !this.#lastInfo) this.#bar.show(here, "");
  }

  /** @param {string[]} moves */
  async #play(moves) {
    const tree = this.#tree;
    if (!tree || this.#playing) return;
    this.#playing = true;
    try {
      for (const move of moves) {
        await tree.play(move);
        this.#stage.next(tree.current.state);
      }
    } catch (error) {
      complain(error);
    } finally {
      this.#playing = false;
    }
    this.#moves.show(tree);
    this.#look();
    say(withNames(tree.current.state.last?.words ?? "", this.#names));
  }

  /** @param {Node | undefined} node */
  #go(node) {
    const tree = this.#tree;
    if (!tree || !node || node === tree.current) return;
    const forward = node.parent === tree.current;
    tree.current = node;
    if (forward) this.#stage.next(node.state);
    else this.#stage.jump(node.state);
    this.#look();
    say(withNames(node.state.last?.words ?? "Start of the game", this.#names));
  }

  /** @param {number} by */
  #step(by) {
    const tree = this.#tree;
    if (!tree) return;
    const nodes = tree.line();
    this.#go(nodes[Math.max(0, Math.min(nodes.length - 1, nodes.indexOf(tree.current) + by))]);
  }

  #flip() {
    this.#flipped = !this.#flipped;
    this.#stage.board.flip(this.#flipped);
  }

  #promote() {
    const tree = this.#tree;
    if (!tree) return;
    tree.promote(tree.current);
    this.#moves.show(tree);
    this.#look();
  }

  #cut() {
    const tree = this.#tree;
    if (!tree?.current.parent) return;
    tree.cut(tree.current);
    this.#moves.show(tree);
    this.#stage.jump(tree.current.state);
    this.#look();
  }

  #playFromHere() {
    const tree = this.#tree;
    if (!tree) return;
    const agents = load("match", /** @type {any} */ (null))?.choice?.agents ?? [];
    const agent = agents.find((/** @type {string | null} */ one) => one !== null) ?? "level:3";
    location.hash = `${lineLink("play", tree.asLine())}&vs=${agent}&side=${tree.current.state.to_move}`;
  }

  #review() {
    const tree = this.#tree;
    if (!tree) return;
    const nodes = tree.line();
    location.hash = lineLink("review", { ...tree.asLine(nodes[nodes.length - 1]), opening: tree.opening });
  }

  #edit() {
    const tree = this.#tree;
    if (!tree || this.#editor) return;
    this.#thinker.stop();
    this.#glance?.stop();
    const leave = () => {
      this.#editor?.close();
      this.#editor = null;
      for (const one of [this.#room, this.#side, this.#tools]) one.hidden = false;
      for (const one of [this.#editorRoom, this.#editorSide]) {
        one.hidden = true;
        refill(one);
      }
    };
    this.#editor = new Editor(tree.game, tree.current.state, (game, start) => {
      leave();
      Tree.open({ game, start, moves: [] }).then((made) => this.#take(made, NEUTRAL)).catch(complain);
    }, () => {
      leave();
      this.#look();
    });
    for (const one of [this.#room, this.#side, this.#tools]) one.hidden = true;
    for (const one of [this.#editorRoom, this.#editorSide]) one.hidden = false;
    refill(this.#editorRoom, this.#editor.element);
    refill(this.#editorSide, this.#editor.panel);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.#editor) return false;
    const by = historyKey(event.key);
    if (by) {
      this.#step(by);
      return true;
    }
    const run = /** @type {Record<string, () => void>} */ ({
      " ": () => this.#thinker.toggle(), f: () => this.#flip(), e: () => this.#edit(), r: () => this.#review(), b: () => this.#stage.board.focus(),
      l: () => this.#tree && void copy(linkTo(this.#tree), "Link copied"), Backspace: () => this.#step(-1), u: () => this.#step(-1),
    })[event.key];
    if (!run) return this.#stage.key(event);
    run();
    return true;
  }
}

