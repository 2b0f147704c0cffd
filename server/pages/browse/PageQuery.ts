import type { HttpServerRequest } from "effect/http/HttpServerRequest"

/** The parameters of a page's address; of one that is repeated the first counts. */
export const queryOf = ({ url }: HttpServerRequest): URLSearchParams => {
  const at = url.indexOf("?")
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1))
}

/** One of some words: the first of them where the parameter is left out or empty, `null` where it is none of them. */
export const wordOf = <Word extends string>(query: URLSearchParams, name: string, words: readonly [Word, ...ReadonlyArray<Word>]): Word | null => {
  const given = query.get(name) ?? ""
  return given === "" ? words[0] : words.find((word) => word === given) ?? null
}

/** A path with parameters. What is a half of a character becomes a replacement character. */
export const pathWith = (path: string, parameters: Readonly<Record<string, string | number>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) query.set(name, String(value))
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

/** Where all runs of a site are listed. */
export const sitePath = (site: string): string => pathWith("/browse/site", { site })
