import { siteOf } from "../../evidence/Address.ts"
import type { ContractIndex } from "./ContractIndex.ts"
import { type CalledAddressParts, type ServerBase, belowBase, isHostOf, isStandIn } from "./Hosts.ts"

/** How sure it is that an address is one of the API. */
export type Certainty =
  /** The host is a server's, and the base path is right. */
  | "server"
  /** A path without a host, or with one that stands for any. */
  | "path"
  /** Another host of the server's domain, or a path below a prefix: only what fits exactly counts. */
  | "guess"

/** A way to read an address: what is left of its path below the base path of a server. */
export interface Reading {
  readonly certainty: Certainty
  readonly base: ServerBase
  readonly path: ReadonlyArray<string>
}

/** Prefixes of paths that a server without a base path may be behind. */
const PREFIX = 3

/** How an address may be meant, likeliest first; empty where its host is another one than that of the API. */
export const readingsOf = (
  { host, segments }: CalledAddressParts,
  { bases }: ContractIndex,
  page: string
): ReadonlyArray<Reading> => {
  if (host === null) return bases.flatMap((base) => pathReadings(base, segments))
  const own = bases.filter((base) => base.host === host || (base.kind === "known" && isHostOf(base, host)))
  if (own.length > 0) return own.flatMap((base) => readingBelow("server", base, segments))
  const anyHost = bases.filter(({ kind }) => kind === "any")
  if (isStandIn(host) || siteOf(host) === siteOf(URL.parse(page)?.hostname ?? "")) {
    const readings = anyHost.flatMap((base) => pathReadings(base, segments))
    if (readings.length > 0) return readings
  }
  const siblings = bases.filter((base) => base.kind === "known" && siteOf(base.host) === siteOf(host))
  return siblings.flatMap((base) => readingBelow("guess", base, segments))
}

const readingBelow = (
  certainty: Certainty,
  base: ServerBase,
  segments: ReadonlyArray<string>
): ReadonlyArray<Reading> => {
  const path = belowBase(base, segments)
  return path === null ? [] : [{ certainty, base, path }]
}

/** Without a host the base path may be there or not. */
const pathReadings = (base: ServerBase, segments: ReadonlyArray<string>): ReadonlyArray<Reading> => {
  const below = base.segments.length === 0 ? [] : readingBelow("path", base, segments)
  const isBare = base.kind === "any" && base.segments.length === 0
  const prefixed = isBare ? segments.slice(0, PREFIX).map((_, at) => segments.slice(at + 1)) : []
  return [
    ...below,
    { certainty: "path", base, path: segments },
    ...prefixed.map((path): Reading => ({ certainty: "guess", base, path }))
  ]
}
