import type { ApiDescription, FoundSpec, SpecCandidate, SpecFormat } from "./ApiSpec.ts"
import type { Page } from "./Page.ts"

/** rubric.md, *Spec*: formats of one rank are told apart by their operations. */
const RANK: Readonly<Record<SpecFormat, number>> = { openapi: 0, swagger: 1, asyncapi: 2, openrpc: 2, graphql: 2, postman: 3 }

export const isFound = (candidate: SpecCandidate): candidate is FoundSpec =>
  candidate.exchange !== null && candidate.spec?._tag === "ApiDescription"

/** Descriptions first, best first, then the rest by address. */
export const ranked = (candidates: ReadonlyArray<SpecCandidate>): ReadonlyArray<SpecCandidate> => [
  ...candidates.filter(isFound).sort(better),
  ...candidates.filter((candidate) => !isFound(candidate)).sort(byAddress)
]

const better = (one: FoundSpec, other: FoundSpec): number =>
  RANK[one.spec.format] - RANK[other.spec.format]
  || other.spec.operationCount - one.spec.operationCount
  || byAddress(one, other)

const byAddress = (one: SpecCandidate, other: SpecCandidate): number => (one.url < other.url ? -1 : one.url > other.url ? 1 : 0)

const PET_STORE = /pet[ -]?store/i

/** What a description is worth nothing for: no operations, or the pet store where the site is about something else. */
export const placeholderOf = (spec: ApiDescription, base: string, pages: ReadonlyArray<Page>): SpecCandidate["placeholder"] => {
  if (spec.operationCount === 0) return "no_operations"
  const about = PET_STORE.test(new URL(base).hostname) || PET_STORE.test(pages[0]?.title ?? "")
  return spec.petStore && !about ? "pet_store" : null
}
