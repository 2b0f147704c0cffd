import type { Recorded } from "./Archive.ts"
import { isSuccess, redirectLocation } from "../Exchange.ts"
import { OPENING_BYTES } from "../BodyText.ts"

/** The size limit of an archive that the service keeps, in bytes on disk (compressed). */
export const MOST_ARCHIVE_BYTES = 10 * 1024 * 1024

/** How much of a body stays when all of it was evidence: for people to look at; a replay does not judge it. */
const BEGINNING_BYTES = 16 * 1024

/** How much of a body an archive keeps. */
export interface BodyCut {
  /** From the beginning of the body. */
  readonly bytes: number
  /** No criterion reads beyond that: a replay counts the body as whole. */
  readonly unread: boolean
}

/** A recorded exchange and what it takes. */
export interface SizedExchange {
  readonly one: Recorded
  /** Compressed, in bytes. */
  readonly size: number
  /** The most that it takes, compressed, with this many bytes of its body. */
  readonly sizeWith: (bodyBytes: number) => number
}

/**
 * Which bodies to cut so that an archive is shorter by `surplus` bytes: first what no criterion reads (bodies of
 * redirects that were followed, error pages beyond their beginning), then those of exchanges that the fewest criteria
 * lean on, and those of the base page and robots.txt, on which the whole audit leans, last; the largest first.
 */
export const bodyCuts = (exchanges: ReadonlyArray<SizedExchange>, surplus: number): ReadonlyMap<Recorded, BodyCut> => {
  const cuts = new Map<Recorded, BodyCut>()
  const sizes = new Map(exchanges.map(({ one, size }) => [one, size]))
  let left = surplus
  for (const {
    cut,
    exchange: { one, sizeWith }
  } of candidates(exchanges)) {
    if (left <= 0) break
    const size = sizes.get(one) ?? 0
    const after = sizeWith(cut.bytes)
    if (after >= size) continue
    cuts.set(one, cut)
    sizes.set(one, after)
    left -= size - after
  }
  return cuts
}

interface Candidate {
  readonly exchange: SizedExchange
  readonly cut: BodyCut
  /** The lowest is cut first. */
  readonly rank: number
}

const candidates = (exchanges: ReadonlyArray<SizedExchange>): ReadonlyArray<Candidate> =>
  exchanges
    .flatMap((exchange): ReadonlyArray<Candidate> => {
      const {
        hop,
        request: { asked }
      } = exchange.one
      if (hop._tag === "HopFault") return []
      const read = redirectLocation(asked.method, hop) !== null ? 0 : isSuccess(hop.status) ? Infinity : OPENING_BYTES
      return [
        { bytes: read, unread: true, rank: -1 },
        { bytes: BEGINNING_BYTES, unread: false, rank: leaning(exchange.one) }
      ]
        .filter(({ bytes }) => bytes < hop.body.length)
        .map(({ bytes, rank, unread }) => ({ exchange, cut: { bytes, unread }, rank }))
    })
    .sort((one, other) => one.rank - other.rank || other.exchange.size - one.exchange.size)

/** Collectors whose answers decide whether there is a report at all. */
const ESSENTIAL: ReadonlySet<string> = new Set(["site/base", "site/robots"])

/** How many criteria lean on an exchange. Where that is not known, any number may. */
const leaning = ({ askedBy, callers = [] }: Recorded): number => {
  if (callers.some((caller) => ESSENTIAL.has(caller))) return Number.MAX_SAFE_INTEGER
  return askedBy?.length ?? Number.MAX_SAFE_INTEGER - 1
}
