import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define } from "../../engine/criterion/Criterion.ts"
import { flag } from "../../engine/criterion/Fact.ts"
import { onSite } from "../../engine/evidence/Address.ts"
import type { Site } from "../../engine/site/Site.ts"
import { type Documentation, readDocumentation } from "./Documentation.ts"
import { phrase } from "./Phrase.ts"
import { capitalised, findingsOfParts, seenAmong, seenAt, seenIn, seenInSpec, type Sighting } from "./Sighting.ts"
import { entriesOf, isAbout, type Passage, pathOf, type Place, placesOf, type Subject } from "./Subject.ts"

const AUTHENTICATION: Subject = {
  called: phrase(
    "authenticat(?:ion|e|ing)", "authori[sz]ation", "auth", "credentials?", "oauth ?(?:2(?:\\.[01])?)?", "openid connect", "sign(?:ing)? in", "logging in",
    "(?:api|access|secret|service|personal access|developer|application) (?:keys?|tokens?|secrets?)", "api-keys?", "bearer tokens?", "service accounts?"
  ),
  spareWords: 3
}

/** "No authentication is required", "does not need an API key". */
const CREDENTIAL = "(?:authentication|authori[sz]ation|auth|api[- ]?keys?|(?:access )?tokens?|credentials?|login|account|sign-?up|registration)"
const NONE_NEEDED = new RegExp(
  [
    `\\bno ${CREDENTIAL}(?:,? (?:or|and) [\\w -]{1,30})?(?: (?:is|are))?(?: currently)? (?:needed|required|necessary)`,
    `\\b(?:need|require)s? no ${CREDENTIAL}`,
    `\\b(?:do|does)(?: not|n['’]t) (?:need|require|use|have)(?: any| an?)?(?: form of)? ${CREDENTIAL}`,
    `\\b${CREDENTIAL} (?:is|are)(?: not|n['’]t) (?:needed|required|necessary|used)`,
    `^no ${CREDENTIAL}[.!]?$`
  ].join("|"),
  "im"
)

/** What is sent or called with a credential, as it is written. */
const SAMPLE = new RegExp(
  [
    "\\bauthorization[\"'`]?\\s*(?:[:=,]|=>)", "\\bx-[\\w-]{0,40}(?:key|token|auth)[\"'`]?\\s*(?:[:=,]|=>)", "\\bbearer\\s+[\\w<{$\\[*.…]",
    "\\b(?:api|access|secret|auth|bearer|private)[-_ ]?(?:key|token|secret)[\"'`]?\\s*(?:[:=]|=>)", "[?&](?:api_?key|access_token|token|key|appid)=",
    "\\b(?:auth|password|passwd|login|token|credentials?)[\"'`]?\\s*(?:[:=](?!=)|=>|<-)", "--(?:api-key|token|user|password|auth)(?=[\\s=])", "\\s-u\\s+\\S+:",
    "\\b\\w{1,40}_(?:API_)?(?:KEY|TOKEN|SECRET)\\b", "\\b(?:authori[sz]e|authenticate|log_?in|sign_?in|with_?token|set_?token)!?\\s*\\(", "\\bBasicAuth\\b", "\\bclient_?secret\\b"
  ].join("|"),
  "i"
)

