import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { count, ratio, share } from "../../engine/criterion/Fact.ts"
import { isItself, withSampledPages } from "../../engine/criterion/SampledPages.ts"
import { counted, grouped, pathShown, percent } from "../../engine/criterion/Wording.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import { evenStride } from "../../engine/site/EvenStride.ts"
import { type MarkdownDocument, textsOf } from "../../engine/site/MarkdownReader.ts"
import type { Site } from "../../engine/site/Site.ts"
import { errorClause } from "../../engine/site/SpotCheck.ts"
import { followMarkdownLinks } from "./MarkdownLinks.ts"
import { type MarkdownVersion, markdownVersions } from "./MarkdownVersion.ts"
import { type Parity, parity } from "./TextParity.ts"

/** B3: the Markdown says what the page says. */
export const b3MarkdownFaithful = define({
  id: "b3-markdown-faithful",
  revision: 1,
  params: Schema.Struct({
    /** How many pages are compared at most. */
    pages: Schema.Int,
    /** Shortest segment that is looked for, in characters. */
    segment_characters: Schema.Int
  }),
  facts: {
    compared: count("pages whose main content was compared with their Markdown (twin, else negotiated)"),
    segments: count("different text segments in the main content of each, together"),
    missing: share("of those, segments not found in the Markdown; 1 where no page holds any"),
    open_fences: count("compared Markdown files with a code fence that is not closed"),
    links: count("different addresses on the site that the compared Markdown links to"),
    broken_links: share("of those, addresses that lead nowhere as written")
  },
  measure: Effect.fn("b3-markdown-faithful")(function*(site, params) {
    const [{ first }, versions] = yield* withSampledPages(site, markdownVersions(site))
    const compared = evenStride(versions.filter(({ page }) => isItself(page)), params.pages).map((version) => compare(version, params.segment_characters))
    if (compared.length === 0) return yield* nothingToCompare(site, first)
    const { broken, dead, links } = yield* followMarkdownLinks(site, compared)
    const segments = compared.reduce((sum, { parity }) => sum + parity.segments, 0)
    const lost = compared.reduce((sum, { parity }) => sum + parity.missing.length, 0)
    const open = compared.filter(({ document }) => document.unclosedFences > 0)
    const facts = {
      compared: compared.length,
      segments,
      missing: segments === 0 ? 1 : ratio(lost, segments),
      open_fences: open.length,
      links,
      broken_links: ratio(broken, 1)
    }
    const worst = compared.filter(({ parity }) => parity.missing.length > 0)
      .toSorted((one, other) => other.parity.missing.length - one.parity.missing.length)
    return {
      facts,
      findings: [
        { good: facts.missing < 1, message: summary(facts), proof: (worst[0] ?? compared[0])?.answer ?? first },
        ...worst.slice(0, 2).map(lossOf),
        ...open.slice(0, 1).map(({ answer, url }): Finding => ({ good: false, message: `${pathShown(url)} opens a code fence that it does not close.`, proof: answer })),
        ...dead.slice(0, 1).map((spot): Finding => ({ good: false, message: `${pathShown(spot.url)}, linked from the Markdown, ${errorClause(spot)}.`, proof: spot.exchange }))
      ]
    }
  })
})

const summary = (facts: {
  readonly compared: number
  readonly segments: number
  readonly missing: number
  readonly links: number
  readonly broken_links: number
}): string => {
  const pages = counted(facts.compared, "page")
  if (facts.segments === 0) return `${pages} with Markdown, and no text to compare it with.`
  const missing = facts.missing === 0 ? "none is missing" : `${percent(facts.missing)} are missing`
  const broken = facts.broken_links === 0 ? "none is broken" : `${percent(facts.broken_links)} are broken`
  const links = facts.links === 0 ? "" : `; of its ${counted(facts.links, "link")} to the site ${broken}`
  return `Of ${counted(facts.segments, "text segment")} on ${pages} ${missing} in the Markdown${links}.`
}

interface Compared extends Omit<MarkdownVersion, "document"> {
  readonly document: MarkdownDocument
  readonly parity: Parity
}

/** Titles may stand in the front matter alone. */
const compare = (version: MarkdownVersion, least: number): Compared => {
  const { page } = version
  const document = version.document()
  return { ...version, document, parity: parity(page.main.segments, [document.title, document.frontMatter, ...textsOf(document)], least) }
}

const QUOTED_CHARACTERS = 60

const lossOf = ({ answer, page, parity, url }: Compared): Finding => {
  const example = parity.missing[0] ?? ""
  const quoted = example.length > QUOTED_CHARACTERS ? `${example.slice(0, QUOTED_CHARACTERS)}…` : example
  return {
    good: false,
    message: `${pathShown(url)} lacks ${grouped(parity.missing.length)} of ${counted(parity.segments, "segment")} of ${pathShown(page.url)}, such as "${quoted}".`,
    proof: answer
  }
}

const nothingToCompare = Effect.fnUntraced(function*(site: Site, first: Exchange) {
  const attempts = (yield* site.twins).pages.flatMap((one) => one.attempts)
  const asked = (yield* site.negotiation).pages
  const failed = [...attempts, ...asked]
  const proof = failed[0]?.exchange ?? first
  if (failed.length > 0 && failed.every(({ verdict }) => verdict === "unobtainable")) {
    return yield* new Unobtainable({ message: "No Markdown version of a page could be had.", exchange: proof })
  }
  return {
    facts: { compared: 0, segments: 0, missing: 0, open_fences: 0, links: 0, broken_links: 0 },
    findings: [{ good: false, message: "No sampled page has a Markdown version to compare it with.", proof }] as const
  }
})
