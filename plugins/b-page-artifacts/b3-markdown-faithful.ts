import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { count, ratio, share } from "../../engine/criterion/Fact.ts"
import { isItself, withSampledPages } from "../../engine/criterion/SampledPages.ts"
import { between } from "../../engine/criterion/Uncertain.ts"
import { counted, grouped, pathShown, percent } from "../../engine/criterion/Wording.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import { evenStride } from "../../engine/site/base/EvenStride.ts"
import { type MarkdownDocument, textsOf } from "../../engine/page/markdown/MarkdownReader.ts"
import type { Site } from "../../engine/site/Site.ts"
import { errorClause } from "../../engine/site/sample/SpotCheck.ts"
import { clippedProse } from "../../engine/text/MarkdownText.ts"
import { mayHaveVersions, type Unseen } from "./MissingVersions.ts"
import { followMarkdownLinks, TRIED } from "./MarkdownLinks.ts"
import { type MarkdownVersion, markdownVersionsOf } from "./MarkdownVersion.ts"
import { type Parity, parity } from "../../engine/page/markdown/TextParity.ts"
import { type Loss, lossBetween } from "./UnseenVersions.ts"

/** B3: the Markdown version contains what the page contains. */
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
    compared: count("pages whose main content was compared with their Markdown version (by URL, else negotiated)"),
    segments: count("different text segments in the main content of these pages"),
    missing: share("of those, segments missing from the Markdown; 1 if the pages have none"),
    open_fences: count("compared Markdown files with a code fence that is never closed"),
    links: count("different URLs on the site that the compared Markdown links to"),
    broken_links: share("of those, URLs that do not resolve as written")
  },
  measure: Effect.fn("b3-markdown-faithful")(function* (site, params) {
    const [{ first, missing: lostPages }, versions] = yield* withSampledPages(site, markdownVersionsOf(site))
    const maybe = yield* mayHaveVersions(site)
    const unseen = lostPages.length + maybe.pages
    const comparable = versions.filter(({ page }) => isItself(page))
    const compared = evenStride(comparable, params.pages).map((version) => compare(version, params.segment_characters))
    if (compared.length === 0)
      return yield* nothingToCompare(site, first, { pages: unseen, missing: [...lostPages, ...maybe.missing] })
    const { broken, dead, links, missing: lostLinks, range } = yield* followMarkdownLinks(site, compared)
    const segments = compared.reduce((sum, { parity }) => sum + parity.segments, 0)
    const lost = compared.reduce((sum, { parity }) => sum + parity.missing.length, 0)
    const open = compared.filter(({ document }) => document.unclosedFences > 0)
    const isAll = comparable.length + unseen <= params.pages
    const unseenLinks = unseen * Math.max(...compared.map(({ document }) => document.links.length))
    const facts = {
      compared: compared.length,
      segments,
      missing: segments === 0 ? 1 : ratio(lost, segments),
      open_fences: open.length,
      links,
      broken_links: ratio(broken, 1)
    }
    const worst = compared
      .filter(({ parity }) => parity.missing.length > 0)
      .toSorted((one, other) => other.parity.missing.length - one.parity.missing.length)
    return {
      facts,
      uncertain: {
        compared: between(compared.length, Math.min(compared.length + unseen, params.pages)),
        segments: unseen === 0 ? undefined : between(isAll ? segments : 0, null),
        missing:
          unseen === 0
            ? undefined
            : lossBetween(
                comparable.map((version) => lossIn(compare(version, params.segment_characters))),
                unseen,
                params.pages
              ),
        open_fences: unseen === 0 ? undefined : between(surelyOpen(comparable, unseen, params.pages), null),
        links: unseen === 0 ? undefined : between(isAll ? links : 0, null),
        broken_links:
          unseen === 0
            ? between(ratio(range.least, 1), ratio(range.most, 1))
            : isAll
              ? between(
                  ratio(range.least * links, links + unseenLinks),
                  ratio(range.most * links + unseenLinks, links + unseenLinks)
                )
              : between(0, 1)
      },
      unanswered: [...lostPages, ...maybe.missing, ...lostLinks],
      findings: [
        { good: facts.missing < 1, message: summary(facts, lost), proof: (worst[0] ?? compared[0])?.answer ?? first },
        ...worst.map(lossOf),
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
      ]
    }
  })
})

