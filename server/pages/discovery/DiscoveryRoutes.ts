import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { KEYS_PATH } from "../../../engine/audit/signature/ReportClaims.ts"
import type { Category } from "../../../engine/rubric/definition/Rubric.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { MARKDOWN_TYPE } from "../../../engine/text/HttpValues.ts"
import { escapeMarkup } from "../../../engine/text/MarkupText.ts"
import { trimTrailingSlashes } from "../../../engine/text/WhiteSpace.ts"
import { ReportSigner } from "../../audits/ReportSigner.ts"
import { RubricInForce } from "../../config/RubricInForce.ts"
import type { Addresses } from "../../config/Settings.ts"
import { docsFile } from "../../files/PackageFiles.ts"
import { criterionIds } from "../../mcp/features/Resources.ts"
import {
  AI_CATALOG_TYPE,
  aiCatalog,
  SERVER_CARD_TYPE,
  serverCard,
  serverCardPaths,
  serverCardUrl
} from "../../mcp/transport/ServerInfo.ts"
import { CachedResponse, ResponseCache } from "../../response/ResponseCache.ts"
import { JSON_TYPE } from "../../response/CommonHeaders.ts"
import { type DocsBook, DocsPages } from "../docs/DocsBook.ts"
import { filledIn } from "../docs/DocText.ts"
import { toldUnavailable } from "../kit/NoticePage.ts"

const TEXT = "text/plain; charset=utf-8"
const XML = "application/xml; charset=utf-8"
const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

const JWK_SET = "application/jwk-set+json"

type DiscoveryFile = readonly [path: string, type: string, text: Effect.Effect<string, StoreUnavailable>]

const HEADERS = { "cache-control": "public, max-age=3600" }

/** llms.txt: a summary, and all pages of the documentation with one line each. */
const ownLlmsTxt = ({ sections }: DocsBook, { base, docs, mcp }: Addresses): string =>
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
      `- [Keys of signed reports](${base}${KEYS_PATH}): a JWK Set, for \`docgauge verify\`.`,
      `- [AGENTS.md](${base}/AGENTS.md): instructions for agents that work with docgauge.`,
      `- [Documentation](${docs}): the first page, for people.`
    ].join("\n")
  ].join("\n\n") + "\n"

/** llms-full.txt: the Markdown of all pages, each under its URL. */
const llmsFullTxt = ({ docs }: DocsBook): string =>
  docs.map(({ plainMarkdown, url }) => `<!-- ${url} -->\n\n${plainMarkdown().trim()}\n`).join("\n")

/** Explicitly allowed crawlers: those that fetch for search and training. */
const AI_CRAWLERS = ["GPTBot", "OAI-SearchBot", "ClaudeBot", "Claude-SearchBot", "PerplexityBot", "Google-Extended"]

/** Explicitly allowed agents that fetch what a user asked for. */
const AI_ASSISTANTS = ["ChatGPT-User", "Claude-User", "Perplexity-User"]

/** Plans, their prompts and files: the first request starts work, so crawlers must not follow the links to them. */
const NOT_CRAWLED = ["Disallow: /r/*/fix", "Disallow: /r/*/prompt.txt"]

/**
 * Allows everything except the authorization endpoints, and to crawlers the plans of runs. It says nothing about training, which the
 * operator decides.
 */
const robotsTxt = (baseUrl: string): string =>
  [
    "User-agent: *",
    "Content-Signal: search=yes, ai-input=yes",
    "Disallow: /oauth/",
    ...NOT_CRAWLED,
    "Allow: /",
    "",
    ...AI_CRAWLERS.map((agent) => `User-agent: ${agent}`),
    "Disallow: /oauth/",
    ...NOT_CRAWLED,
    "Allow: /",
    "",
    ...AI_ASSISTANTS.map((agent) => `User-agent: ${agent}`),
    "Disallow: /oauth/",
    "Allow: /",
    "",
    `Sitemap: ${baseUrl}/sitemap.xml`,
    ""
  ].join("\n")

/** The API catalog of RFC 9727, a linkset of RFC 9264: our APIs and their descriptions. */
const apiCatalog = ({ base, docs, mcp }: Addresses) => ({
  linkset: [
    {
      anchor: base,
      "service-desc": [
        { href: `${base}/openapi.json`, type: "application/vnd.oai.openapi+json" },
        { href: `${base}/openapi.yaml`, type: "application/vnd.oai.openapi" }
      ],
      "service-doc": [{ href: docs, type: "text/html" }],
      "service-meta": [{ href: `${base}${KEYS_PATH}`, type: JWK_SET }],
      status: [{ href: `${base}/healthz`, type: "application/json" }]
    },
    {
      anchor: mcp,
      "service-meta": [{ href: serverCardUrl(mcp), type: SERVER_CARD_TYPE }],
      "service-doc": [{ href: `${docs}/v1/mcp-server`, type: "text/html" }]
    }
  ]
})

