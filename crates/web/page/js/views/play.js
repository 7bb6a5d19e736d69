// Playing: against an agent, or two people on one screen.

import { thinkOne } from "../backend.js";
import { stepsOf } from "../board/steps.js";
import { h, icon, refill } from "../dom.js";
import { lineLink, lineOf } from "../link.js";
import { historyKey } from "../parts/history.js";
import { MoveList } from "../parts/moves.js";
import { strip } from "../parts/players.js";
import { explain } from "../parts/rules.js";
import { Stage } from "../parts/stage.js";
import { threat } from "../parts/threat.js";
import { tool } from "../parts/tool.js";
import { complain, confirm, say } from "../say.js";
import { change, settings } from "../settings.js";
import { tick } from "../sound.js";
import { NOBODY, Who, YOU, namesOf, who } from "../text/names.js";
import { doWords, gameName, lastWords, lossWords, moveText, moveWorth, resultWords, tell } from "../text/sentences.js";
import { capital, t } from "../text/text.js";
import { showClock } from "./clock.js";
import { Match } from "./match.js";
import { chooseGame } from "./newgame.js";
import { openRoom } from "./seats.js";

/** @typedef {import("../main.js").View} View */
/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Player} Player */
/** @typedef {import("../tree.js").Node} Node */

/** Milliseconds the coach looks at a move. */
const COACH = 120;

/** @implements {View} */
export class PlayView {
  title = t("app.play");
  #stage = new Stage({ move: (move) => void this.#move(move), say, ahead: (move) => this.#match?.tree.current.ahead?.find((one) => one.last?.move === move) ?? null });
  #above = h("div", {});
  #below = h("div", {});
  #status = h("div", { class: "status" });
  #advice = h("div", { class: "advice", role: "status", hidden: true });
  #end = h("div", { class: "card end-card", hidden: true });
  #heading = h("h1", { class: "game-name" });
  #moves = new MoveList((node) => this.#look(node));
  #rules = h("details", { class: "card rules" });
  #back = tool("back", t("play.undo"), "U", () => this.#takeBack());
  #hint = tool("hint", t("play.hint"), "H", () => void this.#askHint());
  #threat = tool("threat", t("play.threat"), "T", () => void this.#askThreat());
  #resign = tool("flag", t("play.resign"), "", () => void this.#giveUp());
  /** Whether a Kalah board is turned away from the person who plays. */
  #turned = false;
  /** @type {Match | null} */
  #match = null;
  /** An earlier position that is being looked at. @type {Node | null} */
  #looking = null;
  /** The coach looks at a move. */
  #coaching = false;
  #closed = false;
  #names = NOBODY;
  #ticking = 0;
  /** @type {HTMLElement[]} */
  #clocks = [];