const lossIn = ({ parity }: Compared): Loss => ({ segments: parity.segments, lost: parity.missing.length })

/** The least number of compared files with an open fence, if up to `unseen` files more may be compared in place of known ones. */
const surelyOpen = (versions: ReadonlyArray<MarkdownVersion>, unseen: number, size: number): number => {
  const closed = versions.filter(({ document }) => document().unclosedFences === 0).length
  return Math.max(0, Math.min(size - unseen, versions.length) - closed)
}

const summary = (
  facts: {
    readonly compared: number
    readonly segments: number
    readonly missing: number
    readonly links: number
    readonly broken_links: number
    readonly open_fences: number
  },
  lost: number
): string => {
  const pages = counted(facts.compared, "page")
  if (facts.segments === 0)
    return `We compared ${pages} with ${facts.compared === 1 ? "its" : "their"} Markdown, but found no text on ${facts.compared === 1 ? "it" : "them"} to compare.`
  const text = `The Markdown of ${pages} ${facts.segments === 1 ? (lost === 0 ? "has its only text segment" : "lacks its only text segment") : lost === 0 ? `has all ${grouped(facts.segments)} text segments` : `lacks ${grouped(lost)} of ${grouped(facts.segments)} text segments (${percent(facts.missing)})`}.`
  const fences =
    facts.open_fences === 0
      ? ""
      : ` ${counted(facts.open_fences, "file")} ${facts.open_fences === 1 ? "leaves" : "leave"} a code fence open.`
  return `${text}${fences}${linksShown(facts.links, facts.broken_links)}`
}

/** Not all links are tried, so the share of broken ones is an estimate. */
const linksShown = (links: number, broken: number): string => {
  if (links === 0) return ""
  if (links === 1) return broken === 0 ? " Its only internal link works." : " Its only internal link is broken."
  return broken === 0
    ? ` None of the ${grouped(links)} internal links that we tried are broken.`
    : ` About ${percent(broken)} of its ${grouped(links)} internal links are broken.`
}

interface Compared extends Omit<MarkdownVersion, "document"> {
  readonly document: MarkdownDocument
  readonly parity: Parity
}

/** The title may be only in the front matter. */
const compare = (version: MarkdownVersion, least: number): Compared => {
  const { page } = version
  const document = version.document()
  return {
    ...version,
    document,
    parity: parity(page.main.segments, [document.title, document.frontMatter, ...textsOf(document)], least)
  }
}

const QUOTED_CHARACTERS = 60

const lossOf = ({ answer, page, parity, url }: Compared): Finding => {
  const example = parity.missing[0] ?? ""
  const quoted = clippedProse(example, QUOTED_CHARACTERS)
  return {
    good: false,
    message: `${pathShown(url)} lacks ${grouped(parity.missing.length)} of ${counted(parity.segments, "text segment")} of ${pathShown(page.url)}, such as "${quoted}".`,
    proof: answer
  }
}

const nothingToCompare = Effect.fnUntraced(function* (site: Site, first: Exchange, unseen: Unseen) {
  const attempts = (yield* site.markdownVersions).pages.flatMap((one) => one.attempts)
  const asked = (yield* site.negotiation).pages
  const failed = [...attempts, ...asked]
  const proof = failed[0]?.exchange ?? first
  if (failed.length > 0 && failed.every(({ verdict }) => verdict === "unobtainable")) {
    return yield* new Unobtainable({ message: "No Markdown version of a page could be fetched.", exchange: proof })
  }
  return {
    facts: { compared: 0, segments: 0, missing: 0, open_fences: 0, links: 0, broken_links: 0 },
    uncertain:
      unseen.pages === 0
        ? {}
        : {
            compared: between(0, unseen.pages),
            segments: between(0, null),
            missing: between(0, 1),
            open_fences: between(0, null),
            links: between(0, null),
            broken_links: between(0, 1)
          },
    unanswered: unseen.missing,
    findings: [{ good: false, message: "No sampled page has a Markdown version to compare.", proof }] as const
  }
})
