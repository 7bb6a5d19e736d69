// The moves of a game as a list one can walk through, branches in brackets.

import { h, refill } from "../dom.js";
import { NOBODY } from "../text/names.js";
import { lastWords, moveText } from "../text/sentences.js";
import { t } from "../text/text.js";

/** @typedef {import("../tree.js").Node} Node */
/** @typedef {import("../tree.js").Tree} Tree */

export class MoveList {
  element = h("div", { class: "moves", role: "group", "aria-label": t("moves") });
  /** @type {Map<Node, HTMLElement>} */
  #buttons = new Map();
  #scrolling = 0;
  names = NOBODY;

  /**
   * @param {(node: Node) => void} onChoose
   * @param {(node: Node) => {mark: string, title: string, kind: string} | null} [judge] what is thought of a move
   */
  constructor(onChoose, judge = () => null) {
    this.onChoose = onChoose;
    this.judge = judge;
  }

  /** @param {Tree} tree */
  show(tree) {
    this.#buttons.clear();
    const content = tree.root.children.length ? this.#line(tree.root, true) : [h("p", { class: "muted small" }, t("moves.none"))];
    refill(this.element, ...content);
    this.mark(tree.current);
  }

  /** @param {Node} current */
  mark(current) {
    for (const [node, button] of this.#buttons) {
      const here = node === current;
      if (here) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    // Positions are read after the layout is done: reading them earlier would make the browser compute it twice.
    cancelAnimationFrame(this.#scrolling);
    this.#scrolling = requestAnimationFrame(() => this.#scrollTo(this.#buttons.get(current)));
  }

  /** @param {HTMLElement | undefined} button undefined for the start of the game */
  #scrollTo(button) {
    const { element } = this;
    if (element.scrollHeight <= element.clientHeight) return;
    const top = button ? button.offsetTop - element.offsetTop : 0;
    if (top < element.scrollTop || top > element.scrollTop + element.clientHeight - 40) element.scrollTop = top - 60;
  }

  /**
   * Everything after a node: moves of the same player in a row are shown together.
   * @param {Node} from
   * @param {boolean} main
   * @returns {HTMLElement[]}
   */
  #line(from, main) {
    /** @type {HTMLElement[]} */
    const parts = [];
    /** @type {HTMLElement | null} */
    let turn = null;
    let player = -1;
    for (let node = from; node.children.length; node = node.children[0]) {
      const [next, ...others] = node.children;
      const mover = node.state.to_move;
      if (!turn || mover !== player) {
        player = mover;
        turn = h("span", { class: `turn p${mover}` }, h("span", { class: "ply", "aria-hidden": "true" }, `${next.ply}`));
        parts.push(turn);
      }
      turn.append(this.#button(next));
      for (const other of others) {
        parts.push(h("span", { class: "branch" }, "(", this.#branch(other), ")"));
        turn = null;
      }
    }
    return main ? [h("div", { class: "line" }, ...parts)] : parts;
  }

  /** @param {Node} node */
  #branch(node) {
    const turn = h("span", { class: `turn p${node.parent?.state.to_move ?? 0}` }, h("span", { class: "ply", "aria-hidden": "true" }, `${node.ply}`), this.#button(node));
    return h("span", { class: "line" }, turn, ...this.#line(node, false));
  }

  /** @param {Node} node */
  #button(node) {
    const judged = this.judge(node);
    const last = node.state.last;
    const extra = last?.again ? t("moves.again") : last?.captured ? t("moves.captures") : "";
    const button = h("button", {
      type: "button", class: `move ${judged?.kind ?? ""}`, title: judged?.title ?? lastWords(node.state, this.names),
      "aria-label": t("moves.move", { ply: node.ply, move: moveText(node.move) }) + extra + (judged ? t("moves.judged", { judgement: judged.title }) : ""),
      onclick: () => this.onChoose(node),
    }, moveText(node.move), last?.again ? h("span", { class: "extra" }, "↻") : last?.captured ? h("span", { class: "extra" }, "×") : null,
    judged?.mark ? h("span", { class: "judged" }, judged.mark) : null);
    this.#buttons.set(node, button);
    return button;
  }
}
