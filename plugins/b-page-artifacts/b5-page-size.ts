import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/plugin/Criterion.ts"
import { between, count, ratio, share, shareBetween, shares } from "../../engine/plugin/Fact.ts"
import { someSampled, withSampledPages } from "../../engine/plugin/SampledPages.ts"
import { counted, enumerated, grouped, pathShown, percent, someOf } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { isSubstantive, type Page } from "../../engine/page/Page.ts"
import {
  type Bounds,
  type Check,
  type Given,
  givenOf,
  isOutlined,
  isSized,
  isTagged,
  medianBetween,
  medianOf,
  startsEarly
} from "./PageChecks.ts"

/** B5: a page fits a context window, its main content comes early, and most of what an agent is given of it is content. */
export const b5PageSize = define({
  id: "b5-page-size",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({
    /** Maximum length of the main content, in characters, and of the body, in bytes, of a page that fits. */
    fit_characters: Schema.Int,
    fit_bytes: Schema.Int,
    /** Maximum visible text before the main content, in characters or as a share of all visible text; one of the two is enough. */
    fit_lead_characters: Schema.Int,
    fit_lead_share: Schema.Finite,
    /** Minimum share of code blocks of two lines or more that name a language. */
    fit_tagged_code: Schema.Finite,
    rough_characters: Schema.Int,
    rough_bytes: Schema.Int,
    rough_lead_characters: Schema.Int,
    rough_lead_share: Schema.Finite,
    /** Within how many characters of what an agent is given the main content should end. */
    arrive_characters: Schema.Int
  }),
  facts: {
    pages: count("sampled pages that were fetched"),
    fitting: share("of those, substantive pages that meet every size and structure check"),
    roughly_fitting: share("of those, substantive pages within the looser limits"),
    substantive: share("of those, pages with content of their own"),
    sized: share("of the substantive pages, those whose main content and body are short enough"),
    early: share("of the substantive pages, those whose main content starts early enough"),
    outlined: share(
      "of the substantive pages, those with one H1 (or the listed H1s of a reference on one page) and no skipped level"
    ),
    tagged: share("of the substantive pages, those on which enough code blocks name a language"),
    given: count(
      "substantive pages of which we know what an agent is given: Markdown where it is negotiated, else the HTML, converted with its navigation"
    ),
    arriving: share("of those, pages whose main content ends early enough in what an agent is given"),
    content_share: share("the median share of main content in what an agent is given of those"),
    other_characters: count("the median number of characters in it that are not main content, such as menus")
  },
  measure: Effect.fn("b5-page-size")(function* (site, params) {
    const [{ first, missing, pages }, negotiation] = yield* withSampledPages(site, site.negotiation)
    const fit: Bounds = {
      characters: params.fit_characters,
      bytes: params.fit_bytes,
      lead: params.fit_lead_characters,
      leadShare: params.fit_lead_share
    }
    const rough: Bounds = {
      characters: params.rough_characters,
      bytes: params.rough_bytes,
      lead: params.rough_lead_characters,
      leadShare: params.rough_lead_share
    }
    const substantive = pages.filter(isSubstantive)
    const size = judge(
      "size",
      isSized(fit),
      substantive,
      (met) => `${someSampled(met, pages, ["stays", "stay"])} within the size limits`
    )
    const start = judge(
      "start of content",
      startsEarly(fit),
      substantive,
      (met) => `${someSampled(met, pages, ["starts its", "start their"])} main content early`
    )
    const headings = judge(
      "headings",
      isOutlined,
      substantive,
      (met) => `${someSampled(met, pages, ["has", "have"])} headings in order`
    )
    const code = judge(
      "code languages",
      isTagged(params.fit_tagged_code),
      substantive,
      (met) =>
        `${someSampled(met, pages, ["names the language of", "name the language of"])} at least ${percent(params.fit_tagged_code)} of ${pages.length === 1 || met === 1 ? "its" : "their"} code blocks`
    )
    const given = yield* givenOf(site, substantive, negotiation)
    const late = given.pages.filter(({ contentEnd, page }) => page.answer.cut || contentEnd > params.arrive_characters)
    const contents = given.pages.map(({ characters, content }) => ratio(content, characters))
    const parts = [size, start, headings, code]
    const fitting = substantive.filter((page) =>
      parts.every(({ faults }) => !faults.some((fault) => fault.page === page))
    )
    const roughly = substantive.filter((page) => isSized(rough)(page) === null && startsEarly(rough)(page) === null)
    const meeting = ({ faults }: Judged): number => substantive.length - faults.length
    const ofPages = shares(
      { fitting: fitting.length, roughly_fitting: roughly.length, substantive: substantive.length },
      pages.length,
      missing.length
    )
    const ofSubstantive = shares(
      { sized: meeting(size), early: meeting(start), outlined: meeting(headings), tagged: meeting(code) },
      substantive.length,
      missing.length
    )
    const arrived = given.pages.length - late.length
    const content = medianOf(contents)
    const others = given.pages.map(({ characters, content }) => characters - content)
    const isOpen = given.open.length > 0
    const arriving = shareBetween(arrived, given.pages.length, missing.length)
    const contentShare = medianBetween(contents, missing.length)
    const empty: Judged = {
      name: pages.length === 1 ? "no content of its own" : "no content of their own",
      faults: pages
        .filter((page) => !isSubstantive(page))
        .map((page) => ({ page, clause: "has no content of its own" })),
      lead: (met) => `${someSampled(met, pages, ["has its", "have their"])} own content`
    }
    const judged = [{ ...empty, met: substantive.length }, ...parts.map((part) => ({ ...part, met: meeting(part) }))]
    return {
      facts: {
        pages: pages.length,
        ...ofPages.facts,
        ...ofSubstantive.facts,
        given: given.pages.length,
        arriving: ratio(arrived, given.pages.length),
        content_share: content,
        other_characters: medianOf(others)
      },
      uncertain: {
        pages: between(pages.length, pages.length + missing.length),
        ...ofPages.uncertain,
        ...ofSubstantive.uncertain,
        given: between(isOpen ? 0 : given.pages.length, isOpen ? null : given.pages.length + missing.length),
        arriving: isOpen ? between(arriving.at_least, 1) : arriving,
        content_share: isOpen ? between(contentShare.at_least, 1) : contentShare,
        other_characters: othersBetween(others, missing.length, isOpen)
      },
      unanswered: [...missing, ...given.open],
      findings: [
        {
          good: roughly.length > 0,
          message: summary(pages.length, fitting.length, substantive.length - roughly.length, rough, [empty, ...parts]),
          proof: fitting[0]?.answer ?? roughly[0]?.answer ?? first
        },
        ...givenShown(given.pages, content, params.arrive_characters),
        ...judged.flatMap(({ faults, lead, met }) => faults.slice(0, 1).map((fault) => shown(fault, `${lead(met)}. `))),
        ...judged.flatMap(({ faults }) => faults.slice(1, NAMED_PAGES).map((fault) => shown(fault)))
      ]
    }
  })
})

