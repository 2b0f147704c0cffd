import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { searchedText, searchTextOf } from "../../../engine/store/corpus/CorpusFigures.ts"
import { Moderation } from "../../../engine/store/operators/Moderation.ts"
import { type NamedRow, searchSites } from "../../../engine/store/corpus/SiteSearch.ts"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { dialects, onFresh } from "../Databases.ts"
import { audited, finish, newRun, resultOf } from "../SampleRuns.ts"

describe("what is searched", () => {
  it("is the URL, and the site's name if the URL does not contain it", () => {
    expect(searchTextOf("https://WWW.Example.com/Docs", "example.com/Docs")).toBe("https://www.example.com/docs")
    expect(searchTextOf("https://new.example.com", "old.example.com")).toBe("https://new.example.com old.example.com")
  })

  it("is not found by text that a URL cannot contain", () => {
    for (const text of ["", "  ", "a b", "a\tb", "\0", "a\ud800", "x".repeat(3_000)])
      expect(searchedText(text)).toBeNull()
    expect(searchedText(" Stripe ")).toBe("stripe")
  })
})

/** A site as searches see it. */
interface Searched {
  readonly searchText: string
  readonly latestRunAt: number
}

/** What becomes of which site: it is there from now on, or not any more. Times are few, so that many sites share one. */
const aChange = fc.record({
  site: fc.integer({ min: 1, max: 12 }),
  now: fc.option(
    fc.record({
      searchText: fc
        .array(fc.constantFrom("a", "b", "ab", ".", "/", "%", "_", '"', "'", "*", "-", "é", "💥", "a".repeat(120)), {
          minLength: 1,
          maxLength: 12
        })
        .map((parts) => parts.join("")),
      latestRunAt: fc.integer({ min: 1_795_302_699_568_000, max: 1_795_302_699_568_003 })
    }),
    { freq: 6 }
  )
})

const put = (sql: SqlClient.SqlClient, site: number, { latestRunAt, searchText }: Searched) =>
  sql`
    INSERT INTO site_figures (site, reliable, done_runs, url, search_text, run_count, score_sum, best_score, worst_score, latest_score, first_run_at, latest_run_at, latest_rubric, latest_outcomes)
    VALUES (${site}, ${true}, 1, '', ${searchText}, 1, 50, 50, 50, 50, 0, ${latestRunAt}, '', '')
    ON CONFLICT (site) DO UPDATE SET search_text = excluded.search_text, latest_run_at = excluded.latest_run_at`

const serials = <E, R>(
  search: Effect.Effect<ReadonlyArray<NamedRow>, E, R>
): Effect.Effect<ReadonlyArray<number>, E, R> => Effect.map(search, (rows) => rows.map(({ site }) => Number(site)))

const naiveSearch = (sites: ReadonlyMap<number, Searched>, needle: string, limit: number): ReadonlyArray<number> =>
  [...sites]
    .filter(([, { searchText }]) => searchText.includes(needle))
    .sort(([one, { latestRunAt: first }], [other, { latestRunAt: second }]) => second - first || other - one)
    .slice(0, limit)
    .map(([site]) => site)

/** The rows of SQLite's index. */
const INDEX = ["site_search_docsize"]

/** 1 020 sites that were audited after all others. */
const fillers = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`
    INSERT INTO sites (key, site, domain, last_started_at)
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1019)
    SELECT 'key ' || i, 'site-' || i || '.example.com', 'example.com', 0 FROM n`
  yield* sql`
    INSERT INTO site_figures (site, reliable, done_runs, url, search_text, run_count, score_sum, best_score, worst_score, latest_score, first_run_at, latest_run_at, latest_rubric, latest_outcomes)
    SELECT serial, ${true}, 1, 'https://' || site, 'https://' || site, 1, 50, 50, 50, 50, 9000000000000000, 9000000000000000 + serial, '', '' FROM sites WHERE key LIKE 'key %'`
})

