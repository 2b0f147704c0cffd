import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/plugin/Criterion.ts"
import { between, count, ratio, share } from "../../engine/plugin/Fact.ts"
import { isItself, withSampledPages } from "../../engine/plugin/SampledPages.ts"
import { counted, grouped, pathShown, percent } from "../../engine/plugin/Wording.ts"
import { textOf } from "../../engine/evidence/BodyText.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import { evenStride } from "../../engine/site/base/EvenStride.ts"
import { type Faithfulness, faithfulness } from "../../engine/page/markdown/Faithfulness.ts"
import type { MarkdownDocument } from "../../engine/page/markdown/MarkdownReader.ts"
import type { Site } from "../../engine/site/Site.ts"
import { errorClause } from "../../engine/site/sample/SpotCheck.ts"
import { clippedProse } from "../../engine/text/MarkupText.ts"
import {
  type Loss,
  lossBetween,
  type MarkdownVersion,
  markdownVersionsOf,
  mayHaveVersions,
  type Unseen
} from "./MarkdownVersion.ts"
import { followMarkdownLinks, TRIED, wayOn } from "./MarkdownLinks.ts"
import { isDeadEnd, leadBy, lostWays } from "../ways/StartWays.ts"

/** B3: the Markdown version contains what the page contains, and leads on as the page does. */
export const b3MarkdownFaithful = define({
  id: "b3-markdown-faithful",
  revision: 3,
  // As many links of Markdown as are tried.
  budget: { requests: TRIED, megabytes: 1 },
  params: Schema.Struct({
    /** Maximum number of pages to compare. */
    pages: Schema.Int,
    /** Minimum length of a segment, in characters. */
    segment_characters: Schema.Int
  }),
  facts: {
    compared: count("pages that were compared with their Markdown version (by URL, else negotiated)"),
    segments: count("different text segments of each of these pages, outside navigation"),
    missing: share("of those, segments missing from the Markdown; 1 if the pages have none"),
    code_lines: count("different lines of code of each of these pages"),
    missing_code: share("of those, lines that no line of the Markdown is; 0 if the pages have none"),
    headings: count("different headings of each of these pages, of levels 1 to 4"),
    missing_headings: share("of those, headings that the Markdown lacks; 0 if the pages have none"),
    targets: count("different URLs that each of these pages links to, outside navigation"),
    missing_targets: share("of those, URLs that the Markdown does not name; 0 if the pages link to none"),
    open_fences: count("compared Markdown files with a code fence that is never closed"),
    links: count("different URLs on the site that the compared Markdown links to"),
    broken_links: share("of those, URLs that do not resolve as written"),
    leading_on: share(
      "of the compared pages that link to another page of the documentation, those whose Markdown does, too, or names an index; 1 if none does"
    ),
    start_links: count(
      "pages of the documentation that the start page, menus included, links to; 0 if it is not negotiated as Markdown"
    ),
    start_lost: share(
      "of those, pages that are missing from its Markdown; 0 if that names an index of the documentation"
    )
  },
  measure: Effect.fn("b3-markdown-faithful")(function* (site, params) {
    const [{ first, missing: lostPages }, versions] = yield* withSampledPages(site, markdownVersionsOf(site))
    const maybe = yield* mayHaveVersions(site)
    const unseen = lostPages.length + maybe.pages
    const comparable = versions.filter(({ page }) => isItself(page))
    const comparedAll = comparable.map((version) => compare(site, version, params.segment_characters))
    const compared = evenStride(comparedAll, params.pages)
    if (compared.length === 0)
      return yield* nothingToCompare(site, first, { pages: unseen, missing: [...lostPages, ...maybe.missing] })
    const way = yield* wayOn(site, { compared, all: comparedAll, unseen, size: params.pages })
    const { broken, dead, links, missing: lostLinks, range } = yield* followMarkdownLinks(site, compared)
    const open = compared.filter(({ document }) => document.unclosedFences > 0)
    const isAll = comparable.length + unseen <= params.pages
    const unseenLinks = unseen * Math.max(...compared.map(({ document }) => document.links.length))
    const sums = {
      segments: sumOf(compared, "segments"),
      code: sumOf(compared, "code"),
      headings: sumOf(compared, "headings"),
      targets: sumOf(compared, "targets")
    }
    const facts = {
      compared: compared.length,
      segments: sums.segments.segments,
      missing: sums.segments.segments === 0 ? 1 : shareLost(sums.segments),
      code_lines: sums.code.segments,
      missing_code: shareLost(sums.code),
      headings: sums.headings.segments,
      missing_headings: shareLost(sums.headings),
      targets: sums.targets.segments,
      missing_targets: shareLost(sums.targets),
      open_fences: open.length,
      links,
      broken_links: ratio(broken, 1),
      ...way.facts
    }
    const lossesOf = (kind: keyof Faithfulness): ReadonlyArray<Loss> => comparedAll.map((one) => lossIn(one, kind))
    const counted = (count: number) => (unseen === 0 ? undefined : between(isAll ? count : 0, null))
    const lost = (kind: keyof Faithfulness, ofNone: 0 | 1) =>
      unseen === 0 ? undefined : lossBetween(lossesOf(kind), unseen, params.pages, ofNone)
    return {
      facts,
      uncertain: {
        compared: between(compared.length, Math.min(compared.length + unseen, params.pages)),
        segments: counted(facts.segments),
        missing: lost("segments", 1),
        code_lines: counted(facts.code_lines),
        missing_code: lost("code", 0),
        headings: counted(facts.headings),
        missing_headings: lost("headings", 0),
        targets: counted(facts.targets),
        missing_targets: lost("targets", 0),
        open_fences: unseen === 0 ? undefined : between(surelyOpen(comparable, unseen, params.pages), null),
        links: counted(links),
        broken_links:
          unseen === 0
            ? between(ratio(range.least, 1), ratio(range.most, 1))
            : isAll
              ? between(
                  ratio(range.least * links, links + unseenLinks),
                  ratio(range.most * links + unseenLinks, links + unseenLinks)
                )
              : between(0, 1),
        ...way.uncertain
      },
      unanswered: [...lostPages, ...maybe.missing, ...lostLinks, ...way.missing],
      findings: leadBy(isDeadEnd(way) ? lostWays(way) : [], [
        {
          good: facts.missing < 1,
          message: summary(facts, sums.segments.lost),
          proof: (worstIn(compared, "segments")[0] ?? compared[0])?.answer ?? first
        },
        ...LOSSES.flatMap((loss) => worstIn(compared, loss.kind).map((one) => lossOf(one, loss))),
        ...(isDeadEnd(way) ? [] : lostWays(way)),
        ...open.map(({ answer, url }): Finding => ({
          good: false,
          message: `${pathShown(url)} opens a code fence and never closes it.`,
          proof: answer
        })),
        ...dead.map((spot): Finding => ({
          good: false,
          message: `${pathShown(spot.url)}, linked from the Markdown, ${errorClause(spot)}.`,
          proof: spot.exchange
        }))
      ])
    }
  })
})

