// The games of a store as they come in: standings, meetings, pictures, matches.

import { ask, meta, site } from "../backend.js";
import { h, refill, s } from "../dom.js";
import { lineLink } from "../link.js";
import { LiveList } from "../parts/live.js";
import { complain, openDialog } from "../say.js";
import { gameName } from "../text/sentences.js";
import { number, percent, signed, t } from "../text/text.js";

/** @typedef {import("../main.js").View} View */
/** @typedef {import("../types.js").ArenaAnswer} Arena */
/** @typedef {import("../types.js").ArenaGame} ArenaGame */
/** @typedef {import("../types.js").ArenaMatch} ArenaMatch */

const EVERY = 2000;

/** @implements {View} */
export class ArenaView {
  title = t("app.arena");
  #live = h("span", { class: "live" });
  #content = h("div", { class: "stack" });
  element = h("div", { class: "stack arena" }, h("div", { class: "row apart" }, h("h1", {}, t("app.arena")), this.#live), this.#content);
  #timer = 0;
  #stamp = "";
  #closed = false;

  /** @type {LiveList | null} */
  #under_way = null;

  async open() {
    const { arena, live, owner } = await meta();
    if (live) {
      this.#under_way = new LiveList();
      this.#content.before(this.#under_way.element);
      this.#under_way.open();
    }
    if (!arena) return live ? undefined : this.#explain(owner);
    await this.#look();
  }

  close() {
    this.#closed = true;
    this.#under_way?.close();
    window.clearTimeout(this.#timer);
  }

  key() {
    return false;
  }

  /** @param {boolean} owner whether the reader could do something about it */
  #explain(owner) {
    refill(this.#content, h("div", { class: "card" },
      h("h2", {}, t(site ? "arena.site" : owner ? "arena.none" : "arena.guest")),
      h("p", {}, t(site ? "arena.site.about" : owner ? "arena.none.about" : "arena.guest.about")),
      owner ? h("pre", { class: "command", tabindex: "0" }, "kalahari match level:6 level:5 --games 200 --db games.db\nkalahari serve --db games.db") : null));
  }

  async #look() {
    try {
      if (!document.hidden) {
        const arena = await ask("arena", {});
        if (this.#closed) return;
        const fresh = this.#stamp !== "" && this.#stamp !== arena.stamp;
        if (this.#stamp !== arena.stamp) this.#draw(arena);
        this.#stamp = arena.stamp;
        this.#live.textContent = t(fresh ? "arena.new" : "arena.live");
        this.#live.classList.toggle("fresh", fresh);
      }
    } catch (error) {
      complain(error);
    }
    if (!this.#closed) this.#timer = window.setTimeout(() => this.#look(), EVERY);
  }

  /** @param {Arena} arena */
  #draw(arena) {
    const open = new Set([...this.#content.querySelectorAll("details[open]")].map((one) => one.id));
    refill(this.#content,
      arena.games.length ? arena.games.map((game) => this.#game(game)) : h("p", { class: "card" }, t("arena.empty")),
      arena.matches.length ? this.#matches(arena.matches) : null);
    for (const one of this.#content.querySelectorAll("details")) one.open = open.has(one.id);
  }

  /** @param {ArenaGame} game */
  #game(game) {
    const order = game.players.map((_, i) => i).sort((a, b) => (game.players[b].elo ?? -Infinity) - (game.players[a].elo ?? -Infinity));
    const elos = game.players.flatMap((one) => (one.elo === null ? [] : [one.elo - (one.error ?? 0), one.elo + (one.error ?? 0)]));
    const low = Math.min(0, ...elos);
    const high = Math.max(1, ...elos);
    return h("section", { class: "card" },
      h("h2", {}, gameName(game.game), " ", h("span", { class: "muted small" }, t("arena.games", { n: game.games }) + (game.forfeits ? t("do.join") + t("arena.forfeits", { n: game.forfeits }) : ""))),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("arena.standings") + t("do.join") + gameName(game.game) }, h("table", { class: "standings named" },
        h("thead", {}, h("tr", {}, ["#", t("arena.player"), t("arena.rating"), "", t("arena.won"), t("arena.drawn"), t("arena.lost"), t("arena.score"), t("arena.millis")].map((text, i) => (text ? h("th", { scope: "col" }, text) : h("td", { class: "wide-only", key: i }))))),
        h("tbody", {}, order.map((index, place) => {
          const one = game.players[index];
          const count = one.wins + one.draws + one.losses;
          return h("tr", {}, h("td", {}, place + 1), h("th", { scope: "row" }, one.name),
            h("td", {}, one.elo === null ? "–" : number(one.elo, 0), one.error === null ? null : h("span", { class: "muted small" }, ` ±${Math.round(one.error)}`)),
            h("td", { class: "wide-only" }, whisker(one.elo, one.error ?? 0, low, high)),
            h("td", {}, one.wins), h("td", {}, one.draws), h("td", {}, one.losses),
            h("td", {}, count ? percent((one.wins + one.draws / 2) / count) : "–"),
            h("td", {}, one.millis === null ? "–" : one.millis < 0.1 ? `<${number(0.1)}` : number(one.millis)));
        })))),
      game.players.length > 2 ? h("details", { id: `cross-${game.game}` }, h("summary", {}, t("arena.crosstable")), crosstable(game, order)) : null,
      game.plots.length ? h("details", { id: `plots-${game.game}` }, h("summary", {}, t("arena.pictures")),
        h("div", { class: "plots" }, game.plots.map((plot) => h("figure", {},
          h("img", { src: plot.url, alt: plotName(plot.kind), loading: "lazy" }), h("figcaption", { class: "small muted" }, plotName(plot.kind)))))) : null);
  }

  /** @param {ArenaMatch[]} matches */
  #matches(matches) {
    // Matches of the same players are told apart by the beginning of their id, as `kalahari review` names them.
    const isTwin = (/** @type {ArenaMatch} */ one) => matches.some((other) => other !== one && other.a === one.a && other.b === one.b && other.game === one.game);
    return h("section", { class: "card" }, h("h2", {}, t("arena.matches")),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("arena.matches") }, h("table", { class: "standings named matches" },
        h("thead", {}, h("tr", {}, [t("arena.match"), t("arena.game"), t("arena.count"), "+ = −", t("arena.elo"), t("arena.better"), ""].map((text, i) => h("th", { scope: "col", class: WIDE.includes(i) ? "wide-only" : null }, i === 6 ? h("span", { class: "unseen" }, t("arena.show")) : text)))),
        h("tbody", {}, matches.map((one) => h("tr", {},
          h("th", { scope: "row", title: one.id }, `${one.a} – ${one.b}`, isTwin(one) ? h("span", { class: "muted small" }, ` ${one.id.slice(0, 8)}`) : null, h("span", { class: "narrow-only muted small" }, gameName(one.game))),
          h("td", { class: "wide-only" }, gameName(one.game)), h("td", { class: "wide-only" }, one.games),
          h("td", {}, `${one.wins} ${one.draws} ${one.losses}`),
          h("td", { class: "wide-only" }, one.elo === null ? "–" : signed(Math.round(one.elo)), one.elo_error === null || one.elo === null ? null : h("span", { class: "muted small" }, ` ±${one.elo_error.toFixed(0)}`)),
          h("td", { class: "wide-only" }, number(one.los, 1, { style: "percent" })),
          h("td", {}, h("button", { type: "button", class: "small-button", "aria-label": t("arena.show.of", { a: one.a, b: one.b }), onclick: () => this.#games(one) }, t("arena.show")))))))));
  }

  /**
   * @param {ArenaMatch} match
   * @param {number} [from]
   */
  async #games(match, from = 0) {
    try {
      const { games, total } = await ask("arenaGames", { id: match.id, from, count: 50 });
      const more = from + games.length < total;
      const dialog = openDialog(`${match.a} – ${match.b}`,
        h("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": t("arena.count") }, h("table", { class: "standings" },
          h("thead", {}, h("tr", {}, ["#", t("arena.first"), t("arena.second"), t("arena.result"), t("arena.margin"), t("moves")].map((text) => h("th", { scope: "col" }, text)))),
          h("tbody", {}, games.map((game) => h("tr", {},
            h("td", {}, h("a", { href: lineLink("analysis", { ...game.line, opening: game.opening }, 0, [game.first, game.second]), onclick: () => dialog.close() }, String(game.number))),
            h("td", {}, game.first), h("td", {}, game.second), h("td", {}, game.result), h("td", {}, game.margin === null ? "–" : signed(game.margin)), h("td", {}, game.plies)))))),
        more || from ? h("div", { class: "row end" },
          from ? h("button", { type: "button", onclick: () => { dialog.close(); void this.#games(match, Math.max(0, from - 50)); } }, t("arena.earlier")) : null,
          more ? h("button", { type: "button", onclick: () => { dialog.close(); void this.#games(match, from + 50); } }, t("arena.later")) : null) : null);
    } catch (error) {
      complain(error);
    }
  }
}

/** Columns of the list of matches that small screens have no room for. */
const WIDE = [1, 2, 4, 5];

/** @param {string} kind */
const plotName = (kind) => t(/** @type {import("../text/text.js").Key} */ (`plot.${kind}`));

/**
 * A rating with its error as a small picture.
 * @param {number | null} elo
 * @param {number} error
 * @param {number} low
 * @param {number} high
 */
function whisker(elo, error, low, high) {
  const x = (/** @type {number} */ value) => 4 + (152 * (value - low)) / (high - low);
  return s("svg", { class: "whisker", viewBox: "0 0 160 16", width: 160, height: 16, "aria-hidden": "true" },
    s("line", { class: "axis", x1: 4, x2: 156, y1: 8, y2: 8 }),
    elo === null ? null : s("line", { class: "error", x1: x(elo - error), x2: x(elo + error), y1: 8, y2: 8 }),
    elo === null ? null : s("circle", { cx: x(elo), cy: 8, r: 4 }));
}

/**
 * @param {ArenaGame} game
 * @param {number[]} order
 */
function crosstable(game, order) {
  const cell = (/** @type {number} */ a, /** @type {number} */ b) => {
    if (a === b) return h("td", { class: "self" }, "·");
    const meeting = game.meetings.find((one) => (one.a === a && one.b === b) || (one.a === b && one.b === a));
    if (!meeting) return h("td", {}, "–");
    const [wins, losses] = meeting.a === a ? [meeting.wins, meeting.losses] : [meeting.losses, meeting.wins];
    const count = wins + losses + meeting.draws;
    const share = (wins + meeting.draws / 2) / count;
    return h("td", { class: share > 0.55 ? "won" : share < 0.45 ? "lost" : "", title: `+${wins} =${meeting.draws} −${losses}` }, percent(share));
  };
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("arena.crosstable") + t("do.join") + gameName(game.game) }, h("table", { class: "standings cross" },
    h("thead", {}, h("tr", {}, h("td", {}), order.map((i) => h("th", { scope: "col" }, game.players[i].name)))),
    h("tbody", {}, order.map((a) => h("tr", {}, h("th", { scope: "row" }, game.players[a].name), order.map((b) => cell(a, b)))))));
}
