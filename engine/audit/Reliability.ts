import * as Effect from "effect/Effect"
import { isChallengeError, isOurLimit } from "../evidence/Exchange.ts"
import type { JournalEntry } from "../evidence/Journal.ts"
import { wasRateLimited } from "../evidence/politeness/RateLimits.ts"
import { isSubstantive, type Page } from "../page/Page.ts"
import { derivations, type Site, type SiteUnderAudit } from "../site/Site.ts"
import { productNamesOf } from "../site/topics/ProductName.ts"
import { suggestsHttpApi } from "../site/apispec/HttpApiSigns.ts"
import type { Reliability, ReliabilityFlag } from "./Report.ts"
import { isOverlong } from "../evidence/Address.ts"
import type { LlmsTxt } from "../site/wellknown/LlmsTxt.ts"
import type { MeasuredCriterion } from "./Measure.ts"

/** Below this share of points that we could check, a score says more about the network than about the site. */
const ENOUGH_COVERAGE = 0.75

/** Maximum points that may be inconclusive for reasons of transport: the true score is at most this much higher. */
const FEW_POINTS = 2

/** Below this share of pages with text in them, a site counts as rendered by the client (criterion E1, level 0). */
const CLIENT_RENDERED = 0.25

/** Flags under which the score is not to be relied on. */
const DISQUALIFYING: ReadonlySet<ReliabilityFlag> = new Set([
  "bot_challenge",
  "login_wall",
  "client_rendered",
  "unresponsive",
  "unanswered"
])

/** Limits of our own, that cut something off. */
const LIMITS: ReadonlySet<Reliability["skipped"][number]["reason"]> = new Set(["requests", "bytes", "size"])

/** Share of pages from which on one trait of pages marks the site. */
const MARKED = 0.5

/** What an audit has seen, as far as it bears on how reliable its score is. */
interface Seen {
  readonly journal: ReadonlyArray<JournalEntry>
  readonly skipped: Reliability["skipped"]
  /** The share of points that we could check. */
  readonly coverage: number
  /** As `pointsLostInTransport`. */
  readonly lostPoints: number
  readonly pluginFailed: boolean
  /** Whether a folder was audited. */
  readonly folder: boolean
}

/** What a reader must know before trusting the score; beside it, never inside it. */
export const reliabilityOf = Effect.fn("Reliability.of")(function* (
  site: Site,
  { coverage, folder, journal, lostPoints, pluginFailed, skipped }: Seen
): Effect.fn.Return<Reliability> {
  const notFoundProbe = yield* site.notFoundProbe
  const { candidates, missing, pages, visits } = yield* site.sample
  const spec = yield* site.spec
  const topics = yield* site.topicSearch
  const reference = yield* site.referenceSearch
  const names = yield* productNamesOf(site)
  const share = (holds: (page: (typeof pages)[number]) => boolean) =>
    pages.length === 0 ? 0 : pages.filter(holds).length / pages.length
  // Pages without text do not tell what they describe.
  const isReadable = share(isSubstantive) >= CLIENT_RENDERED
  // A missing response may be the one that shows an API.
  const isWhole =
    [missing, topics.missing, reference.missing].every((some) => some.length === 0) &&
    spec.unobtainable === null &&
    spec.missingClues.length === 0
  // One that is announced but cannot be read, or is on another site, is a sign of an API all the same.
  const isAnnounced = spec.candidates.some(
    ({ announcedBy, offSite, placeholder }) => (offSite || announcedBy !== null) && placeholder !== "no_api"
  )
  const challenged = journal.some(({ hop, seen }) => seen && hop._tag === "HopAnswer" && isChallengeError(hop))
  const flags: ReadonlyArray<readonly [ReliabilityFlag, boolean]> = [
    ["catch_all", notFoundProbe.catchAll],
    ["bot_challenge", challenged || share((page) => page.challenge !== null) >= MARKED],
    ["login_wall", share((page) => page.loginWall) >= MARKED],
    ["single_page", candidates.length <= 1 && visits.length <= 1],
    ["client_rendered", pages.length > 0 && !isReadable],
    ["off_site", spec.best === null && spec.candidates.some((candidate) => candidate.offSite)],
    ["timed_out", skipped.some((item) => item.reason === "deadline")],
    ["unresponsive", skipped.some((item) => item.reason === "unresponsive")],
    ["rate_limited", journal.some(({ hop, seen }) => seen && wasRateLimited(hop))],
    ["unanswered", lostPoints > FEW_POINTS || !missing.every(isOurLimit)],
    ["truncated", skipped.some(({ reason }) => LIMITS.has(reason))],
    ["plugin_failed", pluginFailed],
    ["folder", folder],
    [
      "no_http_api",
      isReadable &&
        isWhole &&
        spec.best === null &&
        spec.placeholder === null &&
        !isAnnounced &&
        !suggestsHttpApi({
          pages: [...pages, ...topics.pages, ...reference.pages],
          url: site.base.url,
          site: site.base.site,
          names
        })
    ]
  ]
  const raised = flags.flatMap(([flag, holds]) => (holds ? [flag] : []))
  const reliable = coverage >= ENOUGH_COVERAGE && pages.length > 0 && !raised.some((flag) => DISQUALIFYING.has(flag))
  return { reliable, coverage, flags: raised, skipped }
})

