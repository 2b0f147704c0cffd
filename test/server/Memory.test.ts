import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "./TestService.ts"

let service: TestService
let id: string
beforeAll(async () => {
  service = await startService({ env: { DOCGAUGE_DATABASE_URL: "memory:" } })
  id = (await service.submit({ base_url: "https://docs.memory.dev" })).headers.get("x-audit-run-id") ?? ""
})
afterAll(() => service.stop())

const answerOf = async (path: string): Promise<readonly [number, unknown]> => {
  const answer = await service.ask(path)
  return [answer.status, JSON.parse(await answer.text())]
}

describe("without a database", () => {
  it("runs can be read until the process ends", async () => {
    expect(await answerOf(`/api/public/audit/${id}`)).toMatchObject([200, { status: "done", total_score: 60 }])
  })

  it("the legacy path answers with the run's body, and says that it is deprecated", async () => {
    expect(await answerOf(`/audit/${id}`)).toEqual(await answerOf(`/api/public/audit/${id}`))
    expect((await service.ask(`/audit/${id}`)).headers.get("deprecation")).not.toBeNull()
    const { headers } = await service.submit({ base_url: "https://held.memory.dev" }, "?async=true")
    expect(await answerOf(`/audit/${headers.get("x-audit-run-id")}`)).toMatchObject([200, { progress: { done: 0 } }])
    expect(await answerOf("/audit/7")).toMatchObject([400, {}])
    expect(await answerOf("/audit/01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b")).toMatchObject([404, { code: "not_found" }])
  })

  it("there is no history and nothing to compare with", async () => {
    expect(await answerOf(`/api/public/audit/${id}/history`)).toMatchObject([404, { code: "not_found" }])
    expect(await answerOf(`/api/public/audit/${id}/diff`)).toMatchObject([404, { code: "not_found" }])
    expect(await answerOf(`/api/public/audit/${id}/archive`)).toMatchObject([404, { code: "not_found" }])
  })

  it("a site leads to its newest report", async () => {
    expect(await answerOf("/api/public/sites?base_url=https://docs.memory.dev/")).toMatchObject([
      200,
      { base_url: "docs.memory.dev", latest_run_id: id, run_count: 1, latest_score: 60 }
    ])
    expect(await answerOf("/api/public/sites?base_url=docs.unknown.dev")).toMatchObject([404, { code: "not_found" }])
  })

  it("there is nothing to browse, and there are no dashboards", async () => {
    expect(await answerOf("/api/public/browse/summary")).toEqual([
      200,
      { sites: 0, runs: 0, avg_score: 0, latest_run_at: null }
    ])
    expect(await answerOf("/api/public/browse/search?q=memory")).toEqual([200, { query: "memory", hits: [] }])
    expect(await answerOf("/api/public/dashboard?slug=x")).toMatchObject([404, { code: "not_found" }])
  })
})

describe("with a database", () => {
  it("the legacy path does not exist", async () => {
    const durable = await startService()
    const { headers } = await durable.submit({ base_url: "https://docs.durable.dev" })
    expect((await durable.ask(`/audit/${headers.get("x-audit-run-id")}`)).status).toBe(404)
    await durable.stop()
  })
})
