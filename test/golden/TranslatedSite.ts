import type { FakeSite } from "../../engine/testing/FakeSite.ts"
import { escaped, htmlOf, type MarkdownPage } from "./MarkdownPage.ts"

/** A site that is not in English: what is the same in all of them. */
export interface TranslatedSite {
  readonly host: string
  readonly root: string
  readonly lang: string
  /** The name of the product, which ends every title. */
  readonly product: string
  /** The title and the text of the page that says that there is none. */
  readonly notFound: readonly [title: string, text: string]
}

/** Readable pages with a menu and a sitemap, and nothing for agents. */
export const buildTranslated = (site: TranslatedSite, pages: ReadonlyArray<MarkdownPage>): FakeSite => ({
  ...Object.fromEntries(
    pages.map((page) => [pathOf(site, page), { headers: HEADERS, body: layout(site, page, pages) }] as const)
  ),
  "/": { status: 301, redirect: site.root },
  "/robots.txt": `User-agent: *\nAllow: /\n\nSitemap: ${site.host}/sitemap.xml\n`,
  "/sitemap.xml": `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages
    .map((page) => `<url><loc>${site.host}${pathOf(site, page)}</loc><lastmod>${page.updated}</lastmod></url>`)
    .join("")}</urlset>`,
  "*": {
    status: 404,
    body: `<!doctype html><html lang="${site.lang}"><head><title>${site.notFound[0]}</title></head><body><main><h1>${site.notFound[0]}</h1><p>${site.notFound[1]}</p></main></body></html>`
  }
})

const HEADERS = {
  "content-encoding": "gzip",
  "cache-control": "public, max-age=600",
  "last-modified": "Thu, 08 Oct 2026 08:00:00 GMT"
}

const pathOf = ({ root }: TranslatedSite, { path }: Pick<MarkdownPage, "path">): string =>
  path === "index" ? root : `${root}/${path}`

const layout = (
  site: TranslatedSite,
  page: MarkdownPage,
  pages: ReadonlyArray<MarkdownPage>
): string => `<!doctype html>
<html lang="${site.lang}">
<head>
<meta charset="utf-8">
<title>${page.title === site.product ? page.title : `${escaped(page.title)} | ${site.product}`}</title>
<meta name="description" content="${escaped(page.description)}">
<link rel="canonical" href="${site.host}${pathOf(site, page)}">
</head>
<body>
<nav><ul>${pages.map((other) => `<li><a href="${pathOf(site, other)}">${escaped(other.title)}</a></li>`).join("")}</ul></nav>
<main>
${htmlOf(page.text)}</main>
</body>
</html>
`
