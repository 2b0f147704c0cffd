import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/plugin/Criterion.ts"
import { word } from "../../engine/plugin/Fact.ts"
import { counted } from "../../engine/plugin/Wording.ts"
import { onSite } from "../../engine/evidence/Address.ts"
import { type Exchange, isMissing, isOk } from "../../engine/evidence/Exchange.ts"
import type { ApiDescription } from "../../engine/apispec/ApiSpec.ts"
import type { Site } from "../../engine/site/Site.ts"
import { catalogAsk } from "../../engine/site/apispec/SpecMentions.ts"
import type { JsonObject } from "../../engine/text/JsonText.ts"
import { isMissingFile, isWithheld } from "../../engine/site/wellknown/FileVerdict.ts"
import { oauthMetadata, OAUTH_REQUESTS } from "./OAuthMetadata.ts"
import { jsonDocuments, filledObjectsAt, filledStringAt } from "./WellKnownJson.ts"

/** The result of one half of the criterion. */
interface Half<State> {
  readonly state: State
  readonly finding: Finding
  /** Missing responses that could change the state. */
  readonly missing: ReadonlyArray<Exchange>
  /** Nothing that it reads could be fetched. */
  readonly isWithheld: boolean
}

type CatalogHalf = Half<(typeof CATALOG_STATES)[number]>
type AuthHalf = Half<(typeof AUTH_STATES)[number]>

const CATALOG_STATES = ["absent", "invalid", "valid"] as const
const AUTH_STATES = ["absent", "invalid", "named", "valid"] as const

/** F2: machines can read which APIs exist and how to authenticate. */
export const f2CatalogueAndAuth = define({
  id: "f2-catalogue-and-auth",
  revision: 3,
  // The catalogue (1), which the search for API descriptions has asked for already, and OAuth metadata (10).
  budget: { requests: 1 + OAUTH_REQUESTS, megabytes: 1, insteadOfOthers: 1 },
  params: Schema.Struct({}),
  facts: {
    catalogue: word(CATALOG_STATES, "state of /.well-known/api-catalog as a linkset"),
    auth: word(
      AUTH_STATES,
      "state of the machine-readable authentication: OAuth metadata, with S256 for authorization codes, or security in the API description; `named`: an authorization server on another site"
    )
  },
  measure: Effect.fn("f2-catalogue-and-auth")(function* (site) {
    const catalog = yield* catalogHalf(site)
    const auth = yield* authHalf(site)
    if (catalog.isWithheld && auth.isWithheld)
      return yield* new Unobtainable({ message: catalog.finding.message, exchange: catalog.finding.proof })
    const summary: Finding = {
      good: catalog.state === "valid" && auth.state === "valid",
      message:
        (catalog.state === "valid") === (auth.state === "valid")
          ? `${catalog.finding.message} ${auth.finding.message}`
          : (catalog.state === "valid" ? auth : catalog).finding.message,
      proof: (catalog.state === "valid" && auth.state !== "valid" ? auth : catalog).finding.proof
    }
    return {
      facts: { catalogue: catalog.state, auth: auth.state },
      uncertain: {
        catalogue: catalog.missing.length > 0 ? { one_of: CATALOG_STATES } : undefined,
        auth: auth.missing.length > 0 ? { one_of: AUTH_STATES } : undefined
      },
      unanswered: [...catalog.missing, ...auth.missing],
      findings: [summary, catalog.finding, auth.finding] as const
    }
  })
})

const catalogHalf = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<CatalogHalf> {
  const exchange = yield* site.get(catalogAsk(site.base))
  const notFoundProbe = yield* site.notFoundProbe
  const [document] = jsonDocuments(notFoundProbe, [exchange])
  const half = (state: CatalogHalf["state"], message: string): CatalogHalf => ({
    state,
    finding: { good: state === "valid", message, proof: exchange },
    missing: isMissingFile(notFoundProbe, exchange) ? [exchange] : [],
    isWithheld: isWithheld(notFoundProbe, exchange)
  })
  if (document === undefined)
    return half(
      "absent",
      isWithheld(notFoundProbe, exchange)
        ? "We could not fetch the API catalogue."
        : "There is no API catalogue at /.well-known/api-catalog."
    )
  const wrong = linksetFault(document.value)
  return wrong === null
    ? half("valid", "The API catalogue is a valid linkset.")
    : half("invalid", `The API catalogue is not a valid linkset: ${wrong}.`)
})

/** RFC 9264, section 4.2: one member, `linkset`; its objects hold an anchor and lists of targets with an `href`. */
const linksetFault = (value: JsonObject | null): string | null => {
  const contexts = value === null ? null : filledObjectsAt(value, "linkset")
  if (value === null || contexts === null) return "it has no list of links under linkset"
  const others = Object.keys(value).filter((key) => key !== "linkset")
  if (others.length > 0) return `it has members beside linkset (${others.slice(0, 3).join(", ")})`
  const relations = contexts.flatMap((context) =>
    Object.keys(context)
      .filter((key) => key !== "anchor")
      .map((key) => filledObjectsAt(context, key))
  )
  if (relations.length === 0) return "it has no links"
  const targeted = relations.every(
    (targets) => targets?.every((target) => filledStringAt(target, "href") !== null) ?? false
  )
  return targeted ? null : "a link has no href"
}

const authHalf = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<AuthHalf> {
  const spec = yield* site.spec
  const said = spec.best === null ? null : securityOf(spec.best.spec)
  if (spec.best !== null && said !== null) {
    return {
      state: "valid",
      finding: { good: true, message: `The API description ${said}.`, proof: spec.best.exchange },
      missing: spec.unobtainable === null ? [] : [spec.unobtainable],
      isWithheld: false
    }
  }
  const { isWithheld, message, missing, proof, state } = yield* oauthMetadata(
    site,
    apiOf(site, spec.best?.spec.servers ?? [])
  )
  // What answered, and may be a description, is beyond what we read of one.
  const unread = spec.unobtainable !== null && (isMissing(spec.unobtainable) || isOk(spec.unobtainable))
  const idle = spec.best?.spec.security.schemes.length ?? 0
  if (spec.best !== null && idle > 0 && state !== "valid") {
    return {
      state: "invalid",
      finding: {
        good: false,
        message: `The API description declares ${counted(idle, "security scheme")}, but no operation uses ${idle === 1 ? "it" : "one"}.`,
        proof: spec.best.exchange
      },
      missing: [...missing, ...(spec.unobtainable === null ? [] : [spec.unobtainable])],
      isWithheld: false
    }
  }
  return {
    state,
    finding: {
      good: state === "valid",
      message:
        state === "absent"
          ? `Neither OAuth metadata nor an API description${spec.best === null && spec.candidates.some(({ offSite }) => offSite) ? " on this site" : ""} says how to authenticate.`
          : message,
      proof
    },
    missing: [...missing, ...(unread ? [spec.unobtainable] : [])],
    isWithheld: isWithheld && state === "absent" && spec.best === null
  }
})

/** The first server of the API that is on the site: a resource of its own, whose metadata is found by its URL (RFC 9728, section 3.1). */
const apiOf = (site: Site, servers: ApiDescription["servers"]): string | null =>
  servers.find(({ url }) => URL.canParse(url) && onSite(url, site.base.site))?.url ?? null

/** What the API description says about security; `null` for nothing. */
const securityOf = ({ security }: ApiDescription): string | null => {
  if (security.schemes.length > 0 && security.securedOperations > 0)
    return `declares ${counted(security.schemes.length, "security scheme")}`
  return security.saidToBeNone ? "says that no authentication is needed" : null
}
