// The plank of a Kalah board.

import { s } from "../dom.js";
import { noise } from "./scatter.js";

/**
 * Wood with a grain that is always the same.
 * @param {number} width
 * @param {number} height
 */
export function wood(width, height) {
  const grain = s("g", { class: "grain" });
  const lines = Math.round(height / 15);
  for (let i = 0; i < lines; i++) {
    const y = ((i + noise(i, 1)) / lines) * height;
    const bend = (noise(i, 2) - 0.5) * 26;
    const third = width / 3;
    grain.append(s("path", {
      d: `M6 ${y}C${third} ${y + bend} ${2 * third} ${y - bend} ${width - 6} ${y + bend / 3}`,
      "stroke-width": (0.5 + noise(i, 3) * 1.6).toFixed(2),
    }));
  }
  return s("g", { "aria-hidden": "true" },
    s("rect", { class: "plank", x: 1, y: 1, width: width - 2, height: height - 2, rx: 26, fill: "url(#wood)" }),
    grain,
    s("rect", { class: "edge", x: 2, y: 2, width: width - 4, height: height - 4, rx: 25 }),
  );
}
