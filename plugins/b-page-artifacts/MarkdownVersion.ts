import * as Effect from "effect/Effect"
import { between, ratio } from "../../engine/plugin/Fact.ts"
import { type Answer, type Exchange, isAnswer, isMissing } from "../../engine/evidence/Exchange.ts"
import type { MarkdownDocument } from "../../engine/page/markdown/MarkdownReader.ts"
import type { Page } from "../../engine/page/Page.ts"
import { evenStride } from "../../engine/site/base/EvenStride.ts"
import type { MarkdownVersions, VersionAttempt, VersionedPage } from "../../engine/site/markdown/MarkdownVersions.ts"
import type { Site } from "../../engine/site/Site.ts"

/** A page and its Markdown version. */
export interface MarkdownVersion {
  readonly page: Page
  /** The URL that returned the Markdown: relative links are resolved against it. */
  readonly url: string
  readonly answer: Answer
  readonly document: () => MarkdownDocument
}

/** For each sampled page that has one: its Markdown version by URL, else the negotiated one. */
export const markdownVersionsOf = Effect.fnUntraced(function* (
  site: Site
): Effect.fn.Return<ReadonlyArray<MarkdownVersion>> {
  const [markdownVersions, negotiation] = yield* Effect.all([site.markdownVersions, site.negotiation], {
    concurrency: "unbounded"
  })
  const own = countsAsOwnMarkdown(markdownVersions.pages.map(({ page }) => page))
  return markdownVersions.pages.flatMap(({ page, version }): ReadonlyArray<MarkdownVersion> => {
    if (page.format === "markdown" && !own) return []
    if (version !== null) return [{ page, url: version.url, answer: version.answer, document: version.document }]
    const negotiated = negotiation.pages.find((one) => one.page.url === page.url)
    if (negotiated === undefined) return []
    const { document, exchange } = negotiated
    return document === null || !isAnswer(exchange)
      ? []
      : [{ page, url: exchange.url, answer: exchange, document: () => document }]
  })
})

/**
 * Whether a page that is Markdown itself counts as its own Markdown version: only if at least half of the sampled pages
 * are Markdown. A stray Markdown file among HTML pages needs a Markdown version like any other page.
 */
export const countsAsOwnMarkdown = (pages: ReadonlyArray<Page>): boolean =>
  pages.filter(({ format }) => format === "markdown").length * 2 >= pages.length

/** Pages that may have a Markdown version, because a response is missing. */
interface MissingVersions {
  /** Pages without a version that may have one. */
  readonly pages: ReadonlyArray<VersionedPage>
  readonly missing: ReadonlyArray<Exchange>
}

/**
 * The pages for which a URL did not answer; all pages without a version, if that URL could have taught a pattern that the site's
 * other versions do not have.
 */
export const missingVersions = ({ learnt, pages }: MarkdownVersions): MissingVersions => {
  const without = pages.filter(({ version }) => version === null)
  const unread = pages.flatMap(({ attempts }) => attempts.filter(isUnread))
  const teaches = unread.some(({ how }) => learnt.length === 0 || (how !== "declared" && !learnt.includes(how)))
  const maybe = teaches ? without : without.filter(({ attempts }) => attempts.some(isUnread))
  return { pages: maybe, missing: maybe.length === 0 ? [] : unread.map(({ exchange }) => exchange) }
}

const isUnread = ({ exchange, verdict }: VersionAttempt): boolean => verdict === "unobtainable" && isMissing(exchange)

/** How many pages may have a Markdown version that we could not read, and the missing responses. */
export interface Unseen {
  readonly pages: number
  readonly missing: ReadonlyArray<Exchange>
}

