import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DashboardStore } from "../../../engine/store/operators/DashboardStore.ts"
import { databaseOf, layerDatabase } from "../../../engine/store/Database.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { seed } from "../../bench/seed.ts"
import { seedSite } from "../../bench/data/Corpus.ts"
import { startService, type TestService } from "../TestService.ts"

let service: TestService
beforeAll(async () => {
  service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off" } })
  for (const host of [
    "docs70.one.dev",
    "docs30.two.dev",
    "docs30.two.dev",
    "docs30.two.dev",
    "docs40.three.dev",
    "docs40.three.dev"
  ]) {
    await service.submit({ base_url: `https://${host}` })
  }
})
afterAll(() => service.stop())

const SITES = ["docs70.one.dev", "docs30.two.dev", "nobody.dev", "docs40.three.dev"]

/** The only widget of a dashboard with these sites. */
const widget = async (definition: object, sites = SITES, from = service, bucket = "90d"): Promise<unknown> => {
  const slug = `of-${JSON.stringify(definition).length}`
  await from.stores(
    DashboardStore.use((store) =>
      store.put({ slug, title: "Ours", isPublic: true, definition: JSON.stringify({ sites, widgets: [definition] }) })
    )
  )
  const read = () => from.ask(`/api/public/dashboard?slug=${slug}&bucket=${bucket}`)
  await expect.poll(async () => (await read()).status).toBe(200)
  const {
    widgets: [only]
  }: { readonly widgets: ReadonlyArray<unknown> } = JSON.parse(await (await read()).text())
  return only
}

describe("widgets about a dashboard's sites", () => {
  it("show the current score of each site that has one", async () => {
    expect(await widget({ kind: "current_score", title: "Now" })).toMatchObject({
      kind: "current_score",
      sites: [
        { base_url: "docs70.one.dev", score: 70 },
        { base_url: "docs30.two.dev", score: 50 },
        { base_url: "docs40.three.dev", score: 50 }
      ]
    })
  })

  it("compare them category by category", async () => {
    expect(await widget({ kind: "category_comparison", title: "Categories" })).toMatchObject({
      sites: [
        {
          base_url: "docs70.one.dev",
          categories: [{ key: "A_discovery", title: "Discovery", score: 7, max: 20 }, {}, {}, {}, {}, {}]
        },
        { base_url: "docs30.two.dev", categories: [{ score: 5 }, {}, {}, {}, {}, {}] },
        { base_url: "docs40.three.dev" }
      ]
    })
  })

  it("omit the points of an unreadable report, and show the others", async () => {
    await service.stores(
      RunStore.use((store) =>
        Effect.gen(function* () {
          const { id } = yield* store.accept({
            url: "https://docs.odd.dev",
            site: "docs.odd.dev",
            domain: "odd.dev",
            rubricDigest: "sha256:0"
          })
          yield* store.begin(id, "test")
          yield* store.finish(
            { id, worker: "test", attempt: 1 },
            {
              encoded: "{}",
              totalScore: 12,
              reliable: true,
              outcomes: [],
              generator: null,
              facts: [],
              exchanges: [],
              durationMs: 1,
              requests: 1,
              bytes: 1
            }
          )
        })
      )
    )
    expect(
      await widget({ kind: "category_comparison", title: "With an odd one" }, ["docs.odd.dev", "docs70.one.dev"])
    ).toMatchObject({
      sites: [
        { base_url: "docs.odd.dev", score: 12, categories: [] },
        { base_url: "docs70.one.dev", categories: [{ score: 7 }, {}, {}, {}, {}, {}] }
      ]
    })
  })

  it("list those that changed most, from the first score in the bucket if there was none before", async () => {
    expect(await widget({ kind: "biggest_movers", title: "Movers", limit: 5 })).toMatchObject({
      sites: [
        { base_url: "docs30.two.dev", delta: 20, from: { score: 30 }, to: { score: 50 } },
        { base_url: "docs40.three.dev", delta: 10, from: { score: 40 }, to: { score: 50 } }
      ]
    })
  })

  it("list those that were never audited, or not for a long time", async () => {
    expect(await widget({ kind: "stale_sites", title: "Stale", days: 30 })).toMatchObject({
      days: 30,
      sites: [{ base_url: "nobody.dev", latest_run_at: null }]
    })
  })
})

describe("the biggest movers of a long history", () => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-movers-"))
  const sites = Array.from({ length: 12 }, (_, index) => seedSite(index).site)
  let seeded: TestService
  beforeAll(async () => {
    const database = `file:${join(folder, "seeded.db")}`
    const address = databaseOf(database)
    if (address === null || address._tag === "Memory") throw new Error("no database")
    await Effect.runPromise(
      Effect.provide(
        seed({ runs: 3_000, sites: 12, days: 300, reportBytes: 200 }, Date.now() * 1_000),
        layerDatabase(address)
      )
    )
    seeded = await startService({ env: { DOCGAUGE_DATABASE_URL: database } })
  })
  afterAll(async () => {
    await seeded.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** From the whole history, as plainly as can be. */
  const movementOf = (runs: ReadonlyArray<Run>, days: number) => {
    const since = new Date(Date.now() - days * 86_400_000).toISOString()
    const done = runs.filter(({ status }) => status === "done")
    const from = done.find(({ startedAt }) => startedAt < since) ?? done.at(-1)
    return { from: from?.id, to: done[0]?.id, delta: (done[0]?.totalScore ?? 0) - (from?.totalScore ?? 0) }
  }

  it.each([
    ["30d", 30],
    ["90d", 90],
    ["12m", 365]
  ] as const)("over %s, is told from what stood when it began, or from the first run", async (bucket, days) => {
    const histories = await Promise.all(
      sites.map((site) => seeded.stores(RunHistory.use((history) => history.page(site, null, 2_000))))
    )
    const expected = histories
      .map(({ runs }, index) => ({ base_url: sites[index], ...movementOf(runs, days) }))
      .filter(({ delta }) => delta !== 0)
    const told = await widget({ kind: "biggest_movers", title: "All", limit: 50 }, sites, seeded, bucket)
    expect(told).toMatchObject({
      sites: expected
        .toSorted((one, other) => Math.abs(other.delta) - Math.abs(one.delta))
        .map(({ base_url, delta, from, to }) => ({ base_url, delta, from: { run_id: from }, to: { run_id: to } }))
    })
  })
})
