import { getDomain } from "tldts"
import { trimStart, trimTrailingSlashes } from "../text/WhiteSpace.ts"

/** The longest URL that is read, in characters without its fragment, as written and as normalised. */
export const LONGEST_URL = 4_096

/**
 * URLs as docgauge compares them. Normalising keeps what a server could tell apart and drops what none may:
 * fragment, default port, case of scheme and host, dot segments, empty query, needless percent-encoding.
 * `null` for what is no http(s) URL and for one of more than `LONGEST_URL` characters.
 */
export const normalise = (url: string, base?: string): string | null => {
  if (isOverlong(url)) return null
  const parsed = URL.parse(url.trim(), base)
  if (parsed === null || (parsed.protocol !== "http:" && parsed.protocol !== "https:") || parsed.hostname === "")
    return null
  // Each setter parses the URL again, so one is called only where it changes something; thousands of links need none.
  if (parsed.href.includes("#")) parsed.hash = ""
  const host = withoutFinalDots(parsed.hostname)
  if (nameFault(host) !== null) return null
  // Without its dots `0x7f.1..` is an IP address, and `1.2.3.4.5.` is no host at all.
  if (host !== parsed.hostname) parsed.hostname = host
  if (parsed.hostname.endsWith(".")) return null
  if (parsed.pathname.includes("%")) parsed.pathname = tidyEscapes(parsed.pathname)
  if (parsed.search === "" && parsed.href.endsWith("?")) parsed.search = ""
  return parsed.href.length > LONGEST_URL ? null : parsed.href
}

/** An http(s) URL, absolute or relative, that is longer than what is read. Links to such URLs are dropped and counted. */
export const isOverlong = (url: string): boolean => {
  if (url.length <= LONGEST_URL) return false
  const text = url.trim()
  const hash = text.indexOf("#")
  const scheme = /^[a-z][a-z0-9+.-]{0,40}:/i.exec(text)?.[0].toLowerCase() ?? "https:"
  return (hash < 0 ? text.length : hash) > LONGEST_URL && (scheme === "https:" || scheme === "http:")
}

const UNRESERVED = /^[A-Za-z0-9\-._~]$/

/** Upper-case escapes, and none around characters that need none (RFC 3986 §6.2.2). */
const tidyEscapes = (path: string): string =>
  path.replace(/%[0-9a-fA-F]{2}/g, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
    return UNRESERVED.test(character) ? character : escape.toUpperCase()
  })

/**
 * An address as it is connected to and compared: its host by its A-label, however it was given, and no trailing slash
 * unless a query ends in it. Of two spellings of one URL there is one of these.
 */
export const plainForm = (url: string): string => {
  const address = normalise(url) ?? url
  return address.includes("?") ? address : trimTrailingSlashes(address)
}

/** Scheme, host and port, such as `https://docs.example.com`. */
export const originOf = (url: string): string => new URL(url).origin

/**
 * The registrable domain of a host by the public suffix list, private suffixes and `SharedHosts` included (`a.github.io`
 * and `b.github.io` are two sites). A name without one (`localhost`, an IP literal, a bare suffix) is its own.
 */
export const siteOf = (hostname: string): string => {
  const known = sites.get(hostname)
  if (known !== undefined) return known
  const host = withoutFinalDots(hostname.toLowerCase())
  const site = tenantOf(host) ?? getDomain(host, { allowPrivateDomains: true }) ?? host
  if (sites.size >= SITES_KEPT) sites.clear()
  sites.set(hostname, site)
  return site
}

/** Thousands of links lead to a few dozen hosts. */
const SITES_KEPT = 1_000
const sites = new Map<string, string>()

export const onSite = (url: string, site: string): boolean => {
  const parsed = URL.parse(url)
  return parsed !== null && siteOf(parsed.hostname) === site
}

/** The URL of `path` below the folder `base` (`https://x/docs` and `llms.txt` make `https://x/docs/llms.txt`). */
export const below = (base: string, path: string): string => {
  const url = new URL(base)
  url.search = ""
  url.pathname = `${trimTrailingSlashes(url.pathname)}/${trimStart(path, "/")}`
  return url.href
}

/** Equal but for a trailing slash, `index.html` and `www.`: what people mean by the same page. */
export const samePage = (one: string, other: string): boolean => pageKey(one) === pageKey(other)

export const pageKey = (url: string): string => {
  const parsed = new URL(url)
  const path = trimTrailingSlashes(parsed.pathname.replace(/\/index\.html?$/, "/"))
  return `${parsed.hostname.replace(/^www\./, "")}${parsed.port === "" ? "" : `:${parsed.port}`}${path}${parsed.search}`
}

