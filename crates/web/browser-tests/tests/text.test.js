// Every sentence exists in every language, with the same placeholders and all plural forms that it needs.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { DE } from "../../page/js/text/de.js";
import { EN } from "../../page/js/text/en.js";
import { ZH_HANT } from "../../page/js/text/zh-hant.js";

/** @type {Record<string, Record<string, string | Record<string, string>>>} */
const LANGUAGES = { en: EN, "zh-Hant": ZH_HANT, de: DE };

/** @param {string | Record<string, string>} entry */
const forms = (entry) => (typeof entry === "string" ? [entry] : Object.values(entry));
/** @param {string} text */
const blanks = (text) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1].toLowerCase()))].sort();

for (const [language, catalogue] of Object.entries(LANGUAGES)) {
  test(`every sentence exists in ${language}`, () => {
    assert.deepEqual(Object.keys(catalogue).sort(), Object.keys(EN).sort());
    for (const [key, entry] of Object.entries(catalogue)) {
      const english = EN[/** @type {keyof typeof EN} */ (key)];
      assert.equal(typeof entry, typeof english, key);
      for (const text of forms(entry)) assert.deepEqual(blanks(text), blanks(forms(english)[0]), `${key}: ${text}`);
      if (typeof entry === "object") {
        for (const form of new Intl.PluralRules(language).resolvedOptions().pluralCategories) assert.ok(entry[form], `${key} has no form “${form}”`);
      } else if (key !== "sentence.join") {
        assert.ok(entry.length > 0, key);
      }
    }
  });
}

test("a language does not simply repeat another one", () => {
  for (const [language, catalogue] of Object.entries(LANGUAGES)) {
    if (language === "en") continue;
    const same = Object.entries(catalogue).filter(([key, entry]) => {
      const english = EN[/** @type {keyof typeof EN} */ (key)];
      return JSON.stringify(entry) === JSON.stringify(english) && !key.endsWith(".name") && /[a-z]{4,} [a-z]{2,}/i.test(forms(entry)[0].replace(/\{\w+\}/g, ""));
    });
    assert.deepEqual(same, [], language);
  }
});

test("every sentence is used, and every one that is used exists", () => {
  const page = new URL("../../page/js/", import.meta.url);
  const source = readdirSync(page, { recursive: true }).map(String).filter((file) => file.endsWith(".js") && !/text.(en|de|zh-hant)\.js$/.test(file))
    .map((file) => readFileSync(new URL(file, page), "utf8")).join("\n");
  const known = Object.keys(EN);
  // Keys in quotes, and keys whose end is computed: “judged.${…}”.
  const whole = new Set([...source.matchAll(/"([a-z][\w.-]*)"/gi)].map((found) => found[1]));
  const begun = [...source.matchAll(/`([a-z]+\.(?:[\w-]+\.)*)\$\{/gi)].map((found) => found[1]);
  const told = [...source.matchAll(/tell\(([^,]+),/g)].flatMap((found) => [...found[1].matchAll(/"([\w.]+)"/g)].map((key) => `${key[1]}.`));
  const unused = known.filter((key) => !whole.has(key) && ![...begun, ...told].some((start) => key.startsWith(start)));
  assert.deepEqual(unused, []);
  for (const found of source.matchAll(/\bt\("([\w.-]+)"/g)) assert.ok(known.includes(found[1]), found[1]);
});
