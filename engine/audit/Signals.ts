import * as Effect from "effect/Effect"
import { counted, enumerated, pathShown } from "../plugin/Wording.ts"
import { below } from "../evidence/Address.ts"
import { RANK, type Spender } from "../evidence/AuditBudget.ts"
import { type Exchange, header, isAnswer, isOk } from "../evidence/Exchange.ts"
import { openingOf } from "../evidence/BodyText.ts"
import type { AiCatalog, AiCatalogFile } from "../site/wellknown/AiCatalog.ts"
import { countsAsAbsent } from "../site/wellknown/FileVerdict.ts"
import type { Site } from "../site/Site.ts"
import type { Signal } from "./Report.ts"

/** What the signals may fetch; the last that a small budget is handed out to. */
export const signalsSpender: Spender = {
  collector: "site/signals",
  // Each of the documents, once.
  budget: { requests: 3, megabytes: 1 },
  rank: RANK.own
}

type SignalId =
  | (typeof DOCUMENTS)[number]["id"]
  | "content_signal_header"
  | "markdown_tokens_header"
  | "agent_payments"
  | "web_mcp"
  | "ai_catalog"

/** The name of each signal, and what it is good for. */
const TEXTS: Readonly<Record<SignalId, readonly [name: string, why: string]>> = {
  security_txt: ["security.txt", "Says where to report a vulnerability (RFC 9116)."],
  web_bot_auth: ["Web Bot Auth keys", "Let other sites verify the signed requests of this site's agents."],
  sitemap_md: ["sitemap.md", "Lists the pages as Markdown."],
  content_signal_header: ["Content-Signal header", "States with each response what AI may do with it."],
  markdown_tokens_header: ["x-markdown-tokens header", "Tells an agent what reading the Markdown costs."],
  agent_payments: ["Payment by agents (status 402)", "Asks agents to pay for a page."],
  web_mcp: ["WebMCP", "Offers tools to the agent in a reader's browser."],
  ai_catalog: ["AI catalogue", "Lists the servers, agents and skills of a site for machines."]
}

/** Well-known documents that earn nothing yet. */
const DOCUMENTS = [
  { id: "security_txt", path: ".well-known/security.txt", expected: "text" },
  { id: "web_bot_auth", path: ".well-known/http-message-signatures-directory", expected: "json" },
  { id: "sitemap_md", path: "sitemap.md", expected: "markdown" }
] as const

/** WebMCP: a page that offers tools to the browser's agent. `navigator.modelContext` is the older name. */
const WEB_MCP = /\b(?:document|navigator)\.modelContext\b|<form[^>]{0,500}\btoolname=/i

/**
 * Signals that a later version of the rubric may promote to criteria: reported, outside the score. Headers and pages
 * are those that were fetched anyway.
 */
export const gatherSignals = Effect.fn("Signals.gather")(function* (
  site: Site
): Effect.fn.Return<ReadonlyArray<Signal>> {
  const notFoundProbe = yield* site.notFoundProbe
  const documents = yield* site.getAll(DOCUMENTS.map(({ path }) => below(site.base.origin, path)))
  const { pages } = yield* site.sample
  const negotiated = (yield* site.negotiation).pages.map(({ exchange }) => exchange)
  const answers: ReadonlyArray<Exchange> = [...pages.map(({ answer }) => answer), ...negotiated]
  const firstWith = (holds: (exchange: Exchange) => boolean): Exchange | undefined => answers.find(holds)
  const sends =
    (name: string) =>
    (exchange: Exchange): boolean =>
      isAnswer(exchange) && header(exchange, name) !== null
  const named = (id: SignalId, seen: boolean, url: string): Signal => {
    const [name, why] = TEXTS[id]
    return { id, name, why, seen, url }
  }
  const signal = (id: SignalId, exchange: Exchange | undefined): Signal =>
    named(id, exchange !== undefined, (exchange ?? site.base.exchange).url)
  return [
    ...DOCUMENTS.map(({ expected, id }, index): Signal => {
      const exchange = documents[index]
      const seen = exchange !== undefined && isOk(exchange) && !countsAsAbsent(notFoundProbe, exchange, expected)
      return named(id, seen, exchange?.url ?? site.base.url)
    }),
    signal("content_signal_header", firstWith(sends("content-signal"))),
    signal("markdown_tokens_header", firstWith(sends("x-markdown-tokens"))),
    signal(
      "agent_payments",
      firstWith((exchange) => isAnswer(exchange) && exchange.status === 402)
    ),
    signal("web_mcp", pages.find(({ answer, format }) => format === "html" && WEB_MCP.test(openingOf(answer)))?.answer),
    catalogueSignal(yield* site.aiCatalog, named)
  ]
})

/** A catalogue that is not valid is told as such, and does not count as seen. */
const catalogueSignal = (
  { exchanges, file }: AiCatalog,
  named: (id: SignalId, seen: boolean, url: string) => Signal
): Signal => {
  if (file === null) return named("ai_catalog", false, exchanges[0]?.asked.url ?? "")
  const { answer, entries, fault } = file
  const detail =
    fault === null ? `It lists ${listedIn(entries)}.` : `${pathShown(answer.url)} is not a valid one: ${fault}.`
  return { ...named("ai_catalog", fault === null, answer.url), detail }
}

/** Types of entries that the specification recommends, by what they begin with. */
const ENTRY_TYPES = [
  ["application/mcp-server", "MCP server"],
  ["application/a2a-agent-card", "A2A agent"],
  ["application/agent-skills", "skill"],
  ["application/agent-plugins", "plugin"],
  ["application/ai-catalog", "catalogue"]
] as const

/** Counted by type: the names of entries are the site's own words. */
const listedIn = (entries: AiCatalogFile["entries"]): string => {
  const types = entries.map(({ type }) => (typeof type === "string" ? type : ""))
  const known = ENTRY_TYPES.map(([begin, noun]) => ({
    noun,
    count: types.filter((type) => type.startsWith(begin)).length
  }))
  const others = types.length - known.reduce((sum, { count }) => sum + count, 0)
  const parts = [
    ...known.flatMap(({ count, noun }) => (count === 0 ? [] : [counted(count, noun)])),
    ...(others === 0 ? [] : [counted(others, "other entry", "other entries")])
  ]
  return parts.length === 0 ? "nothing" : enumerated(parts)
}
