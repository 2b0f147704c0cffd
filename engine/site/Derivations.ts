import * as Struct from "effect/Struct"
import type { Spender } from "../evidence/AuditBudget.ts"
import { spec } from "./apispec/SpecGathering.ts"
import { baseSpender } from "./base/Base.ts"
import type { Derivation, Using, ValueOf } from "./base/Derivation.ts"
import { drift } from "./drift/SiteDrift.ts"
import { markdownVersions } from "./markdown/MarkdownVersions.ts"
import { negotiation } from "./markdown/Negotiation.ts"
import { opening, sample } from "./sample/Sample.ts"
import { referencePages, referenceSearch } from "./topics/ReferencePages.ts"
import { topicPages, topicSearch } from "./topics/TopicPages.ts"
import { aiCatalog } from "./wellknown/AiCatalog.ts"
import { notFoundProbe } from "./wellknown/NotFoundProbe.ts"
import { fullText } from "./wellknown/FullText.ts"
import { llmsTxt } from "./wellknown/LlmsTxt.ts"
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
