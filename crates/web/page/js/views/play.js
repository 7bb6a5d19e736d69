// Playing: against an agent, or two people on one screen.

import { meta } from "../api.js";
import { h, icon, refill } from "../dom.js";
import { lineLink, lineOf } from "../link.js";
import { namesOf } from "../names.js";
import { MoveList } from "../parts/moves.js";
import { strip } from "../parts/players.js";
import { explain } from "../parts/rules.js";
import { Stage } from "../parts/stage.js";
import { tool } from "../parts/tool.js";
import { complain, say } from "../say.js";
import { requestOne } from "../socket.js";
import { tick } from "../sound.js";
import { gameName, withNames } from "../words.js";
import { Match } from "./match.js";
import { chooseGame } from "./newgame.js";

/** @typedef {import("../main.js").View} View */
/** @typedef {import("../types.js").State} State */
/** @typedef {import("../tree.js").Node} Node */

/** @implements {View} */
export class PlayView {
  title = "Play";
  #stage = new Stage({ move: (move) => this.#move(move), say });
  #above = h("div", {});
  #below = h("div", {});
  #status = h("div", { class: "status" });
  #end = h("div", { class: "card end-card", hidden: true });
  #heading = h("h1", { class: "game-name" });
  #moves = new MoveList((node) => this.#look(node));
  #rules = h("details", { class: "card rules" });
  #back = tool("back", "Undo", "U", () => this.#takeBack());
  #hint = tool("hint", "Hint", "H", () => this.#askHint());
  #resign = tool("flag", "Resign", "", () => this.#giveUp());
  #flipped = false;
  /** @type {Match | null} */
  #match = null;
  /** An earlier position that is being looked at. @type {Node | null} */
  #looking = null;
  /** @type {[string, string]} */
  #names = ["", ""];

