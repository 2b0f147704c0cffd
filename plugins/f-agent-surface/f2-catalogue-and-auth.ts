import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { word } from "../../engine/criterion/Fact.ts"
import { below, onSite } from "../../engine/evidence/Address.ts"
import { isAnswer, isUnobtainable } from "../../engine/evidence/Exchange.ts"
import type { ApiDescription } from "../../engine/site/ApiSpec.ts"
import type { Site } from "../../engine/site/Site.ts"
import { catalogAsk } from "../../engine/site/SpecWellKnown.ts"
import { isJsonObject, type JsonDocument, jsonDocuments, type JsonObject, objectsAt, stringAt } from "./JsonDocument.ts"

/** What a half of the criterion comes to, and what shows it. */
interface Half {
  readonly state: "absent" | "invalid" | "valid"
  readonly finding: Finding
}

const STATES = ["absent", "invalid", "valid"] as const

/** Addresses of OAuth metadata that are looked at: the key set and the two endpoints. */
const ENDPOINTS = ["jwks_uri", "authorization_endpoint", "token_endpoint"]

/** F2: is the API listed, and its authentication described, for machines? */
export const f2CatalogueAndAuth = define({
  id: "f2-catalogue-and-auth",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    catalogue: word(STATES, "/.well-known/api-catalog as a linkset"),
    auth: word(STATES, "authentication described for machines: OAuth metadata with S256, or security said in the API description")
  },
  measure: Effect.fn("f2-catalogue-and-auth")(function*(site) {
    const catalogue = yield* catalogueHalf(site)
    const auth = yield* authHalf(site)
    const summary: Finding = {
      good: catalogue.state === "valid" && auth.state === "valid",
      message: `${catalogue.finding.message} ${auth.finding.message}`,
      proof: (catalogue.state === "absent" ? auth : catalogue).finding.proof
    }
    return {
      facts: { catalogue: catalogue.state, auth: auth.state },
      findings: [summary, catalogue.finding, auth.finding] as const
    }
  })
})

const catalogueHalf = Effect.fnUntraced(function*(site: Site): Effect.fn.Return<Half, Unobtainable> {
  const exchange = yield* site.get(catalogAsk(site.base))
  if (isUnobtainable(exchange)) return yield* new Unobtainable({ message: "The place of the API catalogue could not be looked at.", exchange })
  const [document] = jsonDocuments(yield* site.canary, [exchange])
  if (document === undefined) return { state: "absent", finding: { good: false, message: "There is no API catalogue.", proof: exchange } }
  const wrong = linksetFault(document.value)
  return wrong === null
    ? { state: "valid", finding: { good: true, message: "The API catalogue is a linkset.", proof: exchange } }
    : { state: "invalid", finding: { good: false, message: `The API catalogue is no linkset: ${wrong}.`, proof: exchange } }
})

/** RFC 9264, section 4.2: one member, `linkset`; its objects hold an anchor and lists of targets with an `href`. */
const linksetFault = (value: JsonObject | null): string | null => {
  const contexts = value === null ? null : objectsAt(value, "linkset")
  if (value === null || contexts === null) return "it has no list of links under linkset"
  const others = Object.keys(value).filter((key) => key !== "linkset")
  if (others.length > 0) return `it has members beside linkset (${others.slice(0, 3).join(", ")})`
  const relations = contexts.flatMap((context) => Object.keys(context).filter((key) => key !== "anchor").map((key) => objectsAt(context, key)))
  if (relations.length === 0) return "it names no link"
  const targeted = relations.every((targets) => targets?.every((target) => stringAt(target, "href") !== null) ?? false)
  return targeted ? null : "a link has no href"
}

const authHalf = Effect.fnUntraced(function*(site: Site): Effect.fn.Return<Half> {
  const spec = yield* site.spec
  if (spec.best !== null) {
    const said = securityOf(spec.best.spec)
    if (said !== null) return { state: "valid", finding: { good: true, message: `The API description ${said}.`, proof: spec.best.exchange } }
  }
  const names = ["oauth-authorization-server", "openid-configuration", "oauth-protected-resource"]
  const exchanges = yield* site.getAll(names.map((name) => below(site.base.origin, `.well-known/${name}`)))
  const canary = yield* site.canary
  const [metadata] = jsonDocuments(canary, exchanges.slice(0, 2))
  const [bare] = jsonDocuments(canary, exchanges.slice(2))
  if (metadata !== undefined) return yield* metadataHalf(site, metadata)
  if (bare !== undefined) {
    return { state: "invalid", finding: { good: false, message: "Protected-resource metadata is there, and no authorization server on the site to check for S256.", proof: bare.answer } }
  }
  return { state: "absent", finding: { good: false, message: "Neither OAuth metadata nor an API description says how to authenticate.", proof: exchanges[0] ?? site.base.exchange } }
})

/** What the description says of security; `null` where it says nothing. */
const securityOf = ({ security }: ApiDescription): string | null => {
  if (security.schemes.length > 0) return `declares ${security.schemes.length} security ${security.schemes.length === 1 ? "scheme" : "schemes"}`
  return security.saidToBeNone ? "says that no authentication is needed" : null
}

const metadataHalf = Effect.fnUntraced(function*(site: Site, { answer, value }: JsonDocument): Effect.fn.Return<Half> {
  const invalid = (wrong: string): Half => ({ state: "invalid", finding: { good: false, message: `The OAuth metadata is incomplete: ${wrong}.`, proof: answer } })
  if (value === null || !isJsonObject(value)) return invalid("it is no JSON object")
  const missing = ["issuer", "authorization_endpoint", "token_endpoint"].filter((key) => stringAt(value, key) === null)
  if (missing.length > 0) return invalid(`it lacks ${missing.join(", ")}`)
  const methods = value["code_challenge_methods_supported"]
  if (!Array.isArray(methods) || !methods.includes("S256")) return invalid("it does not offer S256")
  const addresses = ENDPOINTS.flatMap((key) => stringAt(value, key) ?? []).filter((address) => onSite(address, site.base.site))
  const exchanges = yield* site.getAll(addresses)
  const dead = exchanges.find((exchange) => isAnswer(exchange) && (exchange.status === 404 || exchange.status === 410))
  if (dead !== undefined) return { state: "invalid", finding: { good: false, message: `The OAuth metadata names ${dead.url}, which is not there.`, proof: dead } }
  return { state: "valid", finding: { good: true, message: "The OAuth metadata is complete and offers S256.", proof: answer } }
})
