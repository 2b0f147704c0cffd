import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { count } from "../../engine/criterion/Fact.ts"
import { counted, grouped, pathShown } from "../../engine/criterion/Wording.ts"
import { isUnobtainable } from "../../engine/evidence/Exchange.ts"
import type { LlmsCandidate, LlmsFile } from "../../engine/site/LlmsTxt.ts"
import type { Site } from "../../engine/site/Site.ts"
import { errorClause, type Spot, spotCheck } from "../../engine/site/SpotCheck.ts"

/** A1: there is an llms.txt, it follows the format, and its links lead somewhere. */
export const a1LlmsTxt = define({
  id: "a1-llms-txt",
  revision: 1,
  params: Schema.Struct({
    /** How many of its links are looked at, at most. */
    sample: Schema.Int,
    /** How many of those are fetched for it, at most, beside what the audit fetches anyway. */
    fetches: Schema.Int
  }),
  facts: {
    h1: count("H1 headings in the best llms.txt found; 0 where there is none"),
    link_sections: count("H2 sections that hold a list with at least one link"),
    links: count("Markdown links that lead an item of its lists"),
    characters: count("length of the file in characters (code points)"),
    sampled_links: count("links to the site that were fetched and judged"),
    dead_links: count("of those, links that led to an error answer or an error page with status 200")
  },
  measure: Effect.fn("a1-llms-txt")(function*(site, params) {
    const { candidates, file } = yield* site.llmsTxt
    if (file === null) return yield* nothingFound(site, candidates)
    const { characters, links, sections, titles } = file.document
    const spots = yield* follow(site, file, params)
    const judged = spots.filter(({ outcome }) => outcome === "resolves" || outcome === "error")
    const dead = spots.filter(({ outcome }) => outcome === "error")
    const unread = spots.find(({ outcome }) => outcome === "unobtainable")
    if (judged.length === 0 && unread !== undefined && titles.length > 0) {
      return yield* new Unobtainable({ message: `None of the pages that ${pathShown(file.url)} links to could be had.`, exchange: unread.exchange })
    }
    const facts = {
      h1: titles.length,
      link_sections: sections.filter(({ linkItems }) => linkItems > 0).length,
      links: links.filter(({ leads }) => leads).length,
      characters,
      sampled_links: judged.length,
      dead_links: dead.length
    }
    const shape = `${counted(facts.h1, "H1")}, ${counted(facts.link_sections, "section")} with links, `
      + `${counted(facts.links, "link")} and ${grouped(characters)} characters`
    const followed = judged.length === 0 ? "" : `; of ${counted(judged.length, "followed link")} ${dead.length === 0 ? "none is" : `${dead.length} ${dead.length === 1 ? "is" : "are"}`} dead`
    return {
      facts,
      findings: [
        { good: titles.length > 0, message: `${pathShown(file.url)} has ${shape}${followed}.`, proof: file.answer },
        ...dead.slice(0, 4).map((spot): Finding => ({
          good: false,
          message: `${pathShown(spot.url)}, linked from ${pathShown(file.url)}, ${errorClause(spot)}.`,
          proof: spot.exchange
        }))
      ]
    }
  })
})

/** Links to the site that lead items; those that the sample or the search for twins fetched cost nothing. */
const follow = Effect.fnUntraced(function*(site: Site, file: LlmsFile, params: { readonly sample: number; readonly fetches: number }): Effect.fn.Return<ReadonlyArray<Spot>> {
  const urls = file.links.flatMap(({ leads, onSite, url }) => (leads && onSite && url !== null ? [url] : [])).sort()
  const { visits } = yield* site.sample
  const { pages } = yield* site.twins
  const fetched = [...visits, ...pages.flatMap(({ attempts }) => attempts)].map(({ exchange }) => exchange)
  return yield* spotCheck(site, urls, { size: params.sample, fetches: params.fetches, fetched })
})

const nothingFound = Effect.fnUntraced(function*(site: Site, candidates: ReadonlyArray<LlmsCandidate>) {
  const first = candidates[0]
  const proof = first?.exchange ?? site.base.exchange
  if (isUnobtainable(proof)) return yield* new Unobtainable({ message: "llms.txt could not be had.", exchange: proof })
  const shell = candidates.find(({ verdict }) => verdict === "html")
  const tried = candidates.map(({ url }) => pathShown(url)).join(", ")
  const finding: Finding = shell === undefined
    ? { good: false, message: `There is no llms.txt at ${tried}.`, proof }
    : { good: false, message: `A web page stands in place of llms.txt at ${pathShown(shell.url)}.`, proof: shell.exchange }
  return {
    facts: { h1: 0, link_sections: 0, links: 0, characters: 0, sampled_links: 0, dead_links: 0 },
    findings: [finding] as const
  }
})
