import type { ContractServer } from "../../apispec/Contract.ts"
import { isUsable } from "../../apispec/quality/Access.ts"
import { siteOf } from "../../evidence/Address.ts"
import { lettersApart } from "../../text/LettersApart.ts"
import { isPlaceholder } from "../ShownCall.ts"
import { segmentsOf } from "./Templates.ts"

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
export const isStandIn = (host: string): boolean =>
  isPlaceholder(host) || !isUsable(`https://${host.replace(/:\d+$/, "")}/`)

/** The servers of a description, or a base of any host where it has none. */
export const basesOf = (servers: ReadonlyArray<ContractServer>, descriptionUrl: string): ReadonlyArray<ServerBase> =>
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
