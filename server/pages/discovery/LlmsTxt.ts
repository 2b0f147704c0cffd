import type { DocsBook } from "../docs/DocsBook.ts"
import type { Addresses } from "../../Settings.ts"

/** llms.txt: what this is, and all pages of the documentation with a line about each. */
export const llmsTxt = ({ sections }: DocsBook, { base, docs, mcp }: Addresses): string =>
  [
    "# docgauge",
    "> Audits how ready an API documentation site is for AI agents: 30 criteria in six categories, a score from 0 to 100, and HTTP evidence for each verdict. No language model runs; the same evidence gives the same report.",
    `The API is at ${base}, needs no key, and is described by OpenAPI 3.1 at ${base}/openapi.json. The MCP server is at ${mcp}. Every page of the documentation is Markdown at its address with .md appended, or where it is asked for with \`Accept: text/markdown\`.`,
    ...sections.map(({ docs: pages, title }) =>
      `## ${title}\n\n${pages.map((page) => `- [${page.title}](${page.markdownUrl}): ${page.description}`).join("\n")}`),
    [
      "## Files",
      "",
      `- [API description as JSON](${base}/openapi.json): OpenAPI 3.1, complete, with examples.`,
      `- [API description as YAML](${base}/openapi.yaml): the same.`,
      `- [The whole documentation](${base}/llms-full.txt): all pages in one file.`,
      `- [AGENTS.md](${base}/AGENTS.md): instructions for agents that work with docgauge.`,
      `- [Documentation for people](${docs}): where all of this begins.`
    ].join("\n")
  ].join("\n\n") + "\n"

/** llms-full.txt: the Markdown of all pages, each under its address. */
export const llmsFullTxt = ({ docs }: DocsBook): string =>
  docs.map(({ markdown, url }) => `<!-- ${url} -->\n\n${markdown().trim()}\n`).join("\n")
