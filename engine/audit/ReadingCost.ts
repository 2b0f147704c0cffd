import { counted, either, grouped, percent } from "../plugin/Wording.ts"
import type { RouteCost, Routes } from "./cost/RouteCost.ts"
import type { AuditReport, ReadingCost } from "./Report.ts"
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

/**
 * `Reading a page costs 2,400 tokens as HTML, 1,900 as Markdown (median, HTML converted; bytes divided by 4).`, with "at least" where
 * pages were longer than what is read of one, what share is content, and what it costs to find an operation; empty if no page was
 * read. Reports from before 3.0.0 counted the raw HTML, and say what share of it is not text.
 */
export const readingCostText = ({ reading_cost: cost }: AuditReport): string => {
  const {
    at_least: cut = [],
    boilerplate = null,
    content_share: content,
    html = null,
    markdown = null,
    to_operation: routes = null
  } = cost ?? {}
  const forms = [
    ...(html === null ? [] : [`${boundText(html, cut.includes("html"))} tokens as HTML`]),
    ...(markdown === null
      ? []
      : [`${boundText(markdown, cut.includes("markdown"))}${html === null ? " tokens" : ""} as Markdown`])
  ]
  if (forms.length === 0) return ""
  return [
    `Reading a page costs ${forms.join(", ")} (median${html === null || content === undefined ? "" : ", HTML converted"}; bytes divided by 4).`,
    ...sharesText(boilerplate, content),
    ...(routes === null ? [] : routesText(routes))
  ].join(" ")
}

const sharesText = (boilerplate: number | null, content: number | null | undefined): ReadonlyArray<string> => {
  if (content !== undefined && content !== null) return [`${percent(content)} of that HTML is the page's content.`]
  return content === null || boilerplate === null ? [] : [`${percent(boilerplate)} of the HTML is not the page's text.`]
}

const routesText = ({ links, llms_txt: llmsTxt, sitemap }: Routes): ReadonlyArray<string> => {
  const ways = [
    ["through llms.txt", llmsTxt],
    ["through the sitemap", sitemap],
    ["by following links", links]
  ] as const
  const told = ways.flatMap(([by, cost]) => (cost === null ? [] : [`${routeText(cost)} ${by}`]))
  return told.length === 0 ? [] : [`Finding the documentation of one operation takes ${either(told)}.`]
}

const routeText = ({ at_least, requests, tokens }: RouteCost): string =>
  `${counted(requests, "request")} and ${boundText(tokens, at_least === true)} tokens`

/** A number of tokens, as `at least 2,097,152` where more was there than was read. */
export const boundText = (tokens: number, isLowerBound: boolean): string =>
  `${isLowerBound ? "at least " : ""}${grouped(tokens)}`
