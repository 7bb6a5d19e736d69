// Chinese text is separated by a space from the Latin letters and digits of names.

import assert from "node:assert/strict";
import { test } from "node:test";

/** @type {any} */ (globalThis).localStorage = { getItem: () => JSON.stringify({ language: "zh-Hant" }) };
const { tell } = await import("../../page/js/text/sentences.js");

test("a name that ends in a letter or digit is followed by a space", () => {
  assert.equal(tell("result.resigned", 1, ["you", "level:3"]), "等級 3 認輸了。");
  assert.equal(tell("result.resigned", 1, ["you", "own:Ada"]), "Ada 認輸了。");
  assert.equal(tell("result.resigned", 1, ["you", "engine"]), "引擎認輸了。");
});