  element = h("div", { class: "table" },
    h("section", { class: "stack", "aria-label": t("board.label") }, this.#above, this.#stage.element, this.#advice, this.#below, this.#status),
    h("aside", { class: "stack side", "aria-label": t("play.game") },
      h("div", { class: "row apart named" }, this.#heading,
        h("button", { type: "button", class: "main", id: "new-game", title: `${t("play.new")} (N)`, onclick: () => void this.#new() }, icon("new"), t("play.new"))),
      this.#end,
      h("div", { class: "toolbar six" }, this.#back, this.#hint, this.#threat,
        tool("flip", t("play.flip"), "F", () => this.#flip()), this.#resign,
        tool("analysis", t("play.analyse"), "A", () => this.#leaveFor("analysis"))),
      h("div", { class: "card" }, h("h2", {}, t("moves")), this.#moves.element), this.#rules));

  /** @param {URLSearchParams} params */
  async open(params) {
    this.#stage.onShown = (state) => this.#shown(state);
    addEventListener("pagehide", this.#leaving);
    document.addEventListener("visibilitychange", this.#leaving);
    const line = lineOf(params);
    if (line) {
      const agent = params.get("vs");
      const { game, start, moves } = line;
      // The person takes over the side that is to move.
      const mover = Number(params.get("side") ?? 0);
      const agents = /** @type {[string | null, string | null]} */ (agent === null ? [null, null] : mover === 0 ? [null, agent] : [agent, null]);
      const match = await Match.begin({ game, agents }, { start, moves });
      if (!this.#closed) history.replaceState(null, "", "#/play");
      return this.#start(match);
    }
    await this.#start(await Match.resume());
  }

  /** Time is kept whenever the page may be left. */
  #leaving = () => this.#match?.keepTime();

  close() {
    this.#closed = true;
    removeEventListener("pagehide", this.#leaving);
    document.removeEventListener("visibilitychange", this.#leaving);
    this.#leaving();
    this.#match?.leave();
    this.#match = null;
    window.clearInterval(this.#ticking);
    this.#stage.board.close();
  }

  /** @param {Match} match */
  async #start(match) {
    // The view was left while the game was being made; it is kept, and continues when the view is opened again.
    if (this.#closed) return;
    this.#match?.halt();
    this.#match = match;
    this.#looking = null;
    explain(this.#rules, match.tree.game);
    if (match.tree.current.ply === 0) this.#rules.open = matchMedia("(min-width: 1021px)").matches;
    this.#names = this.#moves.names = namesOf(match.choice.agents);
    this.#turned = false;
    this.#orient();
    this.#heading.textContent = gameName(match.tree.game);
    match.onError = (error) => (/** @type {any} */ (error).code === "no_answer" ? complain(t("play.no.answer")) : complain(error));
    match.onMove = (state) => {
      if (this.#looking) this.#looking = null;
      this.#stage.next(state);
      this.#stage.allow(match.personToMove);
      this.#moves.show(match.tree);
    };
    match.onLate = () => this.#look(null);
    window.clearInterval(this.#ticking);
    this.#clocks = [];
    if (match.clock) {
      this.#clocks = [0, 1].map(() => h("span", { class: "clock", role: "timer" }));
      this.#ticking = window.setInterval(() => this.#tick(), 100);
      this.#tick();
    }
    this.#stage.allow(match.personToMove);
    this.#stage.jump(match.state);
    this.#moves.show(match.tree);
    void match.proceed();
  }

  #tick() {
    this.#match?.clock?.left().forEach((left, player) => showClock(this.#clocks[player], left));
  }

  /** Isolation is always seen from the same side; in Kalah the person who plays sits below. */
  #orient() {
    const match = this.#match;
    if (!match) return;
    const second = !match.shared && match.choice.agents[0] !== null;
    this.#stage.board.flip(match.state.board.kind === "kalah" ? second !== this.#turned : settings.flip);
  }

  get #secondBelow() {
    const match = /** @type {Match} */ (this.#match);
    if (match.state.board.kind !== "kalah") return !settings.flip;
    return (!match.shared && match.choice.agents[0] !== null) !== this.#turned;
  }

  /** @param {string} move */
  async #move(move) {
    const match = this.#match;
    if (!match?.personToMove || this.#coaching) return;
    try {
      if (settings.coach && !(await this.#sure(match, move))) return;
      await match.play(move);
    } catch (error) {
      complain(error);
    }
  }

  /**
   * The coach: asks before a blunder.
   * @param {Match} match
   * @param {string} move
   */
  async #sure(match, move) {
    const { state } = match;
    this.#coaching = true;
    try {
      const line = { game: match.tree.game, start: state.position, moves: [move] };
      const judged = await thinkOne({ type: "review", line, limit: { time_ms: COACH } }, "reviewed").answer;
      if (match !== this.#match || state !== match.state) return false;
      if (judged?.judgement !== "blunder") return true;
      this.#stage.board.point(judged.best.move);
      const words = t("coach.words", { Move: moveText(move), loss: lossWords(judged), Best: moveText(judged.best.move), worth: moveWorth(judged.best, state.to_move, this.#names) });
      const sure = await confirm(t("coach.title"), words, t("coach.yes", { move: moveText(move) }), t("coach.no"));
      return sure && match === this.#match && state === match.state;
    } finally {
      this.#coaching = false;
    }
  }

  /**
   * The board shows this now: everything written around it follows.
   * @param {State} state
   */
  #shown(state) {
    const match = this.#match;
    if (!match) return;
    const current = state === match.state;
    const note = (/** @type {Player} */ player) => (!match.over && state.to_move === player && match.choice.agents[player] !== null ? t("play.thinks") : "");
    const strips = /** @type {Player[]} */ ([0, 1]).map((player) => strip(player, this.#names, state, note(player), this.#clocks[player] ?? null, state.result ?? (current ? match.end : null)));
    const below = this.#secondBelow ? 1 : 0;
    refill(this.#above, strips[1 - below]);
    refill(this.#below, strips[below]);
    const told = lastWords(state, this.#names);
    const turn = this.#turnWords(state);
    this.#advise(null);
    refill(this.#status, h("p", { class: "headline" }, turn), h("p", { class: "told" }, told));
    if (this.#looking) {
      this.#status.append(h("button", { type: "button", onclick: () => this.#look(null) }, t("play.back")));
    } else if (current) {
      say([told, turn].filter(Boolean).join(t("sentence.join")));
    }
    this.#back.disabled = !match.canTakeBack;
    this.#hint.disabled = this.#threat.disabled = !match.personToMove || this.#looking !== null;
    this.#resign.disabled = match.over;
    const ended = current && match.over;
    if (ended && this.#end.hidden && state.last) tick("end");
    this.#end.hidden = !ended;
    if (ended) this.#showEnd(turn);
  }

  /** @param {State} state */
  #turnWords(state) {
    const match = /** @type {Match} */ (this.#match);
    const names = this.#names;
    if (this.#looking) return t("play.looking", { ply: this.#looking.ply, all: match.tree.current.ply });
    if (match.resigned !== null && state === match.state) return tell("result.resigned", match.resigned, names);
    if (match.late !== null && state === match.state) {
      const winner = match.late === 0 ? 1 : 0;
      if (names[winner] === YOU) return t("result.time.mine", { Who: Who(names, match.late) });
      return tell("result.time", match.late, names, { winner: who(names, winner) });
    }
    if (state.over) return resultWords(state, names);
    const mover = state.to_move;
    const again = state.last?.again && state.last.player === mover;
    if (names[mover] === YOU) return t(again ? "play.your.again" : "play.your.turn");
    if (match.shared) return again ? t("play.again", { who: who(names, mover) }) : t("play.to.move", { Who: Who(names, mover) });
    return t(again ? "play.moves.again" : "play.thinking", { Who: Who(names, mover) });
  }

  /** @param {string} words */
  #showEnd(words) {
    refill(this.#end, h("h2", {}, t("play.over")), h("p", {}, words),
      h("div", { class: "row" },
        h("button", { type: "button", class: "main", id: "go-review", onclick: () => this.#leaveFor("review") }, icon("review"), t("play.review")),
        h("button", { type: "button", onclick: () => this.#again() }, t("play.once.more"))));
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

  /**
   * Advice beside the board, until the next move.
   * @param {string | null} words
   * @param {string} [picture]
   */
  #advise(words, picture = "hint") {
    this.#advice.hidden = words === null;
    refill(this.#advice, words === null ? null : [icon(picture), h("span", {}, words)]);
  }

  async #askHint() {
    const match = this.#match;
    if (!match?.personToMove || this.#looking) return;
    const state = match.state;
    this.#advise(t("play.hint.looking"));
    try {
      const hint = await thinkOne({ type: "hint", line: match.tree.asLine() }, "hint").answer;
      if (match !== this.#match || match.state !== state) return;
      if (!hint) return this.#advise(null);
      this.#stage.board.point(hint.move);
      this.#stage.board.arrows([{ kind: "best", steps: hint.steps }]);
      this.#advise(t("play.hint.words", { What: capital(doWords(hint.steps)), worth: moveWorth(hint, state.to_move, this.#names) }));
      this.#stage.element.scrollIntoView({ block: "nearest" });
    } catch (error) {
      this.#advise(null);
      complain(error);
    }
  }

  async #askThreat() {
    const match = this.#match;
    if (!match?.personToMove || this.#looking) return;
    const state = match.state;
    this.#advise(t("play.hint.looking"), "threat");
    const isHere = () => match === this.#match && match.state === state;
    const found = await threat(match.tree.game, state, isHere);
    if (!isHere() || found === null) return;
    if (found === "nothing") return this.#advise(t("play.threat.none"), "threat");
    this.#stage.board.arrows([{ kind: "threat", steps: found.steps.length ? found.steps : stepsOf(state, null, found.move) }]);
    this.#advise(t("play.threat.words", { what: doWords(found.steps), worth: moveWorth(found, state.to_move === 0 ? 1 : 0, this.#names) }), "threat");
  }

  #flip() {
    if (this.#match?.state.board.kind === "isolation") change({ flip: !settings.flip });
    else this.#turned = !this.#turned;
    this.#orient();
    if (this.#match) this.#look(this.#looking);
  }

  async #giveUp() {
    const match = this.#match;
    if (!match || match.over) return;
    if (!(await confirm(t("play.resign.title"), t("play.resign.words"), t("play.resign.yes"), t("play.resign.no"))) || match !== this.#match) return;
    match.resign();
    this.#look(null);
  }

  async #new() {
    const match = this.#match;
    if (!match) return;
    await chooseGame(match.choice, (choice) => void this.#replace(match, choice).catch(complain),
      (wanted) => openRoom(wanted).then(({ room }) => (location.hash = `#/room?id=${room}`)).catch(complain)).catch(complain);
  }

  /**
   * Another game in place of this one; asks first if this one is not over.
   * @param {Match} match
   * @param {import("./newgame.js").Choice} choice
   */
  async #replace(match, choice) {
    const going = !match.over && match.tree.current.ply >= 2;
    if (going && !(await confirm(t("new.sure.title"), t("new.sure.words"), t("new.start"), t("play.resign.no")))) return;
    if (match === this.#match) await this.#start(await Match.begin(choice));
  }

  #again() {
    if (this.#match) Match.begin(this.#match.choice).then((made) => this.#start(made)).catch(complain);
  }

  /** @param {string} view */
  #leaveFor(view) {
    const match = this.#match;
    if (match) location.hash = lineLink(view, match.tree.asLine(), this.#looking?.ply, this.#names);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const by = historyKey(event.key);
    if (by) {
      this.#step(by);
      return true;
    }
    const runs = /** @type {Record<string, () => void>} */ ({
      u: () => this.#takeBack(), Backspace: () => this.#takeBack(), h: () => void this.#askHint(), t: () => void this.#askThreat(), f: () => this.#flip(),
      n: () => void this.#new(), a: () => this.#leaveFor("analysis"), r: () => this.#leaveFor("review"), b: () => this.#stage.board.focus(),
    })[event.key];
    if (!runs) return this.#stage.key(event);
    runs();
    return true;
  }
}