type Skipped = Reliability["skipped"][number]

/** The collector that `skipped` names for links that were left out because their URLs are longer than what is read. */
export const OVERLONG_LINKS = "site/links"

/**
 * What was fetched whole and read in part: Markdown pages, their Markdown versions and llms.txt files that are longer than
 * what is read of one, full texts, files that criteria fetched, pages that take too much time or memory, and links that were left out. Empty
 * for nearly every site.
 */
export const cutTexts = Effect.fn("CutTexts.of")(function* (
  audited: SiteUnderAudit,
  outcomes: ReadonlyArray<readonly [id: string, Pick<MeasuredCriterion, "filesCut">]>
): Effect.fn.Return<ReadonlyArray<Skipped>> {
  const site = audited.for("site/audit")
  // What no criterion of the rubric asked for is not fetched for this.
  const isUsed = (name: "fullText" | "topicPages" | "markdownVersions"): boolean =>
    audited.callersOf(derivations[name].collector).length > 0
  const llmsFiles = filesOf(yield* site.llmsTxt)
  const { pages } = yield* site.sample
  const topicPages = isUsed("topicPages") ? yield* site.topicPages : []
  const fullTexts = isUsed("fullText") ? (yield* site.fullText).files : []
  const { dirt } = yield* site.sitemaps
  const pairs = isUsed("markdownVersions") ? (yield* site.markdownVersions).pages : []
  const versions = pairs.flatMap(({ version }) =>
    version === null || version.how === "self" ? [] : [version.document()]
  )
  const linksOf = (some: ReadonlyArray<Page>): number => some.reduce((sum, page) => sum + page.overlongLinks, 0)
  const inLlms = llmsFiles.reduce((sum, { links }) => sum + links.filter(({ href }) => isOverlong(href)).length, 0)
  const cut = (collector: string, count: number): ReadonlyArray<Skipped> =>
    count === 0 ? [] : [{ collector, reason: "size", count }]
  return [
    ...cut(OVERLONG_LINKS, linksOf(pages) + linksOf(topicPages) + inLlms + dirt.overlong),
    ...cut(derivations.llmsTxt.collector, llmsFiles.filter(({ document }) => document.cut).length),
    ...cut(derivations.fullText.collector, fullTexts.filter(({ textCut }) => textCut).length),
    ...cut(derivations.sample.collector, pages.filter(({ textCut }) => textCut).length),
    ...cut(derivations.topicSearch.collector, topicPages.filter(({ textCut }) => textCut).length),
    ...cut(derivations.markdownVersions.collector, versions.filter((document) => document.cut).length),
    ...outcomes.flatMap(([id, { filesCut = 0 }]) => cut(id, filesCut))
  ]
})

const filesOf = ({ file, nested }: LlmsTxt): LlmsTxt["nested"] => (file === null ? [] : [file, ...nested])

/** Two lists as one, each collector and reason once, in their order. */
export const joined = (one: Reliability["skipped"], other: Reliability["skipped"]): Reliability["skipped"] => {
  const all = new Map<string, Skipped>()
  for (const item of [...one, ...other]) {
    const key = `${item.collector} ${item.reason}`
    all.set(key, { ...item, count: item.count + (all.get(key)?.count ?? 0) })
  }
  return [...all].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item)
}
