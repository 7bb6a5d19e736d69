// A move on a Kalah board as it looks: a hand takes the seeds and drops one in each house; captures fly home.

import { frame } from "./seeds.js";
import { Timeline } from "./timeline.js";

/** @typedef {import("./seeds.js").Seeds} Seeds */
/** @typedef {import("./kalah-layout.js").KalahLayout} KalahLayout */
/** @typedef {import("../types.js").Step} Step */

const LIFT = 170;
const DROP = 150;
const FLIGHT = 420;
/** No sowing takes longer than this many milliseconds, however many seeds. */
const LONGEST = 3200;

/**
 * @param {object} about
 * @param {Seeds} about.seeds
 * @param {KalahLayout} about.layout
 * @param {Step[]} about.steps what happened, in order
 * @param {number} about.pace milliseconds a seed
 * @param {(house: number, count: number) => void} about.count called when the count of a house changes
 * @param {(kind: "sow" | "store" | "capture") => void} about.sound
 * @returns {Timeline} ready to run
 */
export function sowing({ seeds, layout, steps, pace, count, sound }) {
  const time = new Timeline();
  const counts = seeds.houses.map((list) => list.length);
  const half = layout.houses.length / 2;
  const store = half - 1;
  const isStore = (/** @type {number} */ house) => house % half === store;
  const house = (/** @type {number} */ player, /** @type {number | null} */ pit) => player * half + (pit ?? store);
  let now = 0;
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at];
    if (step.t === "lift") {
      /** @type {number[]} */
      const path = [];
      for (let next = at + 1; next < steps.length; next++) {
        const drop = steps[next];
        if (drop.t !== "sow") break;
        path.push(house(drop.player, drop.pit));
      }
      now = carry(house(step.player, step.pit), path, now);
    } else if (step.t === "capture" || step.t === "sweep") {
      const begin = now + 60;
      for (const pit of step.from) now = Math.max(now, fly(house(pit.player, pit.pit), house(step.player, null), begin));
    }
  }
  time.add(now, () => {});
  return time;

  /**
   * @param {number} from
   * @param {number[]} path
   * @param {number} start
   */
  function carry(from, path, start) {
    const hand = seeds.houses[from].splice(0);
    const beat = Math.min(pace, LONGEST / Math.max(1, path.length));
    const lift = Math.min(LIFT, pace * 1.5);
    time.add(start, () => count(from, 0));
    counts[from] = 0;
    path.forEach((to, k) => {
      const seed = hand[k];
      if (!seed) return;
      seeds.layer.append(seed);
      const total = lift + (k + 1) * beat + Math.min(DROP, beat * 1.3);
      // The hand is above the origin, then above every house up to this seed's; each seed has its place in it.
      const spread = layout.seed * 0.85 * Math.sqrt(k);
      const dx = spread * Math.cos(k * 2.4);
      const dy = spread * Math.sin(k * 2.4) * 0.7;
      const over = (/** @type {number} */ index) => {
        const { x, y, ry } = layout.houses[index];
        return frame(x + dx, y - Math.min(ry, 46) * 0.35 + dy, 20 * k, layout.seed * 1.18);
      };
      /** @type {Keyframe[]} */
      const frames = [
        { transform: seed.rest ?? "", offset: 0, easing: "ease-out" },
        { transform: over(from), offset: lift / total, easing: "ease-in-out" },
      ];
      for (let j = 0; j <= k; j++) {
        frames.push({ transform: over(path[j]), offset: (lift + (j + 1) * beat) / total, easing: j === k ? "ease-in" : "linear" });
      }
      seeds.lay(seed, to, seeds.houses[to].push(seed) - 1, layout);
      frames.push({ transform: seed.rest ?? "", offset: 1 });
      time.move(seed, frames, start, total);
      const there = ++counts[to];
      time.add(start + total, () => {
        count(to, there);
        sound(isStore(to) ? "store" : "sow");
      });
    });
    return start + lift + path.length * beat + Math.min(DROP, beat * 1.3);
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {number} begin
   */
  function fly(from, to, begin) {
    const flock = seeds.houses[from].splice(0);
    if (flock.length === 0) return begin;
    const wait = Math.min(26, 400 / flock.length);
    const flight = Math.min(FLIGHT, pace * 4);
    counts[from] = 0;
    time.add(begin, () => {
      count(from, 0);
      sound("capture");
    });
    const a = layout.houses[from];
    const b = layout.houses[to];
    flock.forEach((seed, k) => {
      seeds.layer.append(seed);
      const before = seed.rest ?? "";
      seeds.lay(seed, to, seeds.houses[to].push(seed) - 1, layout);
      const high = frame((a.x + b.x) / 2, Math.min(a.y, b.y) - 24, 90, layout.seed * 1.25);
      time.move(seed, [
        { transform: before, easing: "ease-in" },
        { transform: high, easing: "ease-out" },
        { transform: seed.rest ?? "" },
      ], begin + k * wait, flight);
      const there = ++counts[to];
      time.add(begin + k * wait + flight, () => count(to, there));
    });
    return begin + flock.length * wait + flight;
  }
}
