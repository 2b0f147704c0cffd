/** A page for search engines and agents. */
export interface SitemapEntry {
  readonly url: string
  /** The day on which it last changed, `YYYY-MM-DD`; `null` where that is not known. */
  readonly changed: string | null
}

/** sitemap.xml of some pages. */
export const sitemap = (entries: ReadonlyArray<SitemapEntry>): string =>
  [
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
    "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">",
    ...entries.map(({ changed, url }) => `  <url><loc>${escaped(url)}</loc>${changed === null ? "" : `<lastmod>${changed}</lastmod>`}</url>`),
    "</urlset>",
    ""
  ].join("\n")

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? "")
