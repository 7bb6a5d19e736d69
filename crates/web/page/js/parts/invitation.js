// The link of the invitation, as text and as a code for a phone's camera.

import { ask } from "../backend.js";
import { h, s } from "../dom.js";
import { complain, copy, openDialog } from "../say.js";
import { t } from "../text/text.js";

/** Light modules that have to be around a code. */
const QUIET = 4;

/**
 * A QR code; dark on white in every theme, because cameras need that.
 * @param {string[]} rows `1` is dark
 */
function drawCode(rows) {
  const size = rows.length + 2 * QUIET;
  const dark = rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map((run) => `M${run.index + QUIET} ${y + QUIET}h${run[0].length}v1h-${run[0].length}z`));
  return s("svg", { class: "code", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": t("room.code"), "shape-rendering": "crispEdges" },
    s("rect", { width: size, height: size, fill: "#fff" }), s("path", { d: dark.join(""), fill: "#000" }));
}

/**
 * @param {string} [room] the room that it leads to
 * @returns {Promise<HTMLElement>}
 */
export async function invitation(room) {
  const { link, code } = await ask("invitation", room ? { room } : {});
  return h("div", { class: "invitation stack" },
    h("p", {}, t(room ? "room.invite.about" : "room.invite.page")),
    code.length ? drawCode(code) : null,
    h("input", { type: "text", class: "link", readonly: true, value: link, "aria-label": t("room.link") }),
    h("button", { type: "button", class: "main", onclick: () => void copy(link, t("room.copied")) }, t("room.copy")));
}

/** The invitation to the page itself. */
export async function openInvitation() {
  try {
    openDialog(t("room.invite"), await invitation());
  } catch (error) {
    complain(error);
  }
}
