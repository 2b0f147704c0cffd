import * as Effect from "effect/Effect"
import { below, onSite } from "../../engine/evidence/Address.ts"
import { type Answer, type Exchange, isGone, isMissing } from "../../engine/evidence/Exchange.ts"
import { isMissingFile, isWithheld } from "../../engine/site/wellknown/FileVerdict.ts"
import type { Site } from "../../engine/site/Site.ts"
import type { JsonObject } from "../../engine/text/JsonText.ts"
import { trimEnd } from "../../engine/text/WhiteSpace.ts"
import {
  authorizationServers,
  filledStringAt,
  isSameIdentifier,
  jsonDocuments,
  resourceFault,
  resourceMetadataUrl,
  shortened,
  type WellKnownJson
} from "./WellKnownJson.ts"

/** What the site publishes about its OAuth or OpenID authorization server. */
interface OAuthMetadata {
  /** `named`: protected-resource metadata names an authorization server on another site, which we do not contact. */
  readonly state: "absent" | "invalid" | "named" | "valid"
  readonly message: string
  readonly proof: Exchange
  /** Missing responses that could change the state. */
  readonly missing: ReadonlyArray<Exchange>
  /** None of the well-known URLs could be fetched, so nothing is known. */
  readonly isWithheld: boolean
}

/** What one document says. */
type Judged = Omit<OAuthMetadata, "isWithheld">

/** URLs in the metadata that are checked: the key set and the two endpoints. */
const ENDPOINTS = ["jwks_uri", "authorization_endpoint", "token_endpoint"]

/** Maximum number of authorization servers to ask, of places of their metadata, and of documents whose endpoints are checked. */
const SERVERS = 2
const PLACES = 4
const CHECKED = 1

/**
 * Requests that `oauthMetadata` makes at most: the well-known URLs of the origin (3), places of the servers' metadata (4), of which that of
 * the API takes one, and the endpoints of one document (3).
 */
export const OAUTH_REQUESTS = 3 + PLACES + CHECKED * ENDPOINTS.length

/**
 * The best of the documents at the origin and at the authorization servers that protected-resource metadata (RFC 9728) names, that of the
 * origin or of `api`, a URL on the site: an invalid one does not hide a valid one.
 */
export const oauthMetadata = Effect.fn("OAuthMetadata")(function* (
  site: Site,
  api: string | null
): Effect.fn.Return<OAuthMetadata> {
  const notFoundProbe = yield* site.notFoundProbe
  const { origin } = site.base
  const resources = [origin, ...(api === null || isSameIdentifier(api, origin) ? [] : [api])]
  const exchanges = yield* site.getAll([
    ...["oauth-authorization-server", "openid-configuration"].map((name) => below(origin, `.well-known/${name}`)),
    ...resources.map(resourceMetadataUrl)
  ])
  const described = resources.flatMap((resource, index) =>
    jsonDocuments(notFoundProbe, exchanges.slice(2 + index, 3 + index)).map((document) => ({
      document,
      wrong: resourceFault(document.value, [resource])
    }))
  )
  const valid = described.flatMap(({ document, wrong }) => (wrong === null ? [document] : []))
  const issuers = [...new Set(valid.flatMap(({ value }) => authorizationServers(value)))]
  const own = issuers.filter((issuer) => onSite(issuer, site.base.site)).slice(0, SERVERS)
  const places = metadataPlaces(own, new Set(exchanges.map(({ asked }) => asked.url)), PLACES + 1 - resources.length)
  const answers = yield* site.getAll(places.map(({ url }) => url))
  const documents = [
    ...jsonDocuments(notFoundProbe, exchanges.slice(0, 2)).map((document) => judged(document, origin)),
    ...places.flatMap(({ issuer }, index) =>
      jsonDocuments(notFoundProbe, answers.slice(index, index + 1)).map((document) => judged(document, issuer))
    )
  ]
  const sound = documents.flatMap(({ document, wrong }) => (wrong === null ? [document] : []))
  const results: ReadonlyArray<Judged> = [
    ...(yield* Effect.forEach(sound.slice(0, CHECKED), (document) => checked(site, document))),
    ...documents.flatMap(({ document, wrong }) => (wrong === null ? [] : [invalidServer(document.answer, wrong)])),
    ...valid.slice(0, 1).map((document) => resourceAlone(site, document, issuers)),
    ...described.flatMap(({ document, wrong }) => (wrong === null ? [] : [invalidResource(document.answer, wrong)]))
  ]
  const best = results.find(({ state }) => state === "valid") ?? results.find(({ state }) => state === "named")
  if (best?.state === "valid") return { ...best, isWithheld: false }
  const missing = [...exchanges, ...answers].filter((exchange) => isMissingFile(notFoundProbe, exchange))
  const proof = exchanges[0] ?? site.base.exchange
  const found = best ?? results[0] ?? { state: "absent", message: "There is no OAuth metadata.", proof }
  return { ...found, missing, isWithheld: exchanges.every((exchange) => isWithheld(notFoundProbe, exchange)) }
})

