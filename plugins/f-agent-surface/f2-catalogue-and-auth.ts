import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { word } from "../../engine/criterion/Fact.ts"
import { below, onSite } from "../../engine/evidence/Address.ts"
import { type Exchange, isAnswer, isMissing, isOk, isUnobtainable } from "../../engine/evidence/Exchange.ts"
import type { ApiDescription } from "../../engine/apispec/ApiSpec.ts"
import type { Site } from "../../engine/site/Site.ts"
import { catalogAsk } from "../../engine/site/apispec/SpecWellKnown.ts"
import { isJsonObject, type JsonObject } from "../../engine/text/JsonObject.ts"
import { type WellKnownJson, jsonDocuments, filledObjectsAt, filledStringAt } from "./WellKnownJson.ts"

/** The result of one half of the criterion. */
interface Half {
  readonly state: "absent" | "invalid" | "valid"
  readonly finding: Finding
  /** Missing responses that could change the state. */
  readonly missing: ReadonlyArray<Exchange>
}

const STATES = ["absent", "invalid", "valid"] as const

const ANY = { one_of: STATES }

/** URLs in OAuth metadata that are checked: the key set and the two endpoints. */
const ENDPOINTS = ["jwks_uri", "authorization_endpoint", "token_endpoint"]

/** F2: machines can read which APIs exist and how to authenticate. */
export const f2CatalogueAndAuth = define({
  id: "f2-catalogue-and-auth",
  revision: 2,
  budget: { requests: 7, redirects: 0, megabytes: 1 },
  params: Schema.Struct({}),
  facts: {
    catalogue: word(STATES, "state of /.well-known/api-catalog as a linkset"),
    auth: word(
      STATES,
      "state of the machine-readable authentication: OAuth metadata with S256, or security in the API description"
    )
  },
  measure: Effect.fn("f2-catalogue-and-auth")(function* (site) {
    const catalog = yield* catalogHalf(site)
    const auth = yield* authHalf(site)
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
      uncertain: { auth: auth.missing.length > 0 ? ANY : undefined },
      unanswered: auth.missing,
      findings: [summary, catalog.finding, auth.finding] as const
    }
  })
})

const catalogHalf = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<Half, Unobtainable> {
  const exchange = yield* site.get(catalogAsk(site.base))
  if (isUnobtainable(exchange))
    return yield* new Unobtainable({ message: "We could not fetch the API catalogue.", exchange })
  const [document] = jsonDocuments(yield* site.notFoundProbe, [exchange])
  if (document === undefined)
    return {
      state: "absent",
      finding: { good: false, message: "There is no API catalogue at /.well-known/api-catalog.", proof: exchange },
      missing: []
    }
  const wrong = linksetFault(document.value)
  return wrong === null
    ? {
        state: "valid",
        finding: { good: true, message: "The API catalogue is a valid linkset.", proof: exchange },
        missing: []
      }
    : {
        state: "invalid",
        finding: { good: false, message: `The API catalogue is not a valid linkset: ${wrong}.`, proof: exchange },
        missing: []
      }
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

const authHalf = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<Half> {
  const spec = yield* site.spec
  if (spec.best !== null) {
    const said = securityOf(spec.best.spec)
    if (said !== null) {
      return {
        state: "valid",
        finding: { good: true, message: `The API description ${said}.`, proof: spec.best.exchange },
        missing: spec.unobtainable === null ? [] : [spec.unobtainable]
      }
    }
  }
  const names = ["oauth-authorization-server", "openid-configuration", "oauth-protected-resource"]
  const exchanges = yield* site.getAll(names.map((name) => below(site.base.origin, `.well-known/${name}`)))
  // What answered, and may be a description, is beyond what we read of one.
  const missing = [
    ...exchanges.filter(isMissing),
    ...(spec.unobtainable !== null && (isMissing(spec.unobtainable) || isOk(spec.unobtainable))
      ? [spec.unobtainable]
      : [])
  ]
  const notFoundProbe = yield* site.notFoundProbe
  const [metadata] = jsonDocuments(notFoundProbe, exchanges.slice(0, 2))
  const [bare] = jsonDocuments(notFoundProbe, exchanges.slice(2))
  if (metadata !== undefined) return yield* metadataHalf(site, metadata, missing)
  if (bare !== undefined) {
    return {
      state: "invalid",
      finding: {
        good: false,
        message: "The site has protected-resource metadata, but no authorization server that we could check for S256.",
        proof: bare.answer
      },
      missing
    }
  }
  return {
    state: "absent",
    finding: {
      good: false,
      message: "Neither OAuth metadata nor an API description says how to authenticate.",
      proof: exchanges[0] ?? site.base.exchange
    },
    missing
  }
})

/** What the API description says about security; `null` for nothing. */
const securityOf = ({ security }: ApiDescription): string | null => {
  if (security.schemes.length > 0)
    return `declares ${security.schemes.length} security ${security.schemes.length === 1 ? "scheme" : "schemes"}`
  return security.saidToBeNone ? "says that no authentication is needed" : null
}

const metadataHalf = Effect.fnUntraced(function* (
  site: Site,
  { answer, value }: WellKnownJson,
  unread: ReadonlyArray<Exchange>
): Effect.fn.Return<Half> {
  const invalid = (wrong: string): Half => ({
    state: "invalid",
    finding: { good: false, message: `The OAuth metadata is incomplete: ${wrong}.`, proof: answer },
    missing: unread
  })
  if (value === null || !isJsonObject(value)) return invalid("it is not a JSON object")
  const lacking = ["issuer", "authorization_endpoint", "token_endpoint"].filter(
    (key) => filledStringAt(value, key) === null
  )
  if (lacking.length > 0) return invalid(`it lacks ${lacking.join(", ")}`)
  const methods = value["code_challenge_methods_supported"]
  if (!Array.isArray(methods) || !methods.includes("S256")) return invalid("it does not offer S256")
  const endpoints = ENDPOINTS.flatMap((key) => filledStringAt(value, key) ?? []).filter((url) =>
    onSite(url, site.base.site)
  )
  const exchanges = yield* site.getAll(endpoints)
  const missing = [...unread, ...exchanges.filter(isMissing)]
  const dead = exchanges.find((exchange) => isAnswer(exchange) && (exchange.status === 404 || exchange.status === 410))
  if (dead !== undefined)
    return {
      state: "invalid",
      finding: {
        good: false,
        message: `The OAuth metadata names ${dead.url}, which returns ${isAnswer(dead) ? dead.status : "an error"}.`,
        proof: dead
      },
      missing: unread
    }
  return {
    state: "valid",
    finding: { good: true, message: "The OAuth metadata is complete and offers S256.", proof: answer },
    missing
  }
})
