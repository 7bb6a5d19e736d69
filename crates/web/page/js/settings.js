// What a person likes: kept in this browser, nowhere else.

/**
 * @typedef {object} Settings
 * @property {"auto" | "light" | "dark"} theme
 * @property {boolean} sound
 * @property {"off" | "slow" | "normal" | "fast"} speed
 */

const kept = load("settings", /** @type {any} */ ({}));

/** What was kept may be of another version, or somebody's own: only what makes sense is taken. @type {Settings} */
export const settings = {
  theme: ["light", "dark"].includes(kept?.theme) ? kept.theme : "auto",
  sound: kept?.sound === true,
  speed: ["off", "slow", "fast"].includes(kept?.speed) ? kept.speed : "normal",
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

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

export function isDark() {
  return settings.theme === "dark" || (settings.theme === "auto" && dark.matches);
}

export function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
}
dark.addEventListener("change", applyTheme);

/** Milliseconds for each seed or step that is shown; 0: nothing moves. */
export function pace() {
  if (still.matches) return 0;
  return { off: 0, slow: 260, normal: 130, fast: 60 }[settings.speed];
}
