import { escaped, htmlOf, type MarkdownPage } from "../MarkdownPage.ts"

export const HOST = "https://docs.moorling-api.com"

/** The first page has the address of its folder. */
export const pathOf = ({ path }: Pick<MarkdownPage, "path">): string => (path === "index" ? "/v2" : `/v2/${path}`)

export const urlOf = (page: Pick<MarkdownPage, "path">): string => HOST + pathOf(page)

export const markdownPathOf = (page: Pick<MarkdownPage, "path">): string => `${pathOf(page)}.md`

/** In the order of the navigation. */
const SECTIONS = ["Start", "Guides", "Reference", "Policies"] as const

export const bySection = (
  pages: ReadonlyArray<MarkdownPage>
): ReadonlyArray<readonly [string, ReadonlyArray<MarkdownPage>]> =>
  SECTIONS.map((section) => [section, pages.filter((page) => page.section === section)] as const)

/** The page in its template: metadata, navigation, content, and what makes it easy to hand to an assistant. */
export const layout = (page: MarkdownPage, pages: ReadonlyArray<MarkdownPage>): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>${escaped(titleOf(page))}</title>
  <meta name="description" content="${escaped(page.description)}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="canonical" href="${urlOf(page)}">
  <link rel="alternate" type="text/markdown" href="${HOST}${markdownPathOf(page)}">
  <link rel="service-desc" type="application/vnd.oai.openapi+json" href="/openapi.json">
  <script type="application/ld+json">${JSON.stringify(structuredData(page))}</script>
  <link rel="stylesheet" href="/assets/style.css">
</head>
<body>
  <header><a href="/v2">Moorling</a></header>
  <nav aria-label="Documentation">
${bySection(pages)
  .map(
    ([section, members]) => `    <strong>${section}</strong>
    <ul>${members.map((member) => `<li><a href="${pathOf(member)}">${escaped(member.title)}</a></li>`).join("")}</ul>`
  )
  .join("\n")}
  </nav>
  <main>
    <article>
${htmlOf(page.text)}    </article>
    <p class="page-actions"><button type="button" data-copy="markdown">Copy as Markdown</button> <a href="${markdownPathOf(page)}">View as Markdown</a></p>
  </main>
  <footer>Updated <time datetime="${page.updated}">${page.updated}</time>. For agents: <a href="/llms.txt">llms.txt</a></footer>
</body>
</html>
`

const titleOf = ({ path, title }: MarkdownPage): string =>
  path === "index" ? "Moorling API documentation" : `${title} | Moorling API`

const structuredData = (page: MarkdownPage) => ({
  "@context": "https://schema.org",
  "@type": "TechArticle",
  headline: page.title,
  description: page.description,
  dateModified: page.updated,
  url: urlOf(page)
})
