import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { NO_REQUESTS } from "../evidence/AuditBudget.ts"
import { cutShort, type Exchange } from "../evidence/Exchange.ts"
import type { Page } from "../page/Page.ts"
import type { SelectedElement } from "../page/select/Selector.ts"
import { cutAmong } from "../site/sample/Sample.ts"
import type { Site } from "../site/Site.ts"
import {
  type Criterion,
  define,
  type Finding,
  type Measurement,
  NO_PARAMS,
  type NoParams,
  refuseMistakes,
  trueOrFalse,
  type Unobtainable
} from "./Criterion.ts"
import { between, count, type FactValues, ratio, share, shareBetween } from "./Fact.ts"
import { isItself, sampledPages } from "./SampledPages.ts"
import { type Forms, pathShown, someOf } from "./Wording.ts"

/** How a rule judges one page. */
interface PageRule<Params> {
  /** The pages that count; where it is missing all of them, with `select` all that are HTML. */
  readonly of?: (page: Page, params: Params) => boolean
  /** A selector, as `Site.select` takes it: `where` is given its elements. */
  readonly select?: string | ((params: Params) => string)
  /** Whether a page meets the rule. A page that shows an error, a login or a bot challenge never does. */
  readonly where: (page: Page, params: Params, elements: ReadonlyArray<SelectedElement>) => boolean
  /** What one page does, and what several do, that meet the rule: `["names its owner", "name their owner"]`. */
  readonly says?: Forms
  /** What a page does that does not meet it: `names no owner`. */
  readonly lacks?: string
}

/** A plugin whose facts are a share of the sampled pages. */
interface ShareCode<Params> extends PageRule<Params> {
  readonly id: string
  /** As of any plugin; 1 if it is missing. */
  readonly revision?: Criterion["revision"]
  /** The meaning of the fact `pages`. */
  readonly pages?: string
  /** The meaning of the fact `matching`, such as `of those, pages that name their owner`. */
  readonly meaning?: string
}

/** The same, with numbers or texts that the rubric gives. */
interface ShareCodeWithParams<Params extends Schema.Struct.Fields> extends ShareCode<Schema.Struct.Type<Params>> {
  readonly params: Schema.Struct<Params>
}

export const shareFacts = (pages: string, meaning: string) => ({ pages: count(pages), matching: share(meaning) })

type ShareFacts = ReturnType<typeof shareFacts>

/**
 * Declares a plugin that measures which share of the sampled pages meets a rule. Its facts are `pages`, how many count, and `matching`,
 * the share of those that meet the rule (0 if none counts). Pages that did not answer, or were read in part, make both uncertain.
 */
export function defineShare<const Params extends Schema.Struct.Fields>(
  code: ShareCodeWithParams<Params>
): Criterion<ShareFacts, Params>
export function defineShare(code: ShareCode<object>): Criterion<ShareFacts, NoParams>
export function defineShare<const Params extends Schema.Struct.Fields>(
  code: ShareCode<object> | ShareCodeWithParams<Params>
): Criterion<ShareFacts, NoParams> | Criterion<ShareFacts, Params> {
  refuseMistakes("defineShare", code, {
    required: ["id", "where"],
    optional: ["of", "select", "says", "lacks", "params", "revision", "pages", "meaning"]
  })
  const { id, meaning = "of those, pages that meet the rule", revision = 1 } = code
  const { pages = "pages of the sample that were fetched" } = code
  const declared = { id, revision, budget: NO_REQUESTS, facts: shareFacts(pages, meaning) }
  return "params" in code
    ? define({ ...declared, params: code.params, measure: (site, params) => measureShare(site, params, code) })
    : define({ ...declared, params: NO_PARAMS, measure: (site, params) => measureShare(site, params, code) })
}

/** Pages that a report names, of those that do not meet a rule. */
const MOST_NAMED = 20

/** A page that counts, and whether it meets the rule. */
interface JudgedPage {
  readonly page: Page
  readonly meets: boolean
}

export const measureShare = Effect.fn("Share.measure")(function* <Params>(
  site: Site,
  params: Params,
  rule: PageRule<Params>
): Effect.fn.Return<Measurement<FactValues<ShareFacts>>, Unobtainable> {
  const { first, missing, pages } = yield* sampledPages(site)
  const judged = yield* Effect.forEach(pages, (page) => judgePage(site, page, params, rule), {
    concurrency: "unbounded"
  })
  const counted = judged.flatMap(({ judged }) => judged ?? [])
  const unread = judged.flatMap(({ unread }) => unread)
  const sure = counted.filter(({ page }) => !unread.some(({ asked }) => asked.url === page.answer.asked.url))
  const open = missing.length + unread.length
  const failing = counted.filter(({ meets }) => !meets)
  const { lacks = "does not meet the rule", says = ["meets the rule", "meet the rule"] } = rule
  return {
    facts: { pages: counted.length, matching: ratio(counted.length - failing.length, counted.length) },
    uncertain: {
      pages: between(sure.length, sure.length + open),
      matching: shareBetween(sure.filter(({ meets }) => meets).length, sure.length, open)
    },
    unanswered: [...missing, ...unread],
    findings: [
      {
        good: counted.length > 0 && failing.length === 0,
        message: summary(counted.length - failing.length, counted.length, counted.length < pages.length, says),
        proof: counted.find(({ meets }) => meets)?.page.answer ?? failing[0]?.page.answer ?? first
      },
      ...failing.slice(0, MOST_NAMED).map(({ page }): Finding => ({
        good: false,
        message: `${pathShown(page.url)} ${lacks}.`,
        proof: page.answer
      }))
    ]
  }
})

const summary = (part: number, whole: number, isNarrowed: boolean, says: Forms): string =>
  whole === 0
    ? "None of the pages that we read is one that the rule is about."
    : `${someOf(part, whole, isNarrowed ? NARROWED : SAMPLED, says)}.`

const SAMPLED: Forms = ["sampled page", "sampled pages"]
const NARROWED: Forms = ["page that the rule is about", "pages that the rule is about"]

/** `null`: the page does not count. What was read in part could change both. */
const judgePage = Effect.fnUntraced(function* <Params>(
  site: Site,
  page: Page,
  params: Params,
  { of, select, where }: PageRule<Params>
): Effect.fn.Return<{ readonly judged: JudgedPage | null; readonly unread: ReadonlyArray<Exchange> }> {
  const selector = typeof select === "function" ? select(params) : select
  const counts =
    of === undefined ? selector === undefined || page.format === "html" : trueOrFalse("of", of(page, params))
  const isRead = selector === undefined || !counts || !isItself(page)
  const { cut, elements } = isRead ? NOTHING_SELECTED : yield* site.select(page.answer, selector)
  const unread = cut ? [cutShort(page.answer)] : cutAmong([page])
  if (!counts) return { judged: null, unread }
  return { judged: { page, meets: isItself(page) && trueOrFalse("where", where(page, params, elements)) }, unread }
})

const NOTHING_SELECTED = { cut: false, elements: [] }
