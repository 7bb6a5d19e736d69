// The analysis board: the value of every move, the best line, branches, links, and a board editor.

import { think } from "../backend.js";
import { stepsOf } from "../board/steps.js";
import { h, refill } from "../dom.js";
import { lineLink, lineOf } from "../link.js";
import { namesOfLine } from "../match-names.js";
import { EvalBar } from "../parts/evalbar.js";
import { Graph } from "../parts/graph.js";
import { historyBar, historyKey } from "../parts/history.js";
import { MoveList } from "../parts/moves.js";
import { Stage } from "../parts/stage.js";
import { Thinker, chips } from "../parts/thinker.js";
import { threat } from "../parts/threat.js";
import { tool } from "../parts/tool.js";
import { complain, copy, say, toast } from "../say.js";
import { change, load, settings } from "../settings.js";
import { NOBODY } from "../text/names.js";
import { doWords, forFirst, gameName, lastWords, moveWorth, positionWorth, resultWords, short, tell } from "../text/sentences.js";
import { t } from "../text/text.js";
import { Tree } from "../tree.js";
import { Editor } from "./editor.js";
import { linkTo, openExport, openPaste } from "./transfer.js";

/** @typedef {import("../main.js").View} View */
/** @typedef {import("../tree.js").Node} Node */

/** Milliseconds a position gets for the curve of a game. */
const GLANCE = 40;
/** Milliseconds of quiet before a position is thought about: a person who steps further is not interested in this one. */
const QUIET = 180;

