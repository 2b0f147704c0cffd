import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AuditRequest } from "../../audit/AuditRequest.ts"
import { RETRIEVALS_PER_PAGE } from "../../evidence/AuditBudget.ts"
import { Evidence } from "../../evidence/Evidence.ts"
import type { Exchange } from "../../evidence/Exchange.ts"
import { FetchLimits } from "../../evidence/FetchLimits.ts"
import { Transport } from "../../evidence/Transport.ts"
import type { Conversion } from "../../page/conversion/Conversion.ts"
import { readMarkdown } from "../../page/markdown/MarkdownReader.ts"
import type { Page, PageLink } from "../../page/Page.ts"
import { ParserPool } from "../../parse/ParserPool.ts"
import { type FoundVersion, gatherFurtherVersions } from "../../site/markdown/MarkdownVersions.ts"
import { type Visit, visitFurther } from "../../site/sample/Sample.ts"
import { spotOutcome } from "../../site/sample/SpotCheck.ts"
import { lets } from "../../site/wellknown/Robots.ts"
import { recordedFirst, type RecordedHops } from "../overlay/OverlayTransport.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"

/** Pages that are in memory at the same time with their bodies. */
export const BATCH_PAGES = 50

/** Bytes of their bodies, as a share of those of an audit: pages that these leave no room for are opened with those after them. */
const BATCH_SHARE = 0.5

/** What is known of the Markdown versions of pages. */
export type Versions = PublishedSite["markdownVersions"]["pages"]

/** Pages that were opened, converted and made light. */
export interface Batch {
  readonly pages: ReadonlyArray<Page>
  readonly versions: Versions
  /** By the URLs of pages that have no version of their own; none where nothing is converted. */
  readonly conversions: ReadonlyMap<string, Conversion>
  /** What came of each URL, but for those of `unread`. */
  readonly visits: ReadonlyArray<Visit>
  /** URLs that lead nowhere. */
  readonly dead: ReadonlyArray<string>
  /** URLs whose pages would have exceeded the bytes of a batch. */
  readonly unread: ReadonlyArray<string>
}

interface BatchOptions {
  readonly audit: Pick<AuditRequest, "canonicalOrigin" | "listen">
  readonly converts: boolean
  readonly site: PublishedSite
  /** What was opened before: a page that is there already is no other page. */
  readonly before: ReadonlyArray<Visit>
  readonly recorded: RecordedHops
  readonly network: Transport["Service"]["send"]
  readonly shared: SharedLinks
  /** Milliseconds until the last request may be sent. */
  readonly leftMs: number
}

/** Opens a few pages as the sample is opened, looks for their Markdown versions, and converts those that have none if that is wanted. */
export const openBatch = Effect.fn("Fix.openBatch")(function* (
  urls: ReadonlyArray<string>,
  { audit, before, converts, leftMs, network, recorded, shared, site }: BatchOptions
): Effect.fn.Return<Batch, never, ParserPool> {
  const { base, llmsTxt, markdownVersions, notFoundProbe } = site
  const limits: FetchLimits = Object.assign({}, yield* FetchLimits, { gatherMs: leftMs })
  const parsing = yield* ParserPool
  const allowance = { requests: RETRIEVALS_PER_PAGE * urls.length, bytes: BATCH_SHARE * limits.auditBytes }
  const evidence = Evidence.layer({
    site: base.site,
    canonicalOrigin: audit.canonicalOrigin === null ? null : { origin: audit.canonicalOrigin, as: base.origin },
    allowanceOf: () => allowance,
    readRobots: (exchange) => Effect.succeed(lets(exchange)),
    ...(audit.listen === undefined ? {} : { listen: audit.listen })
  })
  return yield* Effect.gen(function* () {
    const { collector, journal } = yield* Evidence
    const { pages, visits } = yield* visitFurther({ base, parsing, collector: collector("fix/pages") }, urls, before)
    const found = yield* gatherFurtherVersions(
      { base, collector: collector("fix/versions") },
      pages,
      markdownVersions,
      llmsTxt,
      notFoundProbe
    )
    const conversions = new Map<string, Conversion>()
    for (const { page, version } of found)
      if (converts && version === null) conversions.set(page.url, yield* parsing.markdown({ answer: page.answer }))
    recorded.addCompressed(yield* journal)
    const light = new Map(pages.map((page) => [page, slimPage(page, shared)] as const))
    const isUnread = ({ exchange }: Visit): boolean => exchange._tag === "Fault" && exchange.kind === "budget"
    return {
      pages: [...light.values()],
      versions: found.flatMap(({ page, version }) =>
        version === null ? [] : [{ page: light.get(page) ?? page, version: slimVersion(version), attempts: [] }]
      ),
      conversions,
      dead: visits.flatMap(({ candidate, exchange }) =>
        spotOutcome(notFoundProbe, exchange) === "error" ? [candidate.url] : []
      ),
      visits: visits
        .filter((visit) => !isUnread(visit))
        .map((visit) =>
          slimVisit(visit, visit.page === null ? null : (light.get(visit.page) ?? slimPage(visit.page, shared)))
        ),
      unread: visits.filter(isUnread).map(({ candidate }) => candidate.url)
    }
  }).pipe(
    Effect.provide(Layer.provide(evidence, Layer.succeed(Transport, { send: recordedFirst(recorded, network) }))),
    Effect.provideService(FetchLimits, limits)
  )
})

const NO_BYTES = new Uint8Array()

const slimExchange = <Kind extends Exchange>(exchange: Kind): Kind =>
  exchange._tag === "Answer" ? { ...exchange, body: NO_BYTES } : exchange

/** Of a page without a title, what shows whether it has an empty one. */
const HEAD_BYTES = 20_000

/** One link for all pages that have it: most links of a page are those of its menus. */
type SharedLinks = (link: PageLink) => PageLink

export const sharedLinks = (): SharedLinks => {
  const known = new Map<string, PageLink>()
  return (link) => {
    const key = JSON.stringify(link)
    const same = known.get(key)
    if (same === undefined) known.set(key, link)
    return same ?? link
  }
}

/** A page that was converted, without what no file is written from: thousands of them fit in memory. */
const slimPage = (page: Page, shared: SharedLinks): Page => ({
  ...page,
  links: page.links.map(shared),
  answer:
    page.title === "" ? { ...page.answer, body: page.answer.body.slice(0, HEAD_BYTES) } : slimExchange(page.answer),
  sections: [{ heading: "", level: 0, anchor: null, path: [], text: "" }],
  tables: [],
  definitions: [],
  operations: [],
  times: [],
  hiddenInstructions: [],
  beside: { isPart: page.beside.isPart, segments: [], headings: [], code: [] }
})

/** A visit of the page, or of what gave none. */
const slimVisit = ({ candidate, exchange }: Visit, page: Page | null): Visit => ({
  candidate,
  exchange: slimExchange(exchange),
  page
})

/** A version that is read again where its structure is wanted. */
const slimVersion = ({ answer, how, text, url }: FoundVersion): FoundVersion => ({
  url,
  how,
  answer: slimExchange(answer),
  text,
  document: () => readMarkdown(text)
})
