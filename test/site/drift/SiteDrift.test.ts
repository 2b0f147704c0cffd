import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { DRIFT_REASONS } from "../../../engine/drift/Drift.ts"
import { type FakeSite, layerFakeSite } from "../../../engine/testing/FakeSite.ts"
import { auditOver } from "../../audit/AuditOver.ts"

const HOST = "https://docs.fernpost.dev"

const WORDS = "A parcel is sent from one door to another, and everybody who waits for it is told where it is. ".repeat(
  8
)

const page = (title: string, more: string): string =>
  `<!doctype html>\n<html lang="en"><head><title>${title}</title></head>\n<body><main>\n<h1>${title}</h1>\n<p>${WORDS}</p>\n${more}\n</main></body></html>\n`

const code = (text: string): string => `<pre><code class="language-bash">${text}</code></pre>`

const SPEC = {
  openapi: "3.1.0",
  info: { title: "Fernpost", version: "1.2.0" },
  servers: [{ url: "https://api.fernpost.dev/v1" }],
  paths: {
    "/parcels": {
      get: {
        operationId: "listParcels",
        parameters: [{ name: "limit", in: "query", schema: { type: "integer" }, example: "many" }],
        responses: { 200: { description: "Parcels" } }
      }
    }
  }
}

const TRUE_CALL = "curl https://api.fernpost.dev/v1/parcels?limit=5"
const FALSE_CALL = "curl https://api.fernpost.dev/v1/parcels?offset=5"

const DESCRIPTION = { type: "application/json", body: JSON.stringify(SPEC) }

const siteWith = (calls: string, others: FakeSite = { "/openapi.json": DESCRIPTION }): FakeSite =>
  Object.fromEntries(
    Object.entries({
      "/": page("Fernpost", `<a href="/parcels">Parcels</a> <a href="/openapi.json">OpenAPI description</a>`),
      "/parcels": page("Parcels", `<h2>List</h2>\n<p>This lists them.</p>\n${calls}`),
      ...others
    }).map(([path, answer]) => [`${HOST}${path}`, answer])
  )

const audited = (site: FakeSite) =>
  Effect.runPromise(
    Effect.map(auditOver(layerFakeSite(site), HOST), ({ result }) => {
      const { report } = Result.getOrThrow(result)
      return {
        drift: report.drift,
        factsOf: (id: string) => report.criteria.find((one) => one.id === id)?.measured.facts
      }
    })
  )

const calls = ({ drift }: Awaited<ReturnType<typeof audited>>) => drift?.findings.filter(({ kind }) => kind === "call")

