// Tests that need no browser: texts, links, and the layout of boards.

import assert from "node:assert/strict";
import { test } from "node:test";
import { layout } from "../../page/js/board/kalah-layout.js";
import { place } from "../../page/js/board/scatter.js";
import { lineLink, lineOf, linkIn, parse, playersOf } from "../../page/js/link.js";
import { chip, forFirst, judgedWords, lastWords, moveText, moveWorth, positionWorth, problemWords, resultWords, short } from "../../page/js/text/sentences.js";
import { Who } from "../../page/js/text/names.js";
import { brief } from "../../page/js/text/text.js";
import { clockText } from "../../page/js/views/clock.js";

/** @typedef {import("../../page/js/text/names.js").Names} Names */
/** @typedef {import("../../page/js/types.js").State} State */
/** @typedef {import("../../page/js/types.js").Step} Step */

/**
 * @param {Step[]} steps
 * @returns {any}
 */
const after = (...steps) => ({ last: { steps } });

test("the last move is described in words", () => {
  /** @type {Names} */
  const names = ["you", "level:3"];
  assert.equal(lastWords(after({ t: "lift", player: 0, pit: 2, seeds: 4 }, { t: "again", player: 0 }), names), "You sow 4 seeds from pit 3. The last one falls into the store: another turn.");
  assert.equal(lastWords(after({ t: "lift", player: 1, pit: 0, seeds: 1 }), names), "Level 3 sows 1 seed from pit 1.");
  assert.equal(lastWords(after({ t: "pass", player: 0 }), names), "You are stuck and pass.");
  assert.equal(lastWords(after({ t: "step", player: 1, from: "a1", to: "b2" }, { t: "block", cell: "a1" }), ["", ""]), "Second player goes from a1 to b2.");
  assert.equal(lastWords(after({ t: "sweep", player: 1, seeds: 3, from: [] }), ["", ""]), "One side is empty: the second player banks the last 3 seeds.");
  const kalah = { kind: "kalah", pits: [[0], [0]], stores: [30, 18] };
  assert.equal(resultWords(/** @type {any} */ ({ board: kalah, result: { winner: 0, margin: 12, counted: true } }), names), "You win by 12 seeds (30 to 18).");
  assert.equal(resultWords(/** @type {any} */ ({ board: kalah, result: { winner: 1, margin: -1, counted: false } }), names), "You have nowhere to go: Level 3 wins.");
  assert.equal(moveText("0"), "1");
  assert.equal(moveText("c4/e2"), "c4/e2");
});

test("all numbers are from the first player's point of view", () => {
  assert.equal(short({ value: 3.5, unit: "seeds", proven: false }), "+3.5");
  assert.equal(short({ value: -1, unit: "seeds", proven: false }), "−1");
  assert.equal(short({ value: 0.04, unit: "seeds", proven: false }), "0");
  assert.equal(short({ value: -12.4, unit: "seeds", proven: false }), "−12");
  assert.equal(short({ value: 1, unit: "result", proven: true }), "first wins");
  /** @type {import("../../page/js/types.js").Figure} */
  const good = { value: 2, unit: "seeds", proven: true };
  assert.equal(short(forFirst(good, 1)), "−2");
  assert.equal(positionWorth(good, 1, ["", ""]), "Second player wins by 2 seeds (proven).");
  // On a move, the number is from the first player's point of view, the colour from the mover's.
  assert.deepEqual(chip(good, 1, true), { text: "−2", proven: true, best: true, rank: 2, tone: "good" });
  assert.equal(chip({ value: -1, unit: "result", proven: true }, 0, false).tone, "bad");
  assert.equal(brief(8_123_456), "8.1M");
});

test("the value of a move names the player who stands better", () => {
  /** @type {Names} */
  const names = ["you", "level:3"];
  const worth = (/** @type {number} */ value, /** @type {any} */ unit, proven = false) => ({ value, unit, proven });
  assert.equal(moveWorth(worth(-4, "seeds"), 1, ["", ""]), "first leads by 4 seeds");
  assert.equal(moveWorth(worth(4, "seeds"), 1, ["", ""]), "second leads by 4 seeds");
  assert.equal(moveWorth(worth(4, "seeds"), 0, names), "you lead by 4 seeds");
  assert.equal(moveWorth(worth(-1, "cells", true), 0, names), "Level 3 wins by 1 cell");
  assert.equal(moveWorth(worth(0, "seeds", true), 0, names), "a draw");
  assert.equal(moveWorth(worth(0, "seeds"), 0, names), "about even");
  assert.equal(moveWorth(worth(1, "result"), 1, names), "Level 3 wins, most likely");
  // A share of wins is from the first player's point of view, like the number beside it.
  assert.equal(moveWorth(worth(0.25, "winshare"), 1, names), "you win 75% of the games");
  const judged = /** @type {any} */ ({ player: 1, judgement: "mistake", loss: worth(3, "seeds", true), best: { move: "0", ...worth(1, "seeds") }, played: { move: "1", ...worth(-2, "seeds") } });
  assert.equal(judgedWords(judged, ["", ""]), "Mistake: gives away 3 seeds. Better 1: second leads by 1 seed.");
});

