import { bySection, HOST, markdownPathOf, urlOf } from "./Layout.ts"
import type { MarkdownPage } from "../MarkdownPage.ts"

export const llmsTxt = (pages: ReadonlyArray<MarkdownPage>): string => `# Moorling API

> Find free berths, price a stay and book it in 1 400 harbours. JSON over https, one key, OpenAPI 3.1.

${bySection(pages)
  .map(
    ([section, members]) => `## ${section}

${members.map((page) => `- [${page.title}](${HOST}${markdownPathOf(page)}): ${page.description}`).join("\n")}`
  )
  .join("\n\n")}

## Files

- [API description](${HOST}/openapi.json): OpenAPI 3.1, complete, with examples.
- [Full documentation](${HOST}/llms-full.txt): all pages in one file.
`

export const llmsFullTxt = (pages: ReadonlyArray<MarkdownPage>): string =>
  pages.map((page) => `<!-- ${urlOf(page)} -->\n\n${page.text.trim()}\n`).join("\n")

export const robotsTxt = `User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=no
Allow: /

User-agent: GPTBot
User-agent: ClaudeBot
Allow: /

Sitemap: ${HOST}/sitemap.xml
`

export const sitemap = (pages: ReadonlyArray<MarkdownPage>): string => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map((page) => `  <url><loc>${urlOf(page)}</loc><lastmod>${page.updated}</lastmod></url>`).join("\n")}
</urlset>
`