for (const backend of dialects) {
  describe.skipIf(!backend.available)(`search on ${backend.name}`, () => {
    it.live("finds exactly the matches beyond the newest thousand sites through the index", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const corpus = yield* Corpus
          const sql = yield* SqlClient.SqlClient
          const rare = [
            "q0.example.com",
            "payments-qz.dev",
            "under_score.io",
            "100%.example.net",
            "api.x-y.example.org/v1",
            "site-7.dev"
          ]
          for (const host of rare) yield* audited(newRun(host), 50)
          yield* fillers(sql)
          const found = (text: string) => Effect.map(corpus.search(text, 3), (hits) => hits.map(({ site }) => site))
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
          expect(yield* found("site-101")).toEqual([
            "site-1019.example.com",
            "site-1018.example.com",
            "site-1017.example.com"
          ])
          expect(yield* Effect.map(corpus.search("site-7.", 1), (hits) => hits.map(({ site }) => site))).toEqual([
            "site-7.example.com"
          ])
          expect(yield* found("site-7.")).toEqual(["site-7.example.com", "site-7.dev"])
          expect(yield* found("e")).toEqual(["site-1019.example.com", "site-1018.example.com", "site-1017.example.com"])
        })
      )
    )

    it.live("finds a site by its new URL, and no longer by the old one", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const corpus = yield* Corpus
          const sql = yield* SqlClient.SqlClient
          yield* audited(newRun("docs.example.com", { url: "https://docs.example.com:8443" }), 40)
          yield* audited(newRun("docs.example.com"), 40)
          const through = (needle: string) => Effect.map(searchSites(sql, needle, 5), (sites) => sites.length)
          for (const needle of ["8443", ":8", "44", "4"]) expect(yield* through(needle)).toBe(0)
          for (const needle of ["docs", "x", "ex"]) expect(yield* through(needle)).toBe(1)
          expect(yield* corpus.search("8443", 5)).toEqual([])
        })
      )
    )

    it.live("equals a scan of all sites after any changes", () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            fc.array(aChange, { maxLength: 30 }),
            fc.array(fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 6 }))),
            (changes, picks) =>
              Effect.runPromise(
                onFresh(
                  backend,
                  Effect.gen(function* () {
                    const sql = yield* SqlClient.SqlClient
                    yield* sql`
                INSERT INTO sites (serial, key, site, domain, last_started_at)
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12) SELECT i, 'key ' || i, '', '', 0 FROM n`
                    const sites = new Map<number, Searched>()
                    for (const { now, site } of changes) {
                      sites.delete(site)
                      if (now !== null) sites.set(site, now)
                      yield* now === null ? sql`DELETE FROM site_figures WHERE site = ${site}` : put(sql, site, now)
                    }
                    const needles = picks.flatMap(([change, from, length]) => {
                      const letters = Array.from(changes[change % changes.length]?.now?.searchText ?? "")
                      return letters
                        .slice(from % letters.length)
                        .slice(0, length === 6 ? 150 : length)
                        .join("")
                    })
                    for (const needle of [
                      "a",
                      "é",
                      "💥",
                      "ab",
                      "a.b",
                      "%_",
                      '"',
                      "\"'*",
                      "b/a.b",
                      "é💥é",
                      "nowhere",
                      ...needles
                    ].filter((needle) => needle !== "")) {
                      for (const limit of [1, 2, 5, 50])
                        expect(yield* serials(searchSites(sql, needle, limit))).toEqual(
                          naiveSearch(sites, needle, limit)
                        )
                    }
                    yield* sql`DELETE FROM site_figures`
                    if (backend.kind === "SQLite")
                      for (const table of INDEX) expect(yield* sql`SELECT * FROM ${sql(table)}`, table).toEqual([])
                  })
                )
              )
          ),
          { numRuns: backend.cases(20) }
        )
      )
    )

    it.live("lists the last accepted first, whichever finishes last, and whatever is hidden or deleted", () =>
      onFresh(
        backend,
        Effect.provide(
          Effect.gen(function* () {
            const [store, corpus] = [yield* RunStore, yield* Corpus]
            const moderation = yield* Moderation
            yield* TestClock.setTime(Date.UTC(2026, 10, 21, 12))
            const accept = (host: string) => Effect.tap(store.accept(newRun(host)), () => TestClock.adjust(1))
            const [older, newer] = [yield* accept("a.example.com"), yield* accept("b.example.com")]
            const end = ({ id }: { readonly id: string }) => finish(id, resultOf(50))
            const order = Effect.map(
              Effect.forEach(["e", "ex", "exa", "example"], (needle) => corpus.search(needle, 5)),
              (answers) => [...new Set(answers.map((hits) => hits.map(({ site }) => site.charAt(0)).join("")))]
            )
            yield* end(newer)
            yield* end(older)
            expect(yield* order).toEqual(["ba"])
            const again = yield* accept("a.example.com")
            yield* end(again)
            expect(yield* order).toEqual(["ab"])
            yield* moderation.setHidden(again.id, true)
            expect(yield* order).toEqual(["ba"])
            yield* moderation.setHidden(again.id, false)
            expect(yield* order).toEqual(["ab"])
            yield* moderation.drop([again.id])
            expect(yield* order).toEqual(["ba"])
            yield* moderation.drop([newer.id])
            expect(yield* order).toEqual(["a"])
          }),
          [Moderation.layerSql, TestClock.layer()]
        )
      )
    )

    it.live("finds text anywhere in a URL of thousands of characters", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const searchText = Array.from({ length: 3_000 }, (_, index) => index.toString(36).padStart(3, "0")).join("")
          yield* sql`INSERT INTO sites (serial, key, site, domain, last_started_at) VALUES (7, 'key', '', '', 0)`
          yield* put(sql, 7, { searchText, latestRunAt: 1 })
          const lost = (length: number) =>
            Effect.filter(
              Array.from({ length: 300 }, (_, at) => searchText.slice(at, at + length)),
              (needle) => Effect.map(searchSites(sql, needle, 1), (hits) => hits.length === 0)
            )
          for (const length of [1, 2, 3, 4, 300]) expect(yield* lost(length)).toEqual([])
          expect(yield* serials(searchSites(sql, searchText.slice(-2), 1))).toEqual([7])
          expect(yield* searchSites(sql, `${searchText.slice(-20)}0`, 1)).toEqual([])
        })
      )
    )
  })
}
