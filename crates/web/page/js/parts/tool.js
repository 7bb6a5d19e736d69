// Buttons with a picture.

import { h, icon } from "../dom.js";

/**
 * A button with a picture and a word.
 * @param {string} picture
 * @param {string} text
 * @param {string} key
 * @param {() => void} run
 */
export function tool(picture, text, key, run) {
  return h("button", { type: "button", class: "tool", title: key ? `${text} (${key})` : text, onclick: run }, icon(picture), h("span", {}, text));
}
