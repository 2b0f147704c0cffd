import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { type FakeAnswer, layerFakeSite } from "../../../engine/testing/FakeSite.ts"
import { readPage } from "../../../engine/page/read/ReadPage.ts"
import { answerOf } from "../../site/FakeContext.ts"
import { auditOver } from "../AuditOver.ts"

const BASE = "https://docs.example.com"

const html = (body: string, title = "Page"): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}<p>${"Some words about this. ".repeat(20)}</p></main></body></html>`

const OPERATION = html("<pre><code>GET /v1/users</code></pre><p>Lists users.</p>", "List users")
/** Of web pages those of what is kept after conversion. */
const tokens = (...bodies: ReadonlyArray<string>) =>
  bodies.reduce((sum, body) => sum + Math.ceil(keptBytes(body) / 4), 0)

const keptBytes = (body: string): number =>
  body.startsWith("<!doctype") ? readPage({ answer: answerOf(`${BASE}/`, body) }).kept.bytes : Buffer.byteLength(body)
const typed = (body: string, type = "text/plain") => ({ body, headers: { "content-type": type } })

const costOf = async (site: Readonly<Record<string, FakeAnswer>>) => {
  const { result } = await Effect.runPromise(auditOver(layerFakeSite(site, { host: BASE }), BASE))
  return Result.getOrThrow(result).report.reading_cost?.to_operation
}

describe("the ways to the documentation of one operation", () => {
  it("are counted along links, in requests and in tokens of everything fetched", async () => {
    const [start, guide] = [html('<a href="/guide">Guide</a>'), html('<a href="/users">Users</a>', "Guide")]
    const sitemap = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${BASE}/users</loc></url></urlset>`
    expect(
      await costOf({
        "/": start,
        "/guide": guide,
        "/users": OPERATION,
        "/sitemap.xml": typed(sitemap, "application/xml")
      })
    ).toEqual({
      llms_txt: null,
      sitemap: { requests: 2, tokens: tokens(sitemap, OPERATION) },
      links: { requests: 3, tokens: tokens(start, guide, OPERATION) }
    })
  })

  it("take the fewest requests, then the fewest tokens", async () => {
    const long = html(`<pre><code>GET /v1/teams</code></pre>${"<p>More.</p>".repeat(300)}`, "List teams")
    const start = html('<a href="/a">A</a><a href="/b">B</a>')
    expect((await costOf({ "/": start, "/a": long, "/b": OPERATION }))?.links).toEqual({
      requests: 2,
      tokens: tokens(start, OPERATION)
    })
  })

  it("lead by llms.txt and by sitemaps with the files on the way", async () => {
    const llms = `# Docs\n\n> All.\n\n## API\n\n- [Users](${BASE}/users): lists users\n- [Guide](${BASE}/guide): begin here\n`
    const robots = `User-agent: *\nAllow: /\nSitemap: ${BASE}/index.xml\n`
    const index = `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${BASE}/pages.xml</loc></sitemap></sitemapindex>`
    const pages = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${BASE}/users</loc></url></urlset>`
    expect(
      await costOf({
        "/": html('<a href="/guide">Guide</a>'),
        "/guide": html("", "Guide"),
        "/users": OPERATION,
        "/llms.txt": typed(llms),
        "/robots.txt": typed(robots),
        "/index.xml": typed(index, "application/xml"),
        "/pages.xml": typed(pages, "application/xml")
      })
    ).toEqual({
      llms_txt: { requests: 2, tokens: tokens(llms, OPERATION) },
      sitemap: { requests: 4, tokens: tokens(robots, index, pages, OPERATION) },
      links: null
    })
  })

  it("are unknown where no page that was read shows an operation", async () => {
    expect(await costOf({ "/": html("<p>A library.</p>") })).toBeNull()
  })
})
