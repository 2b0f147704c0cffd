import type { ApiDescription, FoundSpec, SpecCandidate, SpecFormat } from "../../apispec/ApiSpec.ts"
import { SAMPLE_APIS } from "../../apispec/quality/SampleApi.ts"
import type { Page } from "../../page/Page.ts"
import { disclaimsApi } from "./SpecDisclaimer.ts"

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
export const ranked = (candidates: ReadonlyArray<SpecCandidate>): ReadonlyArray<SpecCandidate> => [
  ...candidates.filter(isFound).sort(better),
  ...candidates.filter((candidate) => !isFound(candidate)).sort(byAddress)
]

const better = (one: FoundSpec, other: FoundSpec): number =>
  RANK[one.spec.format] - RANK[other.spec.format] ||
  other.spec.operationCount - one.spec.operationCount ||
  richness(other.spec) - richness(one.spec) ||
  Number(isInPlainSight(other)) - Number(isInPlainSight(one)) ||
  byAddress(one, other)

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
