// A game with a person at another device: shows what the server says of the room, and tells it what the person does.

import { ask, site, think } from "../backend.js";
import { Refusal } from "../backend/refusal.js";
import { h, icon, refill } from "../dom.js";
import { lineLink } from "../link.js";
import { historyKey } from "../parts/history.js";
import { invitation } from "../parts/invitation.js";
import { MoveList } from "../parts/moves.js";
import { strip } from "../parts/players.js";
import { explain } from "../parts/rules.js";
import { Stage } from "../parts/stage.js";
import { tool } from "../parts/tool.js";
import { complain, confirm, say, toast } from "../say.js";
import { change, settings } from "../settings.js";
import { tick } from "../sound.js";
import { NOBODY, Who, YOU, who } from "../text/names.js";
import { gameName, lastWords, problemWords, resultWords, tell } from "../text/sentences.js";
import { t } from "../text/text.js";
import { Tree } from "../tree.js";
import { showClock } from "./clock.js";
import { ownName, seatIn, takeSeat } from "./seats.js";

/** @typedef {import("../main.js").View} View */
/** @typedef {import("../types.js").RoomView} Room */
/** @typedef {import("../types.js").Player} Player */
/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").DeedKind} DeedKind */
/** @typedef {import("../tree.js").Node} Node */

/** Milliseconds until a lost connection is tried again. */
const AGAIN = 1000;

/** @implements {View} */
export class RoomView {
  title = t("room.title");
  #stage = new Stage({ move: (move) => void this.#move(move), say, ahead: (move) => this.#tree?.current.ahead?.find((one) => one.last?.move === move) ?? null });
  #above = h("div", {});
  #below = h("div", {});
  #status = h("div", { class: "status" });
  #connection = h("div", { class: "connection", role: "status", hidden: true });
  #offer = h("div", { class: "card offer", role: "status", hidden: true });
  #door = h("section", { class: "card door", "aria-label": t("room.invite"), hidden: true });
  #end = h("div", { class: "card end-card", hidden: true });
  #heading = h("h1", { class: "game-name" });
  #moves = new MoveList((node) => this.#look(node));
  #rules = h("details", { class: "card rules" });
  #back = tool("back", t("room.takeback"), "U", () => void this.#act("takeback"));
  #resign = tool("flag", t("play.resign"), "", () => void this.#giveUp());
  #watchers = h("p", { class: "small muted" });
  #turned = false;
  #id = "";
  /** The secret of this person's seat. @type {string | null} */
  #seat = null;
  /** What the server said last. @type {Room | null} */
  #room = null;
  /** @type {Tree | null} */
  #tree = null;
  /** Which game of the room the tree belongs to. */
  #round = 0;
  /** @type {Node | null} */
  #looking = null;
  /** When the server said it. */
  #heard = 0;
  /** @type {HTMLElement[]} */
  #clocks = [];
  #ticking = 0;
  #closed = false;
  /** @type {{stop: () => void} | null} */
  #watching = null;
  #timer = 0;
  #lost = false;
  /** A move that the server may not have heard of. @type {{round: number, ply: number, move: string} | null} */
  #unsent = null;
  /** News that waits until the last news is shown. @type {Room | null} */
  #waiting = null;
  #showing = false;
  #newest = 0;
  /** Only watches, though there is a free seat. */
  #onlooker = false;
  #doorFor = "";
  /** Whether the server has said who has which seat. */
  #watched = false;