  element = h("div", { class: "table" },
    h("section", { class: "stack", "aria-label": "Board" }, this.#above, this.#stage.element, this.#below, this.#status),
    h("aside", { class: "stack side", "aria-label": "Game" },
      h("div", { class: "row apart" }, this.#heading,
        h("button", { type: "button", class: "main", id: "new-game", title: "New game (N)", onclick: () => this.#new() }, icon("new"), "New game")),
      this.#end,
      h("div", { class: "toolbar" }, this.#back, this.#hint,
        tool("flip", "Turn", "F", () => this.#flip()), this.#resign,
        tool("analysis", "Analyse", "A", () => this.#leaveFor("analysis"))),
      h("div", { class: "card" }, h("h2", {}, "Moves"), this.#moves.element), this.#rules));

  /** @param {URLSearchParams} params */
  async open(params) {
    this.#stage.onShown = (state) => this.#shown(state);
    const line = lineOf(params);
    if (line) {
      const agent = params.get("vs");
      const { game, start, moves } = line;
      // The person takes over the side that is to move.
      const mover = Number(params.get("side") ?? 0);
      const agents = /** @type {[string | null, string | null]} */ (agent === null ? [null, null] : mover === 0 ? [null, agent] : [agent, null]);
      const match = await Match.begin({ game, agents }, { start, moves });
      history.replaceState(null, "", "#/play");
      return this.#start(match);
    }
    await this.#start(await Match.resume());
  }

  close() {
    this.#match?.halt();
    this.#stage.board.close();
  }

  /** @param {Match} match */
  async #start(match) {
    this.#match?.halt();
    this.#match = match;
    this.#looking = null;
    const known = await meta();
    explain(this.#rules, match.tree.game, known);
    if (match.tree.current.ply === 0) this.#rules.open = matchMedia("(min-width: 1021px)").matches;
    this.#names = this.#moves.names = await namesOf(match.choice.agents);
    this.#flipped = !match.shared && (match.choice.agents[0] === null) !== (match.state.board.kind === "kalah");
    this.#stage.board.flip(this.#flipped);
    this.#heading.textContent = gameName(match.tree.game);
    match.onError = complain;
    match.onMove = (state) => {
      if (this.#looking) this.#looking = null;
      this.#stage.next(state);
      this.#stage.allow(match.personToMove);
      this.#moves.show(match.tree);
    };
    this.#stage.allow(match.personToMove);
    this.#stage.jump(match.state);
    this.#moves.show(match.tree);
    void match.proceed();
  }

  /** @param {string} move */
  #move(move) {
    this.#match?.play(move).catch(complain);
  }

  /**
   * The board shows this now: everything written around it follows.
   * @param {State} state
   */
  #shown(state) {
    const match = this.#match;
    if (!match) return;
    const current = state === match.state;
    const note = (/** @type {0 | 1} */ player) => (!match.over && state.to_move === player && match.choice.agents[player] !== null ? "is thinking" : "");
    const strips = [0, 1].map((player) => strip(/** @type {0 | 1} */ (player), this.#names[player], state, note(/** @type {0 | 1} */ (player))));
    // In Kalah the first player's pits are below, in Isolation the first player's row is above.
    const below = (state.board.kind === "kalah") === this.#flipped ? 1 : 0;
    refill(this.#above, strips[1 - below]);
    refill(this.#below, strips[below]);
    const told = state.last ? withNames(state.last.words, this.#names) : "";
    const turn = this.#turnWords(state);
    refill(this.#status, h("p", { class: "headline" }, turn), h("p", { class: "told" }, told));
    if (this.#looking) {
      this.#status.append(h("button", { type: "button", onclick: () => this.#look(null) }, "Back to the game"));
    } else if (current) {
      say(`${told} ${turn}`.trim());
    }
    this.#back.disabled = !match.canTakeBack;
    this.#hint.disabled = !match.personToMove || this.#looking !== null;
    this.#resign.disabled = match.over;
    const ended = current && match.over;
    if (ended && this.#end.hidden && state.last) tick("end");
    this.#end.hidden = !ended;
    if (ended) this.#showEnd(turn);
  }

  /** @param {State} state */
  #turnWords(state) {
    const match = /** @type {Match} */ (this.#match);
    if (this.#looking) return `Move ${this.#looking.ply} of ${match.tree.current.ply}`;
    if (match.resigned !== null && state === match.state) {
      const name = this.#names[match.resigned];
      return name === "You" ? "You resigned." : `${name} resigned.`;
    }
    if (state.over) return withNames(state.result?.words ?? "The game is over.", this.#names);
    const name = this.#names[state.to_move];
    const again = state.last?.again && state.last.player === state.to_move;
    if (name === "You") return again ? "Extra turn: you move again" : "Your turn";
    if (match.shared) return again ? `Extra turn: ${name.toLowerCase()} again` : `${name} to move`;
    return again ? `${name} moves again` : `${name} is thinking`;
  }

  /** @param {string} words */
  #showEnd(words) {
    refill(this.#end, h("h2", {}, "The game is over"), h("p", {}, words),
      h("div", { class: "row" },
        h("button", { type: "button", class: "main", id: "go-review", onclick: () => this.#leaveFor("review") }, icon("review"), "Review the game"),
        h("button", { type: "button", onclick: () => this.#again() }, "Play again")));
  }

  /** @param {Node | null} node */
  #look(node) {
    const match = this.#match;
    if (!match) return;
    this.#looking = node === match.tree.current ? null : node;
    const shown = this.#looking ?? match.tree.current;
    this.#stage.allow(!this.#looking && match.personToMove);
    this.#stage.jump(shown.state);
    this.#moves.mark(shown);
  }

  /** @param {number} by */
  #step(by) {
    const match = this.#match;
    if (!match) return;
    const nodes = match.tree.line();
    const here = nodes.indexOf(this.#looking ?? match.tree.current);
    const next = nodes[Math.max(0, Math.min(nodes.length - 1, here + by))];
    if (next) this.#look(next);
  }

  #takeBack() {
    const match = this.#match;
    if (!match?.canTakeBack) return;
    match.takeBack();
    this.#moves.show(match.tree);
    this.#look(null);
  }

  async #askHint() {
    const match = this.#match;
    if (!match?.personToMove || this.#looking) return;
    try {
      const state = match.state;
      const hint = await requestOne({ type: "hint", line: match.tree.asLine() }, "hint").answer;
      if (!hint || match.state !== state) return;
      this.#stage.board.point(hint.move);
      refill(this.#status, h("p", { class: "headline" }, icon("hint"), " Hint"), h("p", { class: "told" }, withNames(hint.words, this.#names)));
      say(hint.words);
    } catch (error) {
      complain(error);
    }
  }

  #flip() {
    this.#flipped = !this.#flipped;
    this.#stage.board.flip(this.#flipped);
    if (this.#match) this.#look(this.#looking);
  }

  #giveUp() {
    this.#match?.resign();
    this.#look(null);
  }

  async #new() {
    const match = this.#match;
    if (!match) return;
    await chooseGame(match.choice, (choice) => Match.begin(choice).then((made) => this.#start(made)).catch(complain)).catch(complain);
  }

  #again() {
    if (this.#match) Match.begin(this.#match.choice).then((made) => this.#start(made)).catch(complain);
  }

  /** @param {string} view */
  #leaveFor(view) {
    const match = this.#match;
    if (match) location.hash = lineLink(view, match.tree.asLine(), this.#looking?.ply);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const runs = /** @type {Record<string, () => void>} */ ({
      u: () => this.#takeBack(), Backspace: () => this.#takeBack(), h: () => void this.#askHint(), f: () => this.#flip(),
      n: () => void this.#new(), a: () => this.#leaveFor("analysis"), r: () => this.#leaveFor("review"), b: () => this.#stage.board.focus(),
      ArrowLeft: () => this.#step(-1), ArrowRight: () => this.#step(1), Home: () => this.#step(-9999), End: () => this.#step(9999),
    })[event.key];
    if (!runs) return this.#stage.key(event);
    runs();
    return true;
  }
}
