import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { TYPICAL_URL, typicalSite } from "../golden/typical/Site.ts"
import { auditOver } from "./AuditOver.ts"

const { origin } = new URL(TYPICAL_URL)

describe("the exchanges of an audit", () => {
  it("are kept with the criteria that lean on them, however they came to be asked for", async () => {
    const { result } = await Effect.runPromise(auditOver(layerFakeSite(typicalSite(), { host: origin }), TYPICAL_URL))
    const { journal } = Result.getOrThrow(result)
    const askedBy = (path: string) =>
      journal.find(({ request: { asked } }) => asked.method === "GET" && asked.url === `${origin}${path}`)?.askedBy ??
      []
    expect(askedBy("/robots.txt")).toContain("A3")
    expect(askedBy("/sitemap.xml")).toContain("A4")
    expect(askedBy("/llms.txt")).toEqual(expect.arrayContaining(["A1", "A2"]))
    expect(askedBy("/.well-known/mcp.json")).toEqual(["F1"])
    // Looked at beside the score: no criterion leans on it.
    expect(askedBy("/sitemap.md")).toEqual([])
  })
})
