import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../TestService.ts"

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const PATH = "/docs/v1/limits"
const status = async (headers: Record<string, string>, method = "GET") =>
  (await fetch(service.url + PATH, { method, headers })).status
const current = async (name: string) => (await fetch(service.url + PATH)).headers.get(name) ?? ""

describe("conditions of a request (RFC 9110 §13)", () => {
  it("answers 412 if If-Match names another content, by strong comparison", async () => {
    const tag = await current("etag")
    expect(await status({ "if-match": '"other"' })).toBe(412)
    expect(await status({ "if-match": `W/${tag}` })).toBe(412)
    expect(await status({ "if-match": '"other"' }, "HEAD")).toBe(412)
    expect(await status({ "if-match": `"other", ${tag}` })).toBe(200)
    expect(await status({ "if-match": "*" })).toBe(200)
  })

  it("evaluates If-None-Match after If-Match", async () => {
    const tag = await current("etag")
    expect(await status({ "if-match": tag, "if-none-match": tag })).toBe(304)
    expect(await status({ "if-match": '"other"', "if-none-match": tag })).toBe(412)
  })

  it("answers 304 if a page has not changed since the date it stated", async () => {
    const changed = await current("last-modified")
    expect(await status({ "if-modified-since": changed })).toBe(304)
    expect(await status({ "if-modified-since": new Date(Date.parse(changed) + 86_400_000).toUTCString() })).toBe(304)
    expect(await status({ "if-modified-since": new Date(Date.parse(changed) - 1_000).toUTCString() })).toBe(200)
    expect(await status({ "if-modified-since": "yesterday" })).toBe(200)
    expect(await status({ "if-modified-since": changed, "if-none-match": '"other"' })).toBe(200)
  })

  it("answers 412 if a page has changed since If-Unmodified-Since", async () => {
    const changed = await current("last-modified")
    expect(await status({ "if-unmodified-since": changed })).toBe(200)
    expect(await status({ "if-unmodified-since": new Date(Date.parse(changed) - 1_000).toUTCString() })).toBe(412)
  })
})
