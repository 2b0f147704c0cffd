import { isPlaceholder, type ShownCall } from "../ShownCall.ts"
import type { CallContext } from "./CallFinding.ts"
import {
  belowBase,
  type CalledAddressParts,
  calledAddressParts,
  type ContractIndex,
  isHostOf,
  isHostWrittenWrong,
  isOnServer,
  isSegmentOf,
  type Reading,
  readingsOf,
  type ServerBase
} from "./ContractIndex.ts"
import { type Nearest, nearestOf } from "./Nearest.ts"
import { isSameVersion, isVersionSegment, type TemplateMatch, versionsNamed } from "./Templates.ts"

/** Why a call is not compared. */
export type NotComparedReason =
  /** The description has no HTTP operations. */
  | "no_contract"
  /** Its host is not one of the API. */
  | "other_host"
  /** It asks an authorization server. */
  | "identity_provider"
  /** Its path may be that of another API. */
  | "other_api"
  /** It may mean several operations, for a placeholder or wildcard in its path. */
  | "ambiguous"
  /** The page says that it is old or of another version, or that it fails. */
  | "said_not_to_work"
  /** It is of another version, and the description has several. */
  | "other_version"
  /** The description has more than what is known of it. */
  | "incomplete"

export interface NotCompared {
  readonly _tag: "NotCompared"
  readonly reason: NotComparedReason
}

interface Matched {
  readonly _tag: "Matched"
  /** Indices of operations with this path and method: more than one only where the description repeats them. */
  readonly operations: ReadonlyArray<number>
  /** Segments of the call below the base path. */
  readonly path: ReadonlyArray<string>
  readonly certainty: Reading["certainty"]
}

export interface Unmatched {
  readonly _tag: "Unmatched"
  readonly reason: "unknown_host" | "unknown_path" | "unknown_method" | "unknown_version"
  /** Segments as the reader sees them: without the base path where that is right. */
  readonly path: ReadonlyArray<string>
  /** What the call has and what the description has instead: hosts or versions; empty for other reasons. */
  readonly found: string
  readonly expected: string
  /** Operations that are likely meant, likeliest first; of an unknown method those of the path. */
  readonly likely: ReadonlyArray<number>
}

type CallMatch = NotCompared | Matched | Unmatched

interface OperationMatch extends Pick<TemplateMatch, "literals" | "loose"> {
  readonly reading: Reading
  readonly operations: ReadonlyArray<number>
}

type CalledAddress = Pick<ShownCall, "address" | "method">

/** Longer paths are none that an operation has. */
const SEGMENTS = 30

/** The operations of the description that a call means. */
export const matchCall = (call: CalledAddress, index: ContractIndex, context: CallContext): CallMatch => {
  if (index.contract.operations.length === 0) return notCompared("no_contract")
  const parts = calledAddressParts(call.address)
  if (parts.segments.length > SEGMENTS || parts.segments.some(isWildcard)) return notCompared("ambiguous")
  if (isOfIdentityProvider(parts, index)) return notCompared("identity_provider")
  const readings = likelyReadings(readingsOf(parts, index, context.page), index)
  const searched = readings.map((reading) => matchesOf(reading, index))
  if (searched.includes(null)) return notCompared("ambiguous")
  const matches = searched.flatMap((some) => some ?? [])
  const own = matches.find(({ operations }) => withMethod(operations, call.method, index).length > 0)
  if (own !== undefined && isAmbiguous(own)) return notCompared("ambiguous")
  if (own !== undefined) {
    const { certainty, path } = own.reading
    return { _tag: "Matched", operations: withMethod(own.operations, call.method, index), path, certainty }
  }
  // A preflight is answered by servers that declare no OPTIONS.
  if (call.method === "OPTIONS" || matches.some(({ loose }) => loose)) return notCompared("ambiguous")
  if (!index.contract.complete) return notCompared("incomplete")
  if (AUTHORIZATION.test(parts.segments.join("/"))) return notCompared("identity_provider")
  return (
    ofOtherMethod(matches) ??
    ofOtherVersion(call, parts, readings, index, context) ??
    ofUnknownPath(call, parts, readings, index) ??
    (readings.length === 0 ? ofUnknownHost(call, parts, index) : null) ??
    notCompared(readings.length === 0 && !isOnOwnHost(parts, index) ? "other_host" : "other_api")
  )
}

/** A path that begins as those of the description do is below no prefix. */
const likelyReadings = (readings: ReadonlyArray<Reading>, { templates }: ContractIndex): ReadonlyArray<Reading> => {
  const certain = readings.filter(({ certainty }) => certainty !== "guess")
  return certain.some(({ path }) => templates.beginsWith(beginningOf(path))) ? certain : readings
}

const notCompared = (reason: NotComparedReason): NotCompared => ({ _tag: "NotCompared", reason })

