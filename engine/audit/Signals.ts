import * as Effect from "effect/Effect"
import { below } from "../evidence/Address.ts"
import { RANK, type Spender } from "../evidence/AuditBudget.ts"
import { type Exchange, header, isAnswer, isOk } from "../evidence/Exchange.ts"
import { openingOf } from "../evidence/BodyText.ts"
import { countsAsAbsent } from "../site/wellknown/FileVerdict.ts"
import type { Site } from "../site/Site.ts"
import type { Signal } from "./Report.ts"

/** What the signals may fetch; the last that a small budget is handed out to. */
export const signalsSpender: Spender = { collector: "site/signals", budget: { requests: 3, redirects: 0, megabytes: 1 }, rank: RANK.own }

/** Well-known documents that earn nothing yet. */
const DOCUMENTS = [
  { id: "security_txt", path: ".well-known/security.txt", expected: "text" },
  { id: "web_bot_auth", path: ".well-known/http-message-signatures-directory", expected: "json" },
  { id: "sitemap_md", path: "sitemap.md", expected: "markdown" }
] as const

/** WebMCP: a page that offers tools to the browser's agent. */
const WEB_MCP = /\bnavigator\.modelContext\b|<form[^>]{0,500}\btoolname=/i

/**
 * Signals that a later version of the rubric may promote to criteria: reported, outside the score. Headers and pages
 * are those that were fetched anyway.
 */
export const gatherSignals = Effect.fn("Signals.gather")(function*(site: Site): Effect.fn.Return<ReadonlyArray<Signal>> {
  const notFoundProbe = yield* site.notFoundProbe
  const documents = yield* site.getAll(DOCUMENTS.map(({ path }) => below(site.base.origin, path)))
  const { pages } = yield* site.sample
  const negotiated = (yield* site.negotiation).pages.map(({ exchange }) => exchange)
  const answers: ReadonlyArray<Exchange> = [...pages.map(({ answer }) => answer), ...negotiated]
  const firstWith = (holds: (exchange: Exchange) => boolean): Exchange | undefined => answers.find(holds)
  const sends = (name: string) => (exchange: Exchange): boolean => isAnswer(exchange) && header(exchange, name) !== null
  const signal = (id: string, exchange: Exchange | undefined): Signal => ({ id, seen: exchange !== undefined, url: (exchange ?? site.base.exchange).url })
  return [
    ...DOCUMENTS.map(({ expected, id }, index): Signal => {
      const exchange = documents[index]
      const seen = exchange !== undefined && isOk(exchange) && !countsAsAbsent(notFoundProbe, exchange, expected)
      return { id, seen, url: exchange?.url ?? site.base.url }
    }),
    signal("content_signal_header", firstWith(sends("content-signal"))),
    signal("markdown_tokens_header", firstWith(sends("x-markdown-tokens"))),
    signal("agent_payments", firstWith((exchange) => isAnswer(exchange) && exchange.status === 402)),
    signal("web_mcp", pages.find(({ answer, format }) => format === "html" && WEB_MCP.test(openingOf(answer)))?.answer)
  ]
})
