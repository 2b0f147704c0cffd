import { normalise, pageKey } from "../../evidence/Address.ts"
import type { Base } from "../base/Derivation.ts"
import type { Candidate } from "./SampleChoice.ts"

/** The candidates that a pattern of the configuration names. */
export interface NamedCandidates {
  /** A path such as `/quickstart`, or a glob over known pages such as `/api/**`. */
  readonly pattern: string
  readonly candidates: ReadonlyArray<Candidate>
}

/** Whether a pattern names pages by a glob, and not one page by its path. */
export const isGlob = (pattern: string): boolean => pattern.includes("*")

/**
 * What the patterns name, below the base where it is there, else on its host: a path its page, known or not; a glob the known pages that
 * it matches.
 */
export const namedCandidates = (
  patterns: ReadonlyArray<string>,
  base: Pick<Base, "prefix" | "url">,
  known: ReadonlyArray<Candidate>
): ReadonlyArray<NamedCandidates> => {
  const byKey = new Map(known.map((candidate) => [pageKey(candidate.url), candidate]))
  return patterns.map((pattern) => {
    const urls = placesOf(pattern, base).flatMap((place) => normalise(place, base.url) ?? [])
    if (!isGlob(pattern)) {
      const found = urls.flatMap((url) => byKey.get(pageKey(url)) ?? []).find(isFound)
      return {
        pattern,
        candidates: found === undefined ? urls.map((url) => ({ url, sources: ["configuration"] as const })) : [found]
      }
    }
    const pages = [...byKey.values()].filter(isFound)
    const matching = urls.map((url) => pages.filter((page) => matches(segmentsOf(url), segmentsOf(page.url))))
    return { pattern, candidates: matching.find((some) => some.length > 0) ?? [] }
  })
}

/** Found on the site, and not only named. */
const isFound = ({ sources }: Candidate): boolean => sources[0] !== "configuration"

/** A pattern below the folder of the base, unless it begins there, and on its host. */
const placesOf = (pattern: string, { prefix, url }: Pick<Base, "prefix" | "url">): ReadonlyArray<string> => {
  const { pathname } = new URL(url)
  const isFile = pathname.slice(pathname.lastIndexOf("/")).includes(".")
  const folder = prefix === "/" && !isFile ? pathname.replace(/\/?$/, "/") : prefix
  return folder === "/" || pattern.startsWith(folder) || !pattern.startsWith("/")
    ? [pattern]
    : [folder + pattern.slice(1), pattern]
}

const segmentsOf = (url: string): ReadonlyArray<string> =>
  new URL(url).pathname.split("/").filter((segment) => segment !== "")

/** `**` is any number of segments, also none. */
const matches = (pattern: ReadonlyArray<string>, path: ReadonlyArray<string>): boolean =>
  isMatch(pattern, path, (part) => part === "**", matchesSegment)

/** `*` is any text within a segment, also none. */
const matchesSegment = (pattern: string, segment: string): boolean =>
  pattern === segment ||
  (pattern.includes("*") &&
    isMatch(
      pattern.split(""),
      segment.split(""),
      (part) => part === "*",
      (part, character) => part === character
    ))

/** Wildcards without backtracking over more than the last one: time is at most the product of both lengths. */
const isMatch = (
  pattern: ReadonlyArray<string>,
  items: ReadonlyArray<string>,
  isAny: (part: string) => boolean,
  isSame: (part: string, item: string) => boolean
): boolean => {
  let part = 0
  let afterAny = -1
  let resume = 0
  for (let at = 0; at < items.length;) {
    const wanted = pattern[part]
    if (wanted !== undefined && isAny(wanted)) {
      part += 1
      afterAny = part
      resume = at
    } else if (wanted !== undefined && isSame(wanted, items[at] ?? "")) {
      part += 1
      at += 1
    } else if (afterAny !== -1) {
      part = afterAny
      resume += 1
      at = resume
    } else return false
  }
  return pattern.slice(part).every(isAny)
}
