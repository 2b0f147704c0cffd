import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { MARKDOWN_TYPE } from "../../../engine/text/HttpValues.ts"
import { trimTrailingSlashes } from "../../../engine/text/WhiteSpace.ts"
import { docsFile } from "../../files/DocsFolder.ts"
import { JSON_TYPE } from "../../response/CommonHeaders.ts"
import { criterionIds } from "../../mcp/features/RubricMarkdown.ts"
import {
  AI_CATALOG_TYPE,
  aiCatalog,
  SERVER_CARD_TYPE,
  serverCard,
  serverCardPaths
} from "../../mcp/transport/ServerCard.ts"
import { RubricInForce } from "../../config/RubricInForce.ts"
import type { DocsBook } from "../docs/DocsBook.ts"
import { DocsPages } from "../docs/DocsPages.ts"
import { filledIn } from "../docs/DocText.ts"
import { llmsFullTxt, ownLlmsTxt } from "./OwnLlmsTxt.ts"
import { robotsTxt } from "./RobotsTxt.ts"
import { sitemap, sitemapMarkdown, type OwnSitemapEntry } from "./OwnSitemap.ts"
import { agentSkills, apiCatalog, SKILL_PATH } from "./WellKnown.ts"
import { ResponseCache } from "../../response/ResponseCache.ts"
import { CachedResponse } from "../../response/CachedResponse.ts"

const TEXT = "text/plain; charset=utf-8"
const XML = "application/xml; charset=utf-8"
const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

type DiscoveryFile = readonly [path: string, type: string, text: Effect.Effect<string>]

const HEADERS = { "cache-control": "public, max-age=3600" }

/** The files that agents and crawlers look for, at the root and below the documentation. */
export const discoveryRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { addresses, book, facts } = yield* DocsPages
    const responses = yield* ResponseCache
    const { rubric } = yield* RubricInForce
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
        Effect.flatMap(response, (cached) => cached.to(request))
      )
      yield* router.add("GET", `/${path.slice(1)}`, answer)
      if (path.startsWith("/llms") && below !== "") yield* router.add("GET", `/${below.slice(1)}${path}`, answer)
    }
  })
)
