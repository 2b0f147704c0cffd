import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { readResult, resultOf } from "../../engine/process/AuditResult.ts"
import { siteGenerator } from "../../engine/site/SiteSource.ts"
import { layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { auditOver } from "../audit/AuditOver.ts"

const pages = (...all: ReadonlyArray<ReadonlyArray<string>>) => all.map((generators) => ({ generators }))

describe("the generator of a site", () => {
  it.each([
    [["Docusaurus v3.9.2"], "docusaurus"],
    [["Docusaurus"], null],
    [["mkdocs-1.6.1, mkdocs-material-9.6.5"], "mkdocs"],
    [["Astro v5.1.0", "Starlight v0.30.0"], "starlight"],
    [["Antora 3.1.10"], "antora"],
    [["Hugo 0.140.0"], "hugo"],
    [["GitBook (28f7fba)"], "gitbook"],
    [["mintlify"], "mintlify"],
    [["ExDoc v0.36.1"], "exdoc"],
    [["Doxygen 1.13.2"], "doxygen"]
  ])("that names itself %j is %s", (generators, id) => {
    expect(siteGenerator(pages(generators))).toBe(id)
  })

  it("is that of at least half of the pages", () => {
    expect(siteGenerator(pages(["Hugo 0.140"], []))).toBe("hugo")
    expect(siteGenerator(pages(["Hugo 0.140"], [], []))).toBe(null)
  })

  it("is none that a page made up, and none without pages", () => {
    expect(siteGenerator(pages(["=1+1"], ["unknown"], ["<b>"]))).toBe(null)
    expect(siteGenerator([])).toBe(null)
  })
})

const URL = "https://docs.example.com"

it.each([
  ["Hugo 0.140.0", "hugo"],
  ["Docusaurus v3.9.2", "docusaurus"],
  ["=cmd()", null]
])("the result of an audit says that pages which name %j are made by %j", async (named, generator) => {
  const page = `<!doctype html><html lang="en"><head><meta name="generator" content="${named}"><title>Docs</title></head><main><h1>Docs</h1><p>How to use the API of Example, step by step, with all its calls.</p></main></html>`
  const audited = await Effect.runPromise(auditOver(layerFakeSite({ "/": page }, { host: URL }), URL))
  const outcome = Result.getOrThrow(audited.result)
  const result = await Effect.runPromise(resultOf(outcome, { durationMs: 1, bytes: 1 }))
  expect(readResult(JSON.stringify(result)).generator).toBe(generator)
})
