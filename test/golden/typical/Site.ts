import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { FakeSite } from "../../../engine/testing/FakeSite.ts"
import { escaped, htmlOf, type MarkdownPage, readPages } from "../MarkdownPage.ts"

const HOST = "https://docs.foliopress-api.com"
const ROOT = "/docs/latest"

export const TYPICAL_URL = HOST + ROOT

/**
 * What a documentation generator gives without further thought: readable pages, a sitemap without dates, an llms.txt
 * that a plugin writes, an API description with the usual gaps; no Markdown, nothing for agents.
 */
export const typicalSite = (): FakeSite => {
  const pages = readPages(join(import.meta.dirname, "pages"))
  return {
    ...Object.fromEntries(
      pages.map((page) => [pathOf(page), { headers: HEADERS, body: layout(page, pages) }] as const)
    ),
    "/": { status: 302, redirect: ROOT },
    "/robots.txt": `User-agent: *\nAllow: /\n\nSitemap: ${HOST}/sitemap.xml\n`,
    "/sitemap.xml": sitemap(pages),
    "/llms.txt": llmsTxt(pages),
    "/openapi.yaml": readFileSync(join(import.meta.dirname, "openapi.yaml"), "utf8"),
    "*": { status: 404, body: NOT_FOUND }
  }
}

const HEADERS = { etag: 'W/"6f1a"', "content-encoding": "gzip", "cache-control": "public, max-age=0, must-revalidate" }

const pathOf = ({ path }: Pick<MarkdownPage, "path">): string => (path === "index" ? ROOT : `${ROOT}/${path}`)

const sitemap = (pages: ReadonlyArray<MarkdownPage>): string =>
  `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages
    .map(
      (page) => `<url><loc>${HOST}${pathOf(page)}</loc><changefreq>weekly</changefreq><priority>0.5</priority></url>`
    )
    .join("")}</urlset>`

const llmsTxt = (pages: ReadonlyArray<MarkdownPage>): string =>
  `# Foliopress\n\n> Turns HTML and templates into PDF documents.\n\n## Docs\n\n${pages
    .map((page) => `- [${page.title}](${HOST}${pathOf(page)}): ${page.description}`)
    .join("\n")}\n- [Pricing](${HOST}/pricing): Plans and prices.\n`

const NOT_FOUND =
  '<!doctype html><html lang="en"><head><title>Page Not Found | Foliopress</title></head><body><main><h1>Page Not Found</h1><p>We could not find what you were looking for.</p></main></body></html>'

const layout = (page: MarkdownPage, pages: ReadonlyArray<MarkdownPage>): string => `<!doctype html>
<html lang="en" dir="ltr" class="docs-wrapper docs-doc-page">
<head>
<meta charset="UTF-8">
<meta name="generator" content="Docusaurus v3.5.2">
<title>${escaped(page.title)} | Foliopress</title>
<meta property="og:url" content="${HOST}${pathOf(page)}">
<meta name="description" content="${escaped(page.description)}">
<link rel="icon" href="/img/favicon.ico">
<link rel="canonical" href="${HOST}${pathOf(page)}">
<link rel="stylesheet" href="/assets/css/styles.1f2e.css">
<script src="/assets/js/main.77ab.js" defer></script>
</head>
<body>
<div id="__docusaurus">
<nav class="navbar navbar--fixed-top"><div class="navbar__items"><a class="navbar__brand" href="/">Foliopress</a><a href="${ROOT}">Docs</a><a href="/openapi.yaml">OpenAPI</a><a href="/pricing">Pricing</a></div></nav>
<div class="main-wrapper">
<aside class="theme-doc-sidebar-container"><ul class="menu__list">${pages.map((other) => `<li><a class="menu__link" href="${pathOf(other)}">${escaped(other.title)}</a></li>`).join("")}</ul></aside>
<main><article>
<nav class="theme-doc-breadcrumbs"><ul><li>${escaped(page.section)}</li><li>${escaped(page.title)}</li></ul></nav>
<div class="theme-doc-markdown markdown">
${htmlOf(page.text)}</div>
<footer class="theme-doc-footer"><a class="theme-edit-this-page" href="https://github.com/foliopress-api/site/edit/main/docs/${page.path}.md">Edit this page</a></footer>
</article></main>
</div>
<footer class="footer">Copyright © 2026 Foliopress. Built with Docusaurus.</footer>
</div>
</body>
</html>
`
