// A game with its branches. The first child of a node is the main line.

import { readAhead, readLine } from "./backend.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Line} Line */

export class Node {
  /** @type {Node[]} */
  children = [];
  /** What legal moves lead to, as far as that is known. @type {State[] | null} */
  ahead = null;

  /**
   * @param {Node | null} parent
   * @param {string} move that led here
   * @param {State} state
   */
  constructor(parent, move, state) {
    this.parent = parent;
    this.move = move;
    this.state = state;
    this.ply = ply(parent);
  }

  /** @returns {Node[]} from the root to here */
  path() {
    /** @type {Node[]} */
    const nodes = [];
    for (let node = /** @type {Node | null} */ (this); node; node = node.parent) nodes.unshift(node);
    return nodes;
  }
}

/**
 * @param {Node | null} parent
 * @returns {number}
 */
function ply(parent) {
  return parent ? parent.ply + 1 : 0;
}

export class Tree {
  /**
   * @param {import("./types.js").LineAnswer} answer
   */
  constructor(answer) {
    this.game = answer.game;
    this.start = answer.start;
    this.players = answer.players;
    /** How many moves belong to the opening. */
    this.opening = answer.opening ?? 0;
    this.root = new Node(null, "", answer.states[0]);
    /** What is on the board. */
    this.current = this.root;
    answer.moves.forEach((move, i) => (this.current = this.#add(this.current, move, answer.states[i + 1])));
    this.current.ahead = answer.ahead ?? null;
  }

  /** @param {Line} line */
  static async open(line) {
    const tree = new Tree(await readLine({ game: line.game, start: line.start, moves: line.moves }));
    tree.opening = line.opening ?? 0;
    return tree;
  }

  /**
   * @param {Node} parent
   * @param {string} move
   * @param {State} state
   */
  #add(parent, move, state) {
    const known = parent.children.find((child) => child.move === move);
    if (known) return known;
    const node = new Node(parent, move, state);
    parent.children.push(node);
    return node;
  }

  /**
   * The position after a move of the current one; it becomes the current one.
   * @param {string} move
   * @param {State} [state] if it is known already
   */
  async play(move, state) {
    const parent = this.current;
    const known = parent.children.find((child) => child.move === move);
    if (known) return (this.current = known);
    const after = state ?? parent.ahead?.find((one) => one.last?.move === move) ?? (await readLine({ game: this.game, start: parent.state.position, moves: [move] })).states[1];
    return (this.current = this.#add(parent, move, after));
  }

  /** Asks what the moves of the current position lead to, so that there is no wait when one of them is made. */
  async lookAhead() {
    const node = this.current;
    if (node.ahead || node.state.over) return;
    node.ahead = [];
    try {
      node.ahead = (await readAhead(this.game, node.state.position)) ?? null;
    } catch {
      node.ahead = null; // Then the move itself will be asked about.
    }
  }

  /**
   * Removes a node with all that follows; its parent becomes the current one.
   * @param {Node} node
   */
  cut(node) {
    if (!node.parent) return;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    this.current = node.parent;
  }

  /**
   * Makes the line through a node the main one.
   * @param {Node} node
   */
  promote(node) {
    for (let child = node; child.parent; child = child.parent) {
      const siblings = child.parent.children;
      siblings.splice(siblings.indexOf(child), 1);
      siblings.unshift(child);
    }
  }

  /**
   * The line through the current node to its end.
   * @returns {Node[]}
   */
  line() {
    const nodes = this.current.path();
    for (let last = nodes[nodes.length - 1]; last.children.length; last = last.children[0]) nodes.push(last.children[0]);
    return nodes;
  }

  /**
   * @param {Node} [node] the last of the line, the current one by default
   * @returns {Line}
   */
  asLine(node = this.current) {
    return { game: this.game, start: this.start, moves: node.path().slice(1).map((one) => one.move) };
  }
}
