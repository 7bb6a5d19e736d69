// A game between people and agents: whose turn it is, who is asked, what can be taken back. Draws nothing.

import { PATIENCE, meta, thinkOne } from "../backend.js";
import { Refusal } from "../backend/refusal.js";
import { load, save } from "../settings.js";
import { Tree } from "../tree.js";
import { Clock } from "./clock.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Player} Player */
/** @typedef {import("./newgame.js").Choice} Choice */

/** @type {Choice} */
const FIRST_GAME = { game: "kalah:6x4:standard", agents: [null, "level:3"] };

/**
 * Whether all agents of the game are known.
 * @param {any} choice
 */
async function isKnown(choice) {
  const { opponents } = await meta();
  const { agents } = choice ?? {};
  return Array.isArray(agents) && agents.length === 2 && agents.every((agent) => agent === null || opponents.some((one) => one.agent === agent));
}

/** Null, undefined or a player. @param {unknown} player */
const isPlayer = (player) => player === undefined || player === null || player === 0 || player === 1;

/** The time that both have, or nothing. @param {unknown} left */
const isTime = (left) => left === undefined || left === null || (Array.isArray(left) && left.length === 2 && left.every((millis) => Number.isFinite(millis) && millis >= 0));

/** A clock that can be set, or none. @param {any} clock */
const isClock = (clock) => clock === undefined || clock === null || (Number.isFinite(clock.minutes) && Number.isFinite(clock.increment));

/**
 * Whether a stored game makes sense; its moves are not checked.
 * @param {any} kept
 */
async function isWhole(kept) {
  return isPlayer(kept?.resigned) && isPlayer(kept?.late) && isTime(kept?.left) && (await isKnown(kept?.choice)) && isClock(kept.choice.clock);
}

export class Match {
  /** @type {{stop: () => void} | null} */
  #asked = null;
  /** A move is on its way: another click is not another move. */
  #playing = false;
  #left = false;
  /** The player who gave up. @type {Player | null} */
  resigned = null;
  /** The player whose time ran out. @type {Player | null} */
  late = null;
  /** @type {Clock | null} */
  clock;
  /** @type {(state: State) => void} */
  onMove = () => {};
  /** A player's time is up. */
  onLate = () => {};
  /** @type {(error: unknown) => void} */
  onError = () => {};