/** A Markdown version and what came of comparing its page with it. */
interface Compared extends Omit<MarkdownVersion, "document"> {
  readonly document: MarkdownDocument
  readonly text: string
  readonly kept: Faithfulness
}

const compare = (site: Site, version: MarkdownVersion, least: number): Compared => {
  const document = version.document()
  const { text } = textOf(version.answer)
  return {
    ...version,
    document,
    text,
    kept: faithfulness(version.page, { url: version.url, text, document }, least, site.resolve)
  }
}

const lossIn = ({ kept }: Compared, kind: keyof Faithfulness): Loss => ({
  segments: kept[kind].total,
  lost: kept[kind].missing.length
})

const sumOf = (compared: ReadonlyArray<Compared>, kind: keyof Faithfulness): Loss =>
  compared
    .map((one) => lossIn(one, kind))
    .reduce((sum, one) => ({ segments: sum.segments + one.segments, lost: sum.lost + one.lost }))

const shareLost = ({ lost, segments }: Loss): number => ratio(lost, segments)

const worstIn = (compared: ReadonlyArray<Compared>, kind: keyof Faithfulness): ReadonlyArray<Compared> =>
  compared
    .filter(({ kept }) => kept[kind].missing.length > 0)
    .toSorted((one, other) => other.kept[kind].missing.length - one.kept[kind].missing.length)

/** The least number of compared files with an open fence, if up to `unseen` files more may be compared in place of known ones. */
const surelyOpen = (versions: ReadonlyArray<MarkdownVersion>, unseen: number, size: number): number => {
  const closed = versions.filter(({ document }) => document().unclosedFences === 0).length
  return Math.max(0, Math.min(size - unseen, versions.length) - closed)
}

interface Summed {
  readonly compared: number
  readonly segments: number
  readonly missing: number
  readonly code_lines: number
  readonly missing_code: number
  readonly headings: number
  readonly missing_headings: number
  readonly targets: number
  readonly missing_targets: number
  readonly links: number
  readonly broken_links: number
  readonly open_fences: number
}