test("a player with an invisible name is called by their side", () => {
  for (const unseen of ["\u200b", "own:\u200d\u2060", "\u3164", " \u00ad", "\ufe0f"]) {
    assert.equal(Who([unseen, ""], 0), "First player", JSON.stringify(unseen));
  }
  assert.equal(Who(["own:林", ""], 0), "林");
});

test("refusals are shown in the page's own words", (context) => {
  const refused = { code: "bad_move", what: "0" };
  assert.equal(problemWords(refused), "Move 1 cannot be played there.");
  assert.equal(problemWords(refused, String), "Move 0 cannot be played there.", "as it was pasted");
  const told = context.mock.method(console, "error", () => {});
  assert.equal(problemWords(new TypeError("x is undefined")), "Something went wrong on this page.");
  assert.equal(told.mock.callCount(), 1);
});

test("a link of this page is found in a text, and a row of Isolation is not a link", () => {
  assert.equal(linkIn("see http://host/#/review?game=kalah:6x4:standard&moves=2 now"), "#/review?game=kalah:6x4:standard&moves=2");
  assert.equal(linkIn("1.#/..x/#.2 0"), null);
  assert.equal(linkIn("1.#/xo./..2 0"), null);
});

test("clocks", () => {
  assert.equal(clockText(65_000), "1:05");
  assert.equal(clockText(9_940), "0:09.9");
  assert.equal(clockText(-3), "0:00.0");
});

test("names survive their link", () => {
  const line = { game: "kalah:6x4:standard", start: null, moves: ["2"] };
  for (const names of /** @type {Names[]} */ ([["you", "level:3"], ["Ada, the first", "ünï & co=?#"], ["", "engine"]])) {
    assert.deepEqual(playersOf(lineLink("review", line, undefined, names)), names);
  }
  assert.deepEqual(playersOf("#/review?players=%E0%A4%A"), ["", ""]);
});

test("a line survives its link", () => {
  const lines = [
    { game: "kalah:6x4:standard+majority", start: null, moves: [], opening: 0 },
    { game: "kalah:6x4:standard", start: "4 4 4 4 4 4 0 4 4 4 4 4 4 0 1", moves: ["2", "5"], opening: 1 },
    { game: "isolation:3x3:classic", start: ".1./x#o/.2. 0", moves: ["a1/b2", "c3/a2"], opening: 0 },
  ];
  for (const line of lines) {
    const { view, params } = parse(lineLink("analysis", line, 1));
    assert.equal(view, "analysis");
    const { ply, ...read } = lineOf(params) ?? {};
    assert.deepEqual(read, line);
    assert.equal(ply, line.moves.length === 1 ? null : 1);
  }
  assert.equal(lineOf(parse("#/play").params), null);
});

test("on every board every house and seed lies inside", () => {
  for (let pits = 1; pits <= 12; pits++) {
    for (const room of [300, 340, 500, 812, 1000, 1500]) {
      for (const [flipped, values, tall] of /** @type {[boolean, boolean, number][]} */ ([[false, false, 500], [true, false, 800], [false, true, 1200], [true, true, 640]])) {
        {
          const plan = layout(pits, room, flipped, values, tall);
          assert.ok(plan.width <= room + 0.01, `${pits} pits in ${room}: ${plan.width}`);
          assert.equal(plan.houses.length, 2 * pits + 2);
          plan.houses.forEach((house, index) => {
            assert.ok(house.rx > 8 && house.ry > 8, "a bowl is large enough to be touched");
            assert.ok(house.x - house.rx >= 0 && house.x + house.rx <= plan.width && house.y - house.ry >= 0 && house.y + house.ry <= plan.height);
            for (const seed of [0, 1, 5, 20, 200]) {
              const at = place(index, seed, house, plan.seed);
              assert.ok(((at.x - house.x) / house.rx) ** 2 + ((at.y - house.y) / house.ry) ** 2 <= 1.02, `seed ${seed} of ${pits} pits in ${room}`);
            }
          });
        }
      }
    }
  }
});
