import type { Category } from "../../../engine/rubric/definition/Rubric.ts"
import { escapeMarkup } from "../../../engine/text/MarkupText.ts"
import type { DocsBook } from "../docs/DocsBook.ts"

/** A page for search engines and agents. */
export interface OwnSitemapEntry {
  readonly url: string
  /** The day of its last change, `YYYY-MM-DD`; `null` if unknown. */
  readonly changed: string | null
}

/** sitemap.xml of some pages. */
export const sitemap = (entries: ReadonlyArray<OwnSitemapEntry>): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries.map(
      ({ changed, url }) =>
        `  <url><loc>${escapeMarkup(url)}</loc>${changed === null ? "" : `<lastmod>${changed}</lastmod>`}</url>`
    ),
    "</urlset>",
    ""
  ].join("\n")

/** sitemap.md: the same pages for agents, as Markdown versions by section. */
export const sitemapMarkdown = (
  { base, bot, sections }: DocsBook,
  categories: ReadonlyArray<Pick<Category, "id" | "title" | "criteria">>
): string => {
  const item = (title: string, url: string, changed?: string): string =>
    `- [${title}](${url})${changed === undefined ? "" : `, ${changed}`}`
  return (
    [
      "# Sitemap of docgauge",
      `## Service\n\n${[item("Audit a site", `${base}/index.md`), item("Audited sites", `${base}/browse`), item(bot.title, bot.markdownUrl, bot.updated)].join("\n")}`,
      ...sections.map(
        ({ docs, title }) =>
          `## ${title}\n\n${docs.map((doc) => item(doc.title, doc.markdownUrl, doc.updated)).join("\n")}`
      ),
      `## Rubric\n\n${[
        item("All criteria", `${base}/rubric.md`),
        ...categories.flatMap(({ criteria }) =>
          criteria.map(({ id, title }) => item(`${id} ${title}`, `${base}/rubric/${id}.md`))
        )
      ].join("\n")}`
    ].join("\n\n") + "\n"
  )
}
