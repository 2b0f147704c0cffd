import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/plugin/Criterion.ts"
import { between, count, ratio, share, shareBetween } from "../../engine/plugin/Fact.ts"
import { counted, either, pathShown, someOf } from "../../engine/plugin/Wording.ts"
import { isPrivateHost } from "../../engine/evidence/http/PublicAddress.ts"
import { isMissing } from "../../engine/evidence/Exchange.ts"
import type { LlmsCandidate, LlmsFile } from "../../engine/site/wellknown/LlmsTxt.ts"
import type { Site } from "../../engine/site/Site.ts"
import { errorClause, type Spot, spotCheck } from "../../engine/site/sample/SpotCheck.ts"

/** A1: llms.txt exists, follows the format, and its links work. */
export const a1LlmsTxt = define({
  id: "a1-llms-txt",
  revision: 3,
  // As many links as the rubric lets it fetch (`fetches`, 8), most of them to pages, of which large ones have a quarter of a megabyte.
  budget: { requests: 8, megabytes: 2 },
  params: Schema.Struct({
    /** Maximum number of links to check. */
    sample: Schema.Int,
    /** Maximum number of them to fetch for this check; links that the audit fetched already cost nothing. */
    fetches: Schema.Int
  }),
  facts: {
    h1: count("H1 headings in the llms.txt that was found; 0 if none was"),
    link_sections: count("H2 sections that contain a list with at least one link"),
    links: count("Markdown links that start a list item"),
    characters: count("length of the file in characters (code points)"),
    sampled_links: count("links that were checked: some of those to the site, and all to private addresses"),
    dead_links: count(
      "of those, links that return an error status, or an error page with status 200, and those to private addresses"
    ),
    dead: share("of the checked links, those that are dead")
  },
  measure: Effect.fn("a1-llms-txt")(function* (site, params) {
    const { candidates, file, missing: unreadFiles, preferred } = yield* site.llmsTxt
    const unread = candidates.find(
      (candidate) => unreadFiles.includes(candidate.exchange) && mayPrecede(candidate, file, preferred)
    )
    if (unread !== undefined) {
      return yield* new Unobtainable({
        message: `We could not read ${pathShown(unread.url)}, which may be the llms.txt.`,
        exchange: unread.exchange
      })
    }
    if (file === null) return yield* nothingFound(site, candidates)
    const { characters, links, sections, titles } = file.document
    const spots = yield* follow(site, file, params)
    const judged = spots.filter(({ outcome }) => outcome === "resolves" || outcome === "error")
    const dead = spots.filter(({ outcome }) => outcome === "error")
    const unreachable = privateLinks(site, file)
    const shut = spots.find(({ outcome }) => outcome === "unobtainable")
    if (judged.length === 0 && shut !== undefined && titles.length > 0) {
      return yield* new Unobtainable({
        message: `We could not fetch any of the pages that ${pathShown(file.url)} links to.`,
        exchange: shut.exchange
      })
    }
    const facts = {
      h1: titles.length,
      link_sections: sections.filter(({ linkItems }) => linkItems > 0).length,
      links: links.filter(({ leads }) => leads).length,
      characters,
      sampled_links: judged.length + unreachable.length,
      dead_links: dead.length + unreachable.length,
      dead: ratio(dead.length + unreachable.length, judged.length + unreachable.length)
    }
    const shape =
      `${counted(facts.h1, "H1")}, ${counted(facts.link_sections, "H2 section")} with links, ` +
      `${counted(facts.links, "link")} in lists and ${counted(characters, "character")}`
    const checked =
      facts.sampled_links === 0
        ? ""
        : ` ${someOf(facts.dead_links, facts.sampled_links, ["checked link", "checked links"], ["is", "are"])} dead.`
    const missing = spots.map(({ exchange }) => exchange).filter(isMissing)
    const { missing: unnamed } = yield* site.sample
    return {
      facts,
      // Pages of the sample are checked first: with another sample, other links would have been.
      uncertain: {
        sampled_links: between(facts.sampled_links, facts.sampled_links + missing.length),
        dead_links: between(facts.dead_links, unnamed.length > 0 ? null : facts.dead_links + missing.length),
        dead: unnamed.length > 0 ? between(0, 1) : shareBetween(facts.dead_links, facts.sampled_links, missing.length)
      },
      unanswered: [...missing, ...unnamed],
      findings: [
        { good: titles.length > 0, message: `${pathShown(file.url)} has ${shape}.${checked}`, proof: file.answer },
        ...dead.map((spot): Finding => ({
          good: false,
          message: `${pathShown(spot.url)}, linked from ${pathShown(file.url)}, ${errorClause(spot)}.`,
          proof: spot.exchange
        })),
        ...unreachable.map((url): Finding => ({
          good: false,
          message: `${pathShown(url)} on ${new URL(url).host.slice(0, 80)}, linked from ${pathShown(file.url)}, is on a private address, which others cannot reach.`,
          proof: file.answer
        }))
      ]
    }
  })
})

/** Checks links to the site that start a list item. What the sample and the search for Markdown versions fetched costs nothing. */
const follow = Effect.fnUntraced(function* (
  site: Site,
  file: LlmsFile,
  params: { readonly sample: number; readonly fetches: number }
): Effect.fn.Return<ReadonlyArray<Spot>> {
  const urls = file.links.flatMap(({ leads, onSite, url }) => (leads && onSite && url !== null ? [url] : [])).sort()
  const { visits } = yield* site.sample
  const { pages } = yield* site.markdownVersions
  const fetched = [...visits, ...pages.flatMap(({ attempts }) => attempts)].map(({ exchange }) => exchange)
  return yield* spotCheck(site, urls, { size: params.sample, fetches: params.fetches, fetched })
})

/** Links that start a list item and lead to a private address, such as `localhost`, from a site that is on none. */
const privateLinks = (site: Site, { links }: LlmsFile): ReadonlyArray<string> =>
  isPrivateHost(new URL(site.base.url).hostname)
    ? []
    : [
        ...new Set(
          links.flatMap(({ leads, url }) =>
            leads && url !== null && isPrivateHost(new URL(url).hostname) ? [url] : []
          )
        )
      ].sort()

/** Whether a candidate may be the file that counts, if it is one: the first with an H1, or else the first of all. */
const mayPrecede = (
  candidate: LlmsCandidate,
  file: LlmsFile | null,
  preferred: ReadonlyArray<LlmsCandidate>
): boolean =>
  file === null ||
  file.document.titles.length === 0 ||
  preferred.indexOf(candidate) < preferred.findIndex(({ exchange }) => exchange === file.answer)

const nothingFound = Effect.fnUntraced(function* (site: Site, candidates: ReadonlyArray<LlmsCandidate>) {
  const first = candidates[0]
  const proof = first?.exchange ?? site.base.exchange
  if (first?.verdict === "unobtainable")
    return yield* new Unobtainable({ message: "We could not fetch llms.txt.", exchange: proof })
  const shell = candidates.find(({ verdict }) => verdict === "html")
  const tried = either(candidates.map(({ url }) => pathShown(url)))
  const finding: Finding =
    shell === undefined
      ? { good: false, message: `There is no llms.txt at ${tried}.`, proof }
      : { good: false, message: `${pathShown(shell.url)} returns an HTML page, not llms.txt.`, proof: shell.exchange }
  return {
    facts: { h1: 0, link_sections: 0, links: 0, characters: 0, sampled_links: 0, dead_links: 0, dead: 0 },
    findings: [finding] as const
  }
})