/**
 * Where the metadata of some servers may be, the likeliest places of all first. Those that were `asked` for already cost nothing; of the
 * others there are at most `most`.
 */
const metadataPlaces = (issuers: ReadonlyArray<string>, asked: ReadonlySet<string>, most: number) => {
  const byServer = issuers.map((issuer) => metadataUrls(issuer).map((url) => ({ issuer, url })))
  const all = [0, 1, 2].flatMap((form) => byServer.flatMap((places) => places.slice(form, form + 1)))
  const further = new Set(all.filter(({ url }) => !asked.has(url)).slice(0, most))
  return all.filter((place) => asked.has(place.url) || further.has(place))
}

/**
 * RFC 8414 puts the well-known part before the path of the issuer (section 3.1), that of OpenID Connect, too (section 5); OpenID Connect
 * Discovery puts it after the path. Without a path the last two are one.
 */
const metadataUrls = (issuer: string): ReadonlyArray<string> => {
  const { origin, pathname } = new URL(issuer)
  const path = trimEnd(pathname, "/")
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
      `${origin}/.well-known/openid-configuration${path}`
    ])
  ]
}

const judged = (document: WellKnownJson, issuer: string) => ({
  document,
  wrong: metadataFault(document.value, issuer)
})

/** Grant types that send the user to the authorization endpoint, and those that do without the token endpoint. */
const AUTHORIZING = ["authorization_code", "implicit"]
const TOKENLESS = ["implicit"]

/**
 * RFC 8414, section 2: which members are required depends on the grant types. Section 3.3: a client must not use a document whose issuer is
 * not `issuer`, the one that its URL was made of, or one server could speak for another.
 */
const metadataFault = (value: JsonObject | null, issuer: string): string | null => {
  if (value === null) return "it is not a JSON object"
  const listed = value["grant_types_supported"]
  const grants: ReadonlyArray<unknown> = Array.isArray(listed) ? listed : AUTHORIZING
  const required = [
    "issuer",
    ...(grants.some((grant) => AUTHORIZING.some((one) => one === grant)) ? ["authorization_endpoint"] : []),
    ...(grants.every((grant) => TOKENLESS.some((one) => one === grant)) ? [] : ["token_endpoint"])
  ]
  const lacking = [
    ...required.filter((key) => filledStringAt(value, key) === null),
    ...(Array.isArray(value["response_types_supported"]) ? [] : ["response_types_supported"])
  ]
  if (lacking.length > 0) return `it lacks ${lacking.join(", ")}`
  const named = filledStringAt(value, "issuer") ?? ""
  if (!isSameIdentifier(issuer, named)) return `its issuer is ${shortened(named)}, not ${shortened(issuer)}`
  return !grants.includes("authorization_code") || offersS256(value) ? null : "it does not offer S256"
}

const offersS256 = (value: JsonObject): boolean => {
  const methods = value["code_challenge_methods_supported"]
  return Array.isArray(methods) && methods.includes("S256")
}

/** A document without a fault of its own may still name URLs on the site that do not exist. */
const checked = Effect.fnUntraced(function* (site: Site, { answer, value }: WellKnownJson): Effect.fn.Return<Judged> {
  const endpoints = ENDPOINTS.flatMap((key) => filledStringAt(value ?? {}, key) ?? [])
  const exchanges = yield* site.getAll(endpoints.filter((url) => onSite(url, site.base.site)))
  const dead = exchanges.find(isGone)
  if (dead !== undefined)
    return {
      state: "invalid",
      message: `The OAuth metadata names ${dead.url}, which returns ${dead.status}.`,
      proof: dead,
      missing: []
    }
  const message = `The OAuth metadata is complete${offersS256(value ?? {}) ? " and offers S256" : ""}.`
  return { state: "valid", message, proof: answer, missing: exchanges.filter(isMissing) }
})

const invalidServer = (proof: Answer, wrong: string): Judged => ({
  state: "invalid",
  message: `The OAuth metadata is not valid: ${wrong}.`,
  proof,
  missing: []
})

const invalidResource = (proof: Answer, wrong: string): Judged => ({
  state: "invalid",
  message: `The protected-resource metadata is not valid: ${wrong}.`,
  proof,
  missing: []
})

/** What protected-resource metadata says where no server's own metadata was found. */
const resourceAlone = (site: Site, { answer }: WellKnownJson, issuers: ReadonlyArray<string>): Judged => {
  const elsewhere = issuers.find((issuer) => !onSite(issuer, site.base.site))
  if (elsewhere !== undefined)
    return {
      state: "named",
      message: `The protected-resource metadata names ${new URL(elsewhere).host}, an authorization server on another site, which we do not contact.`,
      proof: answer,
      missing: []
    }
  const [first] = issuers
  const message =
    first === undefined
      ? "The protected-resource metadata names no authorization server."
      : `The protected-resource metadata names ${new URL(first).host}, which has no valid OAuth metadata.`
  return { state: "invalid", message, proof: answer, missing: [] }
}
