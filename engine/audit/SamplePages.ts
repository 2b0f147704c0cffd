import * as Effect from "effect/Effect"
import { pageKey } from "../evidence/Address.ts"
import { type Answer, type Exchange, isAnswer } from "../evidence/Exchange.ts"
import type { Page } from "../page/Page.ts"
import { sourceFileOf } from "../site/SiteSource.ts"
import { derivations, type SiteUnderAudit } from "../site/Site.ts"
import type { FoundVersion } from "../site/markdown/MarkdownVersions.ts"
import type { LlmsTxt } from "../site/wellknown/LlmsTxt.ts"
import type { Robots } from "../site/wellknown/Robots.ts"
import type { Sitemaps } from "../site/wellknown/Sitemap.ts"
import { plainText } from "../text/PlainText.ts"
import { type ReadingCost, type RouteCost, type Routes, tokensOf } from "./cost/ReadingCost.ts"
import type { SampledPage } from "./Report.ts"

const LONGEST_TITLE = 200

/** A page of the sample as it was fetched, before criteria are judged. */
export interface FetchedPage extends Omit<SampledPage, "failed"> {
  /** The share of its bytes that are not its main text, 0 to 1; `null` unless it is HTML and was read to its end. */
  readonly boilerplate: number | null
  /** The share of main content in what an agent keeps of it, 0 to 1; `null` unless it is HTML and was read to its end. */
  readonly content: number | null
}

/** The sample in its order, failed requests included. */
export const fetchedPages = Effect.fn("SamplePages.of")(function* (
  audited: SiteUnderAudit
): Effect.fn.Return<ReadonlyArray<FetchedPage>> {
  const site = audited.for("site/audit")
  const { named, visits } = yield* site.sample
  const isNamed = new Set(named.flatMap(({ visits }) => visits))
  // What no criterion of the rubric asked for is not fetched for this.
  const versions =
    audited.callersOf(derivations.markdownVersions.collector).length > 0 ? (yield* site.markdownVersions).pages : []
  return visits.map((visit): FetchedPage => {
    const { exchange, page } = visit
    const source = sourceFileOf(page?.sourceLinks ?? [])
    return {
      url: exchange.url,
      status: isAnswer(exchange) ? exchange.status : null,
      title: plainText(page?.title ?? "", LONGEST_TITLE),
      bytes: page?.bytes ?? 0,
      ...(source === null ? {} : { source }),
      ...(isNamed.has(visit) ? { named: true } : {}),
      boilerplate: boilerplateOf(page),
      content: contentOf(page),
      tokens: pageTokens(page, versions.find((versioned) => versioned.page === page)?.version ?? null)
    }
  })
})

const boilerplateOf = (page: Page | null): number | null =>
  page?.format !== "html" || page.bytes === 0 || page.answer.cut
    ? null
    : Math.max(0, 1 - Buffer.byteLength(page.main.text) / page.bytes)

const contentOf = (page: Page | null): number | null =>
  page?.format !== "html" || page.kept.characters === 0 || page.answer.cut
    ? null
    : page.kept.content / page.kept.characters

/** The ways to the documentation of one operation; `null` if no page that was read shows one. */
export const routesTo = Effect.fn("SamplePages.routes")(function* (
  audited: SiteUnderAudit
): Effect.fn.Return<Routes | null> {
  const site = audited.for("site/audit")
  const asked = (name: "markdownVersions" | "referenceSearch"): boolean =>
    audited.callersOf(derivations[name].collector).length > 0
  const { pages } = yield* site.sample
  const versions = asked("markdownVersions") ? (yield* site.markdownVersions).pages : []
  const further = asked("referenceSearch") ? (yield* site.referenceSearch).pages : []
  const read = [...pages, ...further].map((page) => {
    const version = versions.find((versioned) => versioned.page === page)?.version ?? null
    return {
      page,
      version:
        version === null ? null : { url: version.url, bytes: Buffer.byteLength(version.text), cut: version.answer.cut }
    }
  })
  const [start, ...others] = read
  if (start === undefined) return null
  return routesOf({
    pages: [start, ...others],
    llmsTxt: yield* site.llmsTxt,
    sitemaps: yield* site.sitemaps,
    robots: yield* site.robots
  })
})

/** What each form of a page costs an agent that converts HTML to Markdown; of one that is longer than what is read of a page, what was read. */
const pageTokens = (
  page: Page | null,
  version: Pick<FoundVersion, "answer" | "text"> | null
): SampledPage["tokens"] => {
  const isHtml = page?.format === "html"
  const markdown = page?.format === "markdown" ? page : version
  const cut = [
    ...(isHtml && page.answer.cut ? (["html"] as const) : []),
    ...(markdown?.answer.cut === true ? (["markdown"] as const) : [])
  ]
  return {
    html: isHtml ? tokensOf(page.kept.bytes) : null,
    markdown:
      page?.format === "markdown"
        ? tokensOf(page.bytes)
        : version === null
          ? null
          : tokensOf(Buffer.byteLength(version.text)),
    ...(cut.length === 0 ? {} : { at_least: cut })
  }
}

/** A page that was read, and its Markdown version if one was found. */
interface ReadPage {
  readonly page: Page
  readonly version: { readonly url: string; readonly bytes: number; readonly cut: boolean } | null
}

