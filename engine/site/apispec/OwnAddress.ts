import { onSite, siteOf } from "../../evidence/Address.ts"

/** What tells a product's own servers from others'. */
export interface OwnServers {
  /** The registrable domain. */
  readonly site: string
  /** See `productNames`. */
  readonly names: ReadonlySet<string>
}

/** `https://HOST/PATH`, `{base}/PATH`, `localhost:8080/PATH` */
const HOST = /^(?:https?:\/\/)?([^/?#]{0,300})/i

const VARIABLE = /[{}<>$]/
const LOCAL =
  /^(?:(?!testserver)[\w-]+|[\w.-]+\.(?:localhost|local|internal|lan))(?::\d{1,5})?$|^\[[\da-f:]+\](?::\d{1,5})?$|^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?$/i

/** A server that each user runs or names: `localhost`, an IP address, `{tenant}.example.com`, `$HOST`. */
export const isUsersServer = (address: string): boolean => {
  const host = HOST.exec(address)?.[1] ?? ""
  return VARIABLE.test(host) || LOCAL.test(host)
}

/** Beside a host, something that is called on it. */
export const hasPath = (address: string): boolean => address.length > (HOST.exec(address)?.[0] ?? "").length + 1

/** A path, an address of the site's or of a domain that is called like the product, or one on a user's server. */
export const isOwnAddress = (address: string, own: OwnServers): boolean =>
  address.startsWith("/") || isUsersServer(address) || isOnOwnServer(address, own)

export const isOnOwnServer = (address: string, { names, site }: OwnServers): boolean => {
  if (onSite(address, site)) return true
  const domain = siteOf(URL.parse(address)?.hostname ?? "").split(".", 1)[0] ?? ""
  return domain.length >= SHORTEST_NAME && (names.has(domain) || domain === site.split(".", 1)[0])
}

/** Shorter names may be anybody's, in characters. */
const SHORTEST_NAME = 4
