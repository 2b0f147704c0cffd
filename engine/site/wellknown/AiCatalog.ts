import * as Effect from "effect/Effect"
import { below, onSite } from "../../evidence/Address.ts"
import { RANK } from "../../evidence/AuditBudget.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { type Answer, type Exchange, isAnswer } from "../../evidence/Exchange.ts"
import { isJsonObject, type JsonObject, parsedJson } from "../../text/JsonText.ts"
import { type Base, derivation, type GatherContext, type Using } from "../base/Derivation.ts"
import { fileVerdict, isMissingFile, type NotFoundProbe } from "./FileVerdict.ts"
import type { Robots } from "./Robots.ts"

/** The AI catalogue of a site, or its ARD manifest, which is one with other requirements: a list of its servers, agents and skills. */
export interface AiCatalog {
  /** All that was asked for, in order; there is at least one. */
  readonly exchanges: ReadonlyArray<Exchange>
  /** The first that is there. */
  readonly file: AiCatalogFile | null
  /** Missing responses: each may be such a file. */
  readonly missing: ReadonlyArray<Exchange>
}

export interface AiCatalogFile {
  readonly answer: Answer
  /** The objects among its entries, in their order. */
  readonly entries: ReadonlyArray<JsonObject>
  /** What the specification does not allow, as the end of a sentence; `null`: nothing. */
  readonly fault: string | null
}

/** Places that are asked until one has a catalogue. */
const PLACES = 3

export const aiCatalog = derivation({
  name: "ai-catalog",
  budget: { requests: PLACES, megabytes: 0.5 },
  rank: RANK.shared,
  gather: Effect.fn("AiCatalog.gather")(function* (
    context: GatherContext,
    { notFoundProbe, robots }: Using<{ notFoundProbe: NotFoundProbe; robots: Robots }>
  ): Effect.fn.Return<AiCatalog> {
    const probe = yield* notFoundProbe
    const exchanges: Array<Exchange> = []
    for (const url of cataloguePlaces(context, yield* robots)) {
      const exchange = yield* context.collector.get(url)
      exchanges.push(exchange)
      const file = isAnswer(exchange) && fileVerdict(probe, exchange, "json") === "found" ? fileOf(exchange) : null
      if (file !== null) return { exchanges, file, missing: [] }
    }
    return { exchanges, file: null, missing: exchanges.filter((exchange) => isMissingFile(probe, exchange)) }
  })
})

/**
 * Where the base page names it (`rel="ai-catalog"` or, of ARD, `ard`), where robots.txt does (`Agentmap`), the well-known URLs of both, and
 * where MCP's catalogue was before it became this one. The first three.
 */
const ARD_NAME = "ard.json"

const cataloguePlaces = (context: GatherContext, robots: Robots): ReadonlyArray<string> => {
  const { base } = context
  const named = [linkedFrom(base), namedIn(context, robots)].flatMap((url) =>
    url !== null && onSite(url, base.site) ? [url] : []
  )
  const wellKnown = ["ai-catalog.json", ARD_NAME, "mcp/catalog.json"].map((name) =>
    below(base.origin, `.well-known/${name}`)
  )
  return [...new Set([...named, ...wellKnown])].slice(0, PLACES)
}

/** The specification looks into the headers first. */
const linkedFrom = ({ page }: Base): string | null => {
  const links = (page?.announcements ?? []).filter(({ rel }) => rel.includes("ai-catalog") || rel.includes("ard"))
  return (links.find(({ from }) => from === "header") ?? links[0])?.url ?? null
}

const namedIn = ({ base, resolve }: GatherContext, { exchange, state, url }: Robots): string | null => {
  const text = state === "read" && isAnswer(exchange) ? textOf(exchange).text : ""
  const named = /^[ \t]{0,20}agentmap:[ \t]{0,20}(\S{1,2000})/im.exec(text)?.[1]
  return named === undefined ? null : resolve(named, onSite(url, base.site) ? url : base.url)
}

/** `null` for JSON that is no object, and for objects of another kind. */
const fileOf = (answer: Answer): AiCatalogFile | null => {
  const value = parsedJson(textOf(answer).text)
  if (!isJsonObject(value) || !("entries" in value || "specVersion" in value)) return null
  const { entries } = value
  return {
    answer,
    entries: Array.isArray(entries) ? entries.filter(isJsonObject) : [],
    fault: faultOf(value, isManifest(answer))
  }
}

/** Both formats are alike; the name tells them apart. */
const isManifest = ({ asked, url }: Answer): boolean =>
  [asked.url, url].some((one) => new URL(one).pathname.endsWith(`/${ARD_NAME}`))

/** Versions that the specification lets readers of 0.9 and 1.0 take: minor ones add members. */
const VERSION = /^[01]\.\d{1,3}$/

/**
 * A minimal catalogue ("Conformance Levels"), and the members of a host and a publisher, which are optional themselves. A manifest of ARD
 * need not say its version, but the name of each entry.
 */
const faultOf = ({ entries, host, specVersion }: JsonObject, manifest: boolean): string | null => {
  if (typeof specVersion !== "string" && !(manifest && specVersion === undefined)) return "it has no specVersion"
  if (typeof specVersion === "string" && !VERSION.test(specVersion))
    return "its specVersion is not one that we know (0.9, 1.0)"
  if (!Array.isArray(entries)) return "it has no list of entries"
  if (host !== undefined && lacking(host, ["displayName"]) !== null) return "its host has no displayName"
  const seen = new Set<string>()
  for (const [index, entry] of entries.entries()) {
    const wrong = entryFault(entry, manifest ? ["identifier", "displayName", "type"] : ["identifier", "type"], seen)
    if (wrong !== null) return `entry ${index + 1} ${wrong}`
  }
  return null
}

/** `seen`: identifiers with their versions, of the entries before. */
const entryFault = (entry: unknown, required: ReadonlyArray<string>, seen: Set<string>): string | null => {
  if (!isJsonObject(entry)) return "is not an object"
  const member = lacking(entry, required)
  if (member !== null) return `has no ${member}`
  if ((entry["url"] === undefined) === (entry["data"] === undefined))
    return entry["url"] === undefined ? "has neither url nor data" : "has both url and data"
  if (entry["url"] !== undefined && lacking(entry, ["url"]) !== null) return "has a url that is no text"
  if (entry["publisher"] !== undefined && lacking(entry["publisher"], ["identifier", "displayName"]) !== null)
    return "has a publisher without identifier or displayName"
  const key = JSON.stringify([entry["identifier"], entry["version"]])
  if (seen.has(key)) return "has the identifier and version of an entry before"
  seen.add(key)
  return null
}

/** The first of the members that is not a text with something in it; all are lacking in what is no object. */
const lacking = (value: unknown, members: ReadonlyArray<string>): string | null =>
  members.find((member) => {
    const text = isJsonObject(value) ? value[member] : null
    return typeof text !== "string" || text.trim() === ""
  }) ?? null
