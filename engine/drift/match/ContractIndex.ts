import type { ContractOperation, ContractServer, SpecContract } from "../../apispec/Contract.ts"
import { siteOf } from "../../evidence/Address.ts"
import { isParameterSegment, isVersionSegment, segmentsOf, type Templates, templatesOf } from "./Templates.ts"
import { isUsable } from "../../apispec/quality/Access.ts"
import { lettersApart } from "../../text/LettersApart.ts"
import { isPlaceholder } from "../ShownCall.ts"

export interface CalledAddressParts {
  /** Lower case, without user and default port; `null` where the address is a path. */
  readonly host: string | null
  readonly segments: ReadonlyArray<string>
}

/** Where an API can be called: a server of its description. */
export interface ServerBase {
  /** Index of the server; -1 where the description declares none. */
  readonly server: number
  /** `known`: a host that is somebody's, or a pattern of such; `any`: a relative server, a placeholder or none. */
  readonly kind: "known" | "any"
  readonly host: string
  /** Of the base path, variables as `{name}`. */
  readonly segments: ReadonlyArray<string>
  /** Values of variables that have only some. */
  readonly values: ReadonlyMap<string, ReadonlyArray<string>>
}

const ADDRESS = /^(?:[a-z][a-z0-9+.-]{0,20}|\{[^{}]{1,100}\}):\/\/([^/?#]{0,500})([^?#]*)/i
const HOST_FIRST = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?::\d{1,5})?(?=\/)/i

/** Holes of templates, which may hold dots or slashes of their own. */
const VARIABLE = /\{([^{}]{1,100})\}/g

const hostOf = (authority: string): string => {
  const host = authority.slice(authority.lastIndexOf("@") + 1).toLowerCase()
  return host.replace(/:(?:443|80)$/, "").replace(/\.$/, "")
}

/** The host and the path of an address as a page writes it. */
export const calledAddressParts = (address: string): CalledAddressParts => {
  const absolute = ADDRESS.exec(address)
  if (absolute !== null) return { host: hostOf(absolute[1] ?? ""), segments: segmentsOf(absolute[2] ?? "") }
  const bare = HOST_FIRST.exec(address)
  if (bare !== null) return { host: hostOf(bare[0]), segments: segmentsOf(address.slice(bare[0].length)) }
  const segments = segmentsOf(address)
  const [first = "", ...rest] = segments
  // `{baseUrl}/orders`, `$API/orders`: the reader's server.
  return { host: null, segments: !address.startsWith("/") && isPlaceholder(first) ? rest : segments }
}

/** A host that is nobody's in particular: `localhost`, `example.com`, `{host}`, `YOUR_DOMAIN`. */
const isStandIn = (host: string): boolean => isPlaceholder(host) || !isUsable(`https://${host.replace(/:\d+$/, "")}/`)

/** The servers of a description, or a base of any host where it has none. */
const basesOf = (servers: ReadonlyArray<ContractServer>, descriptionUrl: string): ReadonlyArray<ServerBase> =>
  servers.length === 0
    ? [{ server: -1, kind: "any", host: "", segments: [], values: new Map() }]
    : servers.map((server, index) => baseOf(server, index, descriptionUrl))

const baseOf = ({ url, variables }: ContractServer, server: number, descriptionUrl: string): ServerBase => {
  const values = new Map(variables.map((variable) => [variable.name, variable.values]))
  const absolute = ADDRESS.exec(url)
  if (absolute === null) {
    const path = url.startsWith("/") || url.startsWith("{") ? url : resolvedPath(url, descriptionUrl)
    return { server, kind: "any", host: "", segments: segmentsOf(path), values }
  }
  const host = hostOf(absolute[1] ?? "")
  const segments = segmentsOf(absolute[2] ?? "")
  return { server, kind: isSomebodys(host) ? "known" : "any", host, segments, values }
}

const resolvedPath = (url: string, descriptionUrl: string): string => URL.parse(url, descriptionUrl)?.pathname ?? url

/** What is left of the host without its variables is a domain that somebody has registered. */
const isSomebodys = (host: string): boolean => {
  const labels = labelsOf(host)
  const fixed = labels.slice(labels.findLastIndex((label) => label.includes("{")) + 1).join(".")
  return fixed.includes(".") && !isStandIn(fixed) && siteOf(fixed).includes(".")
}

/** Labels of a host; variables may hold dots. */
const labelsOf = (host: string): ReadonlyArray<string> => host.replace(VARIABLE, "{}").split(".")

/** Whether a call to `host` is one to the server: variables stand for one label or a part of one. */
export const isHostOf = (base: ServerBase, host: string): boolean => {
  if (base.host === host) return true
  const [pattern, own] = [labelsOf(base.host), labelsOf(host)]
  if (!base.host.includes("{") || pattern.length !== own.length) return false
  return pattern.every((label, index) => {
    const given = own[index] ?? ""
    if (!label.includes("{")) return label === given
    const at = label.indexOf("{}")
    return given.startsWith(label.slice(0, at)) && given.endsWith(label.slice(label.lastIndexOf("}") + 1))
  })
}

/** Shorter names are often one another's neighbours. */
const LONG_NAME = 8
const SHORT_NAME = 4

/** Whether a host is another only by a letter or two of the name that somebody has registered: `api.exmaple.com`. */
export const isHostWrittenWrong = (host: string, own: string): boolean => {
  const [given, right] = [host.split("."), own.split(".")]
  const site = siteOf(own)
  const at = right.length - site.split(".").length
  const [name = "", rightName = ""] = [given[at], right[at]]
  const isOnlyDifference =
    given.length === right.length && given.every((label, index) => index === at || label === right[index])
  if (!isOnlyDifference || name === rightName || rightName.length < SHORT_NAME) return false
  // Digits tell hosts of one service apart.
  const isOfLetters = name.replaceAll(/[^0-9]/g, "") === rightName.replaceAll(/[^0-9]/g, "")
  return isOfLetters && lettersApart(name, rightName) <= (rightName.length < LONG_NAME ? 1 : 2)
}

/** The rest of a path below the base path; `null` where it is not below it. */
export const belowBase = (base: ServerBase, segments: ReadonlyArray<string>): ReadonlyArray<string> | null =>
  base.segments.length <= segments.length &&
  base.segments.every((own, index) => isSegmentOf(base, own, segments[index] ?? ""))
    ? segments.slice(base.segments.length)
    : null

/** Whether a segment is the base path's: a variable stands for any of its values. */
export const isSegmentOf = (base: ServerBase, own: string, given: string): boolean => {
  if (own === given) return true
  if (!own.includes("{")) return false
  const name = /^\{([^{}]{1,100})\}$/.exec(own)?.[1]
  const values = name === undefined ? [] : (base.values.get(name) ?? [])
  return values.length === 0 || values.includes(given) || isPlaceholder(given)
}

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
