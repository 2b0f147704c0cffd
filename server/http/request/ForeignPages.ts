import type { HttpServerRequest } from "effect/http/HttpServerRequest"

/** What `Sec-Fetch-Site` says of requests that our own pages, their neighbours or people send (W3C Fetch Metadata). */
const OWN: ReadonlySet<string> = new Set(["same-origin", "same-site", "none"])

/**
 * Whether a page of another site had a browser send the request. Browsers say so in `Sec-Fetch-Site`, which no script can
 * change; those that do not send it name the page's origin, which has to be the host that is asked, or that of `baseUrl`
 * (a proxy may have changed `Host`). Programs send neither.
 */
export const isFromForeignPage = ({ headers }: HttpServerRequest, baseUrl: string): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return !OWN.has(site)
  const { host, origin } = headers
  if (origin === undefined) return false
  const page = URL.parse(origin)
  return (
    page === null ||
    (page.host !== URL.parse(`${page.protocol}//${host ?? ""}`)?.host && page.origin !== new URL(baseUrl).origin)
  )
}
