// What a person likes: kept in this browser, nowhere else.

/**
 * @typedef {object} Settings
 * @property {string} language a language's code, or “auto”
 * @property {"auto" | "light" | "dark"} theme
 * @property {"wood" | "stone" | "paper" | "contrast"} board
 * @property {"1" | "0"} numbers what the first pit is called
 * @property {boolean} sound
 * @property {"off" | "slow" | "normal" | "fast"} speed
 * @property {boolean} preview whether pits show where their seeds would go
 * @property {boolean} arrows whether best moves are drawn
 * @property {boolean} coach whether blunders are asked about
 * @property {boolean} flip whether boards of Isolation are seen from the other side
 */

const kept = load("settings", /** @type {any} */ ({}));

/**
 * @template {string} T
 * @param {T[]} options the first one is taken if nothing else is known
 * @param {unknown} value
 * @returns {T}
 */
const oneOf = (options, value) => options.find((option) => option === value) ?? options[0];

/** Stored settings may be from another version, or edited: only valid ones are taken. @type {Settings} */
export const settings = {
  language: typeof kept?.language === "string" ? kept.language : "auto",
  theme: oneOf(["auto", "light", "dark"], kept?.theme),
  board: oneOf(["wood", "stone", "paper", "contrast"], kept?.board),
  numbers: oneOf(["1", "0"], kept?.numbers),
  sound: kept?.sound === true,
  speed: oneOf(["normal", "off", "slow", "fast"], kept?.speed),
  preview: kept?.preview !== false,
  arrows: kept?.arrows !== false,
  coach: kept?.coach === true,
  flip: kept?.flip === true,
};

/** @type {Set<() => void>} */
const listeners = new Set();

/**
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @returns {T}
 */
export function load(key, otherwise) {
  try {
    const text = localStorage.getItem(`kalahari.${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/**
 * Keeps a value if the browser lets us.
 * @param {string} key
 * @param {unknown} value
 */
export function save(key, value) {
  try {
    localStorage.setItem(`kalahari.${key}`, JSON.stringify(value));
  } catch {
    // Private windows may refuse: then it lasts as long as the page.
  }
}

/** @param {Partial<Settings>} change */
export function change(change) {
  Object.assign(settings, change);
  save("settings", settings);
  applyTheme();
  for (const listener of listeners) listener();
}

/** @param {() => void} listener */
export function onChange(listener) {
  listeners.add(listener);
}

const dark = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
const still = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

export function isDark() {
  return settings.theme === "dark" || (settings.theme === "auto" && dark.matches);
}

export function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  document.documentElement.dataset.board = settings.board;
}
dark?.addEventListener("change", applyTheme);

/** Milliseconds for each seed or step that is shown; 0: nothing moves. */
export function pace() {
  if (still.matches) return 0;
  return { off: 0, slow: 260, normal: 130, fast: 60 }[settings.speed];
}
