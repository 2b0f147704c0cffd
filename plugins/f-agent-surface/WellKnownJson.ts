import { normalise } from "../../engine/evidence/Address.ts"
import { textOf } from "../../engine/evidence/BodyText.ts"
import { type Answer, type Exchange, isOk } from "../../engine/evidence/Exchange.ts"
import { countsAsAbsent, type NotFoundProbe } from "../../engine/site/wellknown/FileVerdict.ts"
import { isJsonObject, type JsonObject, parsedJson } from "../../engine/text/JsonText.ts"
import { trimTrailingSlashes } from "../../engine/text/WhiteSpace.ts"

/** A document at a well-known URL; its `value` is `null` if it is not a JSON object. */
export interface WellKnownJson {
  readonly answer: Answer
  readonly value: JsonObject | null
}

/** The documents among the exchanges, without errors, HTML pages and soft 404s. */
export const jsonDocuments = (
  notFoundProbe: NotFoundProbe,
  exchanges: ReadonlyArray<Exchange>
): ReadonlyArray<WellKnownJson> =>
  exchanges.flatMap((exchange) =>
    isOk(exchange) && !countsAsAbsent(notFoundProbe, exchange, "json")
      ? [{ answer: exchange, value: parseObject(textOf(exchange).text) }]
      : []
  )

/** Parses a JSON object; `null` for anything else. */
export const parseObject = (text: string): JsonObject | null => {
  const value = parsedJson(text)
  return isJsonObject(value) ? value : null
}

/** The member, if it is a string that is not blank. */
export const filledStringAt = (value: JsonObject, key: string): string | null => {
  const member = value[key]
  return typeof member === "string" && member.trim() !== "" ? member : null
}

/** The member, if it is a list of objects that is not empty. */
export const filledObjectsAt = (value: JsonObject, key: string): ReadonlyArray<JsonObject> | null => {
  const member = value[key]
  return Array.isArray(member) && member.length > 0 && member.every(isJsonObject) ? member : null
}

/** RFC 9728, section 3.1: the well-known part goes between the host of the resource and its path and query. */
export const resourceMetadataUrl = (resource: string): string => {
  const { origin, pathname, search } = new URL(resource)
  return `${origin}/.well-known/oauth-protected-resource${trimTrailingSlashes(pathname)}${search}`
}

/**
 * What makes a document useless as the metadata of one of `resources`, as the end of a sentence; `null`: nothing. RFC 9728, section 3.3:
 * a client must not use metadata whose `resource` is another than the one that it asked about, or anybody could send it to their own
 * authorization server.
 */
export const resourceFault = (value: JsonObject | null, resources: ReadonlyArray<string>): string | null => {
  if (value === null) return "it is not a JSON object"
  const resource = filledStringAt(value, "resource")
  if (resource === null) return "it lacks resource"
  const [first = ""] = resources
  if (!resources.some((one) => isSameIdentifier(one, resource)))
    return `its resource is ${shortened(resource)}, not ${shortened(first)}`
  const servers = value["authorization_servers"]
  return servers === undefined || (Array.isArray(servers) && servers.every(isUrl))
    ? null
    : "its authorization_servers is not a list of URLs"
}

/** The authorization servers that protected-resource metadata names. */
export const authorizationServers = (value: JsonObject | null): ReadonlyArray<string> => {
  const servers = value?.["authorization_servers"]
  return Array.isArray(servers) ? servers.filter(isUrl) : []
}

/** Whether both name one resource or issuer. A slash at the end makes no difference: the URL of the metadata is the same. */
export const isSameIdentifier = (one: string, other: string): boolean => identifierOf(one) === identifierOf(other)

const identifierOf = (url: string): string => trimTrailingSlashes(normalise(url) ?? url)

/** Identifiers come from the site, and may be long. */
export const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

const isUrl = (value: unknown): value is string => typeof value === "string" && URL.canParse(value)
