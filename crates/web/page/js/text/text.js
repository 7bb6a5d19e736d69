// Sentences in the language of the reader. The browser forms numbers and plurals (Intl).

import { settings } from "../settings.js";
import { DE } from "./de.js";
import { EN } from "./en.js";
import { ZH_HANT } from "./zh-hant.js";

/** @typedef {keyof typeof EN} Key */
/** @typedef {Record<string, string | Record<string, string>>} Catalogue */

/** What can be chosen, each in its own words. @type {[string, string][]} */
export const LANGUAGES = [["en", "English"], ["zh-Hant", "繁體中文"], ["de", "Deutsch"]];

/** A language that marks every sentence, so that text outside the catalogue is found: for tests only. */
const MARKED = "qps";

/** @type {Record<string, Catalogue>} */
const CATALOGUES = { en: EN, "zh-Hant": ZH_HANT, de: DE };

/** The first of the browser's languages that the page has. */
function preferred() {
  for (const tag of globalThis.navigator?.languages ?? []) {
    const found = LANGUAGES.find(([code]) => code.slice(0, 2) === tag.slice(0, 2).toLowerCase());
    if (found) return found[0];
  }
  return "en";
}

const LANGUAGE = Object.hasOwn(CATALOGUES, settings.language) || settings.language === MARKED ? settings.language : preferred();
/** @type {Catalogue} */
const CATALOGUE = LANGUAGE === MARKED ? EN : CATALOGUES[LANGUAGE];
const LOCALE = LANGUAGE === MARKED ? "en" : LANGUAGE;

/** The language of the page; another one is used after the next load. */
export const language = () => LOCALE;

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/**
 * A number with at most `digits` digits after the decimal point.
 * @param {number} value
 * @param {number} [digits]
 * @param {Intl.NumberFormatOptions} [options]
 */
export function number(value, digits = 1, options = {}) {
  const key = `${digits}${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: digits, ...options })));
  // One minus sign everywhere, and none before a zero.
  return format.format(value).replace("-", "−").replace(/^−(0([.,]0+)?)$/, "$1");
}

/**
 * An estimate without digits that mean nothing: 1.5, 12.
 * @param {number} value
 */
export const rounded = (value) => (Math.abs(value) >= 10 ? Math.round(value) : value);

/**
 * A number with its sign: +3, −1.5, +12, 0.
 * @param {number} value
 */
export function signed(value) {
  const text = number(rounded(Math.abs(value)));
  return /^[0.,]*$/.test(text) ? "0" : `${value > 0 ? "+" : "−"}${text}`;
}

/** @param {number} share from 0 to 1 */
export const percent = (share) => number(share, 0, { style: "percent" });

/**
 * 1234567 as 1.2M, in the reader's way.
 * @param {number} count
 */
export const brief = (count) => number(count, 1, { notation: "compact" });

/** @type {Intl.PluralRules | null} */
let plurals = null;

/**
 * A sentence with its blanks filled in.
 * @param {Key} key
 * @param {Record<string, string | number>} [blanks] numbers are written as the reader writes them
 */
export function t(key, blanks = {}) {
  // There is a blank between Chinese and letters or digits before it: “等級 3 認輸了”.
  const filled = form(key, Number(blanks.n)).replace(/\{(\w+)\}(?=(\p{Script=Han})?)/gu, (blank, name, han) => {
    const value = blanks[name];
    if (value === undefined) return blank;
    const text = typeof value === "number" ? number(value) : value;
    return han && /[A-Za-z0-9]$/.test(text) ? `${text} ` : text;
  });
  return LANGUAGE === MARKED ? `⟦${filled}⟧` : filled;
}

/**
 * The form that goes with a number.
 * @param {string} key
 * @param {number} n
 */
function form(key, n) {
  const entry = CATALOGUE[key];
  if (typeof entry !== "object") return entry ?? key;
  plurals ??= new Intl.PluralRules(LOCALE);
  return entry[plurals.select(n)] ?? entry.other;
}

/** @param {string} words */
export const capital = (words) => words.replace(/\p{L}/u, (letter) => letter.toLocaleUpperCase(LOCALE));