/** `/orders/*`, `/orders/...`: all that begins so. */
const isWildcard = (segment: string): boolean => /^(?:\*{1,2}|\.{3}|…)$/.test(segment)

/** Placeholders stand for words of the API, or for all of its path. */
const isAmbiguous = ({ literals, loose, reading: { path } }: OperationMatch): boolean =>
  loose || (literals === 0 && path.length > 0 && path.every(isPlaceholder))

const isOnOwnHost = ({ host }: CalledAddressParts, { bases }: ContractIndex): boolean =>
  host !== null && bases.some((base) => isHostOf(base, host))

const isOfIdentityProvider = (parts: CalledAddressParts, index: ContractIndex): boolean =>
  index.contract.credentials.urls.some((written) => {
    const { host, segments } = calledAddressParts(URL.parse(written, index.url)?.href ?? written)
    const isSameHost = parts.host === null || parts.host === host
    if (isSameHost && segments.join("/") === parts.segments.join("/")) return true
    return host !== null && host === parts.host && !index.bases.some((base) => isHostOf(base, host))
  })

/** Where authorization servers are asked (RFC 6749, 7009, 7662, 8628), on whatever host. */
const AUTHORIZATION =
  /(?:^|\/)(?:oauth\d?|openid-connect|oidc)\/(?:[\w-]{1,40}\/)?(?:token|authorize|auth|revoke|introspect|userinfo|device(?:_authorization)?)$/i

/** Endings that name a format, which many servers take on any path. */
const FORMAT_ENDING = /\.(?:json|xml|csv|ya?ml)$/i

const matchesOf = (reading: Reading, index: ContractIndex): ReadonlyArray<OperationMatch> | null => {
  const found = templateMatches(reading.path, index)
  return (
    found?.flatMap(({ entries, literals, loose }) => {
      const operations = entries.filter((entry) => {
        const operation = index.contract.operations[entry]
        return operation !== undefined && isOnServer(index, operation, reading.base.server)
      })
      const isCertain = reading.certainty === "server" || literals > 0
      return operations.length === 0 || !isCertain ? [] : [{ reading, operations, literals, loose }]
    }) ?? null
  )
}

const templateMatches = (
  path: ReadonlyArray<string>,
  { templates }: ContractIndex
): ReadonlyArray<TemplateMatch> | null => {
  const found = templates.find(path)
  const last = path.at(-1)
  if (found === null || found.length > 0 || last === undefined) return found
  const others = [last.replace(FORMAT_ENDING, ""), `${last}.json`].filter((ending) => ending !== last)
  return others.flatMap((ending) => templates.find([...path.slice(0, -1), ending]) ?? [])
}

/** HEAD is answered wherever GET is. */
const withMethod = (operations: ReadonlyArray<number>, method: string, { contract }: ContractIndex) =>
  operations.filter((operation) => {
    const own = contract.operations[operation]?.method
    return own === method || (method === "HEAD" && own === "GET")
  })

const ofOtherMethod = (matches: ReadonlyArray<OperationMatch>): Unmatched | null => {
  const match = matches.find(({ literals, reading }) => reading.certainty !== "guess" && literals > 0)
  if (match === undefined) return null
  const { operations, reading } = match
  return {
    _tag: "Unmatched",
    reason: "unknown_method",
    path: reading.path,
    found: "",
    expected: "",
    likely: operations
  }
}

/** A call of the API's host that only another version makes one of the description. */
const ofOtherVersion = (
  { method }: CalledAddress,
  { host, segments }: CalledAddressParts,
  readings: ReadonlyArray<Reading>,
  index: ContractIndex,
  context: CallContext
): CallMatch | null => {
  const onHost = host === null ? [] : index.bases.filter((base) => base.kind === "known" && isHostOf(base, host))
  const replaced = [
    ...onHost.flatMap((base) => replacedInBase(base, segments)),
    ...readings.flatMap(({ path }) => replacedInPath(path, index))
  ]
  for (const { expected, found, path } of replaced) {
    const exact = (index.templates.find(path) ?? []).flatMap(({ entries }) => entries)
    const near = exact.length > 0 ? null : nearestOf(index, path, method)
    const likely = exact.length > 0 ? exact : near?.close === true ? [near.operation] : []
    if (likely.length === 0) continue
    if (exact.length === 0 && index.versions.length > 1 && isCloseWithin(found, readings, method, index)) return null
    if (index.versions.length > 1 || onHost.length === 0) return notCompared("other_version")
    if (namesVersion(context, found)) return notCompared("said_not_to_work")
    return { _tag: "Unmatched", reason: "unknown_version", path: segments, found, expected, likely }
  }
  return null
}

