import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DashboardStore } from "../../engine/store/DashboardStore.ts"
import { startService, type TestService } from "./TestService.ts"

let service: TestService
beforeAll(async () => {
  service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off" } })
  for (const host of ["docs70.one.dev", "docs30.two.dev", "docs30.two.dev", "docs30.two.dev", "docs40.three.dev", "docs40.three.dev"]) {
    await service.submit({ base_url: `https://${host}` })
  }
})
afterAll(() => service.stop())

const SITES = ["docs70.one.dev", "docs30.two.dev", "nobody.dev", "docs40.three.dev"]

/** The only widget of a dashboard with these sites. */
const widget = async (definition: object): Promise<unknown> => {
  const slug = `of-${JSON.stringify(definition).length}`
  await service.stores(DashboardStore.use((store) => store.put({ slug, title: "Ours", isPublic: true, definition: JSON.stringify({ sites: SITES, widgets: [definition] }) })))
  const read = () => service.ask(`/api/public/dashboard?slug=${slug}`)
  await expect.poll(async () => (await read()).status).toBe(200)
  const { widgets: [only] }: { readonly widgets: ReadonlyArray<unknown> } = JSON.parse(await (await read()).text())
  return only
}

describe("widgets about a dashboard's sites", () => {
  it("tells the current score of each that has one", async () => {
    expect(await widget({ kind: "current_score", title: "Now" })).toMatchObject({
      kind: "current_score",
      sites: [{ base_url: "docs70.one.dev", score: 70 }, { base_url: "docs30.two.dev", score: 50 }, { base_url: "docs40.three.dev", score: 50 }]
    })
  })

  it("compares them category by category", async () => {
    expect(await widget({ kind: "category_comparison", title: "Categories" })).toMatchObject({
      sites: [
        { base_url: "docs70.one.dev", categories: [{ key: "A_discovery", title: "Discovery", score: 7, max: 20 }, {}, {}, {}, {}, {}] },
        { base_url: "docs30.two.dev", categories: [{ score: 5 }, {}, {}, {}, {}, {}] },
        { base_url: "docs40.three.dev" }
      ]
    })
  })

  it("lists those that moved most, from the first score within the bucket where there was none before", async () => {
    expect(await widget({ kind: "biggest_movers", title: "Movers", limit: 5 })).toMatchObject({
      sites: [
        { base_url: "docs30.two.dev", delta: 20, from: { score: 30 }, to: { score: 50 } },
        { base_url: "docs40.three.dev", delta: 10, from: { score: 40 }, to: { score: 50 } }
      ]
    })
  })

  it("lists those that were never audited, or not for long", async () => {
    expect(await widget({ kind: "stale_sites", title: "Stale", days: 30 })).toMatchObject({ days: 30, sites: [{ base_url: "nobody.dev", latest_run_at: null }] })
  })
})
