import * as Effect from "effect/Effect"
import { isAnswer } from "../evidence/Exchange.ts"
import type { Page } from "../page/Page.ts"
import { sourceFileOf } from "../page/SourceFile.ts"
import { derivations } from "../site/Derivations.ts"
import type { FoundVersion } from "../site/markdown/MarkdownVersions.ts"
import type { SiteUnderAudit } from "../site/Site.ts"
import { plainText } from "../text/PlainText.ts"
import type { Routes } from "./cost/RouteCost.ts"
import { routesOf } from "./cost/Routes.ts"
import { tokensOf } from "./cost/Tokens.ts"
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