/**
 * `base_url_norm`: no scheme, default port, trailing slash or `www.`. The path stays, without what most servers ignore: empty
 * segments (`//a`), parameters of segments (`/a;x`, RFC 3986 §3.3) and a final `index.html`.
 */
export const siteFormOf = (url: string): string => {
  const { host, pathname } = new URL(normalise(url) ?? url)
  const segments = pathname
    .split("/")
    .map((segment) => segment.split(";", 1)[0] ?? "")
    .filter((segment) => segment !== "")
  if (INDEX_FILE.test(segments.at(-1) ?? "")) segments.pop()
  return [host.replace(/^www\.(?=[^.]+\.)/, ""), ...segments].join("/")
}

/** The `siteFormOf` of a URL as people write it, with or without its scheme; `null` if the text is none. */
export const siteNamed = (text: string): string | null => {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  return url === null ? null : siteFormOf(url.href)
}

const INDEX_FILE = /^index\.html?$/i

/**
 * The site and all that it is below, in the form of `siteFormOf`: `a.dev`, `a.dev/docs` and `a.dev/docs/v2` for `a.dev/docs/v2`. One
 * on a port is below the host without the port, too.
 */
export const sitesAbove = (site: string): ReadonlyArray<string> =>
  [...new Set([site, site.replace(/^([^/:]+):\d+/, "$1")])].flatMap((form) => {
    const segments = form.split("/")
    return segments.map((_segment, index) => segments.slice(0, index + 1).join("/"))
  })

/** The registrable domain of a site in the form of `siteFormOf`. */
export const domainOf = (site: string): string => siteOf(site.split(/[/:]/u, 1)[0] ?? site)

/*
 * Host names as DNS takes them (RFC 1035 §2.3.4, RFC 1123 §2.1). The URL standard lets through more than that.
 */

const DOT = 46

/** The longest label, and the longest name, in characters. */
const LONGEST_LABEL = 63
const LONGEST_NAME = 253

/** A host without the dots at its end: `example.com.` and `example.com` are one name. */
export const withoutFinalDots = (host: string): string => {
  let end = host.length
  while (end > 0 && host.charCodeAt(end - 1) === DOT) end -= 1
  return host.slice(0, end)
}

/** Why a name (without trailing dots) cannot exist in DNS, as a clause; `null` if it can. */
export const nameFault = (host: string): string | null => {
  if (host === "") return "it has no host name"
  if (host.length > LONGEST_NAME) return `its host name is longer than ${LONGEST_NAME} characters`
  const labels = host.split(".")
  if (labels.includes("")) return "its host name has an empty label (two dots in a row)"
  return labels.some((label) => label.length > LONGEST_LABEL)
    ? `its host name has a label longer than ${LONGEST_LABEL} characters`
    : null
}

/**
 * Domains whose subdomains belong to different customers, and which the public suffix list (its private section, as `tldts`
 * has it) lacks. Source: each vendor's own documentation says that a customer's site is `CUSTOMER.` below it. A domain that
 * the list gets is taken out here; `test/evidence/SharedHosts.test.ts` tells which.
 */
export const SHARED_HOSTS: ReadonlySet<string> = new Set([
  "apidog.io", // docs.apidog.com/custom-domain-631339m0
  "atlassian.net", // support.atlassian.com/organization-administration/docs/can-i-change-the-url-used-to-access-a-product
  "docs.buildwithfern.com", // github.com/fern-api/docs-starter-openapi
  "document360.io", // docs.document360.com/docs/en/custom-domain-mapping
  "freshdesk.com", // support.freshdesk.com/support/solutions/articles/50000004704
  "hashnode.dev", // hashnode.com/forums/thread/how-does-hashnode-achieve-the-subdomain-system
  "mintlify.app", // mintlify.com/docs/deploy/reverse-proxy
  "mintlify.dev", // the same page
  "readme.io", // docs.readme.com
  "stoplight.io", // docs.stoplight.io
  "zendesk.com", // support.zendesk.com/hc/en-us/articles/4408838571930
  "zohodesk.com" // help.zoho.com/portal/en/kb/desk/for-administrators/organization-settings/articles/support-customers-from-your-own-domain
])

/** The customer's domain that a host is, or is below (`acme.readme.io` of `v2.acme.readme.io`); `null` for other hosts. */
const tenantOf = (host: string): string | null => {
  let candidate = host
  for (let dot = candidate.indexOf("."); dot >= 0; dot = candidate.indexOf(".")) {
    const parent = candidate.slice(dot + 1)
    if (SHARED_HOSTS.has(parent)) return candidate
    candidate = parent
  }
  return null
}
