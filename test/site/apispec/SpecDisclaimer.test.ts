import { describe, expect, it } from "vitest"
import { disclaimsApi } from "../../../engine/site/apispec/SpecRanking.ts"
import { readSpec } from "../../../engine/apispec/read/ReadSpec.ts"
import { defaultLimits } from "../../../engine/evidence/FetchLimits.ts"

/** A small description that says so much. */
const disclaims = async (description: string): Promise<boolean> => {
  const text = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Acme", version: "1", description },
    paths: { "/status": { get: { responses: { 200: { description: "It works." } } } } }
  })
  const document = {
    url: "https://docs.example.com/openapi.json",
    mediaType: "application/json",
    bytes: new TextEncoder().encode(text),
    cut: false
  }
  const spec = await readSpec({ document, others: [], absent: [], limits: defaultLimits })
  return spec._tag === "ApiDescription" && disclaimsApi(spec)
}

describe("a description that says it is no API", () => {
  it.each([
    "This is not an HTTP API.",
    "There is no public API",
    "Acme has no REST API; use the library.",
    "There is no API for Acme."
  ])("is told by %j", async (description) => expect(await disclaims(description)).toBe(true))

  it.each([
    "No API authentication is required.",
    "No API registration, no API subscription.",
    "There are no API rate limits.",
    "Public status feed."
  ])("is not told by %j", async (description) => expect(await disclaims(description)).toBe(false))
})
