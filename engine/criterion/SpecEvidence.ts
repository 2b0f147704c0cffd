import * as Effect from "effect/Effect"
import { type Finding, Unobtainable } from "./Criterion.ts"
import { capitalised, counted, pathShown } from "./Wording.ts"
import type { FoundSpec, SpecSearch } from "../apispec/ApiSpec.ts"
import { isFound } from "../site/apispec/SpecRanking.ts"
import type { Site } from "../site/Site.ts"
import { placeholderShown, specShown } from "./SpecWording.ts"

/** The API description to judge (no Postman collection), or the finding that says why there is none. */
export type SpecEvidence =
  | { readonly _tag: "Spec"; readonly found: FoundSpec }
  | { readonly _tag: "NoSpec"; readonly finding: Finding }

/** The evidence of C2 to C5. Fails if what may be an API description could not be fetched. */
export const specEvidence = Effect.fn("SpecEvidence")(function* (
  site: Site
): Effect.fn.Return<SpecEvidence, Unobtainable> {
  const search = yield* searchFor(site)
  const [file] = search.missingFiles
  if (file !== undefined) {
    return yield* new Unobtainable({
      message: `We could not read ${pathShown(file.asked.url)}, a part of the API description.`,
      exchange: file
    })
  }
  if (search.best !== null && search.best.spec.format !== "postman") return { _tag: "Spec", found: search.best }
  return { _tag: "NoSpec", finding: noSpec(search, site) }
})

/** The search itself, for C1. */
export const searchFor = Effect.fn("SpecSearch")(function* (
  site: Pick<Site, "spec">
): Effect.fn.Return<SpecSearch, Unobtainable> {
  const search = yield* site.spec
  const { unobtainable } = search
  if (unobtainable === null) return search
  return yield* new Unobtainable({ message: unreadShown(search, unobtainable.asked.url), exchange: unobtainable })
})

const unreadShown = ({ candidates, unread }: SpecSearch, url: string): string => {
  const named = candidates.filter(({ announcedBy, exchange }) => exchange === null && announcedBy?.asked.url === url)
  const candidate = candidates.find(({ exchange }) => exchange?.asked.url === url)
  if (candidate === undefined && named.length > 0 && unread > 0) {
    const read = candidates.filter(({ announcedBy, exchange }) => announcedBy !== null && exchange !== null).length
    return `The site names ${counted(read + unread, "API description")}. We read ${read} of them and found none of the product's own API; another may be one.`
  }
  const why = candidate?.spec?._tag === "Unparsed" ? `: ${candidate.spec.message}` : ""
  return `We could not read ${pathShown(url)}, which may be the API description${why}.`
}

const noSpec = ({ best, candidates, placeholder, tried }: SpecSearch, site: Site): Finding => {
  if (best !== null)
    return {
      good: false,
      message: `${capitalised(specShown(best))} lists requests and has no schemas, so we do not judge it.`,
      proof: best.exchange
    }
  const shown = placeholder ?? disclaimed(candidates)
  const broken = candidates.find(
    ({ exchange, spec }) => exchange !== null && spec !== null && spec._tag !== "ApiDescription"
  )
  if (shown === null && broken !== undefined && broken.spec !== null && broken.spec._tag !== "ApiDescription") {
    return {
      good: false,
      message: `${pathShown(broken.url)} cannot be read as an API description: ${broken.spec.message}.`,
      proof: broken.exchange ?? site.base.exchange
    }
  }
  return shown === null
    ? { good: false, message: "We found no API description on the site.", proof: tried[0] ?? site.base.exchange }
    : {
        good: false,
        message: `${capitalised(specShown(shown))} ${placeholderShown(shown)}, so we do not judge it.`,
        proof: shown.exchange
      }
}

/** A document that says of itself that it is no API. */
export const disclaimed = (candidates: SpecSearch["candidates"]): FoundSpec | null =>
  candidates.filter(isFound).find(({ placeholder }) => placeholder === "no_api") ?? null