  element = h("div", { class: "table room" }, this.#door,
    h("section", { class: "stack", "aria-label": t("board.label") }, this.#connection, this.#above, this.#stage.element, this.#below, this.#status),
    h("aside", { class: "stack side", "aria-label": t("play.game") },
      this.#heading, this.#offer, this.#end,
      h("div", { class: "toolbar" }, this.#back, tool("flip", t("play.flip"), "F", () => this.#flip()), this.#resign,
        tool("analysis", t("play.analyse"), "A", () => this.#leaveFor("analysis"))),
      h("div", { class: "card" }, h("h2", {}, t("moves")), this.#moves.element, this.#watchers), this.#rules));

  /** @param {URLSearchParams} params */
  async open(params) {
    if (site) throw new Refusal({ code: "no_server" });
    this.#id = params.get("id") ?? "";
    this.#seat = seatIn(this.#id);
    this.#stage.onShown = (state) => this.#shown(state);
    const room = await ask("room", { id: this.#id });
    explain(this.#rules, room.line.game);
    this.#heading.textContent = gameName(room.line.game);
    await this.#hear(room);
    this.#ticking = window.setInterval(() => this.#tick(), 100);
    addEventListener("online", this.#online);
    this.#watch();
  }

  close() {
    this.#closed = true;
    this.#watching?.stop();
    window.clearTimeout(this.#timer);
    window.clearInterval(this.#ticking);
    removeEventListener("online", this.#online);
    this.#stage.board.close();
  }

  /** The network is back: no reason to wait. */
  #online = () => {
    if (this.#lost) this.#watch();
  };

  /** Listens to the room; connects again when the connection is lost. */
  #watch() {
    window.clearTimeout(this.#timer);
    const watching = think({ type: "watch", room: this.#id, seat: this.#seat }, (news) => {
      if (news.type !== "room" || this.#closed || this.#watching !== watching) return;
      this.#connected(true);
      this.#watched = true;
      void this.#hear(news);
    });
    this.#watching = watching;
    watching.done.catch((error) => {
      if (this.#closed || this.#watching !== watching) return;
      if (!["lost", "offline"].includes(error.code)) return complain(error);
      this.#connected(false);
      this.#timer = window.setTimeout(() => this.#watch(), AGAIN);
    });
  }

  /** @param {boolean} on */
  #connected(on) {
    if (this.#lost === !on) return;
    this.#lost = !on;
    this.#connection.hidden = on;
    refill(this.#connection, on ? null : [icon("threat"), h("span", {}, t("room.lost"))]);
    if (on) say(t("room.back"));
    this.#permit();
  }

  /**
   * What the server says of the room. News older than what is waiting is dropped.
   * @param {Room} room
   */
  async #hear(room) {
    // An answer may come after newer news.
    if (room.version < this.#newest) return;
    this.#newest = room.version;
    this.#waiting = room;
    if (this.#showing) return;
    this.#showing = true;
    try {
      for (let next = /** @type {Room | null} */ (this.#waiting); next && !this.#closed; next = this.#waiting) {
        this.#waiting = null;
        await this.#take(next);
      }
    } catch (error) {
      complain(error);
    } finally {
      this.#showing = false;
    }
  }

  /** @param {Room} room */
  async #take(room) {
    const { line, state } = room;
    const known = this.#tree?.asLine().moves ?? [];
    const same = this.#tree !== null && this.#round === room.round && known.every((move, i) => line.moves[i] === move);
    const before = this.#room;
    this.#room = room;
    this.#heard = performance.now();
    this.#orient();
    if (same && line.moves.length === known.length) {
      // Only seats, clocks and offers.
      if (before?.you !== room.you) this.#look(this.#looking);
      else this.#draw();
      this.#tellDeclined(before, room);
    } else if (this.#tree && same && line.moves.length === known.length + 1) {
      await this.#tree.play(line.moves[known.length], state);
      this.#looking = null;
      this.#moves.show(this.#tree);
      this.#stage.next(state);
      this.#draw();
    } else {
      this.#tree = await Tree.open({ game: line.game, start: line.start, moves: line.moves });
      this.#round = room.round;
      this.#looking = null;
      this.#moves.show(this.#tree);
      this.#stage.jump(this.#tree.current.state);
    }
    this.#permit();
    if (room.end && before && !before.end) tick("end");
    this.#resend();
    if (this.#myTurn) void this.#tree?.lookAhead();
  }

  get #myTurn() {
    const room = this.#room;
    return room !== null && !room.end && room.you !== null && room.you === room.state.to_move && room.seats.every((seat) => seat.taken);
  }

  /** @returns {import("../text/names.js").Names} */
  get #names() {
    const room = this.#room;
    if (!room) return NOBODY;
    const name = (/** @type {Player} */ player) => (room.you === player ? YOU : room.seats[player].name ? `own:${room.seats[player].name}` : "");
    return [name(0), name(1)];
  }

  #permit() {
    this.#stage.allow(this.#myTurn && !this.#looking && !this.#unsent);
  }

  /** @param {string} move */
  async #move(move) {
    const room = this.#room;
    if (!room || !this.#myTurn || this.#looking || this.#unsent) return;
    this.#unsent = { round: room.round, ply: room.line.moves.length, move };
    this.#permit();
    await this.#send();
  }

  /** Sends a move again that may have been lost: the server recognises a move that it already has. */
  #resend() {
    const { round, ply } = this.#unsent ?? {};
    if (ply === undefined || !this.#room) return;
    if (round !== this.#room.round || ply !== this.#room.line.moves.length || this.#room.end) this.#unsent = null;
    else if (!this.#lost && !this.#sending) void this.#send();
    this.#permit();
  }

  #sending = false;

  async #send() {
    if (!this.#unsent || this.#sending) return;
    this.#sending = true;
    try {
      const room = await ask("roomMove", { id: this.#id, seat: this.#seat ?? "", ...this.#unsent });
      this.#unsent = null;
      this.#sending = false;
      await this.#hear(room);
    } catch (error) {
      this.#sending = false;
      // Without a network it is sent again when the connection is back.
      if (/** @type {any} */ (error).code === "offline") return this.#connected(false);
      this.#unsent = null;
      this.#permit();
      complain(error);
    }
  }

  /** Whether the last offer was withdrawn or declined on this page. */
  #withdrawn = false;

  /**
   * Tells the person who offered something when the other one declines.
   * @param {Room | null} before
   * @param {Room} room with the same moves
   */
  #tellDeclined(before, room) {
    const offer = before?.offer;
    if (!offer || room.offer || offer.by !== room.you || this.#withdrawn || !before.end !== !room.end) return;
    toast(t(`room.declined.${offer.kind}`, { Who: Who(this.#names, offer.by === 0 ? 1 : 0) }));
  }

  /** @param {DeedKind} deed */
  async #act(deed) {
    const room = this.#room;
    if (!room || room.you === null) return;
    this.#withdrawn = deed === "decline";
    try {
      await this.#hear(await ask("roomDeed", { id: this.#id, seat: this.#seat ?? "", round: room.round, deed }));
    } catch (error) {
      complain(error);
    }
  }

  async #giveUp() {
    if (!this.#going) return;
    if (await confirm(t("play.resign.title"), t("play.resign.words"), t("play.resign.yes"), t("play.resign.no"))) await this.#act("resign");
  }

  /** Whether the person plays a game that is not over. */
  get #going() {
    const room = this.#room;
    return room !== null && !room.end && room.you !== null && room.seats.every((seat) => seat.taken);
  }

  /** Draws everything around the board. */
  #draw() {
    const shown = this.#looking ?? this.#tree?.current;
    if (shown && this.#stage.idle) this.#shown(shown.state);
  }

  /** @param {State} state */
  #shown(state) {
    const room = this.#room;
    if (!room) return;
    const names = this.#names;
    this.#moves.names = names;
    if (room.clock && !this.#clocks.length) this.#clocks = [0, 1].map(() => h("span", { class: "clock", role: "timer" }));
    this.#tick();
    const strips = /** @type {Player[]} */ ([0, 1]).map((player) => strip(player, names, state, this.#note(player), this.#clocks[player] ?? null, state.result ?? (this.#looking ? null : room.end)));
    const below = this.#secondBelow ? 1 : 0;
    refill(this.#above, strips[1 - below]);
    refill(this.#below, strips[below]);
    const told = lastWords(state, names);
    const turn = this.#turnWords(state);
    const words = h("p", { class: "headline" }, turn);
    refill(this.#status, words, h("p", { class: "told" }, told));
    if (this.#looking) this.#status.append(h("button", { type: "button", onclick: () => this.#look(null) }, t("play.back")));
    else this.#announce([told, turn].filter(Boolean).join(t("sentence.join")));
    const own = this.#tree?.current.path().some((node) => node.parent && node.parent.state.to_move === room.you) ?? false;
    this.#back.disabled = !this.#going || !own || room.offer !== null;
    this.#resign.disabled = !this.#going;
    this.#watchers.textContent = room.watching ? t("room.watchers", { n: room.watching }) : "";
    this.#drawOffer(room);
    this.#drawEnd(room, turn);
    void this.#drawDoor(room);
  }

  #announced = "";

  /** @param {string} words the same words are not read aloud again */
  #announce(words) {
    if (this.#announced !== words) say(words);
    this.#announced = words;
  }

  /** @param {Player} player */
  #note(player) {
    const room = /** @type {Room} */ (this.#room);
    const seat = room.seats[player];
    if (!seat.taken) return t("room.free");
    const won = seat.won ? t("room.won", { n: seat.won }) : "";
    return [seat.here || room.you === player ? "" : t("room.away"), won].filter(Boolean).join(t("do.join"));
  }

  /** @param {State} state */
  #turnWords(state) {
    const room = /** @type {Room} */ (this.#room);
    const names = this.#names;
    if (this.#looking) return t("play.looking", { ply: this.#looking.ply, all: this.#tree?.current.ply ?? 0 });
    if (room.end) return this.#endWords(room, state);
    if (!room.seats.every((seat) => seat.taken)) return t("room.wait");
    const mover = state.to_move;
    const again = state.last?.again && state.last.player === mover;
    if (names[mover] === YOU) return t(again ? "play.your.again" : "play.your.turn");
    return again ? t("play.again", { who: who(names, mover) }) : t("play.to.move", { Who: Who(names, mover) });
  }

  /**
   * @param {Room} room
   * @param {State} state
   */
  #endWords(room, state) {
    const names = this.#names;
    const winner = room.end?.winner ?? null;
    if (room.end?.kind === "rules" || winner === null) return resultWords(state, names);
    const loser = winner === 0 ? 1 : 0;
    if (room.end?.kind === "resigned") return tell("result.resigned", loser, names);
    if (names[winner] === YOU) return t("result.time.mine", { Who: Who(names, loser) });
    return tell("result.time", loser, names, { winner: who(names, winner) });
  }

  /** @param {Room} room */
  #drawOffer(room) {
    const { offer } = room;
    const key = offer && `${offer.kind}${offer.by}${room.you}`;
    if ((this.#offer.dataset.offer ?? null) === key) return;
    this.#offer.hidden = !offer || room.you === null;
    if (!offer) {
      delete this.#offer.dataset.offer;
      return refill(this.#offer);
    }
    this.#offer.dataset.offer = String(key);
    const mine = offer.by === room.you;
    const words = mine ? t(`room.offer.mine.${offer.kind}`) : t(`room.offer.other.${offer.kind}`, { Who: Who(this.#names, offer.by) });
    const button = (/** @type {string} */ text, /** @type {DeedKind} */ deed, main = false) => h("button", { type: "button", class: main ? "main" : "", onclick: () => void this.#act(deed) }, text);
    refill(this.#offer, h("p", {}, words), h("div", { class: "row" },
      mine ? button(t("room.withdraw"), "decline") : [button(t("room.accept"), "accept", true), button(t("room.decline"), "decline")]));
  }

  /**
   * @param {Room} room
   * @param {string} words
   */
  #drawEnd(room, words) {
    const ended = room.end !== null && !this.#looking;
    this.#end.hidden = !ended;
    if (!ended) return refill(this.#end);
    const offered = room.offer !== null;
    refill(this.#end, h("h2", {}, t("play.over")), h("p", {}, words), h("div", { class: "row" },
      h("button", { type: "button", class: "main", id: "go-review", onclick: () => this.#leaveFor("review") }, icon("review"), t("play.review")),
      room.you !== null && !offered ? h("button", { type: "button", id: "rematch", onclick: () => void this.#act("rematch") }, t("room.rematch")) : null));
  }

  /**
   * The invitation for a player who waits, and a free seat for a visitor without one.
   * @param {Room} room
   */
  async #drawDoor(room) {
    const free = room.seats.some((seat) => !seat.taken);
    const wanted = !free || !this.#watched ? "" : room.you !== null ? "invite" : this.#onlooker ? "" : "seat";
    if (this.#doorFor === wanted) return;
    this.#doorFor = wanted;
    this.#door.hidden = wanted === "";
    if (wanted === "") return refill(this.#door);
    if (wanted === "seat") return this.#offerSeat();
    try {
      const card = await invitation(this.#id);
      if (this.#doorFor === wanted) refill(this.#door, h("h2", {}, t("room.wait")), card);
    } catch (error) {
      refill(this.#door, h("p", {}, problemWords(error)));
    }
  }

  #offerSeat() {
    const name = h("input", { type: "text", maxlength: 24, autocomplete: "nickname", id: "own-name", value: ownName() });
    const sit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        const room = await takeSeat(this.#id, name.value);
        this.#seat = seatIn(this.#id);
        this.#watch();
        await this.#hear(room);
      } catch (error) {
        complain(error);
      }
    };
    refill(this.#door, h("h2", {}, t("room.join.title")), h("form", { class: "stack", onsubmit: sit },
      h("label", { class: "field" }, t("room.name"), name),
      h("div", { class: "row" }, h("button", { type: "submit", class: "main", id: "sit" }, t("room.join")),
        h("button", { type: "button", onclick: () => { this.#onlooker = true; this.#draw(); } }, t("room.watch")))));
  }

  #tick() {
    const clock = this.#room?.clock;
    if (!clock || !this.#clocks.length) return;
    clock.left_ms.forEach((left, player) => {
      const now = clock.running === player ? Math.max(0, left - (performance.now() - this.#heard)) : left;
      showClock(this.#clocks[player], now);
    });
  }

  /** In Kalah the person who plays sits below; Isolation is always seen from the same side. */
  #orient() {
    const room = this.#room;
    const kalah = room?.state.board.kind === "kalah";
    this.#stage.board.flip(kalah ? (room?.you === 1) !== this.#turned : settings.flip);
  }

  get #secondBelow() {
    return this.#room?.state.board.kind === "kalah" ? (this.#room.you === 1) !== this.#turned : !settings.flip;
  }

  #flip() {
    if (this.#room?.state.board.kind === "isolation") change({ flip: !settings.flip });
    else this.#turned = !this.#turned;
    this.#orient();
    this.#look(this.#looking);
  }

  /** @param {Node | null} node */
  #look(node) {
    const tree = this.#tree;
    if (!tree) return;
    this.#looking = node === tree.current ? null : node;
    const shown = this.#looking ?? tree.current;
    this.#permit();
    this.#stage.jump(shown.state);
    this.#moves.mark(shown);
  }

  /** @param {number} by */
  #step(by) {
    const nodes = this.#tree?.line() ?? [];
    const here = this.#tree ? nodes.indexOf(this.#looking ?? this.#tree.current) : 0;
    const next = nodes[Math.max(0, Math.min(nodes.length - 1, here + by))];
    if (next) this.#look(next);
  }

  /** @param {string} view */
  #leaveFor(view) {
    if (this.#tree) location.hash = lineLink(view, this.#tree.asLine(), this.#looking?.ply, this.#names);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const by = historyKey(event.key);
    if (by) {
      this.#step(by);
      return true;
    }
    const runs = /** @type {Record<string, () => void>} */ ({
      u: () => this.#back.click(), f: () => this.#flip(), a: () => this.#leaveFor("analysis"), r: () => this.#leaveFor("review"), b: () => this.#stage.board.focus(),
    })[event.key];
    if (!runs) return this.#stage.key(event);
    runs();
    return true;
  }
}
