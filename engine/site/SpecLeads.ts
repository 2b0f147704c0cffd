import { onSite } from "../evidence/Address.ts"
import type { Exchange } from "../evidence/Exchange.ts"
import type { SpecSource } from "./ApiSpec.ts"
import type { Sighting } from "./SpecSightings.ts"

/** An address that may be a description's, with everything that names it. */
export interface Lead {
  readonly url: string
  /** Each once, in the order of `SpecSource`. */
  readonly sources: ReadonlyArray<SpecSource>
  /** Where it was seen first; `null` for a guess. */
  readonly by: Exchange | null
}

const SOURCES: ReadonlyArray<SpecSource> = ["link", "header", "llms.txt", "catalog", "well_known", "viewer", "inline"]

/** Addresses told apart; a site that names more is no easier to understand for it. */
const LEAD_LIMIT = 500

/** One lead for each address: on the site first, then by how it is announced, then by address. */
export const leadsOf = (sightings: ReadonlyArray<Sighting>, wellKnown: ReadonlyArray<string>, site: string): ReadonlyArray<Lead> => {
  const leads = new Map<string, { by: Exchange; sources: Set<SpecSource> }>()
  for (const { url, source, by } of sightings) {
    const lead = leads.get(url) ?? { by, sources: new Set(wellKnown.includes(url) ? ["well_known" as const] : []) }
    lead.sources.add(source)
    if (leads.size < LEAD_LIMIT) leads.set(url, lead)
  }
  return [...leads]
    .map(([url, { by, sources }]): Lead => ({ url, by, sources: SOURCES.filter((source) => sources.has(source)) }))
    .sort((one, other) => rank(one, site) - rank(other, site) || (one.url < other.url ? -1 : 1))
}

const rank = ({ url, sources }: Lead, site: string): number =>
  (onSite(url, site) ? 0 : SOURCES.length) + Math.min(...sources.map((source) => SOURCES.indexOf(source)))
