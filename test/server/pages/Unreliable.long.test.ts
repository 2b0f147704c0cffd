import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DashboardStore } from "../../../engine/store/operators/DashboardStore.ts"
import { cardElement } from "../../../server/images/CardWorker.ts"
import { startService, type TestService } from "../TestService.ts"
import { seenPage, textsOf } from "./SeenPage.ts"

let service: TestService
/** The run of a site whose only report is unreliable, and the second one of a site whose first is reliable. */
let only: string
let second: string

const RELIABLE = "docs50.sound.dev"
const UNRELIABLE = "unreliable.docs90.weak.dev"
const WAVERING = "wavering.docs40.mixed.dev"

const submit = async (host: string): Promise<string> => {
  const answer = await service.submit({ base_url: `https://${host}` })
  expect(answer.status).toBe(200)
  return answer.headers.get("x-audit-run-id") ?? ""
}

const json = async (path: string) => JSON.parse(await (await service.ask(path)).text())

beforeAll(async () => {
  service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off" } })
  await submit(RELIABLE)
  only = await submit(UNRELIABLE)
  await submit(WAVERING)
  second = await submit(WAVERING)
})
afterAll(() => service.stop())

describe("an unreliable score", () => {
  it("stays out of leaderboards, statistics and the best of its site, in the API", async () => {
    const { sites } = await json("/api/public/browse/top?window=all")
    expect(
      sites.map(({ base_url, latest_score, reliable }: Record<string, unknown>) => [base_url, latest_score, reliable])
    ).toEqual([
      [RELIABLE, 50, true],
      [WAVERING, 40, true]
    ])
    expect(await json("/api/public/browse/summary")).toMatchObject({ sites: 3, runs: 4, avg_score: 45 })
    const { organisations, scores } = await json("/api/public/browse/stats")
    expect(organisations.map(({ organisation }: Record<string, unknown>) => organisation).sort()).toEqual([
      "mixed.dev",
      "sound.dev"
    ])
    expect(scores.filter(({ count }: { readonly count: number }) => count > 0)).toEqual([
      { from: 40, to: 49, count: 1 },
      { from: 50, to: 59, count: 1 }
    ])
    const { hits } = await json("/api/public/browse/search?q=mixed")
    expect(hits).toMatchObject([{ base_url: WAVERING, reliable: true, run_count: 1, latest_score: 40, best_score: 40 }])
    expect((await json("/api/public/browse/search?q=weak")).hits).toMatchObject([
      { base_url: UNRELIABLE, reliable: false, run_count: 1, latest_score: 90, best_score: 90 }
    ])
  })

  it("is marked in runs, histories and diffs of the API", async () => {
    expect(await json(`/api/public/audit/${only}`)).toMatchObject({ total_score: 90, reliable: false })
    const newest = encodeURIComponent(new Date(Date.now() + 60_000).toISOString())
    const { runs } = await json(`/api/public/audit/${second}/history?cursor=${newest}`)
    expect(runs.map(({ reliable, total_score }: Record<string, unknown>) => [total_score, reliable])).toEqual([
      [50, false],
      [40, true]
    ])
    expect(await json(`/api/public/audit/${second}/diff`)).toMatchObject({
      total_delta: 10,
      from_reliable: true,
      to_reliable: false
    })
  })

  it('is "at least" so much and not reliable in the title, head and share section of its report', async () => {
    const page = await seenPage(service, `/r/${only}`)
    expect(page.$("title").text()).toContain(`${UNRELIABLE}: at least 90 of 100, not reliable`)
    expect(page.$("meta[property='og:title']").attr("content")).toContain("at least 90 of 100, not reliable")
    expect(page.$("meta[name=description]").attr("content")).toContain("at least 90 of 100 points")
    expect(textsOf(page, ".score .score-figure, .score .verdict")).toEqual(["at least 90 of 100", "Not reliable"])
    expect(page.$(".ladder [aria-current]").length).toBe(0)
    expect(page.$("img.badge").attr("alt")).toBe("docgauge badge with the newest score")
  })

  it('is "at least" so much in the badges of the run and of its site', async () => {
    for (const path of [`/r/${only}/badge.svg`, `/badge.svg?base_url=${UNRELIABLE}`]) {
      expect(await (await service.ask(path)).text(), path).toContain("docgauge: at least 90, not reliable")
    }
  })

  it('is "at least" so much on its share image', () => {
    const textOf = (reliable: boolean) =>
      JSON.stringify(
        cardElement({
          site: UNRELIABLE,
          state: { _tag: "Done", score: 90, max: 100, reliable, level: "Excellent", date: "2026-11-21", categories: [] }
        })
      )
    expect([
      textOf(false).includes('"at least"'),
      textOf(false).includes('"not reliable"'),
      textOf(false).includes("Excellent")
    ]).toEqual([true, true, false])
    expect([textOf(true).includes('"at least"'), textOf(true).includes("Excellent")]).toEqual([false, true])
  })

  it('is "at least" so much in the Markdown report', async () => {
    expect((await (await service.ask(`/r/${only}.md`)).text()).split("\n")[0]).toBe(
      `# At least 90/100 (not reliable): https://${UNRELIABLE}`
    )
  })

  it.each(["/", "/browse", `/browse/search?q=weak`, `/browse/site?site=${UNRELIABLE}`])(
    'is "at least" so much on %s',
    async (path) => {
      expect(textsOf(await seenPage(service, path), ".at-least")).toContain("≥ at least 90")
    }
  )

  it("is never among the leading and best sites", async () => {
    for (const [path, selector] of [
      ["/", ".home-lists > div:last-child"],
      ["/browse", "#best ~ table"],
      ["/browse/top?window=all", "table"]
    ] as const) {
      const texts = textsOf(await seenPage(service, path), selector).join(" ")
      expect(texts, path).toContain(RELIABLE)
      expect(texts, path).not.toContain(UNRELIABLE)
    }
  })

  it("is marked where reports are set beside each other", async () => {
    const compare = await seenPage(service, `/r/${second}/compare`)
    expect(textsOf(compare, ".compared-scores .figure")).toEqual(["40", "≥ at least 50", "+10"])
    expect(textsOf(compare, ".warning")).toEqual(["Not both scores are reliable, so the change isn't either."])
    const site = await seenPage(service, `/browse/site?site=${WAVERING}`)
    expect(textsOf(site, ".matrix-unreliable")).toHaveLength(1)
    const report = await seenPage(service, `/r/${second}`)
    expect(textsOf(report, ".history tbody td:nth-child(2)")).toEqual(["≥ at least 50", "40"])
    expect(textsOf(report, "#history-chart-desc").join()).toContain("at least 50")
  })

  it("is marked on dashboards, and moves nothing there", async () => {
    await service.stores(
      DashboardStore.use((store) =>
        store.put({
          slug: "mixed",
          title: "Mixed",
          isPublic: true,
          definition: JSON.stringify({
            sites: [WAVERING, UNRELIABLE],
            widgets: [
              { kind: "current_score", title: "Now" },
              { kind: "site_trend", title: "Trend", site: WAVERING },
              { kind: "biggest_movers", title: "Movers", limit: 5 },
              { kind: "category_comparison", title: "Categories" }
            ]
          })
        })
      )
    )
    await expect.poll(async () => (await service.ask("/api/public/dashboard?slug=mixed")).status).toBe(200)
    const { widgets } = await json("/api/public/dashboard?slug=mixed")
    expect(widgets).toMatchObject([
      {
        sites: [
          { base_url: WAVERING, score: 50, reliable: false },
          { base_url: UNRELIABLE, score: 90, reliable: false }
        ]
      },
      {
        points: [
          { score: 40, reliable: true },
          { score: 50, reliable: false }
        ]
      },
      { sites: [] },
      { sites: [{ reliable: false }, { reliable: false }] }
    ])
    expect(textsOf(await seenPage(service, "/dashboard/mixed"), ".at-least")).toHaveLength(5)
  })
})
