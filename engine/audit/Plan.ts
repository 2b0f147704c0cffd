import type { Allowance } from "../evidence/Reservation.ts"
import type { FetchLimits } from "../evidence/FetchLimits.ts"

const MB = 1024 * 1024

interface Share {
  readonly collector: string
  readonly asks: number
  readonly hops: number
  /** In megabytes. */
  readonly megabytes: number
}

/**
 * What everything that fetches may spend, in the order in which a smaller budget is handed out. Of requests that wait, those
 * of an earlier group are sent first: what the sample and so most else waits for, what criteria wait for, and what single
 * criteria ask for themselves. Within a group they go in the order of asking.
 */
const shares = (sampleSize: number): ReadonlyArray<ReadonlyArray<Share>> => [[
  { collector: "site/robots", asks: 1, hops: 1, megabytes: 1 },
  { collector: "site/base", asks: 3, hops: 5, megabytes: 5 },
  { collector: "site/canary", asks: 3, hops: 3, megabytes: 1 },
  { collector: "site/llms-txt", asks: 7, hops: 1, megabytes: 3 },
  { collector: "site/sitemaps", asks: 7, hops: 1, megabytes: 6 },
  { collector: "site/sample", asks: sampleSize, hops: sampleSize, megabytes: 16 }
], [
  { collector: "site/twins", asks: sampleSize + 6, hops: 1, megabytes: 4 },
  { collector: "site/spec", asks: 12, hops: 1, megabytes: 22 },
  { collector: "site/aggregates", asks: 4, hops: 1, megabytes: 12 },
  { collector: "site/negotiation", asks: 5, hops: 1, megabytes: 2 },
  { collector: "site/subjects", asks: 10, hops: 4, megabytes: 4 }
], [
  { collector: "A1", asks: 10, hops: 2, megabytes: 2 },
  { collector: "A4", asks: 5, hops: 3, megabytes: 2 },
  { collector: "B3", asks: 3, hops: 1, megabytes: 1 },
  { collector: "E4", asks: 3, hops: 1, megabytes: 3 },
  { collector: "F1", asks: 5, hops: 0, megabytes: 1 },
  { collector: "F2", asks: 7, hops: 0, megabytes: 1 },
  { collector: "F3", asks: 10, hops: 0, megabytes: 1 },
  { collector: "site/signals", asks: 3, hops: 0, megabytes: 1 }
]]

/** For a plugin that the plan does not name. */
const GUEST = { asks: 5, hops: 1, bytes: MB }

/**
 * Reservations for one audit: fixed before it starts, so that what a budget leaves out does not depend on timing. What
 * retries may take stays aside. A smaller budget is handed out in this order until nothing is left; a larger sample
 * asks for a larger one.
 */
export const planFor = (limits: FetchLimits, sampleSize: number): (collector: string) => Allowance => {
  const plan = new Map<string, Allowance>()
  let requests = Math.max(0, limits.requests - limits.retriesPerAudit)
  let bytes = limits.auditBytes
  const groups = shares(sampleSize)
  for (const { rank, ...share } of groups.flatMap((group, rank) => group.map((share) => ({ ...share, rank })))) {
    const asks = Math.min(share.asks, requests)
    const hops = Math.min(share.hops, requests - asks)
    const room = Math.min(share.megabytes * MB, bytes)
    plan.set(share.collector, { asks, hops, bytes: room, rank })
    requests -= asks + hops
    bytes -= room
  }
  return (collector) => plan.get(collector) ?? { ...GUEST, rank: groups.length }
}
