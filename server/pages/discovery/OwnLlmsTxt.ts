import type { DocsBook } from "../docs/DocsBook.ts"
import type { Addresses } from "../../config/Settings.ts"

/** llms.txt: a summary, and all pages of the documentation with one line each. */
export const ownLlmsTxt = ({ sections }: DocsBook, { base, docs, mcp }: Addresses): string =>
  [
    "# docgauge",
    "> Audits how ready an API documentation site is for AI agents: 30 criteria in six categories, a score from 0 to 100, and HTTP evidence for each verdict. No language model runs; the same evidence gives the same report.",
    `The API is at ${base}, needs no key, and is described by OpenAPI 3.1 at ${base}/openapi.json. The MCP server is at ${mcp}. Every page of the documentation has a Markdown version: append .md to its URL, or send \`Accept: text/markdown\`.`,
    ...sections.map(
      ({ docs: pages, title }) =>
        `## ${title}\n\n${pages.map((page) => `- [${page.title}](${page.markdownUrl}): ${page.description}`).join("\n")}`
    ),
    [
      "## Files",
      "",
      `- [API description as JSON](${base}/openapi.json): OpenAPI 3.1, complete, with examples.`,
      `- [API description as YAML](${base}/openapi.yaml): the same.`,
      `- [Full documentation](${base}/llms-full.txt): all pages in one file.`,
      `- [AGENTS.md](${base}/AGENTS.md): instructions for agents that work with docgauge.`,
      `- [Documentation](${docs}): the first page, for people.`
    ].join("\n")
  ].join("\n\n") + "\n"

/** llms-full.txt: the Markdown of all pages, each under its URL. */
export const llmsFullTxt = ({ docs }: DocsBook): string =>
  docs.map(({ plainMarkdown, url }) => `<!-- ${url} -->\n\n${plainMarkdown().trim()}\n`).join("\n")
