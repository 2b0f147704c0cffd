import { load } from "cheerio"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { validateXML } from "xmllint-wasm"
import type { Run } from "../../../../engine/store/runs/Run.ts"
import type { JudgedRun } from "../../../../engine/store/runs/RunHistory.ts"
import { DashboardStore } from "../../../../engine/store/operators/DashboardStore.ts"
import { atomFeed, feedEntries } from "../../../../server/pages/feeds/FeedRoutes.ts"
import { startService, type TestService } from "../../TestService.ts"
import { judged, outcome, runOf } from "../../audits/MadeRuns.ts"
import { seenPage } from "../SeenPage.ts"

const faultsOf = async (xml: string): Promise<ReadonlyArray<unknown>> =>
  (await validateXML({ xml: [{ fileName: "feed.atom", contents: xml }], extension: "schema", schema: [] })).errors

const sameRubric = (one: Run, other: Run): boolean => one.rubricDigest === other.rubricDigest

const textsOf = (runs: ReadonlyArray<JudgedRun>, spare = 0) =>
  feedEntries(runs, spare, sameRubric, new Map([["C4", "Give complete examples"]])).map(({ text, title }) => [
    title,
    text
  ])

describe("an entry of a feed", () => {
  it("says what fell and what rose since the audit before, and of the first that it is the first", () => {
    const runs = [
      judged(runOf(2, 68), outcome("C4", 1), outcome("A1", 2)),
      judged(runOf(1, 70), outcome("C4", 4), outcome("A1", 1))
    ]
    expect(textsOf(runs)).toEqual([
      [
        "docs.example.com: 68 of 100, 2 less than before",
        "Lost: C4 Give complete examples (1 of 4 points, 4 before)\nGained: A1 (2 of 4 points, 1 before)"
      ],
      ["docs.example.com: 70 of 100", "The first audit of this site here."]
    ])
    expect(textsOf(runs, 1)).toHaveLength(1)
  })

  it("calls what could not be checked neither lost nor gained, and an unreliable score the least", () => {
    const runs = [
      judged(runOf(2, 41, { reliable: false }), outcome("C4", 0, "inconclusive")),
      judged(runOf(1, 70), outcome("C4", 4))
    ]
    expect(textsOf(runs)[0]).toEqual([
      "docs.example.com: at least 41 of 100",
      "This report is not reliable: too much could not be checked."
    ])
  })

  it("compares no scores of two rubrics", () => {
    const runs = [
      judged(runOf(2, 41, { rubricDigest: "two" }), outcome("C4", 0)),
      judged(runOf(1, 70), outcome("C4", 4))
    ]
    expect(textsOf(runs)[0]).toEqual([
      "docs.example.com: 41 of 100",
      "Another rubric judged the audit before, so the scores do not compare."
    ])
  })

  it("says where nothing changed", () => {
    const runs = [judged(runOf(2, 70), outcome("C4", 4)), judged(runOf(1, 70), outcome("C4", 4))]
    expect(textsOf(runs)[0]).toEqual([
      "docs.example.com: 70 of 100, as before",
      "No criterion earns more or less than before."
    ])
  })
})

describe("a feed", () => {
  it("is XML whatever a title or a path is, and says when its newest audit finished", async () => {
    const feed = atomFeed({
      base: "https://audits.example",
      title: "<b>&\u0000\u202e",
      path: "/browse/site.atom?site=a&b='\"",
      page: "/browse",
      entries: feedEntries([judged(runOf(3, 70)), judged(runOf(2, 70))], 0, sameRubric, new Map())
    })
    expect((await faultsOf("<feed>")).length).toBeGreaterThan(0)
    expect(await faultsOf(feed)).toEqual([])
    const $ = load(feed, { xml: true })
    expect([$("feed > title").text(), $("feed > updated").text(), $("entry").length]).toEqual([
      "<b>&",
      "2026-11-03T10:00:09.000000Z",
      2
    ])
  })
})

describe("the feeds of a service", () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off" } })
    for (const host of ["docs70.one.dev", "docs30.two.dev", "docs30.two.dev"])
      await service.submit({ base_url: `https://${host}` })
    for (const [slug, isPublic, sites] of [
      ["two", true, ["docs70.one.dev", "docs30.two.dev", "never.dev"]],
      ["all", true, undefined],
      ["closed", false, ["docs70.one.dev"]]
    ] as const)
      await service.stores(
        DashboardStore.use((store) =>
          store.put({ slug, title: `Of ${slug}`, isPublic, definition: JSON.stringify({ sites, widgets: [] }) })
        )
      )
  })
  afterAll(() => service.stop())

  const feedAt = async (path: string) => {
    const answer = await fetch(service.url + path)
    const xml = await answer.text()
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/atom+xml; charset=utf-8"])
    expect(await faultsOf(xml)).toEqual([])
    return { answer, $: load(xml, { xml: true }) }
  }

  it("have the audits of a site, and are linked from its page", async () => {
    const page = await seenPage(service, "/browse/site?site=docs30.two.dev")
    const path = page.$("link[type='application/atom+xml']").attr("href") ?? ""
    const { $, answer } = await feedAt(path)
    expect(
      $("entry > title")
        .toArray()
        .map((title) => $(title).text())
    ).toEqual(["docs30.two.dev: 40 of 100, 10 more than before", "docs30.two.dev: 30 of 100"])
    const report = new URL($("entry > link").first().attr("href") ?? "").pathname
    expect((await fetch(service.url + report)).status).toBe(200)
    const again = await fetch(service.url + path, { headers: { "if-none-match": answer.headers.get("etag") ?? "" } })
    expect(again.status).toBe(304)
  })

  it.each([
    ["two", 3],
    ["all", 3]
  ])("have the audits of the dashboard `%s`, newest first", async (slug, count) => {
    const { $ } = await feedAt(`/dashboard/${slug}/feed.atom`)
    const moments = $("entry > updated")
      .toArray()
      .map((moment) => $(moment).text())
    expect([$("feed > title").text(), moments.length]).toEqual([`Of ${slug}`, count])
    expect(moments).toEqual(moments.toSorted().toReversed())
  })

  it.each([
    "/browse/site.atom",
    "/browse/site.atom?site=never.dev",
    "/dashboard/closed/feed.atom",
    "/dashboard/no/feed.atom"
  ])("are not found at %s", async (path) => {
    expect((await seenPage(service, path)).answer.status).toBe(404)
  })
})