/** What share of what an agent is given is content, and the page with the least; then the pages that end too late. */
const givenShown = (pages: ReadonlyArray<Given>, median: number, limit: number): ReadonlyArray<Finding> => {
  const [least] = pages.toSorted(
    (one, other) => ratio(one.content, one.characters) - ratio(other.content, other.characters)
  )
  if (least === undefined) return []
  const form = least.format === "html" ? "of the converted HTML" : "of the Markdown"
  return [
    {
      good: median >= MOSTLY_CONTENT,
      message: `${percent(median)} of what an agent is given of a page is its main content (median of ${counted(pages.length, "page")}); of ${pathShown(least.page.url)} it is ${percent(ratio(least.content, least.characters))} ${form}, ${grouped(least.characters)} characters.`,
      proof: least.page.answer
    },
    ...pages
      .filter(({ contentEnd }) => contentEnd > limit)
      .slice(0, NAMED_PAGES)
      .map(({ contentEnd, page }): Finding => ({
        good: false,
        message: `The main content of ${pathShown(page.url)} ends ${grouped(contentEnd)} characters into what an agent is given; some agents keep ${grouped(limit)}.`,
        proof: page.answer
      }))
  ]
}

/** What the median is at least and at most, if `missing` more pages are anything, or all may be the Markdown alone. */
const othersBetween = (others: ReadonlyArray<number>, missing: number, isOpen: boolean): ReturnType<typeof between> => {
  const more = (count: number): number => medianOf([...others, ...Array.from({ length: missing }, () => count)])
  const most = more(Number.POSITIVE_INFINITY)
  return between(isOpen ? 0 : more(0), Number.isFinite(most) ? most : null)
}

/** From here on more of it is content than not. */
const MOSTLY_CONTENT = 0.5

/** Maximum number of pages to name for each check. */
const NAMED_PAGES = 20

interface Fault {
  readonly page: Page
  readonly clause: string
}

/** What came of one check. */
interface Judged {
  /** The check, as a noun. */
  readonly name: string
  readonly faults: ReadonlyArray<Fault>
  /** How many pages met it, as a clause. */
  readonly lead: (met: number) => string
}

const judge = (name: string, check: Check, pages: ReadonlyArray<Page>, lead: Judged["lead"]): Judged => ({
  name,
  lead,
  faults: pages.flatMap((page) => {
    const clause = check(page)
    return clause === null ? [] : [{ page, clause }]
  })
})

const shown = ({ clause, page }: Fault, lead = ""): Finding => ({
  good: false,
  message: `${lead}${pathShown(page.url)} ${clause}.`,
  proof: page.answer
})

/** What fails, by check, the most frequent first; then the pages beyond the limits that earn some points. */
const summary = (
  pages: number,
  fitting: number,
  beyond: number,
  rough: Bounds,
  parts: ReadonlyArray<Judged>
): string => {
  if (pages === 0) return "No page could be fetched."
  const met = `${someOf(fitting, pages, ["sampled page", "sampled pages"], ["meets", "meet"])} every size and structure check.`
  if (fitting === pages) return met
  const failing = parts
    .filter(({ faults }) => faults.length > 0)
    .toSorted((one, other) => other.faults.length - one.faults.length)
    .map(({ faults, name }) => (pages === 1 ? name : `${name} (${counted(faults.length, "page")})`))
  const far =
    beyond === 0 || pages === 1
      ? ""
      : ` ${counted(beyond, "page")} ${beyond === 1 ? "exceeds" : "exceed"} the limits for partial points too: ${grouped(rough.characters)} characters of main content, ${grouped(rough.bytes)} bytes, and main content near the start.`
  return `${met} Failing: ${enumerated(failing)}.${far}`
}
