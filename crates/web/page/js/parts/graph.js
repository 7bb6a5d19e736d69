// The course of a game as a curve: above the middle the first player is ahead, below it the second.

import { meta } from "../backend.js";
import { h, s, refill } from "../dom.js";
import { signed, t } from "../text/text.js";

/** Room around the curve for what the axes say. */
const LEFT = 34;
const RIGHT = 12;
const ABOVE = 18;
const BELOW = 36;
const HEIGHT = 148;
const MIDDLE = (HEIGHT + ABOVE - BELOW) / 2;
/** How far the largest bar is from the middle. */
const REACH = (HEIGHT - ABOVE - BELOW) / 2 - 3;

export class Graph {
  #svg = s("svg", { class: "graph", role: "img", "aria-label": t("graph.none") });
  element = h("div", { class: "graph-room" }, this.#svg);
  /** @type {(number | null)[]} */
  #bars = [];
  /** @type {Map<number, string>} */
  #marks = new Map();
  /** @type {import("../types.js").AxisMark[]} */
  #axis = [];
  #current = 0;
  #value = "";
  #width = 0;
  #watch = new ResizeObserver((entries) => {
    this.#width = entries[0].contentRect.width;
    this.#draw();
  });

  /** @param {(ply: number) => void} onChoose */
  constructor(onChoose) {
    this.#watch.observe(this.element);
    // If this fails, the curve has no marks.
    meta().then(({ axis }) => {
      this.#axis = axis;
      this.#draw();
    }, () => {});
    this.#svg.addEventListener("click", (event) => {
      const box = this.#svg.getBoundingClientRect();
      const last = Math.max(1, this.#bars.length - 1);
      const at = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
      onChoose(Math.max(0, Math.min(this.#bars.length - 1, Math.round(at * last))));
    });
  }

  /**
   * @param {(number | null)[]} bars one for every position, -1 to 1 for the first player; null: not known
   * @param {number} current
   * @param {Map<number, string>} [marks] kinds of remarkable moves by the position before them
   * @param {string} [value] of the current position, for the first player
   */
  show(bars, current, marks = new Map(), value = "") {
    this.#bars = bars;
    this.#current = current;
    this.#marks = marks;
    this.#value = value;
    this.#draw();
  }

  close() {
    this.#watch.disconnect();
  }

  #draw() {
    const width = this.#width || 300;
    const bars = this.#bars;
    const last = Math.max(1, bars.length - 1);
    const x = (/** @type {number} */ i) => LEFT + (i / last) * (width - LEFT - RIGHT);
    const y = (/** @type {number} */ bar) => MIDDLE - bar * REACH;
    const known = bars.flatMap((bar, i) => (bar === null ? [] : [{ i, bar }]));
    const points = known.map(({ i, bar }) => `${x(i).toFixed(1)} ${y(bar).toFixed(1)}`);
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.#svg.setAttribute("width", String(width));
    this.#svg.setAttribute("height", String(HEIGHT));
    const now = known.find(({ i }) => i === this.#current);
    const course = t("graph.label", { n: Math.max(0, bars.length - 1) });
    this.#svg.setAttribute("aria-label", now && this.#value ? t("graph.here", { course, value: this.#value }) : course);
    const area = points.length > 1
      ? `M${x(known[0].i).toFixed(1)} ${MIDDLE}L${points.join("L")}L${x(known[known.length - 1].i).toFixed(1)} ${MIDDLE}Z`
      : "";
    const beside = this.#current > last * 0.75;
    const bottom = HEIGHT - BELOW;
    refill(this.#svg,
      s("rect", { class: "upper", x: 0, y: 0, width, height: MIDDLE }),
      s("rect", { class: "lower", x: 0, y: MIDDLE, width, height: HEIGHT - MIDDLE }),
      s("text", { class: "axis side", x: LEFT, y: ABOVE - 5 }, t("graph.ahead", { words: t("graph.first") })),
      s("text", { class: "axis side", x: LEFT, y: bottom + 13 }, t("graph.behind", { words: t("graph.second") })),
      this.#values(width, y), this.#plies(width, last, x),
      s("path", { class: "area", d: area }),
      s("path", { class: "curve", d: points.length > 1 ? `M${points.join("L")}` : "" }),
      s("line", { class: "now", x1: x(this.#current), x2: x(this.#current), y1: ABOVE, y2: bottom }),
      ...known.filter(({ i }) => this.#marks.has(i)).map(({ i, bar }) => s("circle", { class: `remark ${this.#marks.get(i)}`, cx: x(i), cy: y(bar), r: 4.5 })),
      now ? s("circle", { class: "dot", cx: x(now.i), cy: y(now.bar), r: 5 }) : null,
      now && this.#value ? s("text", { class: "here", x: x(now.i) + (beside ? -9 : 9), y: y(now.bar) + (now.bar > 0 ? 14 : -7), "text-anchor": beside ? "end" : "start" }, this.#value) : null,
    );
  }

  /**
   * The axis of values: what lies where.
   * @param {number} width
   * @param {(bar: number) => number} y
   */
  #values(width, y) {
    const marks = [{ lead: 0, bar: 0 }, ...this.#axis, ...this.#axis.map(({ lead, bar }) => ({ lead: -lead, bar: -bar }))];
    return marks.flatMap(({ lead, bar }) => [
      s("line", { class: bar === 0 ? "zero" : "level", x1: LEFT, x2: width - RIGHT, y1: y(bar), y2: y(bar) }),
      s("text", { class: "axis", x: LEFT - 5, y: y(bar) + 4, "text-anchor": "end" }, signed(lead)),
    ]);
  }

  /**
   * The axis of moves.
   * @param {number} width
   * @param {number} last
   * @param {(ply: number) => number} x
   */
  #plies(width, last, x) {
    const every = step(last, (width - LEFT - RIGHT) / 44);
    const bottom = HEIGHT - BELOW;
    const ticks = [];
    for (let ply = 0; ply <= last; ply += every) {
      ticks.push(s("line", { class: "tick", x1: x(ply), x2: x(ply), y1: bottom, y2: bottom + 3 }),
        s("text", { class: "axis", x: x(ply), y: HEIGHT - 6, "text-anchor": "middle" }, ply));
    }
    return ticks;
  }
}

/**
 * A round distance between marks.
 * @param {number} last
 * @param {number} most how many marks there is room for
 */
function step(last, most) {
  return [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => last / size <= Math.max(1, most)) ?? 1000;
}
