// The window in which a person says what they like.

import { h } from "../dom.js";
import { openDialog } from "../say.js";
import { change, settings } from "../settings.js";
import { LANGUAGES, t } from "../text/text.js";
import { pills } from "./gameform.js";

/** After a change of settings that are part of the drawing, the view is made again. */
function anew() {
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function openSettings() {
  const onOff = (/** @type {"sound" | "preview" | "arrows" | "coach"} */ key, /** @type {string} */ legend) =>
    pills(legend, `set-${key}`, [{ value: "on", text: t("settings.on") }, { value: "off", text: t("settings.off") }], settings[key] ? "on" : "off", (value) => change({ [key]: value === "on" }));
  const dialog = openDialog(t("settings.title"), h("div", { class: "stack settings" },
    pills(t("settings.language"), "set-language", [{ value: "auto", text: t("settings.language.auto") }, ...LANGUAGES.map(([value, text]) => ({ value, text }))], settings.language, (value) => {
      change({ language: value });
      // Sentences that are already on the page would stay in the old language.
      location.reload();
    }),
    pills(t("settings.board"), "set-board", /** @type {const} */ (["wood", "stone", "paper", "contrast"]).map((value) => ({ value, text: t(`settings.board.${value}`) })), settings.board,
      (value) => change({ board: /** @type {typeof settings.board} */ (value) })),
    pills(t("settings.light"), "set-theme", /** @type {const} */ (["auto", "light", "dark"]).map((value) => ({ value, text: t(`settings.light.${value}`) })), settings.theme,
      (value) => change({ theme: /** @type {typeof settings.theme} */ (value) })),
    pills(t("settings.speed"), "set-speed", /** @type {const} */ (["slow", "normal", "fast", "off"]).map((value) => ({ value, text: t(`settings.speed.${value}`) })), settings.speed,
      (value) => change({ speed: /** @type {typeof settings.speed} */ (value) })),
    pills(t("settings.numbers"), "set-numbers", /** @type {const} */ (["1", "0"]).map((value) => ({ value, text: t(`settings.numbers.${value}`) })), settings.numbers, (value) => {
      change({ numbers: /** @type {typeof settings.numbers} */ (value) });
      dialog.close();
      anew();
    }),
    h("div", { class: "pair" }, onOff("coach", t("settings.coach")), onOff("preview", t("settings.preview")), onOff("arrows", t("settings.arrows")), onOff("sound", t("settings.sound")))));
}