describe("the drift of a site", () => {
  it("names what a call has that the description lacks, with the line of the page and the place in the description", async () => {
    const run = await audited(siteWith(code(`${TRUE_CALL}\n${FALSE_CALL}`)))
    expect(calls(run)).toEqual([
      {
        kind: "call",
        reason: "unknown_parameter",
        message: "/parcels, line 9, sends offset in the query of GET /parcels; the description has limit.",
        page: { url: `${HOST}/parcels`, line: 9 },
        description: { url: `${HOST}/openapi.json`, pointer: "/paths/~1parcels/get" },
        found: expect.stringContaining("offset"),
        expected: "limit",
        call: "GET /parcels",
        likely: "GET /parcels"
      }
    ])
    expect(run.factsOf("D1")).toMatchObject({ compared: 2, agreeing: 1, untrue: 1 })
  })

  it("names an example that its schema refuses", async () => {
    const { drift, factsOf } = await audited(siteWith(""))
    expect(drift?.findings).toMatchObject([
      { kind: "example", reason: "schema", page: null, description: { url: `${HOST}/openapi.json` }, found: '"many"' }
    ])
    expect(factsOf("C4")).toMatchObject({ compared: 1, agreeing: 0, untrue: 1 })
  })

  it("counts a call once that a page, its Markdown version and the full text show", async () => {
    const text = `# Parcels\n\n${WORDS}\n\n## List\n\nThis lists them.\n\n\`\`\`bash\n${FALSE_CALL}\n\`\`\`\n`
    const markdown = { type: "text/markdown", body: text }
    const run = await audited(
      siteWith(code(FALSE_CALL), {
        "/openapi.json": DESCRIPTION,
        "/parcels.md": markdown,
        "/llms-full.txt": { type: "text/plain", body: text }
      })
    )
    expect(calls(run)).toMatchObject([{ page: { url: `${HOST}/parcels` } }])
    expect(run.factsOf("D1")).toMatchObject({ compared: 1, untrue: 1 })
  })

  it("finds a call that only the Markdown version shows", async () => {
    const text = `# Parcels\n\n${WORDS}\n\n## List\n\nThis lists them.\n\n\`\`\`bash\n${FALSE_CALL}\n\`\`\`\n`
    const run = await audited(
      siteWith("", { "/openapi.json": DESCRIPTION, "/parcels.md": { type: "text/markdown", body: text } })
    )
    expect(calls(run)).toMatchObject([{ page: { url: `${HOST}/parcels.md`, line: 10 } }])
  })

  it("compares the code that operations of the description show", async () => {
    const { get } = SPEC.paths["/parcels"]
    const samples = [
      { lang: "cURL", source: TRUE_CALL },
      { lang: "Shell", source: FALSE_CALL }
    ]
    const body = JSON.stringify({ ...SPEC, paths: { "/parcels": { get: { ...get, "x-codeSamples": samples } } } })
    const run = await audited(siteWith("", { "/openapi.json": { type: "application/json", body } }))
    expect(calls(run)).toMatchObject([
      {
        message:
          "The code sample of GET /parcels (Shell) sends offset in the query of GET /parcels; the description has limit.",
        page: { url: `${HOST}/openapi.json`, line: null }
      }
    ])
    expect(run.factsOf("D1")).toMatchObject({ compared: 2, agreeing: 1, untrue: 1 })
  })

  it("says nothing of a call that its section calls old", async () => {
    const run = await audited(siteWith(`<h2>Before version 1</h2><p>This call no longer works.</p>${code(FALSE_CALL)}`))
    expect([calls(run), run.factsOf("D1")]).toMatchObject([[], { compared: 0, untrue: 0 }])
    expect(run.drift?.not_compared).toBe(1)
  })

  it("says nothing of an operation that the prose names as the wrong one", async () => {
    const wrong = "<p>The server of your own has POST /parcel, not POST /v1/parcels, and has no versions.</p>"
    expect(calls(await audited(siteWith(wrong)))).toEqual([])
    expect(calls(await audited(siteWith("<p>To send one, use POST /v1/parcels.</p>")))).toMatchObject([
      { reason: "unknown_method" }
    ])
  })

  it("is nothing where there is no description", async () => {
    expect((await audited(siteWith(code(FALSE_CALL), {}))).drift).toEqual({
      compared: 0,
      agreeing: 0,
      false: 0,
      not_compared: 0,
      findings: []
    })
  })

  it("has a meaning for each of its reasons", () => {
    for (const meaning of Object.values(DRIFT_REASONS)) expect(meaning.length).toBeGreaterThan(20)
  })

  it("has at most 50 findings, and no text of more than 300 characters, whatever the site says", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `name${index}-${"n".repeat(150)}`)
    const [path] = Object.values(SPEC.paths)
    const wide = {
      ...SPEC,
      paths: {
        "/parcels": {
          get: { ...path?.get, parameters: names.map((name) => ({ name, in: "query", schema: { type: "string" } })) }
        }
      }
    }
    const many = Array.from({ length: 80 }, (_, index) => `${FALSE_CALL}&amp;page${index}${"x".repeat(200)}=1`)
    const { drift } = await audited(
      siteWith(many.map(code).join("\n"), { "/openapi.json": { ...DESCRIPTION, body: JSON.stringify(wide) } })
    )
    const findings = drift?.findings ?? []
    expect([findings.length, (drift?.findings_left_out ?? 0) > 0]).toEqual([50, true])
    const texts = findings.flatMap(({ call = "", description, expected, found, likely = "", message }) => [
      ...[call, expected, found, likely, message, description?.pointer ?? ""]
    ])
    expect(Math.max(...texts.map((text) => Array.from(text).length))).toBe(300)
  })
})
