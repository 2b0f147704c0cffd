import type { Routes } from "./cost/RouteCost.ts"
import type { ReadingCost } from "./Report.ts"
import type { FetchedPage } from "./SamplePages.ts"

/** What an agent pays to read one page of the site (the median over the sample), and to find an operation. Beside the score, never in it. */
export const readingCost = (
  pages: ReadonlyArray<Pick<FetchedPage, "tokens" | "boilerplate" | "content">>,
  routes: Routes | null
): ReadingCost => {
  const share = (kind: "boilerplate" | "content"): number | null => {
    const middle = median(pages.flatMap((page) => page[kind] ?? []))
    return middle === null ? null : Math.round(middle * 10_000) / 10_000
  }
  const atLeast = FORMS.filter((form) => isLowerBound(pages, form))
  return {
    html: medianOf(pages, "html"),
    markdown: medianOf(pages, "markdown"),
    ...(atLeast.length === 0 ? {} : { at_least: atLeast }),
    boilerplate: share("boilerplate"),
    content_share: share("content"),
    to_operation: routes
  }
}

const FORMS = ["html", "markdown"] as const
type Form = (typeof FORMS)[number]

const medianOf = (pages: ReadonlyArray<Pick<FetchedPage, "tokens">>, form: Form): number | null =>
  median(pages.flatMap(({ tokens }) => tokens[form] ?? []))

/** Whether the median would be another if pages that were cut were as long as can be. */
const isLowerBound = (pages: ReadonlyArray<Pick<FetchedPage, "tokens">>, form: Form): boolean => {
  const longest = pages.map(({ tokens }) => ({
    tokens: tokens.at_least?.includes(form) === true ? { ...tokens, [form]: Infinity } : tokens
  }))
  return medianOf(pages, form) !== medianOf(longest, form)
}

/** The middle number, of two the lower; `null` of none. */
const median = (numbers: ReadonlyArray<number>): number | null =>
  numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) / 2)] ?? null
