import { onSite } from "../../evidence/Address.ts"
import type { Exchange } from "../../evidence/Exchange.ts"
import type { SpecSource } from "../../apispec/ApiSpec.ts"
import type { SpecMention } from "./SpecMentions.ts"

/** A URL that may be a description's, with everything that names it. */
export interface CandidateUrl {
  readonly url: string
  /** Each once, in the order of `SpecSource`. */
  readonly sources: ReadonlyArray<SpecSource>
  /** Where it was seen first; `null` for a guess. */
  readonly by: Exchange | null
}

const SOURCES: ReadonlyArray<SpecSource> = ["link", "header", "llms.txt", "catalog", "well_known", "viewer", "inline"]

/** URLs told apart; a site that names more is no easier to understand for it. */
const CANDIDATE_LIMIT = 500

/** One lead for each URL: on the site first, then by how it is announced, then by URL. */
export const candidateUrls = (
  mentions: ReadonlyArray<SpecMention>,
  wellKnown: ReadonlyArray<string>,
  site: string
): ReadonlyArray<CandidateUrl> => {
  const byUrl = new Map<string, { by: Exchange; sources: Set<SpecSource> }>()
  for (const { url, source, by } of mentions) {
    const known = byUrl.get(url) ?? { by, sources: new Set(wellKnown.includes(url) ? ["well_known" as const] : []) }
    known.sources.add(source)
    if (byUrl.size < CANDIDATE_LIMIT) byUrl.set(url, known)
  }
  return [...byUrl]
    .map(([url, { by, sources }]): CandidateUrl => ({
      url,
      by,
      sources: SOURCES.filter((source) => sources.has(source))
    }))
    .sort((one, other) => rank(one, site) - rank(other, site) || (one.url < other.url ? -1 : 1))
}

const rank = ({ url, sources }: CandidateUrl, site: string): number =>
  (onSite(url, site) ? 0 : SOURCES.length) + Math.min(...sources.map((source) => SOURCES.indexOf(source)))