const SKILL_PATH = "/.well-known/agent-skills/audit-documentation/SKILL.md"

/** The index of skills for agents. */
const agentSkills = ({ base }: Addresses) => ({
  skills: [
    {
      name: "audit-documentation",
      description:
        "Audit an API documentation site for AI readiness with docgauge, read the report, and fix the biggest losses. Use when someone asks how findable, readable or agent-friendly a documentation site is.",
      url: `${base}${SKILL_PATH}`
    }
  ]
})

/** A page for search engines and agents. */
interface OwnSitemapEntry {
  readonly url: string
  /** The day of its last change, `YYYY-MM-DD`; `null` if unknown. */
  readonly changed: string | null
}

/** sitemap.xml of some pages. */
const sitemap = (entries: ReadonlyArray<OwnSitemapEntry>): string =>
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
const sitemapMarkdown = (
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

/** The files that agents and crawlers look for, at the root and below the documentation. */
export const discoveryRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { addresses, book, facts } = yield* DocsPages
    const responses = yield* ResponseCache
    const { rubric } = yield* RubricInForce
    const { published } = yield* ReportSigner
    const { base, docs, mcp } = addresses
    const below = trimTrailingSlashes(new URL(docs).pathname)
    const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
    const entries = ({ bot, docs }: DocsBook): ReadonlyArray<OwnSitemapEntry> => [
      { url: `${base}/`, changed: null },
      { url: `${base}/browse`, changed: null },
      ...["", ...criterionIds(rubric).map((id) => `/${id}`)].map((path) => ({
        url: `${base}/rubric${path}`,
        changed: rubric.changes[0]?.date ?? null
      })),
      { url: bot.url, changed: bot.updated },
      ...docs.map(({ updated, url }) => ({ url, changed: updated }))
    ]
    const filled = (name: string) => Effect.map(facts, (known) => filledIn(docsFile(name), known))
    const files: ReadonlyArray<DiscoveryFile> = [
      ["/llms.txt", MARKDOWN_TYPE, Effect.map(book, (all) => ownLlmsTxt(all, addresses))],
      ["/llms-full.txt", MARKDOWN_TYPE, Effect.map(book, llmsFullTxt)],
      ["/robots.txt", TEXT, Effect.sync(() => robotsTxt(base))],
      ["/sitemap.xml", XML, Effect.map(book, (all) => sitemap(entries(all)))],
      ["/sitemap.md", MARKDOWN_TYPE, Effect.map(book, (all) => sitemapMarkdown(all, rubric.categories))],
      ["/index.md", MARKDOWN_TYPE, filled("index.md")],
      ["/AGENTS.md", MARKDOWN_TYPE, filled("AGENTS.md")],
      [SKILL_PATH, MARKDOWN_TYPE, filled("SKILL.md")],
      ["/.well-known/agent-skills/index.json", JSON_TYPE, Effect.sync(() => json(agentSkills(addresses)))],
      ["/.well-known/api-catalog", LINKSET, Effect.sync(() => json(apiCatalog(addresses)))],
      [KEYS_PATH, JWK_SET, Effect.map(published, (keys) => json({ keys }))],
      ["/.well-known/ai-catalog.json", AI_CATALOG_TYPE, Effect.sync(() => json(aiCatalog(mcp, docs)))],
      ...serverCardPaths(mcp).map((path): DiscoveryFile => [
        path,
        SERVER_CARD_TYPE,
        Effect.sync(() => json(serverCard(mcp, docs)))
      ])
    ]
    for (const [path, type, text] of files) {
      const response = responses.get(
        path,
        CachedResponse,
        Effect.map(text, (content) => new CachedResponse(content, { type, headers: HEADERS }))
      )
      const answer = Effect.flatMap(HttpServerRequest, (request) =>
        toldUnavailable(
          request,
          Effect.flatMap(response, (cached) => cached.to(request))
        )
      )
      yield* router.add("GET", `/${path.slice(1)}`, answer)
      if (path.startsWith("/llms") && below !== "") yield* router.add("GET", `/${below.slice(1)}${path}`, answer)
    }
  })
)
