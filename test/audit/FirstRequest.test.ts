import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { runRecordOf } from "../../engine/audit/AuditRequest.ts"
import { openArchive } from "../../engine/evidence/archive/Replay.ts"
import { type FakeSite, layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { type Audited, auditOver } from "./AuditOver.ts"

const HOST = "https://docs.example.com"

const PAGE = `<!doctype html><title>Orders</title><main><h1>Orders</h1><p>${"Create an order with one call. ".repeat(20)}</p></main>`

const audited = (site: FakeSite, first?: string) =>
  Effect.runPromise(auditOver(layerFakeSite(site), `${HOST}/docs`, { first }))

const pagesOf = (result: Audited["result"]): ReadonlyArray<string> =>
  Result.getOrThrow(result).report.pages?.map(({ url }) => url) ?? []

describe("a URL that only answers with a slash at its end", () => {
  it.each([404, 410, 403])("is audited there where it returns %i without", async (status) => {
    const { result } = await audited({ "/docs": { status }, "/docs/": PAGE })
    expect(pagesOf(result)).toEqual([`${HOST}/docs/`])
  })

  it("is not where nothing is there either", async () => {
    expect(Result.isFailure((await audited({})).result)).toBe(true)
  })

  it("is not asked for where the URL answers", async () => {
    const { result } = await audited({ "/docs": PAGE, "/docs/": { status: 500 } })
    expect(pagesOf(result)).toEqual([`${HOST}/docs`])
  })
})

describe("what was typed is asked first", () => {
  it("with its slash, and without one only where nothing is there", async () => {
    const other = PAGE.replace("Orders", "Shop")
    expect(pagesOf((await audited({ "/docs": other, "/docs/": PAGE }, `${HOST}/docs/`)).result)).toEqual([
      `${HOST}/docs/`
    ])
    expect(pagesOf((await audited({ "/docs": PAGE }, `${HOST}/docs/`)).result)).toEqual([`${HOST}/docs`])
  })

  it("with its query, which no request for another page has, and which the report's URL does not have", async () => {
    const { archive, result } = await audited({ "/docs?lang=en": PAGE }, `${HOST}/docs?lang=en`)
    const { journal, report } = Result.getOrThrow(result)
    expect(report.base_url).toBe(`${HOST}/docs`)
    const asked = journal.map(({ request }) => request.asked.url).filter((url) => url.includes("lang=en"))
    expect(new Set(asked)).toEqual(new Set([`${HOST}/docs?lang=en`]))
    const { run } = await Effect.runPromise(Effect.flatMap(archive, openArchive))
    expect(run === null ? null : runRecordOf(run)).toMatchObject({
      url: `${HOST}/docs`,
      first: `${HOST}/docs?lang=en`
    })
  })

  it("without its query where nothing is there with it", async () => {
    expect(pagesOf((await audited({ "/docs": PAGE }, `${HOST}/docs?lang=en`)).result)).toEqual([`${HOST}/docs`])
  })
})
