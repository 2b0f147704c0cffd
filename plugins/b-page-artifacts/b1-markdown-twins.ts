import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/plugin/Criterion.ts"
import { between, count, ratio, share, shareBetween } from "../../engine/plugin/Fact.ts"
import { someSampled, withSampledPages } from "../../engine/plugin/SampledPages.ts"
import { counted, pathShown } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { isAnswer, isUnobtainable } from "../../engine/evidence/Exchange.ts"
import type { Page } from "../../engine/page/Page.ts"
import type { VersionAttempt, VersionedPage } from "../../engine/site/markdown/MarkdownVersions.ts"
import { countsAsOwnMarkdown, missingVersions } from "./MarkdownVersion.ts"
import { deadEnd, deadEndFact, leadBy, startWays } from "../ways/StartWays.ts"

/** B1: each page has a Markdown version at its own URL. */
export const b1MarkdownTwins = define({
  id: "b1-markdown-twins",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    pages: count("sampled pages that were fetched"),
    with_twin: share("of those, pages with a Markdown version"),
    dead_end: deadEndFact
  },
  measure: Effect.fn("b1-markdown-twins")(function* (site) {
    const [{ first, missing, pages }, gathered] = yield* withSampledPages(site, site.markdownVersions)
    const maybe = missingVersions(gathered)
    const markdownVersions = gathered.pages
      .filter(({ page }) => page.challenge === null)
      .map(countsAsOwnMarkdown(pages) ? (one) => one : withoutOwn)
    const without = markdownVersions.filter(({ version }) => version === null)
    const example = markdownVersions.find(({ version }) => version !== null)
    const attempts = markdownVersions.flatMap((one) => one.attempts)
    const failed = attempts[0]
    if (example === undefined && failed !== undefined && attempts.every(({ verdict }) => verdict === "unobtainable")) {
      return yield* new Unobtainable({
        message: "We could not fetch the Markdown version of any page.",
        exchange: failed.exchange
      })
    }
    const found = markdownVersions.length - without.length
    const way = yield* startWays(site)
    const end = deadEnd(way)
    return {
      facts: { pages: pages.length, with_twin: ratio(found, pages.length), dead_end: end.dead_end },
      uncertain: {
        pages: between(pages.length, pages.length + missing.length),
        with_twin: shareBetween(found, pages.length - maybe.pages.length, maybe.pages.length + missing.length),
        dead_end: end.uncertain
      },
      unanswered: [...missing, ...maybe.missing, ...way.missing],
      findings: leadBy(end.findings, [
        {
          good: example !== undefined,
          message: `${foundShown(found, markdownVersions, pages)}${example === undefined ? "" : `, such as ${pathShown(example.version?.url ?? "")}`}.${deadShown(without)}`,
          proof:
            example?.version?.answer ??
            attempts.find(({ verdict }) => verdict !== "absent")?.exchange ??
            failed?.exchange ??
            first
        },
        ...without.filter(({ attempts }) => attempts.length > 0).map(shortcoming)
      ])
    }
  })
})

/** What is said of all pages was asked of all: where none was found, most of them were not asked. */
const foundShown = (found: number, versioned: ReadonlyArray<VersionedPage>, pages: ReadonlyArray<Page>): string => {
  const asked = versioned.filter(({ attempts, version }) => attempts.length > 0 || version !== null).length
  return found > 0 || asked === pages.length || asked === 0
    ? `${someSampled(found, pages, ["has", "have"])} a Markdown version`
    : `We tried ${asked} of the ${counted(pages.length, "sampled page")} at the usual URLs: none has a Markdown version`
}

const withoutOwn = (one: VersionedPage): VersionedPage =>
  one.version?.how === "self" ? { ...one, version: null } : one

/** Why a URL that was tried is no Markdown version, if not for its status. */
const SHORTCOMINGS: Readonly<Partial<Record<VersionAttempt["verdict"], string>>> = {
  html: "is an HTML page, not Markdown",
  error_text: "is an error message with status 200",
  foreign: "is Markdown, but does not contain the page's text",
  taken: "is already the Markdown version of another page",
  unobtainable: "could not be fetched"
}

/** How many of the pages without a Markdown version have one declared, by the page or llms.txt, at a URL that returns an error. */
const deadShown = (without: ReadonlyArray<VersionedPage>): string => {
  const dead = without.filter(({ attempts }) => attempts.some(isDeadDeclaration)).length
  if (dead === 0) return ""
  return ` ${counted(dead, "declared version")} (on the page or in llms.txt) ${dead === 1 ? "is a dead link" : "are dead links"}.`
}

/** A URL that was not fetched, because it leads to another site or is invalid, or whose response is missing, may be no dead link. */
const isDeadDeclaration = ({ exchange, how, verdict }: VersionAttempt): boolean =>
  how === "declared" && verdict === "absent" && isAnswer(exchange) && !isUnobtainable(exchange)

const shortcoming = ({ attempts, page }: VersionedPage): Finding => {
  const attempt =
    attempts.find(({ verdict }) => SHORTCOMINGS[verdict] !== undefined) ??
    attempts.find(isDeadDeclaration) ??
    attempts[0]
  if (attempt === undefined)
    return { good: false, message: `${pathShown(page.url)} has no Markdown version.`, proof: page.answer }
  const { exchange, how, url, verdict } = attempt
  const clause = SHORTCOMINGS[verdict] ?? (isAnswer(exchange) ? `returns ${exchange.status}` : "could not be fetched")
  return {
    good: false,
    message: `${pathShown(url)}, ${how === "declared" ? "declared" : "tried"} as the Markdown version of ${pathShown(page.url)}, ${clause}.`,
    proof: exchange
  }
}
