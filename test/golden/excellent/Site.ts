import type { FakeAnswer, FakeSite } from "../../../engine/testing/FakeSite.ts"
import type { MarkdownPage } from "../MarkdownPage.ts"
import { llmsFullTxt, llmsTxt, robotsTxt, sitemap } from "./Discovery.ts"
import { layout, markdownPathOf, pathOf } from "./Layout.ts"
import { readSource, type Source } from "./Source.ts"
import { wellKnown } from "./WellKnown.ts"

/** The site of a source: whatever its authors leave out is left out everywhere. */
export const buildSite = ({ description, instructions, pages }: Source): FakeSite => ({
  ...Object.fromEntries(pages.flatMap((page) => answersOf(page, pages))),
  "/": { status: 301, redirect: "/v2" },
  "/robots.txt": robotsTxt,
  "/sitemap.xml": sitemap(pages),
  "/llms.txt": llmsTxt(pages),
  "/llms-full.txt": { type: "text/markdown; charset=utf-8", headers: COMPRESSED, body: llmsFullTxt(pages) },
  "/openapi.json": { headers: COMPRESSED, body: JSON.stringify(description) },
  ...instructions,
  ...wellKnown,
  "*": { status: 404, body: NOT_FOUND }
})

export const excellentSite = (): FakeSite => buildSite(readSource())

const COMPRESSED = { "content-encoding": "gzip" }

const NOT_FOUND =
  '<!doctype html><html lang="en"><head><title>No such page | Moorling API</title></head><body><h1>No such page</h1><p>See <a href="/v2">the documentation</a>.</p></body></html>'

/** The page as HTML, or as Markdown where that is asked for; and the Markdown at an address of its own. */
const answersOf = (
  page: MarkdownPage,
  pages: ReadonlyArray<MarkdownPage>
): ReadonlyArray<readonly [string, FakeAnswer]> => {
  const headers = {
    ...COMPRESSED,
    vary: "Accept, Accept-Encoding",
    etag: `"${page.path}-${page.updated}"`,
    "last-modified": new Date(page.updated).toUTCString(),
    link: `</openapi.json>; rel="service-desc", </llms.txt>; rel="llms-txt"`
  }
  const markdown = { type: "text/markdown; charset=utf-8", headers, body: page.text }
  return [
    [
      pathOf(page),
      { headers, type: "text/html; charset=utf-8", body: layout(page, pages), byAccept: { "text/markdown": markdown } }
    ],
    [markdownPathOf(page), markdown]
  ]
}