/** @implements {View} */
export class AnalysisView {
  title = t("app.analysis");
  #stage = new Stage({
    move: (move) => void this.#play([move]), say, values: true,
    ahead: (move) => this.#tree?.current.ahead?.find((one) => one.last?.move === move) ?? null,
  });
  #bar = new EvalBar();
  #graph = new Graph((ply) => this.#go(this.#tree?.line()[ply]));
  #moves = new MoveList((node) => this.#go(node));
  #heading = h("h1", { class: "game-name" });
  #told = h("p", { class: "told centred" });
  #thinker = new Thinker({
    info: (info, mover) => {
      const node = this.#tree?.current;
      if (!node) return;
      this.#bars.set(node, info.bar);
      this.#values.set(node, short(forFirst(info, mover)));
      this.#bar.show(info.bar, positionWorth(info, mover, this.#names));
      this.#lastInfo = info;
      if (this.#stage.idle) this.#mark();
      this.#drawGraph();
    },
    play: (moves) => void this.#play(moves),
  });
  #room = h("div", { class: "stack" }, this.#bar.element, this.#stage.element,
    historyBar((by) => this.#step(by), tool("threat", t("play.threat"), "T", () => void this.#askThreat()), tool("flip", t("analysis.flip"), "F", () => this.#flip())), this.#told, this.#graph.element);
  #side = h("div", { class: "stack" }, this.#thinker.element,
    h("div", { class: "card" }, h("div", { class: "row apart" }, h("h2", {}, t("moves")),
      h("div", { class: "row tight" },
        h("button", { type: "button", class: "small-button", title: t("analysis.main.about"), onclick: () => this.#promote() }, t("analysis.main")),
        h("button", { type: "button", class: "small-button", title: t("analysis.cut.about"), onclick: () => this.#cut() }, t("analysis.cut")))),
    this.#moves.element));
  #editorRoom = h("div", { class: "stack", id: "editor", hidden: true });
  #editorSide = h("div", { class: "stack", hidden: true });
  #tools = h("div", { class: "toolbar six" },
    tool("play", t("analysis.play"), "", () => this.#playFromHere()), tool("edit", t("analysis.edit"), "E", () => this.#edit()),
    tool("paste", t("analysis.paste"), "", () => this.#tree && openPaste(this.#tree.game, (answer) => this.#take(new Tree(answer), answer.players ?? NOBODY))),
    tool("link", t("analysis.link"), "L", () => this.#copyLink()),
    tool("save", t("analysis.export"), "", () => this.#tree && openExport(this.#tree, this.#names).catch(complain)),
    tool("review", t("analysis.review"), "R", () => this.#review()));
  element = h("div", { class: "table" },
    h("section", { "aria-label": t("board.label") }, this.#room, this.#editorRoom),
    h("aside", { class: "stack side", "aria-label": t("app.analysis") }, this.#heading, this.#tools, this.#side, this.#editorSide));
  /** @type {Tree | null} */
  #tree = null;
  #names = NOBODY;
  /** @type {WeakMap<Node, number>} */
  #bars = new WeakMap();
  /** Values as they are written. @type {WeakMap<Node, string>} */
  #values = new WeakMap();
  /** @type {import("../types.js").Info | null} */
  #lastInfo = null;
  /** @type {Editor | null} */
  #editor = null;
  /** @type {import("../types.js").Thinking | null} */
  #glance = null;
  #quiet = 0;
  /** Whether a Kalah board is turned. */
  #turned = false;
  /** A move is on its way to the server: another click is not another move. */
  #playing = false;
  #closed = false;

  /** @param {URLSearchParams} params */
  async open(params) {
    this.#stage.onShown = () => this.#mark();
    this.#stage.allow(true);
    const line = lineOf(params);
    const kept = load("match", /** @type {any} */ (null));
    const tree = await Tree.open(line ?? kept?.line ?? { game: "kalah:6x4:standard", start: null, moves: [] });
    if (line?.ply != null) tree.current = tree.current.path()[line.ply] ?? tree.current;
    this.#take(tree, namesOfLine(tree.asLine(tree.line().at(-1)), location.hash));
  }

  /** Nothing may begin to think after this: it would take the place of what the next view thinks about. */
  close() {
    this.#closed = true;
    this.#tree = null;
    this.#beQuiet();
    this.#graph.close();
    this.#editor?.close();
    this.#stage.board.close();
  }

  /**
   * @param {Tree} tree
   * @param {[string, string]} names
   */
  #take(tree, names) {
    // The view was left while the line was being read.
    if (this.#closed) return;
    this.#tree = tree;
    this.#names = this.#thinker.names = this.#moves.names = names;
    this.#bars = new WeakMap();
    this.#values = new WeakMap();
    this.#orient();
    this.#heading.textContent = gameName(tree.game);
    this.#stage.jump(tree.current.state);
    this.#moves.show(tree);
    this.#look();
  }

  /** Values and arrows of what is known of the position on the board. */
  #mark() {
    const node = this.#tree?.current;
    const info = this.#lastInfo;
    if (!node || !info) return;
    this.#stage.board.values(chips(info, node.state.to_move));
    const best = settings.arrows && info.best !== null ? stepsOf(node.state, node.ahead, info.best) : [];
    this.#stage.board.arrows(best.length ? [{ kind: "best", steps: best }] : []);
  }

  /** Everything around the board follows the current position. */
  #look() {
    const tree = this.#tree;
    if (!tree) return;
    const node = tree.current;
    const { state } = node;
    this.#glance?.stop();
    this.#glance = null;
    this.#lastInfo = null;
    this.#thinker.clear();
    this.#stage.board.values(null);
    this.#stage.board.point(null);
    this.#moves.mark(node);
    this.#told.textContent = state.last ? lastWords(state, this.#names) : state.over ? "" : tell("begins", state.to_move, this.#names);
    if (state.over) {
      const margin = Math.sign(state.result?.margin ?? 0);
      this.#bars.set(node, margin);
      this.#bar.show(margin, resultWords(state, this.#names));
    }
    this.#drawGraph();
    window.clearTimeout(this.#quiet);
    this.#quiet = window.setTimeout(() => this.#settle(tree, node), QUIET);
  }

  /**
   * The person stays at a position: the address changes to it, and it is thought about.
   * @param {Tree} tree
   * @param {Node} node
   */
  #settle(tree, node) {
    if (this.#tree !== tree || tree.current !== node || this.#editor) return;
    // The address is already that of another view, which is not open yet.
    if (!location.hash.startsWith("#/analysis")) return;
    history.replaceState(null, "", new URL(linkTo(tree, this.#names)).hash);
    void tree.lookAhead().then(() => tree.current === node && this.#stage.idle && this.#mark());
    const missing = tree.line().some((one) => one !== node && !this.#bars.has(one));
    if (missing) this.#glanceAtGame();
    else this.#thinker.show(tree.asLine(), node.state);
  }

  /** Ends all thinking, and what would begin after it. */
  #beQuiet() {
    window.clearTimeout(this.#quiet);
    this.#thinker.stop();
    this.#glance?.stop();
    this.#glance = null;
  }

  /** A short look at every position, for the curve; then the thinking begins. */
  #glanceAtGame() {
    const tree = /** @type {Tree} */ (this.#tree);
    const node = tree.current;
    const nodes = tree.line();
    const glance = think({ type: "review", line: tree.asLine(nodes[nodes.length - 1]), limit: { time_ms: GLANCE } }, (news) => {
      if (news.type === "reviewed") {
        this.#bars.set(nodes[news.ply], news.bar);
        this.#values.set(nodes[news.ply], short(forFirst(news.best, news.player)));
      }
      if (news.type === "review") news.bars.forEach((bar, ply) => this.#bars.set(nodes[ply], bar));
      this.#drawGraph();
    });
    this.#glance = glance;
    const goOn = () => {
      if (this.#glance !== glance || this.#tree?.current !== node) return;
      this.#glance = null;
      for (const one of nodes) if (!this.#bars.has(one)) this.#bars.set(one, 0);
      this.#thinker.show(tree.asLine(), node.state);
    };
    glance.done.then(goOn, goOn);
  }

  #drawGraph() {
    const tree = this.#tree;
    if (!tree) return;
    const nodes = tree.line();
    this.#graph.show(nodes.map((node) => this.#bars.get(node) ?? null), nodes.indexOf(tree.current), new Map(), this.#values.get(tree.current) ?? "");
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
    say(lastWords(tree.current.state, this.#names));
  }

  /** @param {Node | undefined} node */
  #go(node) {
    const tree = this.#tree;
    if (!tree || !node || node === tree.current) return;
    tree.current = node;
    this.#stage.jump(node.state);
    this.#look();
    say(node.state.last ? lastWords(node.state, this.#names) : t("moves.start"));
  }

  /** @param {number} by */
  #step(by) {
    const tree = this.#tree;
    if (!tree) return;
    const nodes = tree.line();
    this.#go(nodes[Math.max(0, Math.min(nodes.length - 1, nodes.indexOf(tree.current) + by))]);
  }

  #flip() {
    if (this.#tree?.current.state.board.kind === "isolation") change({ flip: !settings.flip });
    else this.#turned = !this.#turned;
    this.#orient();
    this.#mark();
  }

  /** Isolation is seen from the same side everywhere; in Kalah the first player sits below. */
  #orient() {
    this.#stage.board.flip(this.#tree?.current.state.board.kind === "isolation" ? settings.flip : this.#turned);
  }

  #copyLink() {
    if (this.#tree) void copy(linkTo(this.#tree, this.#names), t("analysis.link.copied"));
  }

  async #askThreat() {
    const tree = this.#tree;
    const node = tree?.current;
    if (!tree || !node || node.state.over) return;
    this.#beQuiet();
    const isHere = () => tree === this.#tree && tree.current === node && !this.#editor;
    const found = await threat(tree.game, node.state, isHere);
    if (!isHere() || found === null) return;
    this.#thinker.show(tree.asLine(), node.state);
    if (found === "nothing") return toast(t("play.threat.none"));
    this.#stage.board.arrows([{ kind: "threat", steps: found.steps }]);
    toast(t("play.threat.words", { what: doWords(found.steps), worth: moveWorth(found, node.state.to_move === 0 ? 1 : 0, this.#names) }));
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
    location.hash = lineLink("review", { ...tree.asLine(nodes[nodes.length - 1]), opening: tree.opening }, undefined, this.#names);
  }

  #edit() {
    const tree = this.#tree;
    if (!tree || this.#editor) return;
    this.#beQuiet();
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
      Tree.open({ game, start, moves: [] }).then((made) => this.#take(made, NOBODY)).catch(complain);
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
      l: () => this.#copyLink(), t: () => void this.#askThreat(), Backspace: () => this.#step(-1), u: () => this.#step(-1),
    })[event.key];
    if (!run) return this.#stage.key(event);
    run();
    return true;
  }
}

