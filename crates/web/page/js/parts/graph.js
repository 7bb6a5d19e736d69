// The course of a game as a curve: above the middle the first player is ahead, below it the second.

import { h, s, refill } from "../dom.js";

const HEIGHT = 96;

export class Graph {
  #svg = s("svg", { class: "graph", role: "img" });
  element = h("div", { class: "graph-room" }, this.#svg);
  /** @type {(number | null)[]} */
  #bars = [];
  /** @type {Map<number, string>} */
  #marks = new Map();
  #current = 0;
  #width = 0;
  #watch = new ResizeObserver((entries) => {
    this.#width = entries[0].contentRect.width;
    this.#draw();
  });

  /** @param {(ply: number) => void} onChoose */
  constructor(onChoose) {
    this.#watch.observe(this.element);
    this.#svg.addEventListener("click", (event) => {
      const box = this.#svg.getBoundingClientRect();
      const last = Math.max(1, this.#bars.length - 1);
      onChoose(Math.max(0, Math.min(this.#bars.length - 1, Math.round(((event.clientX - box.left - 6) / (box.width - 12)) * last))));
    });
  }

  /**
   * @param {(number | null)[]} bars one for every position, -1 to 1 for the first player; null: not known
   * @param {number} current
   * @param {Map<number, string>} [marks] kinds of remarkable moves by the position before them
   */
  show(bars, current, marks = new Map()) {
    this.#bars = bars;
    this.#current = current;
    this.#marks = marks;
    this.#draw();
  }

  close() {
    this.#watch.disconnect();
  }

  #draw() {
    const width = this.#width || 300;
    const bars = this.#bars;
    const last = Math.max(1, bars.length - 1);
    const x = (/** @type {number} */ i) => 6 + (i / last) * (width - 12);
    const y = (/** @type {number} */ bar) => HEIGHT / 2 - bar * (HEIGHT / 2 - 8);
    const known = bars.flatMap((bar, i) => (bar === null ? [] : [{ i, bar }]));
    const points = known.map(({ i, bar }) => `${x(i).toFixed(1)} ${y(bar).toFixed(1)}`);
    const middle = HEIGHT / 2;
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.#svg.setAttribute("width", String(width));
    this.#svg.setAttribute("height", String(HEIGHT));
    const now = known.find(({ i }) => i === this.#current);
    this.#svg.setAttribute("aria-label", `Course of the game over ${bars.length - 1} moves${now ? `; here ${ahead(now.bar)}` : ""}`);
    const area = points.length > 1
      ? `M${x(known[0].i).toFixed(1)} ${middle}L${points.join("L")}L${x(known[known.length - 1].i).toFixed(1)} ${middle}Z`
      : "";
    refill(this.#svg,
      s("rect", { class: "upper", x: 0, y: 0, width, height: middle }),
      s("rect", { class: "lower", x: 0, y: middle, width, height: middle }),
      s("path", { class: "area", d: area }),
      s("line", { class: "zero", x1: 0, x2: width, y1: middle, y2: middle }),
      s("path", { class: "curve", d: points.length > 1 ? `M${points.join("L")}` : "" }),
      s("line", { class: "now", x1: x(this.#current), x2: x(this.#current), y1: 2, y2: HEIGHT - 2 }),
      ...known.filter(({ i }) => this.#marks.has(i)).map(({ i, bar }) => s("circle", { class: `remark ${this.#marks.get(i)}`, cx: x(i), cy: y(bar), r: 4.5 })),
      now ? s("circle", { class: "dot", cx: x(now.i), cy: y(now.bar), r: 5 }) : null,
    );
  }
}

/** @param {number} bar */
function ahead(bar) {
  if (Math.abs(bar) < 0.05) return "even";
  return `the ${bar > 0 ? "first" : "second"} player is ahead`;
}
