import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/plugin/Criterion.ts"
import { count, flag, word } from "../../engine/plugin/Fact.ts"
import { addressShown, capitalised, counted, either, pathShown } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { isAnswer, isOk } from "../../engine/evidence/Exchange.ts"
import type {
  ApiDescription,
  FoundSpec,
  SpecCandidate,
  SpecFormat,
  SpecSearch,
  SpecSource
} from "../../engine/apispec/ApiSpec.ts"
import type { Site } from "../../engine/site/Site.ts"
import { disclaimed, formatShown, placeholderShown, searchFor, specShown } from "../../engine/plugin/SpecEvidence.ts"

/** Maximum number of findings besides the summary. */
const OTHERS = 4

/** C1: the site has a machine-readable description of the API that agents can find. */
export const c1SpecFound = define({
  id: "c1-spec-found",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    kind: word(
      ["none", "openapi", "swagger", "asyncapi", "openrpc", "graphql", "postman"],
      "format of the best description found on the site that parses and does not say that it is not the product's API; openapi is 3.0 or later"
    ),
    found_by: word(
      ["none", "announced", "well_known", "viewer", "inline"],
      "how it was found: announced by a link, header, llms.txt or catalog, else at a well-known URL, in a viewer's configuration, or inside a page or script"
    ),
    placeholder: flag(
      "it has neither operations nor webhooks, or is a sample (Petstore, Plant Store) on another product's site"
    ),
    off_site: flag("the site names a description, but only on another site"),
    unread: count("URLs on the site that are announced as descriptions, beyond those that we read")
  },
  measure: Effect.fn("c1-spec-found")(function* (site) {
    const search = yield* searchFor(site)
    const found = search.best ?? search.placeholder
    const kind: SpecFormat | "none" = found?.spec.format ?? "none"
    const foundBy: Way | "none" = found === null ? "none" : wayOf(found.sources)
    const summary = found === null ? absence(search, site) : presence(found, search.unread)
    return {
      facts: {
        kind,
        found_by: foundBy,
        placeholder: found !== null && found.placeholder !== null,
        off_site: found === null && search.candidates.some(({ offSite }) => offSite),
        unread: search.unread
      },
      // A missing page, llms.txt or catalog may announce it.
      uncertain:
        search.missingClues.length > 0 && foundBy !== "announced"
          ? { found_by: { one_of: [foundBy, "announced"] } }
          : {},
      unanswered: search.missingClues,
      findings: [summary, ...others(search, found, site.base.url)]
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

const presence = (found: FoundSpec, unread: number): Finding => {
  const others =
    unread === 0
      ? ""
      : ` The site names ${counted(unread, "further API description")}, which we did not read: what we say of the API description is said of the best one that we read.`
  const what = `${capitalised(specShown(found))} lists ${contentShown(found.spec)}. It is ${sightingShown(found)}.${others}`
  return found.placeholder === null
    ? { good: true, message: what, proof: found.exchange }
    : { good: false, message: `${capitalised(specShown(found))} ${placeholderShown(found)}.`, proof: found.exchange }
}

const contentShown = ({ elements, operationCount }: ApiDescription): string =>
  operationCount === 0 ? counted(elements.webhooks.length, "webhook") : counted(operationCount, "operation")

/** How it was found, by the best of the ways. */
const sightingShown = ({ announcedBy, sources }: SpecCandidate): string => {
  const place = announcedBy === null ? "the site" : pathShown(announcedBy.url)
  const shown: Readonly<Record<SpecSource, string>> = {
    link: `linked from ${place}`,
    header: `announced by a Link header of ${place}`,
    "llms.txt": `named in ${place}`,
    catalog: `listed in ${place}`,
    well_known: "at a well-known URL; no page links to it",
    viewer: `named only in a viewer's configuration on ${place}`,
    inline: `part of ${place} and not a file of its own`
  }
  const [first] = sources
  return first === undefined ? "announced nowhere" : shown[first]
}

const absence = ({ candidates, tried }: SpecSearch, site: Site): Finding => {
  const away = candidates.find(({ offSite }) => offSite)
  if (away !== undefined) {
    const host = URL.parse(away.exchange?.url ?? away.url)?.host ?? away.url
    return {
      good: false,
      message: `${pathShown(away.announcedBy?.url ?? site.base.url)} names ${isPostman(away.url) ? "a Postman collection" : "an API description"} on another site, ${host.slice(0, 80)}, which we do not fetch.`,
      proof: away.announcedBy ?? away.exchange ?? site.base.exchange
    }
  }
  const stub = disclaimed(candidates)
  if (stub !== null)
    return {
      good: false,
      message: `${capitalised(specShown(stub))} ${placeholderShown(stub)}, and no other was found.`,
      proof: stub.exchange
    }
  const fetched = candidates.filter(({ exchange }) => exchange !== null)
  const named = fetched.find(isAnnounced) ?? fetched.find(isNamed) ?? fetched.find(isBroken)
  const urls = tried
    .filter((exchange) => !isOk(exchange) && exchange.asked.url !== named?.url)
    .slice(0, 4)
    .map(({ asked }) => addressShown(asked.url, site.base.url))
  const where =
    urls.length === 0
      ? ""
      : `, and there is none at ${either([...urls, ...(tried.length > 4 ? ["other common URLs"] : [])])}`
  const why =
    named === undefined
      ? "no page announces one"
      : `${addressShown(named.url, site.base.url)}${isNamed(named) ? `, ${namingShown(named, "one")},` : ""} ${failureShown(named)}`
  return {
    good: false,
    message: `We found no API description${named !== undefined && isBroken(named) ? " that can be read" : ""}: ${why}${where}.`,
    proof: named?.exchange ?? tried[0] ?? site.base.exchange
  }
}

const isAnnounced = ({ sources }: SpecCandidate): boolean => sources.some((source) => ANNOUNCED.has(source))

/** What is at a well-known URL only is named by no page. */
const isNamed = (candidate: SpecCandidate): boolean => isAnnounced(candidate) || candidate.sources.includes("viewer")

/** A file at the address of a description that is there and cannot be read; one of another kind is none. */
const isBroken = ({ spec }: SpecCandidate): boolean =>
  spec !== null && spec._tag === "Unparsed" && spec.reason !== "not_a_description" && spec.reason !== "html"

/** How a URL that has no description is named as that of one, to follow it. */
const namingShown = (candidate: SpecCandidate, what: string): string =>
  isAnnounced(candidate)
    ? `announced as ${what}`
    : `named in a viewer's configuration${candidate.announcedBy === null ? "" : ` on ${pathShown(candidate.announcedBy.url)}`}`

const isPostman = (url: string): boolean =>
  /(?:^|\.)(?:getpostman\.com|postman\.com|pstmn\.io)$/.test(new URL(url).hostname) ||
  /postman_collection\b/i.test(new URL(url).pathname)

/** Why what was announced as a description is none, to follow its URL. */
const failureShown = ({ exchange, spec }: Pick<SpecCandidate, "exchange" | "spec">): string => {
  if (spec !== null && spec._tag !== "ApiDescription") return `cannot be read: ${spec.message}`
  return exchange !== null && isAnswer(exchange)
    ? `returned ${exchange.status}`
    : `could not be fetched: ${exchange?.message ?? "no response"}`
}

/** Other descriptions, and what was announced as one but is not. */
const others = ({ candidates }: SpecSearch, found: FoundSpec | null, base: string): ReadonlyArray<Finding> =>
  candidates
    .filter((candidate) => candidate !== found && candidate.placeholder !== "no_api")
    .flatMap((candidate): ReadonlyArray<Finding> => {
      const { exchange, spec } = candidate
      if (exchange === null) return []
      const url = addressShown(candidate.url, base)
      if (spec?._tag === "ApiDescription") {
        return [
          {
            good: true,
            message: `${url} is another API description: ${formatShown(spec)}, ${contentShown(spec)}.`,
            proof: exchange
          }
        ]
      }
      if (spec !== null)
        return [
          {
            good: false,
            message: `${url} cannot be read as an API description: ${spec.message}.`,
            proof: exchange
          }
        ]
      if (!isNamed(candidate)) return []
      return [
        {
          good: false,
          message: `${url}, ${namingShown(candidate, "an API description")}, ${failureShown(candidate)}.`,
          proof: exchange
        }
      ]
    })
    .slice(0, OTHERS)
