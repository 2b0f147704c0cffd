import type { ApiDescription, FoundSpec, SpecCandidate, SpecFormat } from "../../apispec/ApiSpec.ts"
import { SAMPLE_APIS } from "../../apispec/quality/Access.ts"
import type { Page } from "../../page/Page.ts"
import { byNumbers } from "../address/VersionFolders.ts"
import { isInDevelopment } from "./SpecCandidates.ts"

/** rubric.md, *API description*: formats of one rank are told apart by their operations, then by what they say of them. */
const RANK: Readonly<Record<SpecFormat, number>> = {
  openapi: 0,
  swagger: 1,
  asyncapi: 2,
  openrpc: 2,
  graphql: 2,
  postman: 3
}

export const isFound = (candidate: SpecCandidate): candidate is FoundSpec =>
  candidate.exchange !== null && candidate.spec?._tag === "ApiDescription"

/** Descriptions first, best first, then the rest by URL. */
export const ranked = (candidates: ReadonlyArray<SpecCandidate>): ReadonlyArray<SpecCandidate> => {
  const found = candidates.filter(isFound)
  return [...found.sort(betterAmong(found)), ...candidates.filter((candidate) => !isFound(candidate)).sort(byAddress)]
}

const betterAmong = (found: ReadonlyArray<FoundSpec>): ((one: FoundSpec, other: FoundSpec) => number) => {
  const earlierReleases = outnumbered(found, RELEASE)
  const lowerVersions = outnumbered(found, NUMBER)
  const last = (are: ReadonlySet<FoundSpec>, one: FoundSpec, other: FoundSpec): number =>
    Number(are.has(one)) - Number(are.has(other))
  return (one, other) =>
    RANK[one.spec.format] - RANK[other.spec.format] ||
    Number(isInDevelopment(one)) - Number(isInDevelopment(other)) ||
    last(earlierReleases, one, other) ||
    other.spec.operationCount - one.spec.operationCount ||
    richness(other.spec) - richness(one.spec) ||
    Number(isInPlainSight(other)) - Number(isInPlainSight(one)) ||
    last(lowerVersions, one, other) ||
    byAddress(one, other)
}

/** `orders-6.4.17.yaml` and `orders-6.5.1.yaml` are releases of one description; `/v1/` and `/v2/` may be two APIs. */
const RELEASE = /(?<!\d)\d{1,6}(?:\.\d{1,6}){1,4}/g
const NUMBER = /\d{1,6}/g

/** Those for which there is another with higher numbers at a URL that is the same but for these. */
const outnumbered = (found: ReadonlyArray<FoundSpec>, numbers: RegExp): ReadonlySet<FoundSpec> => {
  const pathOf = ({ url }: FoundSpec): string => new URL(url).pathname
  const alike = Map.groupBy(found, (one) => pathOf(one).replace(numbers, ""))
  return new Set(
    [...alike.values()].flatMap((group) => {
      const [highest = "", ...lower] = group.map(pathOf).toSorted((one, other) => byNumbers(other, one))
      return lower.length === 0 ? [] : group.filter((one) => pathOf(one) !== highest)
    })
  )
}

/** How much a description says: texts, types, constraints and examples. */
const richness = ({ quality }: ApiDescription): number =>
  quality.operationTexts.filter((length) => length > 0).length +
  [
    quality.describedParameters,
    quality.describedProperties,
    quality.exampleOperations,
    quality.typedFields,
    quality.constrainedFields,
    quality.errorOperations
  ].reduce((sum, { part }) => sum + part, 0)

/** Announced, or where one looks first; not only in a viewer's configuration or inside a page. */
export const isInPlainSight = ({ sources }: SpecCandidate): boolean =>
  sources.some((source) => source !== "viewer" && source !== "inline")

const byAddress = (one: SpecCandidate, other: SpecCandidate): number =>
  one.url < other.url ? -1 : one.url > other.url ? 1 : 0

/** Why a description is worth nothing: no operations or webhooks, its own words, or a well-known sample where the site is about something else. */
export const placeholderOf = (
  spec: ApiDescription,
  base: string,
  pages: ReadonlyArray<Page>
): SpecCandidate["placeholder"] => {
  if (spec.operationCount === 0 && spec.elements.webhooks.length === 0) return "no_operations"
  if (disclaimsApi(spec)) return "no_api"
  if (spec.sampleApi === null) return null
  const { name } = SAMPLE_APIS[spec.sampleApi]
  return name.test(new URL(base).hostname) || name.test(pages[0]?.title ?? "") ? null : spec.sampleApi
}

/** Characters of the description that are read. */
const READ = 5_000

const KIND = "(?:(?:public|http|https|rest|restful|web|hosted|remote|network|callable|real)[ ,/-]{1,2}){0,4}"
const API =
  "api\\b(?![ -]?(?:keys?|tokens?|secrets?|credentials?|accounts?|calls?|requests?|limits?|versions?|changes?|clients?|gateways?)\\b)"

/** "This is not an HTTP API", "there is no public API". */
const IS_NONE = new RegExp(
  `\\b(?:is|are)(?: not|n['’]t) (?:an? |the )?${KIND}${API}|\\bno ${KIND}${API}(?=\\s*(?:[.,;:!?)]|$|\\b(?:here|yet|at all|for|to|in|on|behind|of|server|service|is|that|which)\\b))`,
  "i"
)

/** "This API does not edit media or run Acme": what follows is searched for the product's name. */
const DOES_NOT = /\b(?:does not|doesn['’]t|do not|don['’]t|cannot|can['’]t|never) ([^.!?\n]{1,160})/gi
const ACTS = /\b(?:run|call|control|operate|execute|drive|invoke|expose|access|provide|offer|serve|start|use)s?\b/i

/** Words of a title that name no product. */
const GENERIC =
  /^(?:API|APIs|Public|Private|Guide|Docs?|Documentation|Reference|REST|HTTP|Open|OpenAPI|Web|Service|Services|Server|Agent|Agents|The|And|For)$/i

/**
 * A stub that says of itself that it is no API, or none of the product: it declares no parameter, body or schema, only
 * URLs beside the documentation.
 */
export const disclaimsApi = (spec: ApiDescription): boolean => {
  const { describedParameters, describedProperties, exampleOperations } = spec.quality
  if (describedParameters.whole + describedProperties.whole + exampleOperations.whole > 0) return false
  const text = spec.description.slice(0, READ)
  return (
    IS_NONE.test(text) ||
    [...text.matchAll(DOES_NOT)].some(([, rest = ""]) => ACTS.test(rest) && namesProduct(rest, spec.title))
  )
}

/** A word of the title, written as a name there and here. */
const namesProduct = (text: string, title: string): boolean => {
  const names = title.split(/[^\p{L}\p{N}]+/u).filter((word) => /^\p{Lu}/u.test(word) && !GENERIC.test(word))
  const words = new Set(text.split(/[^\p{L}\p{N}]+/u))
  return names.some((name) => words.has(name))
}
