// What needs no browser: words, links, and where things lie.

import assert from "node:assert/strict";
import { test } from "node:test";
import { layout } from "../../page/js/board/kalah-layout.js";
import { place } from "../../page/js/board/scatter.js";
import { lineLink, lineOf, parse } from "../../page/js/link.js";
import { brief, chip, short, withNames } from "../../page/js/words.js";

test("a sentence of the server is told to the person", () => {
  /** @type {[string, string]} */
  const names = ["You", "Level 3"];
  assert.equal(withNames("Player 0 sows 4 seeds.", names), "You sow 4 seeds.");
  assert.equal(withNames("Player 1 sows 4 seeds.", names), "Level 3 sows 4 seeds.");
  assert.equal(withNames("Player 0 passes; player 1 is stuck.", names), "You pass; Level 3 is stuck.");
  assert.equal(withNames("Player 0 is ahead, and player 0's store is full.", names), "You are ahead, and your store is full.");
  assert.equal(withNames("Player 0 wins by 12 seeds (30 to 18).", names), "You win by 12 seeds (30 to 18).");
  assert.equal(withNames("Player 1 has nowhere to go: player 0 wins.", ["First player", "Second player"]), "Second player has nowhere to go: the first player wins.");
});

test("numbers as players write them", () => {
  assert.equal(short(3.5, "seeds"), "+3.5");
  assert.equal(short(-1, "seeds"), "−1");
  assert.equal(short(0.04, "seeds"), "0");
  assert.equal(short(-12.4, "seeds"), "−12");
  assert.equal(short(1, "result"), "win");
  assert.equal(chip(-1, true, "result", false).tone, "bad");
  assert.equal(brief(8_123_456), "8.1 M");
});

test("a line survives its link", () => {
  const lines = [
    { game: "kalah:6x4:standard+majority", start: null, moves: [] },
    { game: "kalah:6x4:standard", start: "4 4 4 4 4 4 0 4 4 4 4 4 4 0 1", moves: ["2", "5"] },
    { game: "isolation:3x3:classic", start: ".1./x#o/.2. 0", moves: ["a1/b2", "c3/a2"] },
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
    for (const room of [300, 340, 500, 812, 1000]) {
      for (const flipped of [false, true]) {
        for (const values of [false, true]) {
          const plan = layout(pits, room, flipped, values);
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