const summary = (facts: Summed, lost: number): string => {
  const pages = counted(facts.compared, "page")
  if (facts.segments === 0)
    return `We compared ${pages} with ${facts.compared === 1 ? "its" : "their"} Markdown, but found no text on ${facts.compared === 1 ? "it" : "them"} to compare.`
  const text = `The Markdown of ${pages} ${facts.segments === 1 ? (lost === 0 ? "has its only text segment" : "lacks its only text segment") : lost === 0 ? `has all ${grouped(facts.segments)} text segments` : `lacks ${grouped(lost)} of ${grouped(facts.segments)} text segments (${percent(facts.missing)})`}.`
  const code =
    facts.missing_code === 0
      ? ""
      : ` ${percent(facts.missing_code)} of ${counted(facts.code_lines, "line")} of code ${facts.code_lines === 1 ? "is" : "are"} missing or broken.`
  const fences =
    facts.open_fences === 0
      ? ""
      : ` ${counted(facts.open_fences, "file")} ${facts.open_fences === 1 ? "leaves" : "leave"} a code fence open.`
  const headings =
    facts.missing_headings === 0
      ? ""
      : ` It lacks ${percent(facts.missing_headings)} of ${counted(facts.headings, "heading")}.`
  const targets =
    facts.missing_targets === 0
      ? ""
      : ` It lacks ${percent(facts.missing_targets)} of ${counted(facts.targets, "link target")}.`
  return `${text}${code}${headings}${targets}${fences}${linksShown(facts.links, facts.broken_links)}`
}

/** Not all links are tried, so the share of broken ones is an estimate. */
const linksShown = (links: number, broken: number): string => {
  if (links === 0) return ""
  if (links === 1) return broken === 0 ? " Its only internal link works." : " Its only internal link is broken."
  return broken === 0
    ? ` None of the ${grouped(links)} internal links that we tried are broken.`
    : ` About ${percent(broken)} of its ${grouped(links)} internal links are broken.`
}

const QUOTED_CHARACTERS = 60

/** What of a page its Markdown may lack, and how an example of it is shown. */
interface LossKind {
  readonly kind: keyof Faithfulness
  readonly noun: string
  readonly shown: (example: string) => string
}

const quoted = (text: string): string => `"${clippedProse(text, QUOTED_CHARACTERS)}"`

const LOSSES: ReadonlyArray<LossKind> = [
  { kind: "segments", noun: "text segment", shown: quoted },
  { kind: "code", noun: "line", shown: quoted },
  { kind: "headings", noun: "heading", shown: quoted },
  { kind: "targets", noun: "link target", shown: pathShown }
]

const lossOf = ({ answer, kept, page, url }: Compared, { kind, noun, shown }: LossKind): Finding => {
  const { missing, total } = kept[kind]
  const things = `${counted(total, noun)}${kind === "code" ? " of code" : ""}`
  return {
    good: false,
    message: `${pathShown(url)} lacks ${grouped(missing.length)} of ${things} of ${pathShown(page.url)}, such as ${shown(missing[0] ?? "")}.`,
    proof: answer
  }
}

const NOTHING_COMPARED = {
  compared: 0,
  segments: 0,
  missing: 0,
  code_lines: 0,
  missing_code: 0,
  headings: 0,
  missing_headings: 0,
  targets: 0,
  missing_targets: 0,
  open_fences: 0,
  links: 0,
  broken_links: 0,
  leading_on: 1,
  start_links: 0,
  start_lost: 0
} as const

const nothingToCompare = Effect.fnUntraced(function* (site: Site, first: Exchange, unseen: Unseen) {
  const attempts = (yield* site.markdownVersions).pages.flatMap((one) => one.attempts)
  const asked = (yield* site.negotiation).pages
  const failed = [...attempts, ...asked]
  const proof = failed[0]?.exchange ?? first
  if (failed.length > 0 && failed.every(({ verdict }) => verdict === "unobtainable")) {
    return yield* new Unobtainable({ message: "No Markdown version of a page could be fetched.", exchange: proof })
  }
  return {
    facts: NOTHING_COMPARED,
    uncertain:
      unseen.pages === 0
        ? {}
        : {
            compared: between(0, unseen.pages),
            segments: between(0, null),
            missing: between(0, 1),
            code_lines: between(0, null),
            missing_code: between(0, 1),
            headings: between(0, null),
            missing_headings: between(0, 1),
            targets: between(0, null),
            missing_targets: between(0, 1),
            open_fences: between(0, null),
            links: between(0, null),
            broken_links: between(0, 1),
            leading_on: between(0, 1),
            start_links: between(0, null),
            start_lost: between(0, 1)
          },
    unanswered: unseen.missing,
    findings: [{ good: false, message: "No sampled page has a Markdown version to compare.", proof }] as const
  }
})
