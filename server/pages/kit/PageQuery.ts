import type { HttpServerRequest } from "effect/http/HttpServerRequest"

/** The parameters of a page's URL; the first of repeated ones counts. */
export const queryOf = ({ url }: HttpServerRequest): URLSearchParams => {
  const at = url.indexOf("?")
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1))
}

/** One of some words: the first one if the parameter is missing or empty, `null` if it is another word. */
export const wordOf = <Word extends string>(
  query: URLSearchParams,
  name: string,
  words: readonly [Word, ...ReadonlyArray<Word>]
): Word | null => {
  const given = query.get(name) ?? ""
  return given === "" ? words[0] : (words.find((word) => word === given) ?? null)
}

/** A path with parameters. A lone surrogate becomes a replacement character. */
export const pathWith = (path: string, parameters: Readonly<Record<string, string | number>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) query.set(name, String(value))
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

/** The path of the page with all runs of a site. */
export const sitePath = (site: string): string => pathWith("/browse/site", { site })

/** The path of its feed. */
export const siteFeedPath = (site: string): string => pathWith("/browse/site.atom", { site })

export const dashboardPath = (slug: string): string => `/dashboard/${encodeURIComponent(slug)}`

/** The path of its feed. */
export const dashboardFeedPath = (slug: string): string => `${dashboardPath(slug)}/feed.atom`