  /**
   * @param {Tree} tree
   * @param {Choice} choice
   * @param {[number, number]} [left] milliseconds that are left
   */
  constructor(tree, choice, left) {
    this.tree = tree;
    this.choice = choice;
    this.clock = choice.clock ? new Clock(choice.clock, (player) => this.#flag(player), left) : null;
  }

  /**
   * A new game.
   * @param {Choice} choice
   * @param {{start: string | null, moves: string[]}} [from] a position to play on from
   */
  static async begin(choice, from = { start: null, moves: [] }) {
    if (!(await isKnown(choice))) throw new Refusal({ code: "bad_agent", what: choice.agents.find((agent) => agent !== null) ?? "" });
    const match = new Match(await Tree.open({ game: choice.game, ...from }), choice);
    match.#keep();
    return match;
  }

  /** The game that was being played when this page was left, or a first one. */
  static async resume() {
    const kept = load("match", /** @type {any} */ (null));
    if (await isWhole(kept)) {
      try {
        const match = new Match(await Tree.open(kept.line), kept.choice, kept.left ?? undefined);
        match.resigned = kept.resigned ?? null;
        match.late = kept.late ?? null;
        return match;
      } catch (error) {
        if (/** @type {any} */ (error).code === "offline") throw error;
        // The stored game is from another version: begin a new one.
      }
    }
    return Match.begin(FIRST_GAME);
  }

  get state() {
    return this.tree.current.state;
  }

  /** Who won, if the game is over by the rules or because a player resigned or ran out of time. @returns {{winner: Player | null} | null} */
  get end() {
    const loser = this.resigned ?? this.late;
    if (loser !== null) return { winner: loser === 0 ? 1 : 0 };
    return this.state.over ? { winner: this.state.result?.winner ?? null } : null;
  }

  get over() {
    return this.end !== null;
  }

  /** The agent to move, or null. */
  get agent() {
    return this.over ? null : this.choice.agents[this.state.to_move];
  }

  get personToMove() {
    return !this.over && this.agent === null;
  }

  /** Whether two people share the screen. */
  get shared() {
    return this.choice.agents.every((agent) => agent === null);
  }

  /** @param {string} move */
  async play(move) {
    if (!this.personToMove || this.#playing) return;
    this.#playing = true;
    try {
      await this.tree.play(move);
    } finally {
      this.#playing = false;
    }
    this.#moved();
  }

  /** Asks the agent if it is its turn, or prepares for the move of the person. */
  async proceed() {
    if (this.#left) return;
    const agent = this.agent;
    if (!this.over) this.clock?.run(this.state.to_move);
    if (this.personToMove) return this.tree.lookAhead();
    if (agent === null || this.#asked) return;
    const asked = thinkOne({ type: "move", line: this.tree.asLine(), agent }, "move");
    this.#asked = asked;
    try {
      const answer = await asked.answer;
      if (this.#asked !== asked) return;
      this.#asked = null;
      if (!answer) return this.onError(new Refusal({ code: "no_answer" }));
      await this.tree.play(answer.move, answer.state);
      this.#moved();
    } catch (error) {
      if (this.#asked !== asked) return;
      this.#asked = null;
      this.onError(error);
      if (["offline", "lost"].includes(/** @type {any} */ (error).code)) this.#askLater();
    }
  }

  /** The back end may come back: then the game continues. */
  #askLater() {
    const timer = setTimeout(() => {
      this.#asked = null;
      void this.proceed();
    }, PATIENCE);
    this.#asked = { stop: () => clearTimeout(timer) };
  }

  #moved() {
    this.clock?.moved();
    if (this.over) this.clock?.stop();
    this.#keep();
    this.onMove(this.state);
    void this.proceed();
  }

  /** @param {Player} player */
  #flag(player) {
    if (this.over) return;
    this.halt();
    this.late = player;
    this.#keep();
    this.onLate();
  }

  get canTakeBack() {
    return this.#backTo() !== null;
  }

  #backTo() {
    if (this.resigned !== null || this.late !== null) return this.tree.current;
    let node = this.tree.current.parent;
    while (node && this.choice.agents[node.state.to_move] !== null) node = node.parent;
    return node;
  }

  /** Back to the last position in which a person chose. */
  takeBack() {
    const node = this.#backTo();
    if (!node) return;
    this.halt();
    if (this.resigned === null && this.late === null) {
      this.tree.current = node;
      node.children = [];
    }
    this.resigned = null;
    if (this.late !== null) this.clock?.again();
    this.late = null;
    this.#keep();
    void this.proceed();
  }

  resign() {
    this.halt();
    this.resigned = this.shared ? this.state.to_move : this.choice.agents[0] === null ? 0 : 1;
    this.#keep();
  }

  /** Stops asking agents, and stops the clocks. */
  halt() {
    this.#asked?.stop();
    this.#asked = null;
    this.clock?.stop();
  }

  /** The view is closed: a move that is on its way is still kept, but nobody is asked for the next one. */
  leave() {
    this.#left = true;
    this.halt();
  }

  /** Called when the page is left: time that has passed is not given back. A game that another page has stored in the meantime stays. */
  keepTime() {
    if (!this.clock || this.over) return;
    const kept = load("match", /** @type {any} */ (null));
    if (JSON.stringify(kept?.line) === JSON.stringify(this.tree.asLine())) this.#keep();
  }

  #keep() {
    save("match", { line: this.tree.asLine(), choice: this.choice, resigned: this.resigned, late: this.late, left: this.clock?.left() });
  }
}
