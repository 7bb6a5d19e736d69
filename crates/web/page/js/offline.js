// A page without a server stays on the device: a service worker keeps its files. A new version is offered, and never forced into a game.

import { byId, h, refill } from "./dom.js";
import { t } from "./text/text.js";

/** Keeps the page for times without a network, where the browser can. */
export async function keepForOffline() {
  if (!("serviceWorker" in navigator) || !/^https?:$/.test(location.protocol)) return;
  let registration;
  try {
    registration = await navigator.serviceWorker.register("service-worker.js");
  } catch {
    // Private windows may forbid it: the page works without it.
    return;
  }
  const look = () => {
    // The very first version has none to take over from.
    if (registration.waiting && navigator.serviceWorker.controller) offer(registration.waiting);
  };
  look();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", look));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) registration.update().catch(() => {});
  });
}

/**
 * Offers a new version; it takes over when the person says so, or when all windows are closed.
 * @param {ServiceWorker} waiting
 */
function offer(waiting) {
  const old = document.getElementById("update");
  const take = () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    waiting.postMessage("take over");
  };
  const box = old ?? h("div", { id: "update", class: "update card", role: "status" });
  refill(box, h("span", {}, t("site.update")),
    h("button", { type: "button", class: "main", onclick: take }, t("site.take")),
    h("button", { type: "button", onclick: () => box.remove() }, t("site.later")));
  if (!old) byId("main").after(box);
}
