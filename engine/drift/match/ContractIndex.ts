import type { ContractOperation, SpecContract } from "../../apispec/Contract.ts"
import { siteOf } from "../../evidence/Address.ts"
import { basesOf, belowBase, type CalledAddressParts, isHostOf, isStandIn, type ServerBase } from "./Hosts.ts"
import { isParameterSegment, isVersionSegment, segmentsOf, type Templates, templatesOf } from "./Templates.ts"

/** A contract made ready to look calls up: work for a call does not grow with the number of operations. */
export interface ContractIndex {
  readonly contract: SpecContract
  /** URL of the description: relative servers count from there. */
  readonly url: string
  /** Those with the longest base path first. */
  readonly bases: ReadonlyArray<ServerBase>
  /** Entries are indices into `contract.operations`. */
  readonly templates: Templates
  /** Of each operation's path. */
  readonly segments: ReadonlyArray<ReadonlyArray<string>>
  /** Names in the query part that some descriptions write into a path. */
  readonly pathQueries: ReadonlyArray<ReadonlySet<string>>
  /** Versions that base paths and templates have. */
  readonly versions: ReadonlyArray<string>
  /** Operations that have a word like this one, by `kinKeys`. */
  readonly kin: () => ReadonlyMap<string, ReadonlyArray<number>>
}

/** Operations that are kept for one key and words of one operation, and versions. */
const KIN = 20
const VERSIONS = 10

/** Some descriptions tell operations of one path apart by a query, a fragment or a remark in the path: `/messages (text)`. */
const withoutQuery = (path: string): string =>
  (path.split(/[?#]/, 1)[0] ?? "").replace(/\s\([^()]{0,200}\)\s{0,9}$/, "").trimEnd()

const queryNames = (path: string): ReadonlySet<string> => {
  const at = path.indexOf("?")
  const pairs = at < 0 ? [] : (path.slice(at + 1).split("#", 1)[0] ?? "").split("&")
  // The value may be a parameter of the operation, which a call then sends by the other name: `?by={depot}`.
  const names = pairs.flatMap((pair) => [pair.split("=", 1)[0] ?? "", /=\{([^{}]{1,100})\}$/.exec(pair)?.[1] ?? ""])
  return new Set(names.filter((name) => name !== ""))
}

export const indexContract = (contract: SpecContract, url: string): ContractIndex => {
  const segments = contract.operations.map(({ path }) => segmentsOf(withoutQuery(path)))
  const bases = basesOf(contract.servers, url)
  const words = segments.flat().filter((segment) => !isParameterSegment(segment))
  const versions = [...bases.flatMap((base) => base.segments), ...words].filter(isVersionSegment)
  return {
    contract,
    url,
    bases: bases.toSorted((one, other) => other.segments.length - one.segments.length),
    templates: templatesOf(segments.map((own, entry) => ({ segments: own, entry }))),
    segments,
    pathQueries: contract.operations.map(({ path }) => queryNames(path)),
    versions: [...new Set(versions)].slice(0, VERSIONS),
    // Most sites have no false path.
    kin: lazily(() => kinOf(segments))
  }
}

/** Letters of a word that are looked at for what it is like. */
const LETTERS = 30

/** Every three letters in a row, which words that are alike share; of a short word the word itself. */
export const kinKeys = (segment: string): ReadonlyArray<string> => {
  const word = segment
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .slice(0, LETTERS)
  return word.length < 3 ? [word] : Array.from({ length: word.length - 2 }, (_, at) => word.slice(at, at + 3))
}

const kinOf = (segments: ContractIndex["segments"]): ReadonlyMap<string, ReadonlyArray<number>> => {
  const kin = new Map<string, Array<number>>()
  for (const [operation, own] of segments.entries()) {
    const words = own.filter((segment) => !isParameterSegment(segment)).slice(0, KIN)
    for (const key of new Set(words.flatMap(kinKeys))) {
      const some = kin.get(key) ?? []
      if (some.length < KIN) some.push(operation)
      kin.set(key, some)
    }
  }
  return kin
}

/** Made when it is first asked for. */
export const lazily = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Whether an operation is on a server: one without servers of its own is on the common ones, or on any if there are none. */
export const isOnServer = ({ contract }: ContractIndex, { servers }: ContractOperation, server: number): boolean => {
  const own = servers ?? contract.commonServers
  return own.length === 0 || server < 0 || own.includes(server)
}

/** How sure it is that an address is one of the API. */
type Certainty =
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
