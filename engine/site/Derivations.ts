import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { Spender } from "../evidence/AuditBudget.ts"
import type { Evidence } from "../evidence/Evidence.ts"
import type { Answer, Exchange } from "../evidence/Exchange.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import { spec } from "./apispec/SpecGathering.ts"
import { baseSpender, placeAt } from "./base/Base.ts"
import type { Derivation, Using, ValueOf } from "./base/Derivation.ts"
import { drift } from "./drift/SiteDrift.ts"
import { markdownVersions } from "./markdown/MarkdownVersions.ts"
import { negotiation } from "./markdown/Negotiation.ts"
import { opening, sample } from "./sample/Sample.ts"
import { referencePages, referenceSearch } from "./topics/PageSearch.ts"
import { topicPages, topicSearch } from "./topics/TopicPages.ts"
import { aiCatalog } from "./wellknown/AiCatalog.ts"
import { fullText } from "./wellknown/FullText.ts"
import { llmsTxt } from "./wellknown/LlmsTxt.ts"
import { notFoundProbe } from "./wellknown/FileVerdict.ts"
import { robots } from "./wellknown/Robots.ts"
import { sitemaps } from "./wellknown/Sitemap.ts"

/**
 * Everything that is derived of a site, by its name there. The order is that in which early requests are sent and, within a
 * rank, a small budget is handed out.
 */
const declared = {
  robots,
  llmsTxt,
  sitemaps,
  notFoundProbe,
  sample,
  opening,
  markdownVersions,
  spec,
  fullText,
  negotiation,
  topicSearch,
  topicPages,
  referenceSearch,
  referencePages,
  aiCatalog,
  drift
}

/** What each derivation gives. */
export type DerivedValues = { readonly [Name in keyof typeof declared]: ValueOf<(typeof declared)[Name]> }

/** What several criteria need of a site, each derived once, on first use. */
export type Derived = Using<DerivedValues>

export type DerivationName = keyof Derived

/** By name; each uses no other derivations than these. */
export const derivations: { readonly [Name in DerivationName]: Derivation<DerivedValues[Name], Derived> } = declared

const { robots: _, ...others } = declared

/** What everything that is gathered of a site may fetch, in the order in which a small budget is handed out. */
export const siteSpenders: ReadonlyArray<Spender> = [robots, baseSpender, ...Object.values(others)]

export const derivationNames: ReadonlyArray<DerivationName> = Struct.keys(declared)

/**
 * Makes the early requests of all derivations while the base page is being read. None where that page may redirect: the
 * requests would be for another base.
 */
export const requestEarly = Effect.fn("Site.requestEarly")(function* (
  evidence: Evidence["Service"],
  { answer, audited, robots }: { readonly audited: string; readonly answer: Answer; readonly robots: Exchange }
) {
  if (mayRedirect(answer)) return
  const arrival = { base: placeAt(audited, answer.url), robots, limits: yield* FetchLimits }
  const requests = Object.values(derivations).flatMap(({ collector, early }) =>
    early === undefined ? [] : [evidence.collector(collector).getAll(early(arrival))]
  )
  yield* Effect.all(requests, { concurrency: "unbounded", discard: true })
})

/** Pages whose script does nothing but redirect are short. */
const SHORT_BYTES = 5_000

/** Judged by the bytes, without parsing the page: a meta refresh, or a short page with a script that may redirect. */
const mayRedirect = ({ body }: Answer): boolean => {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1")
  return (
    /http-equiv\s{0,9}=\s{0,9}["']?refresh/i.test(text) || (body.byteLength < SHORT_BYTES && text.includes("location"))
  )
}