interface RouteEvidence {
  /** The page at the start, first; then the other pages. */
  readonly pages: readonly [ReadPage, ...ReadonlyArray<ReadPage>]
  readonly llmsTxt: LlmsTxt
  readonly sitemaps: Sitemaps
  readonly robots: Robots
}

/** A URL that documents an operation, by its key, and what reading it costs. */
type Targets = ReadonlyMap<string, RouteCost>

/**
 * The cheapest ways from the start to a page, among those that were read, that shows an operation (a method with a path): fewest
 * requests, then fewest tokens. `null` if none of the pages shows one.
 */
const routesOf = (evidence: RouteEvidence): Routes | null => {
  const targets = targetsOf(evidence.pages)
  return targets.size === 0
    ? null
    : { llms_txt: byLlmsTxt(evidence, targets), sitemap: bySitemap(evidence, targets), links: byLinks(evidence.pages) }
}

const targetsOf = (pages: ReadonlyArray<ReadPage>): Targets =>
  new Map(
    pages
      .filter(showsOperation)
      .flatMap(({ page, version }) => [
        [pageKey(page.url), costOfPage(page)] as const,
        ...(version === null ? [] : [[pageKey(version.url), oneRequest(version.bytes, version.cut)] as const])
      ])
  )

const showsOperation = ({ page }: ReadPage): boolean => page.operations.length > 0

const oneRequest = (bytes: number, isCut: boolean): RouteCost => ({
  requests: 1,
  tokens: tokensOf(bytes),
  ...(isCut ? { at_least: true } : {})
})

/** Of a web page what an agent keeps that converts it. */
const costOfPage = ({ answer, kept }: Page): RouteCost => oneRequest(kept.bytes, answer.cut)

const costOfFile = ({ body, cut }: Answer): RouteCost => oneRequest(body.length, cut)

const costOfExchange = (exchange: Exchange | undefined): RouteCost =>
  exchange !== undefined && isAnswer(exchange) ? costOfFile(exchange) : oneRequest(0, false)

const plus = (one: RouteCost, other: RouteCost): RouteCost => ({
  requests: one.requests + other.requests,
  tokens: one.tokens + other.tokens,
  ...(one.at_least === true || other.at_least === true ? { at_least: true } : {})
})

const cheapest = (costs: ReadonlyArray<RouteCost>): RouteCost | null =>
  costs.toSorted((one, other) => one.requests - other.requests || one.tokens - other.tokens)[0] ?? null

/** llms.txt itself, or one that it names, and the page. */
const byLlmsTxt = ({ llmsTxt: { file, nested } }: RouteEvidence, targets: Targets): RouteCost | null => {
  if (file === null) return null
  const own = costOfFile(file.answer)
  const named = nested.map((other) => ({
    links: other.links,
    cost: plus(own, costOfFile(other.answer))
  }))
  return cheapest(
    [{ links: file.links, cost: own }, ...named].flatMap(({ cost, links }) =>
      links.flatMap(({ onSite, url }) => {
        const target = url === null || !onSite ? undefined : targets.get(pageKey(url))
        return target === undefined ? [] : [plus(cost, target)]
      })
    )
  )
}

/** The files that lead to the one with the page's URL, and the page. */
const bySitemap = (
  { pages: [start], robots, sitemaps: { entries, files } }: RouteEvidence,
  targets: Targets
): RouteCost | null => {
  const costOf = (index: number): RouteCost => {
    const file = files[index]
    const own = costOfExchange(file?.exchange)
    switch (file?.source) {
      case "robots":
        return plus(own, costOfExchange(robots.exchange))
      case "page":
        return plus(own, costOfPage(start.page))
      case "index":
        return plus(own, indexes ?? oneRequest(0, false))
      case "well_known":
      case undefined:
        return own
    }
  }
  // Files that an index names are not named by another file, so this does not recurse.
  const indexes = cheapest(
    files.flatMap(({ source, verdict }, index) => (verdict === "index" && source !== "index" ? [costOf(index)] : []))
  )
  return cheapest(
    entries.flatMap(({ file, url }) => {
      const target = targets.get(pageKey(url))
      return target === undefined ? [] : [plus(costOf(file), target)]
    })
  )
}

/** From page to page, along links, among the pages that were read. */
const byLinks = ([start, ...others]: RouteEvidence["pages"]): RouteCost | null => {
  const known = new Map(others.toReversed().map((other) => [pageKey(other.page.url), other]))
  let reached = new Map([[pageKey(start.page.url), { at: start, cost: costOfPage(start.page) }]])
  while (reached.size > 0) {
    const found = cheapest([...reached.values()].filter(({ at }) => showsOperation(at)).map(({ cost }) => cost))
    if (found !== null) return found
    for (const key of reached.keys()) known.delete(key)
    const next: typeof reached = new Map()
    for (const { at, cost } of reached.values()) {
      for (const key of new Set(at.page.links.map(({ url }) => pageKey(url)))) {
        const page = known.get(key)
        if (page === undefined) continue
        const through = plus(cost, costOfPage(page.page))
        if (through.tokens < (next.get(key)?.cost.tokens ?? Infinity)) next.set(key, { at: page, cost: through })
      }
    }
    reached = next
  }
  return null
}

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
