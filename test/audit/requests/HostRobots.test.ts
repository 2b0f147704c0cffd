import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { replayRun } from "../../../engine/audit/StoredRun.ts"
import { openArchive } from "../../../engine/evidence/archive/Replay.ts"
import { type FakeSite, layerFakeSite } from "../../../engine/testing/FakeSite.ts"
import { ParserPool } from "../../../engine/parse/ParserPool.ts"
import { archiveBytes } from "../../evidence/archive/ArchiveBytes.ts"
import { auditOver, rubric } from "../AuditOver.ts"

const HOST = "https://docs.example.com"
const API = "https://api.example.com"

const page = (more = ""): string =>
  `<!doctype html><title>Orders</title><main><h1>Orders</h1><p>${"Create an order with one call. ".repeat(20)}</p>${more}</main>`

const SPEC = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Orders", version: "1" },
  paths: { "/orders": { get: { responses: { 200: { description: "Orders" } } } } }
})

const SHUT = "User-agent: docgauge\nDisallow: /\n"

const audited = (site: FakeSite, seed = 0) =>
  Effect.runPromise(
    Effect.map(auditOver(layerFakeSite(site, { seed }), HOST), ({ result, text }) => {
      const { journal } = Result.merge(result)
      return { result, text, asked: journal.map(({ request }) => request.asked.url) }
    })
  )

const reportOf = ({ result }: Awaited<ReturnType<typeof audited>>) => Result.getOrThrow(result).report

/** A site whose API description and sitemap are on another host, with this robots.txt there. */
const spread = (robots: string): FakeSite => ({
  "/": page(`<a href="${API}/openapi.json">OpenAPI description</a>`),
  "/robots.txt": `User-agent: *\nAllow: /\nSitemap: ${API}/sitemap.xml\n`,
  [`${API}/robots.txt`]: robots,
  [`${API}/openapi.json`]: SPEC,
  [`${API}/sitemap.xml`]: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${HOST}/</loc></url></urlset>`
})

describe("robots.txt of the audited host", () => {
  it("that forbids docgauge single paths by name keeps it from them, which is told as refused, and from nothing else", async () => {
    const run = await audited({
      "/": page(),
      "/robots.txt": "User-agent: docgauge\nDisallow: /llms\n",
      "/llms.txt": "# Orders"
    })
    expect(run.asked.filter((url) => url.startsWith(`${HOST}/llms`))).toEqual([])
    expect(run.asked).toContain(`${HOST}/docs/llms.txt`)
    const { criteria } = reportOf(run)
    expect(criteria.find(({ id }) => id === "A1")).toMatchObject({ status: "inconclusive" })
    expect(JSON.stringify(criteria)).toContain("forbids docgauge by name")
  })

  it("is no rule for docgauge where it speaks of all agents", async () => {
    const { asked } = await audited({
      "/": page(),
      "/robots.txt": "User-agent: *\nDisallow: /llms\n",
      "/llms.txt": "# O"
    })
    expect(asked).toContain(`${HOST}/llms.txt`)
  })
})

describe("robots.txt of a further host of the site", () => {
  it("is read once before anything else is asked of it", async () => {
    const { asked, ...run } = await audited(spread("User-agent: *\nDisallow: /\n"))
    expect(asked.filter((url) => url === `${API}/robots.txt`)).toHaveLength(1)
    expect(asked).toContain(`${API}/openapi.json`)
    expect(reportOf({ asked, ...run }).criteria.find(({ id }) => id === "C1")?.score).toBeGreaterThan(0)
  })

  it("that forbids docgauge by name keeps it from all else there, which is told as refused and not as absent", async () => {
    const run = await audited(spread(SHUT))
    expect(run.asked.filter((url) => url.startsWith(API))).toEqual([`${API}/robots.txt`])
    const { criteria } = reportOf(run)
    for (const id of ["C1", "A4"]) {
      const criterion = criteria.find((one) => one.id === id)
      expect([id, criterion?.status]).toEqual([id, "inconclusive"])
      expect(JSON.stringify(criterion)).toContain("forbids docgauge by name")
    }
    expect(criteria.find(({ id }) => id === "A3")?.measured.facts).toMatchObject({ base_open: true })
  })

  it("may forbid a part", async () => {
    const { asked } = await audited(spread("User-agent: docgauge\nDisallow: /sitemap\n"))
    expect(asked).toContain(`${API}/openapi.json`)
    expect(asked).not.toContain(`${API}/sitemap.xml`)
  })

  it("that cannot be fetched forbids nothing, as that of the audited host", async () => {
    const { asked } = await audited({ ...spread(""), [`${API}/robots.txt`]: { status: 503 } })
    expect(asked).toContain(`${API}/openapi.json`)
  })

  it("may be on another host itself", async () => {
    const { asked } = await audited({
      ...spread(""),
      [`${API}/robots.txt`]: { redirect: "https://www.example.com/robots.txt" },
      "https://www.example.com/robots.txt": SHUT
    })
    expect(asked.filter((url) => url.startsWith(API))).toEqual([`${API}/robots.txt`])
  })

  it("that the audited URL redirects to is read before the page there", async () => {
    const www = "https://www.example.com"
    const run = await audited({ "/": { redirect: `${www}/` }, [`${www}/`]: page(), [`${www}/robots.txt`]: SHUT })
    expect(run.text).toContain("shut_out: robots.txt of the site forbids docgauge by name")
    expect(run.asked.filter((url) => url.startsWith(www))).toEqual([`${www}/robots.txt`])
  })

  it("is not missed in an archive of an audit that did not read it", async () => {
    const { archive, result } = await Effect.runPromise(auditOver(layerFakeSite(spread("")), HOST))
    const { run } = await Effect.runPromise(Effect.flatMap(archive, openArchive))
    if (run === null) throw new Error("the archive does not say what was audited")
    const before = Result.merge(result).journal.filter(({ request }) => request.asked.url !== `${API}/robots.txt`)
    const old = await Effect.runPromise(Effect.flatMap(archiveBytes(run, before), openArchive))
    const replayed = await Effect.runPromise(Effect.provide(replayRun(old, await rubric), ParserPool.layerInline))
    expect([...replayed.lacking]).toEqual([])
  })

  it("changes nothing with the order in which answers come", async () => {
    const texts = await Promise.all([1, 2, 3].map(async (seed) => (await audited(spread(SHUT), seed)).text))
    expect(new Set(texts).size).toBe(1)
  })
})
