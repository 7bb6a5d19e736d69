// What was refused, as data; the page makes the sentence.

/** @typedef {import("../types.js").AnyProblem} AnyProblem */

export class Refusal extends Error {
  /** @param {AnyProblem} problem */
  constructor(problem) {
    super(problem.message ?? problem.code);
    this.code = problem.code;
    this.field = problem.field ?? null;
    this.at = problem.at ?? null;
    this.what = problem.what ?? null;
  }
}
