import * as Effect from "effect/Effect"
import type {
  ApiDescription,
  FoundSpec,
  Portion,
  SpecCandidate,
  SpecFormat,
  SpecOperation,
  SpecSearch
} from "../apispec/ApiSpec.ts"
import type { Exchange } from "../evidence/Exchange.ts"
import { isFound } from "../site/apispec/SpecRanking.ts"
import type { Site } from "../site/Site.ts"
import { plainText } from "../text/PlainText.ts"
import { type Finding, Unobtainable } from "./Criterion.ts"
import { addressShown, capitalised, counted, enumerated, type Forms, grouped, pathShown } from "./Wording.ts"

/** The API description to judge (no Postman collection), or the finding that says why there is none. */
type SpecEvidence =
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
      message: `We could not read ${addressShown(file.asked.url, site.base.url)}, a part of the API description.`,
      exchange: file
    })
  }
  if (search.best !== null && search.best.spec.format !== "postman") return { _tag: "Spec", found: search.best }
  return { _tag: "NoSpec", finding: noSpec(search, site) }
})

/** The search itself, for C1. */
export const searchFor = Effect.fn("SpecSearch")(function* (
  site: Pick<Site, "spec"> & { readonly base: Pick<Site["base"], "url"> }
): Effect.fn.Return<SpecSearch, Unobtainable> {
  const search = yield* site.spec
  const { unobtainable } = search
  if (unobtainable === null) return search
  return yield* new Unobtainable({ message: unreadShown(search, unobtainable, site.base.url), exchange: unobtainable })
})

const unreadShown = (search: SpecSearch, unobtainable: Exchange, base: string): string => {
  const { candidates, missingClues, open, unread } = search
  const { url } = unobtainable.asked
  const named = candidates.filter(({ announcedBy, exchange }) => exchange === null && announcedBy?.asked.url === url)
  const candidate = candidates.find(({ exchange }) => exchange?.asked.url === url)
  if (candidate === undefined && named.length > 0 && unread > 0) {
    const read = candidates.filter(({ announcedBy, exchange }) => announcedBy !== null && exchange !== null).length
    return `The site names ${counted(read + unread, "API description")}. We read ${read} of them and found none of the product's own API; another may be one.`
  }
  if (candidate === undefined && open?.asked.url === url)
    return `${addressShown(url, base)} shows an API description whose URL only its scripts know, and we run none.`
  if (missingClues.includes(unobtainable))
    return `We could not read ${addressShown(url, base)}, which may name an API description.`
  const why = candidate?.spec?._tag === "Unparsed" ? `: ${candidate.spec.message}` : ""
  return `We could not read ${addressShown(url, base)}, which may be the API description${why}.`
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

const NAMES: Readonly<Record<SpecFormat, string>> = {
  openapi: "OpenAPI",
  swagger: "Swagger",
  asyncapi: "AsyncAPI",
  openrpc: "OpenRPC",
  graphql: "GraphQL",
  postman: "Postman"
}

/** `OpenAPI 3.1.0`, `GraphQL`. */
export const formatShown = ({ format, formatVersion }: ApiDescription): string =>
  `${NAMES[format]} ${formatVersion.slice(0, 20)}`.trim()

/** `the OpenAPI 3.1.0 description at /openapi.json`. */
export const specShown = ({ spec, url, sources }: FoundSpec): string =>
  `the ${formatShown(spec)} description ${sources.includes("inline") ? "inside" : "at"} ${pathShown(url)}`

const PLACEHOLDERS: Readonly<Record<NonNullable<SpecCandidate["placeholder"]>, string>> = {
  no_operations: "has neither operations nor webhooks",
  pet_store: "is the Petstore sample, not this product's API",
  plant_store: "is the Plant Store sample, not this product's API",
  no_api: "says that it is not the product's API"
}

/** Why a description is a placeholder, to follow its name. */
export const placeholderShown = ({ placeholder }: SpecCandidate): string =>
  placeholder === null ? "is a placeholder" : PLACEHOLDERS[placeholder]

/** `93 of 97 operations`, `all 97 operations`, `none of its 3 operations`; of one: `its only operation`, `0 of 1 operation`. */
export const portionShown = ({ part, whole }: Portion, [singular, plural]: Forms): string => {
  if (whole === 1) return part === 1 ? `its only ${singular}` : `0 of 1 ${singular}`
  if (part === whole) return `all ${grouped(whole)} ${plural}`
  return part === 0 ? `none of its ${grouped(whole)} ${plural}` : `${grouped(part)} of ${grouped(whole)} ${plural}`
}

/** `GET /users/{id}`. */
export const operationShown = ({ method, path }: SpecOperation): string => plainText(`${method} ${path}`, 100)

/** Portions of groups that have members, as a list; groups without any are left out. */
export const portionsShown = (groups: ReadonlyArray<readonly [Portion, Forms]>): string =>
  enumerated(groups.filter(([{ whole }]) => whole > 0).map(([portion, forms]) => portionShown(portion, forms)))
