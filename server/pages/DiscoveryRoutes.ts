import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { trimTrailingSlashes } from "../../engine/evidence/Trim.ts"
import { docsFile } from "../DocsFolder.ts"
import { JSON_TYPE } from "../http/Answers.ts"
import { criterionIds } from "../mcp/RubricPages.ts"
import { RubricInForce } from "../RubricInForce.ts"
import { DocsPages } from "./docs/DocsPages.ts"
import { filledIn } from "./docs/DocText.ts"
import { once } from "./docs/Once.ts"
import { llmsFullTxt, llmsTxt } from "./discovery/LlmsTxt.ts"
import { robotsTxt } from "./discovery/RobotsTxt.ts"
import { sitemap, type SitemapEntry } from "./discovery/Sitemap.ts"
import { agentSkills, apiCatalog, SKILL_PATH } from "./discovery/WellKnown.ts"
import { LastingContent } from "./kit/LastingContent.ts"

const MARKDOWN = "text/markdown; charset=utf-8"
const TEXT = "text/plain; charset=utf-8"
const XML = "application/xml; charset=utf-8"
const LINKSET = "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\""

/** Written when it is first asked for. */
type DiscoveryFile = readonly [path: string, type: string, text: () => string]

/** Kept for an hour by whoever reads them often. */
const HEADERS = { "cache-control": "public, max-age=3600" }

/** What agents and crawlers look for, where they look: at the root, and below the documentation. */
export const discoveryRoutes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { book, facts } = yield* DocsPages
  const { rubric } = yield* RubricInForce
  const { addresses } = facts
  const { base, docs } = addresses
  const below = trimTrailingSlashes(new URL(docs).pathname)
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
  const entries = (): ReadonlyArray<SitemapEntry> => [
    { url: `${base}/`, changed: null },
    { url: `${base}/browse`, changed: null },
    ...["", ...criterionIds(rubric).map((id) => `/${id}`)].map((path) => ({ url: `${base}/rubric${path}`, changed: rubric.changes[0]?.date ?? null })),
    { url: book().bot.url, changed: book().bot.updated },
    ...book().docs.map(({ updated, url }) => ({ url, changed: updated }))
  ]
  const files: ReadonlyArray<DiscoveryFile> = [
    ["/llms.txt", MARKDOWN, () => llmsTxt(book(), addresses)],
    ["/llms-full.txt", MARKDOWN, () => llmsFullTxt(book())],
    ["/robots.txt", TEXT, () => robotsTxt(base)],
    ["/sitemap.xml", XML, () => sitemap(entries())],
    ["/index.md", MARKDOWN, () => filledIn(docsFile("index.md"), facts)],
    ["/AGENTS.md", MARKDOWN, () => filledIn(docsFile("AGENTS.md"), facts)],
    [SKILL_PATH, MARKDOWN, () => filledIn(docsFile("SKILL.md"), facts)],
    ["/.well-known/agent-skills/index.json", JSON_TYPE, () => json(agentSkills(addresses))],
    ["/.well-known/api-catalog", LINKSET, () => json(apiCatalog(addresses))]
  ]
  for (const [path, type, text] of files) {
    const content = once(() => new LastingContent(text(), { type, headers: HEADERS }))
    const answer = Effect.flatMap(HttpServerRequest, (request) => content().to(request))
    yield* router.add("GET", `/${path.slice(1)}`, answer)
    if (path.startsWith("/llms") && below !== "") yield* router.add("GET", `/${below.slice(1)}${path}`, answer)
  }
}))
