import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/criterion/Criterion.ts"
import { flag, word } from "../../engine/criterion/Fact.ts"
import { counted, pathShown } from "../../engine/criterion/Wording.ts"
import { isAnswer, isOk } from "../../engine/evidence/Exchange.ts"
import type { FoundSpec, SpecCandidate, SpecFormat, SpecSearch, SpecSource } from "../../engine/site/ApiSpec.ts"
import type { Site } from "../../engine/site/Site.ts"
import { searchFor } from "./SpecEvidence.ts"
import { formatShown, placeholderShown, sentence, specShown } from "./SpecWording.ts"

/** Findings beside the one that sums up. */
const OTHERS = 4

/** C1: there is a machine-readable description of the API, and it can be found. */
export const c1SpecFound = define({
  id: "c1-spec-found",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    kind: word(
      ["none", "openapi", "swagger", "asyncapi", "openrpc", "graphql", "postman"],
      "format of the best description found on the site that parses; openapi is 3.0 or later"
    ),
    found_by: word(
      ["none", "announced", "well_known", "viewer", "inline"],
      "the best way in which it was found: announced by a link, header, llms.txt or catalogue, else at a well-known address, in a viewer's configuration, or inside a page"
    ),
    placeholder: flag("it has no operations, or is the well-known pet store on a site that is not about it"),
    off_site: flag("a description is named, but only at an address off the site")
  },
  measure: Effect.fn("c1-spec-found")(function*(site) {
    const search = yield* searchFor(site)
    const found = search.best ?? search.placeholder
    const kind: SpecFormat | "none" = found?.spec.format ?? "none"
    const foundBy: Way | "none" = found === null ? "none" : wayOf(found.sources)
    const summary = found === null ? absence(search, site) : presence(found)
    return {
      facts: {
        kind,
        found_by: foundBy,
        placeholder: found !== null && found.placeholder !== null,
        off_site: found === null && search.candidates.some(({ offSite }) => offSite)
      },
      findings: [summary, ...others(search, found)]
    }
  })
})

const ANNOUNCED: ReadonlySet<SpecSource> = new Set(["link", "header", "llms.txt", "catalog"])

type Way = "announced" | "well_known" | "viewer" | "inline"

const wayOf = (sources: ReadonlyArray<SpecSource>): Way => {
  if (sources.some((source) => ANNOUNCED.has(source))) return "announced"
  if (sources.includes("well_known")) return "well_known"
  return sources.includes("viewer") ? "viewer" : "inline"
}

const presence = (found: FoundSpec): Finding => {
  const what = `${sentence(specShown(found))} lists ${counted(found.spec.operationCount, "operation")} and is ${sightingShown(found)}.`
  return found.placeholder === null
    ? { good: true, message: what, proof: found.exchange }
    : { good: false, message: `${sentence(specShown(found))} ${placeholderShown(found)}.`, proof: found.exchange }
}

/** How it came to be known, by the best of the ways. */
const sightingShown = ({ announcedBy, sources }: SpecCandidate): string => {
  const place = announcedBy === null ? "the site" : pathShown(announcedBy.url)
  const shown: Readonly<Record<SpecSource, string>> = {
    link: `linked from ${place}`,
    header: `announced by a Link header of ${place}`,
    "llms.txt": `named in ${place}`,
    catalog: `listed in ${place}`,
    well_known: "at a well-known address, though nothing leads there",
    viewer: `known only from a viewer's configuration on ${place}`,
    inline: `part of that page only`
  }
  const [first] = sources
  return first === undefined ? "found" : shown[first]
}

const absence = ({ candidates, tried }: SpecSearch, site: Site): Finding => {
  const away = candidates.find(({ offSite }) => offSite)
  if (away !== undefined) {
    const host = URL.parse(away.exchange?.url ?? away.url)?.host ?? away.url
    return {
      good: false,
      message: `A description is named on ${pathShown(away.announcedBy?.url ?? site.base.url)}, but only at ${host.slice(0, 80)}, off the site, where nothing is fetched.`,
      proof: away.announcedBy ?? away.exchange ?? site.base.exchange
    }
  }
  const addresses = tried.filter((exchange) => !isOk(exchange)).slice(0, 4).map(({ asked }) => pathShown(asked.url)).join(", ")
  const where = addresses === "" ? "" : `; there is none at ${addresses}${tried.length > 4 ? " and other usual addresses" : ""}`
  return { good: false, message: `No API description was found: nothing announces one${where}.`, proof: tried[0] ?? site.base.exchange }
}

/** Further descriptions, and what was announced as one and is none. */
const others = ({ candidates }: SpecSearch, found: FoundSpec | null): ReadonlyArray<Finding> =>
  candidates.filter((candidate) => candidate !== found).flatMap(({ exchange, spec, url }): ReadonlyArray<Finding> => {
    if (exchange === null) return []
    if (spec?._tag === "ApiDescription") {
      return [{ good: true, message: `${pathShown(url)} is another description: ${formatShown(spec)}, ${counted(spec.operationCount, "operation")}.`, proof: exchange }]
    }
    if (spec !== null) return [{ good: false, message: `${pathShown(url)} cannot be read as a description: ${spec.message}.`, proof: exchange }]
    const what = isAnswer(exchange) ? `answered ${exchange.status}` : `not had: ${exchange.message}`
    return [{ good: false, message: `${pathShown(url)}, named as a description, is ${what}.`, proof: exchange }]
  }).slice(0, OTHERS)
