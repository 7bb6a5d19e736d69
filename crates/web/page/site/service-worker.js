// Keeps the files of one version of the page, so that it opens without a network. A newer version waits until the person takes it or
// the last window of the old one is closed: no game is interrupted by an update.

const VERSION = "VERSION";
const FILES = ["FILES"];
const NAME = `kalahari-${VERSION}`;

self.addEventListener("install", (event) => {
  // Bypasses the browser's own cache: a version is stored whole or not at all.
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })))));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forget().then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  const scope = new URL(self.registration.scope);
  if (request.method !== "GET" || address.origin !== scope.origin || !address.pathname.startsWith(scope.pathname)) return;
  event.respondWith(answer(request, address.pathname === scope.pathname ? "index.html" : request));
});

/** Forgets other versions, unless another window may still show one and ask for its files. */
async function forget() {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (windows.length > 1) return;
  const old = (await caches.keys()).filter((name) => name.startsWith("kalahari-") && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function answer(request, name) {
  const cache = await caches.open(NAME);
  const kept = (await cache.match(name, { ignoreSearch: true })) ?? (await caches.match(request));
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.ok && request.url.includes("/nets/")) await cache.put(request, fresh.clone());
  return fresh;
}