/** In running text only a header or a query parameter that is written out counts. */
const WRITTEN_HEADER = /\bauthorization\s*:\s*\S|\bx-[\w-]{0,40}(?:key|token)\s*:\s*\S|\bbearer\s+[<{$[]|[?&](?:api_?key|access_token)=/i

/** A library reads its key from a variable: whoever knows its name can set it. */
const NAMED_VARIABLE = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET)\b/

/** In code outside such a section: a header with a credential. */
const SENT_HEADER = /\bauthorization["'`]?\s*(?:[:,=]|=>)\s*["'`]?(?:(?:bearer|basic|token|apikey|key)\s|[<{$[]|[\w-]{8,})|\bx-[\w-]{0,40}(?:api|auth|access)[\w-]{0,40}(?:key|token)["'`]?\s*(?:[:,=]|=>)/i

/** In code outside such a section, on one line with the product's name: a key or a login as an argument, or what looks like a key. */
const GIVEN_KEY = /\b(?:api|access|auth|secret)[-_]?(?:key|token)["'`]?\s*(?:[:=](?!=)|=>)\s*\S|["'`](?:[a-z]{2,5}_)?(?:live|test|sk|pk|key)[-_][\w.…-]{3,}["'`]|\b(?:basic|digest|bearer|token)_?auth\w{0,20}\s?\(\s*["'`]/i
const CODE_CHARACTERS = 10_000

const NOUN = "(?:keys?|tokens?|credentials?|secrets?|client[ _]ids?|accounts?|passwords?)"
const ORIGIN = new RegExp(
  [
    `\\b(?:obtain|generat|creat|regist|acquir|issu|provision|retriev|claim)(?:e|es|ed|ing|er|s)?(?: (?!with|using|requests?|clients?|calls?|for|to|by|if|when)[\\w’'/-]+){0,5} ${NOUN}\\b`,
    `\\b(?:get|find|copy|grab|request)(?: (?:a|an|your|the|new|own|free|personal|api|access|secret|developer|client|test|live)){1,5} ${NOUN}\\b`,
    "\\bsign(?:ing)? up\\b",
    `\\b${NOUN}\\b[^.\\n]{0,60}\\b(?:from|in|at|on|under|through|via) (?:your|the|our) [^.\\n]{0,40}\\b(?:dashboard|console|portal|settings|account|profile|admin)\\b`
  ].join("|"),
  "i"
)

/** How findings call them. */
const SCHEMES = "the security scheme of the API description"

const ADDRESS = /https?:\/\/[^\s"'`<>)\\]{1,300}/gi

export const d4Authentication = define({
  id: "d4-authentication",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    none_needed: flag("\"No authentication\" is said as a subject, or by the API description (`security: []`)"),
    section: flag("A page or section has authentication as its subject, or the API description declares schemes that it applies"),
    sample: flag("A header, key or login is shown as it is sent"),
    origin: flag("It is said where credentials come from")
  },
  measure: Effect.fn("d4-authentication")(function*(site) {
    const documentation = yield* readDocumentation(site)
    const { spec, tried } = documentation
    const places = placesOf(documentation, AUTHENTICATION)
    const place = places.find(({ kind }) => kind !== "table")
    const section = place === undefined ? seenInSpec(spec, ({ security }) => security.securedOperations > 0 && security.schemes.length > 0, SCHEMES) : seenAt(place)
    const shown = seenIn(places, showsSample) ?? strayCredential(documentation, site)
    const sample = shown ?? seenInSpec(spec, ({ security }) => security.schemes.some(({ parameter, scheme }) => parameter !== "" || scheme !== ""), SCHEMES)
    // Where a credential is shown or required, "no account is needed" speaks of something else.
    const required = shown !== null || (spec !== null && spec.spec.security.securedOperations > 0)
    const none = required ? null : seenIn(places, saysNoneNeeded) ?? seenInSpec(spec, ({ security }) => security.saidToBeNone)
    const origin = seenIn(places, ({ text }) => ORIGIN.test(text))
      ?? seenAmong(entriesOf(documentation), ({ name, text }) => ORIGIN.test(text) && isAbout(name, AUTHENTICATION, documentation.names))
      ?? seenInSpec(spec, ({ security }) => security.schemes.some(({ description }) => ORIGIN.test(description)), SCHEMES)
    return {
      facts: { none_needed: none !== null, section: section !== null, sample: sample !== null, origin: origin !== null },
      findings: none === null
        ? findingsOfParts([
          { name: "authentication as its subject", seen: section },
          { name: "a header, key or login as it is sent", seen: sample },
          { name: "where credentials come from", seen: origin }
        ], { message: "Authentication is the subject of no page, section or element of the API description.", tried })
        : [{ good: true, message: `${capitalised(none.where)} says that no credentials are needed.`, proof: none.proof }]
    }
  })
})

/** Said and not taken back: a header beside it means that some calls need one. */
const saysNoneNeeded = (passage: Passage, place: Place): boolean =>
  NONE_NEEDED.test(`${place.text}\n${passage.text}`) && !passage.codeBlocks.some(({ text }) => SENT_HEADER.test(text))

const showsSample = ({ codeBlocks, text }: Passage): boolean =>
  codeBlocks.some((block) => SAMPLE.test(block.text)) || WRITTEN_HEADER.test(text) || NAMED_VARIABLE.test(text)

/** A credential in a call to the site's own hosts, or given to the product's own library, wherever it is shown. */
const strayCredential = ({ articles, names, spec }: Documentation, site: Site): Sighting | null => {
  const servers = new Set((spec?.spec.servers ?? []).map(({ url }) => URL.parse(url)?.host))
  const isOwn = (address: string) => onSite(address, site.base.site) || servers.has(URL.parse(address)?.host)
  const sendsHeader = (code: string) => SENT_HEADER.test(code) && (code.match(ADDRESS) ?? []).some(isOwn)
  const givesKey = (line: string) => GIVEN_KEY.test(line) && (line.match(/[\p{L}\p{N}]+/gu) ?? []).some((word) => names.has(word.toLowerCase()))
  const article = articles.find(({ codeBlocks }) =>
    codeBlocks.some(({ text }) => sendsHeader(text) || text.slice(0, CODE_CHARACTERS).split("\n").some(givesKey)))
  return article === undefined ? null : { where: `a call on ${pathOf(article.url)}`, proof: article.exchange }
}