/** Sampled pages without a Markdown version that may have one. */
export const mayHaveVersions = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<Unseen> {
  const [versions, negotiation] = [yield* site.markdownVersions, yield* site.negotiation]
  const byUrl = missingVersions(versions)
  const without = negotiation.pages.filter(
    ({ exchange, page, verdict }) =>
      verdict === "unobtainable" &&
      isMissing(exchange) &&
      !byUrl.pages.some((one) => one.page === page) &&
      versions.pages.some((one) => one.page === page && one.version === null)
  )
  return {
    pages: byUrl.pages.length + without.length,
    missing: [...byUrl.missing, ...without.map(({ exchange }) => exchange)]
  }
})

/** Text segments of pages (lines of code, headings, links), and those of them that their Markdown lacks. */
export interface Loss {
  readonly segments: number
  readonly lost: number
}

/**
 * The share of segments lost in the versions that are compared (`size` of them, by an even stride), if up to `unseen` more pages
 * have one, wherever they are in the sample: then others are compared, too. An unseen page is taken to be no longer than the
 * longest of the known ones.
 *
 * @param ofNone the share of no segments at all: 1 of texts, which a page must have, and 0 of what it need not have.
 */
export const lossBetween = (
  known: ReadonlyArray<Loss>,
  unseen: number,
  size: number,
  ofNone: 0 | 1 = 1
): ReturnType<typeof between> => {
  const longest = Math.max(0, ...known.map(({ segments }) => segments))
  if (unseen < size && longest === 0 && ofNone === 0) return between(0, 0)
  if (unseen >= size || longest === 0) return between(0, 1)
  const shareOf = ({ lost, segments }: Loss): number => (segments === 0 ? ofNone : lost / segments)
  const counts = Array.from({ length: unseen + 1 }, (_, more) => more)
  const another = (lost: number): Loss => ({ segments: longest, lost })
  const least = counts.map((more) => shareOf(extremeLoss({ known, more, size, another: another(0), shareOf }, -1)))
  const most = counts.map((more) => shareOf(extremeLoss({ known, more, size, another: another(longest), shareOf }, 1)))
  return between(ratio(Math.min(...least), 1), ratio(Math.max(...most), 1))
}

/** The known versions, with `more` between them that are all like `another`. */
interface Arranged {
  readonly known: ReadonlyArray<Loss>
  readonly more: number
  readonly size: number
  readonly another: Loss
  readonly shareOf: (loss: Loss) => number
}

/** The loss with the largest share (`sign` 1) or the smallest (-1), by Dinkelbach's method for maxima of a quotient. */
const extremeLoss = (arranged: Arranged, sign: 1 | -1): Loss => {
  let best = heaviest(arranged, (loss) => (sign === 1 ? loss.lost : loss.segments - loss.lost))
  for (;;) {
    const share = arranged.shareOf(best)
    const next = heaviest(arranged, ({ lost, segments }) => sign * (lost - share * segments))
    if (sign * (arranged.shareOf(next) - share) <= 0) return best
    best = next
  }
}

/** Of all places that the unseen versions may have among the known ones, the sum of the compared ones that weighs most. */
const heaviest = ({ another, known, more, size }: Arranged, weight: (loss: Loss) => number): Loss => {
  const places = Array.from({ length: known.length + more }, (_, place) => place)
  const compared = new Set(evenStride(places, size))
  // By the number of unseen versions so far: the heaviest sum of what is compared up to here.
  let sums = new Map([[0, NOTHING]])
  for (const place of places) {
    const next = new Map<number, Loss>()
    const offer = (unseen: number, sum: Loss, version: Loss): void => {
      const total = compared.has(place) ? plus(sum, version) : sum
      const other = next.get(unseen)
      if (other === undefined || weight(total) > weight(other)) next.set(unseen, total)
    }
    for (const [unseen, sum] of sums) {
      const own = known[place - unseen]
      if (own !== undefined) offer(unseen, sum, own)
      if (unseen < more) offer(unseen + 1, sum, another)
    }
    sums = next
  }
  return sums.get(more) ?? NOTHING
}

const NOTHING: Loss = { segments: 0, lost: 0 }

const plus = (one: Loss, other: Loss): Loss => ({
  segments: one.segments + other.segments,
  lost: one.lost + other.lost
})