/** The description has that version, too, and in it an operation that the call likely means. */
const isCloseWithin = (
  version: string,
  readings: ReadonlyArray<Reading>,
  method: string,
  index: ContractIndex
): boolean =>
  readings.some(({ path }) => {
    const near = nearestOf(index, path, method)
    return near?.close === true && index.segments[near.operation]?.includes(version) === true
  })

interface Replaced {
  readonly found: string
  readonly expected: string
  /** Below the base path, with the version that the description has. */
  readonly path: ReadonlyArray<string>
}

/** The base path would be right if its version were. */
const replacedInBase = (
  base: ContractIndex["bases"][number],
  segments: ReadonlyArray<string>
): ReadonlyArray<Replaced> => {
  const wrong = base.segments.flatMap((own, at) => (isSegmentOf(base, own, segments[at] ?? "") ? [] : [at]))
  const [at] = wrong
  if (at === undefined || wrong.length > 1) return []
  const [found = "", expected = ""] = [segments[at], base.segments[at]]
  if (!isVersionSegment(found) || !isVersionSegment(expected)) return []
  return [{ found, expected, path: segments.slice(base.segments.length) }]
}

/** The same where the versions are in the paths of the description. */
const replacedInPath = (path: ReadonlyArray<string>, { versions }: ContractIndex): ReadonlyArray<Replaced> => {
  const at = path.findIndex(isVersionSegment)
  const found = path[at]
  if (found === undefined) return []
  return versions
    .filter((version) => version !== found)
    .map((expected) => ({ found, expected, path: path.with(at, expected) }))
}

/** The page is of that version, or tells of it. */
const namesVersion = ({ around, page }: CallContext, version: string): boolean =>
  [...(URL.parse(page)?.pathname ?? "").split("/"), ...versionsNamed(around)].some(
    (named) => isVersionSegment(named) && isSameVersion(named, version)
  )

/** First segments that servers have besides their API. */
const BESIDE =
  /^(?:\.well-known|oauth\d?|connect|sso|saml|token|auth|authorize|log-?in|log-?out|sign-?in|openapi|swagger|api-?docs|docs|redoc|graphql|mcp|health[a-z]{0,2}|healthcheck|ready[a-z]?|live[a-z]?|status|ping|metrics|version|webhooks?|callbacks?|static|assets|favicon|robots|llms)(?:[.-][a-z.-]{1,20})?$/i

/** Up to the first word that says what it is about. */
const beginningOf = (path: ReadonlyArray<string>): ReadonlyArray<string> =>
  path.slice(0, path.findIndex((segment) => !isVersionSegment(segment) && !GENERIC.test(segment)) + 1)

const GENERIC = /^(?:api|rest|public|web|services?)$/i

/** Neither the call nor the server has a host that is the reader's to compare. */
const isHostless = (host: string | null, base: ServerBase): boolean =>
  host === null || base.host === "" || base.host.includes("{")

/** It may be another API's, but can hardly be anything than a word written wrong. */
const isWrittenWrong = (
  { misspelt, operation }: Nearest,
  path: ReadonlyArray<string>,
  method: string,
  { contract }: ContractIndex
): boolean => misspelt && path.length > 1 && contract.operations[operation]?.method === method

const ofUnknownPath = (
  { method }: CalledAddress,
  { host }: CalledAddressParts,
  readings: ReadonlyArray<Reading>,
  index: ContractIndex
): CallMatch | null => {
  for (const { base, certainty, path } of readings) {
    const [first] = path
    const beginning = beginningOf(path)
    // The API's own address is no operation of it.
    if (certainty === "guess" || first === undefined || isPlaceholder(first) || beginning.length === 0) continue
    const isKnown = index.templates.beginsWith(beginning)
    if (!isKnown && BESIDE.test(first)) continue
    // What is like none of the operations may be one that is not described.
    const near = nearestOf(index, path, method)
    if (near?.close !== true) continue
    if (!isKnown && certainty === "path" && !(isHostless(host, base) && isWrittenWrong(near, path, method, index)))
      continue
    return { _tag: "Unmatched", reason: "unknown_path", path, found: "", expected: "", likely: [near.operation] }
  }
  return null
}

/** A host whose name is written wrong, before a path that the description has. */
const ofUnknownHost = (
  { method }: CalledAddress,
  { host, segments }: CalledAddressParts,
  index: ContractIndex
): Unmatched | null => {
  if (host === null) return null
  for (const base of index.bases) {
    const path = base.kind === "known" && isHostWrittenWrong(host, base.host) ? belowBase(base, segments) : null
    const matches = path === null ? [] : (matchesOf({ certainty: "server", base, path }, index) ?? [])
    const likely = matches.flatMap(({ literals, operations }) =>
      literals > 0 ? withMethod(operations, method, index) : []
    )
    if (likely.length > 0)
      return { _tag: "Unmatched", reason: "unknown_host", path: segments, found: host, expected: base.host, likely }
  }
  return null
}
