import { pageKey } from "../../evidence/Address.ts"
import { isMissing, isOurLimit } from "../../evidence/Exchange.ts"
import type { FetchLimits } from "../../evidence/FetchLimits.ts"
import type { Page } from "../../page/Page.ts"
import type { Base } from "../../site/base/Derivation.ts"
import type { Visit } from "../../site/sample/Sample.ts"
import type { Candidate } from "../../site/sample/SampleChoice.ts"
import { isContentPage } from "../site/SitePages.ts"
import { MOST_PAGES, type OpeningCost, openingCost, WHOLE_SITE } from "./OpeningCost.ts"

/** How much of a site was opened, and what the rest would take. */
export interface Coverage {
  /** Pages that were opened, and those of `unopened`. */
  readonly known: number
  /** Pages that the site names, or that an opened page links to, and that were not opened. */
  readonly unopened: number
  /** Of these, the ones that a limit of ours left out: of time, requests or bytes. */
  readonly limited: number
  /** What opening those that were not opened would take, as far as one run opens them; `null`: none is left. */
  readonly all: OpeningCost | null
  /** The largest part of a large site that is opened whole, by its URL; `null`: the site is not large, or has none. */
  readonly section: (OpeningCost & { readonly url: string }) | null
}

/** Whether it is not known what a URL leads to: it did not answer, or we did not ask. */
export const isUnknown = ({ exchange }: Visit): boolean => isMissing(exchange)

/** Whether a limit of ours left it out. */
export const isLeftOut = ({ exchange }: Visit): boolean => exchange._tag === "Fault" && isOurLimit(exchange)

/** `visits`: all URLs that were asked for; `more`: pages that were opened beside the sample; `asks`: whether opening takes requests. */
export const siteCoverage = (
  base: Base,
  candidates: ReadonlyArray<Candidate>,
  visits: ReadonlyArray<Visit>,
  pages: ReadonlyArray<Page>,
  asks: FetchLimits | null
): Coverage => {
  const opened = new Set(pages.filter(isContentPage).map(({ url }) => pageKey(url)))
  const asked = new Set(
    [
      ...pages.flatMap(({ answer, url }) => [answer.asked.url, url]),
      ...visits.filter((visit) => !isUnknown(visit)).flatMap(({ candidate, exchange }) => [candidate.url, exchange.url])
    ].map(pageKey)
  )
  const limited = new Set(visits.filter(isLeftOut).map(({ candidate }) => candidate.url))
  const unopened = candidates.map(({ url }) => url).filter((url) => !asked.has(pageKey(url)))
  const known = opened.size + unopened.length
  const cost = (count: number): OpeningCost =>
    asks === null ? { pages: count, requests: 0, seconds: 0 } : openingCost(count, asks)
  const section = known < WHOLE_SITE ? null : largestSection(base, candidates)
  return {
    known,
    unopened: unopened.length,
    limited: unopened.filter((url) => limited.has(url)).length,
    all: unopened.length === 0 ? null : cost(Math.min(unopened.length, Math.max(0, MOST_PAGES - opened.size))),
    section: section === null ? null : { url: section.url, ...cost(section.pages) }
  }
}

/** Fewer pages are no section. */
const LEAST_IN_SECTION = 5

interface Section {
  readonly url: string
  readonly pages: number
}

/** The page whose folder has the most known pages, but fewer than are opened whole. */
const largestSection = ({ folder, url: start }: Base, candidates: ReadonlyArray<Candidate>): Section | null => {
  const counts = new Map<string, number>()
  for (const { url } of candidates) {
    const path = url.startsWith(folder) ? url.slice(folder.length).split("/") : []
    for (let depth = 1; depth < path.length; depth++) {
      const key = `${folder}${path.slice(0, depth).join("/")}/`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  const sections = candidates.flatMap(({ url }): ReadonlyArray<Section> => {
    const pages = counts.get(url.endsWith("/") ? url : `${url}/`) ?? 0
    return url === start || pages < LEAST_IN_SECTION || pages >= WHOLE_SITE ? [] : [{ url, pages }]
  })
  return sections.reduce<Section | null>(
    (best, section) => (best === null || section.pages > best.pages ? section : best),
    null
  )
}
