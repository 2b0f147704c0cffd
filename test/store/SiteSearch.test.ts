import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as fc from "fast-check"
import { RunStore } from "../../engine/store/RunStore.ts"
import { gramsOf, haystackOf, hasTrigrams, needleOf, searchSites } from "../../engine/store/SiteSearch.ts"
import { backends, onFresh } from "./Databases.ts"
import { audited, newRun } from "./SampleRuns.ts"

describe("what is searched", () => {
  it("is the address, and the site where the address does not contain it", () => {
    expect(haystackOf("https://WWW.Example.com/Docs", "example.com/Docs")).toBe("https://www.example.com/docs")
    expect(haystackOf("https://new.example.com", "old.example.com")).toBe("https://new.example.com old.example.com")
  })

  it("is found by no text that an address cannot contain", () => {
    for (const text of ["", "  ", "a b", "a\tb", "\0", "a\ud800", "x".repeat(3_000)]) expect(needleOf(text)).toBeNull()
    expect(needleOf(" Stripe ")).toBe("stripe")
  })

  it("has every letter and pair among its grams", () =>
    fc.assert(fc.property(fc.webUrl(), fc.nat(), (url, at) => {
      const grams = new Set(gramsOf(url))
      const start = at % url.length
      expect(grams.has(url.slice(start, start + 1))).toBe(true)
      expect(grams.has(url.slice(start, start + 2))).toBe(true)
    })))
})

/** 1 020 sites that were audited after all others. */
const fillers = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  yield* sql`
    INSERT INTO sites (key, site, domain, last_started_at)
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1019)
    SELECT 'key ' || i, 'site-' || i || '.example.com', 'example.com', 0 FROM n`
  yield* sql`
    INSERT INTO site_figures (site, url, haystack, run_count, score_sum, best_score, worst_score, latest_score, first_run_at, latest_run_at)
    SELECT serial, 'https://' || site, 'https://' || site, 1, 50, 50, 50, 50, 9000000000000000, 9000000000000000 + serial FROM sites WHERE key LIKE 'key %'`
})

for (const backend of backends) {
  describe.skipIf(!backend.available)(`search on ${backend.name}`, () => {
    it.live("finds beyond the newest thousand sites, through the index, what is there and nothing else", () =>
      onFresh(backend, Effect.gen(function*() {
        const store = yield* RunStore
        const sql = yield* SqlClient.SqlClient
        const rare = ["q0.example.com", "payments-qz.dev", "under_score.io", "100%.example.net", "api.x-y.example.org/v1"]
        for (const host of rare) yield* audited(newRun(host), 50)
        yield* fillers(sql)
        const found = (text: string) => Effect.map(store.search(text, 3), (hits) => hits.map(({ site }) => site))
        expect(yield* found("q")).toEqual(["payments-qz.dev", "q0.example.com"])
        expect(yield* found("QZ")).toEqual(["payments-qz.dev"])
        expect(yield* found("ents-q")).toEqual(["payments-qz.dev"])
        expect(yield* found("_")).toEqual(["under_score.io"])
        expect(yield* found("r_s")).toEqual(["under_score.io"])
        expect(yield* found("rxs")).toEqual([])
        expect(yield* found("%")).toEqual(["100%.example.net"])
        expect(yield* found("100%")).toEqual(["100%.example.net"])
        expect(yield* found("x-y")).toEqual(["api.x-y.example.org/v1"])
        expect(yield* found("g/v")).toEqual(["api.x-y.example.org/v1"])
        expect(yield* found("xy")).toEqual([])
        expect(yield* found("://q")).toEqual(["q0.example.com"])
        expect(yield* found("site-101")).toEqual(["site-1019.example.com", "site-1018.example.com", "site-1017.example.com"])
        expect(yield* found("e")).toEqual(["site-1019.example.com", "site-1018.example.com", "site-1017.example.com"])
      })), 60_000)

    it.live("follows a site to its new address, and forgets the old one", () =>
      onFresh(backend, Effect.gen(function*() {
        const store = yield* RunStore
        const sql = yield* SqlClient.SqlClient
        yield* audited(newRun("docs.example.com", { url: "https://docs.example.com:8443" }), 40)
        yield* audited(newRun("docs.example.com"), 40)
        const through = (needle: string) => Effect.map(searchSites(sql, needle, 5, true), (sites) => sites.length)
        for (const needle of ["8443", ":8", "44", "4"]) expect(yield* through(needle)).toBe(0)
        for (const needle of ["docs", "x", "ex"]) expect(yield* through(needle)).toBe(1)
        expect(yield* store.search("8443", 5)).toEqual([])
      })))

    it.live("does without trigrams where the extension may not be created", () =>
      onFresh(backend, Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        expect(yield* hasTrigrams(sql)).toBe(true)
        yield* audited(newRun("docs.stripe.example"), 40)
        if (backend.name === "PostgreSQL") expect(yield* searchSites(sql, "stripe", 5, false)).toEqual([1])
      })))
  })
}
