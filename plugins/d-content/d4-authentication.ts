import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define } from "../../engine/plugin/Criterion.ts"
import { EITHER, eitherUnless, flag } from "../../engine/plugin/Fact.ts"
import { withMissingText } from "../../engine/plugin/SampledPages.ts"
import { capitalised } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import type { ShownOperation } from "../../engine/page/Page.ts"
import { trimTrailingSlashes, upTo } from "../../engine/text/WhiteSpace.ts"
import {
  AUTHENTICATION,
  authenticationPlaces,
  HEADERS,
  saysNoneNeeded,
  SENT_HEADER,
  SENT_IN_QUERY,
  SENT_LOGIN,
  SENT_SCHEME,
  showsSample,
  toldAuthentication
} from "./Authentication.ts"
import { type Documentation, nothingRead, readDocumentation } from "./Documentation.ts"
import { type Citation, entriesOf, findingsOfParts, foundAmong, foundAt, foundIn, foundInSpec } from "./Citation.ts"
import { sentencesOf } from "./Sentence.ts"
import {
  isAbout,
  type Passage,
  passageOf,
  pathAndQuery,
  type Place,
  placesOf,
  referenceUrls,
  surestFirst
} from "./Topic.ts"

/** A key or login as an argument, or a string that looks like a key, on one line with the product's name, in code outside a section on authentication. */
const GIVEN_KEY =
  /\b(?:api|access|auth|secret)[-_]?(?:key|token)["'`]?\s*(?:[:=](?!=)|=>)\s*\S|["'`](?:[a-z]{2,5}_)?(?:live|test|sk|pk|key)[-_][\w.…-]{3,}["'`]|\b(?:(?:basic|digest|bearer|token)_?auth|log_?in)\w{0,20}\s?\(\s*["'`]/i
const CODE_CHARACTERS = 10_000

const NOUN = "(?:keys?|(?:access_)?tokens?|credentials?|secrets?|client[ _]ids?|accounts?|passwords?)"
const MADE = "(?:keys?|tokens?|secrets?|passwords?|credentials)"
/** Software that its users run themselves. */
const RUN = "(?:server|instance|daemon|broker|deployment|installation)"
const ORIGIN = new RegExp(
  [
    `\\b(?:obtain|generat|creat|regist|acquir|issu|provision|retriev|claim)(?:e|es|ed|ing|er|s)?(?: (?!with|using|requests?|clients?|calls?|for|to|by|if|when)[\\w’'/()-]+){0,5} ${NOUN}\\b`,
    `\\b(?:get|find|copy|grab|request)(?: (?:a|an|your|the|new|own|free|personal|api|access|secret|developer|client|test|live)){1,5} ${NOUN}\\b`,
    `\\breceiv(?:e|ing)(?: (?:a|an|your|the|new|own|personal|api|access|secret|developer|client|test|live)){1,5} ${NOUN}\\b`,
    // "If your key does not work, contact us" is none.
    `\\b(?:contact|e-?mail|write to|reach out to|talk to|get in touch with|ask (?:us|our|your))\\b[^.\\n]{0,60}\\b(?:for|to (?:get|have|order|receive|request))(?: (?:a|an|your|new|own|personal|api|access|secret|developer|client|test|live)){1,5} ${NOUN}\\b`,
    "\\bsign(?:ing)? up\\b",
    // "To access your credentials, log in to the dashboard"
    `\\b(?:access|view|see|find)(?: [\\w-]{1,20}){0,3} ${NOUN}\\b[^.\\n]{0,40}\\b(?:log ?in|sign ?in|dashboard|console|portal)\\b`,
    `\\b${NOUN}\\b[^.\\n]{0,20}\\bfound (?:on|in|inside|under|at) (?:the|your)\\b[^.\\n]{0,40}\\b(?:page|dashboard|settings|tab|section|menu)\\b`,
    // Those who run the software make the credential: "Choose a token", "set the token in the configuration of your server".
    `\\b(?:choose|pick|make up|invent)(?: (?:a|an|any|your|own|the|new|long|strong|random|secret|api|access|admin|auth|bearer|static)){1,6} ${MADE}\\b`,
    `\\b${MADE}\\b[^.\\n]{0,20}\\b(?:of your (?:own )?choice|(?:that )?you (?:choose|like))\\b`,
    `\\b(?:set|configure|define|specify|put|add|enter)\\b[^.\\n]{0,60}\\b${MADE}\\b[^.\\n]{0,60}\\b(?:the|your|its) (?:own |self-hosted )?${RUN}(?:['’]s)? (?:config(?:uration)?|settings)\\b`,
    `\\b(?:set|configure|define|specify|put|add|enter)\\b[^.\\n]{0,60}\\b${MADE}\\b[^.\\n]{0,60}\\b(?:config(?:uration)?(?: file)?|settings) of (?:the|your) (?:own |self-hosted )?${RUN}\\b`,
    `\\b${NOUN}\\b[^.\\n]{0,60}\\b(?:from|in|inside|within|at|on|under|through|via) (?:your|the|our) [^.\\n]{0,40}\\b(?:dashboard|console|portal|settings|account|profile|admin)\\b`
  ].join("|"),
  "i"
)

const SCHEMES = "the security scheme of the API description"

/** A header that a table or a list of terms names. */
const CREDENTIAL_HEADER = /^(?:authorization|x-(?:api|auth|access)-?(?:key|token))$/i
/** A name that is a header's only where the text beside it says so. */
const CREDENTIAL = /^(?:api|app|client|access|auth)[-_]?(?:key|token|secret)$/i
const IN_HEADER = /\bheaders?\b/i

/** The last segment of the path of an endpoint that gives out credentials; lists of tokens may be of any kind. */
const ISSUES =
  /\/(?:(?:access|auth|api|bearer|id)[-_]?tokens?|token|(?:api|access)[-_]?keys?|auth|log[-_]?in|sign[-_]?in|authenticate|(?:auth|authentication|oauth2?|identity|iam)\/(?:v\d+\/)?(?:tokens?|keys?|sessions?|credentials))$/i
/** Tokens of devices, cards and the like. */
const OTHER_TOKENS = /\b(?:push|devices?|fcm|apns|notifications?|cards?|payments?|webhooks?|nfts?|csrf|invites?)\b/i

const URLS = /https?:\/\/[^\s"'`<>)\\]{1,300}/gi

export const d4Authentication = define({
  id: "d4-authentication",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    none_needed: flag("a heading, or the API description (`security: []`), says that no authentication is needed"),
    section: flag(
      "a page or section is about authentication, a sentence of the reference tells how to authenticate, or the API description declares and applies security schemes"
    ),
    sample: flag("an example shows a header, key or login as it is sent"),
    origin: flag("the documentation says where to get credentials")
  },
  measure: Effect.fn("d4-authentication")(
    function* (site) {
      const documentation = yield* readDocumentation(site)
      const { reader, spec, tried } = documentation
      const saysOrigin = (text: string): boolean => ORIGIN.test(text) || reader.says("origin", text)
      const named = authenticationPlaces(documentation).map(asSure)
      const places = [...named, ...toldAuthentication(documentation)]
      const place = surestFirst(places).find(({ kind }) => kind !== "table")
      const section =
        place === undefined
          ? foundInSpec(spec, ({ security }) => security.securedOperations > 0 && security.schemes.length > 0, SCHEMES)
          : foundAt(place)
      const shown =
        foundIn(places, sendsHeader) ??
        strayCredential(documentation) ??
        foundIn(places, showsSample) ??
        writtenCredential(documentation) ??
        foundIn(placesOf(documentation, HEADERS), sendsHeader) ??
        foundAmong(
          entriesOf(documentation),
          ({ name, text }) => CREDENTIAL_HEADER.test(name) || (CREDENTIAL.test(name) && IN_HEADER.test(text))
        )
      const sample =
        shown ??
        foundInSpec(
          spec,
          ({ security }) => security.schemes.some(({ parameter, scheme }) => parameter !== "" || scheme !== ""),
          SCHEMES
        )
      // If a credential is shown or required, "no account is needed" is about something else.
      const required = shown !== null || (spec !== null && spec.spec.security.securedOperations > 0)
      const none = required
        ? null
        : (foundIn(named, (passage, place) => saysNoneNeeded(passage, place, reader)) ??
          foundInSpec(spec, ({ security }) => security.saidToBeNone))
      const origin =
        foundIn(
          places.map((place) => citing(place, saysOrigin)),
          ({ text }) => saysOrigin(text)
        ) ??
        foundAmong(
          entriesOf(documentation),
          ({ name, text }) => saysOrigin(text) && isAbout(name, AUTHENTICATION, documentation)
        ) ??
        foundInSpec(
          spec,
          ({ security }) => security.schemes.some(({ description }) => saysOrigin(description)),
          SCHEMES
        ) ??
        foundInSpec(spec, ({ security }) => security.schemes.some(({ tokenUrl }) => tokenUrl !== ""), SCHEMES) ??
        issuingEndpoint(documentation)
      return {
        facts: {
          none_needed: none !== null,
          section: section !== null,
          sample: sample !== null,
          origin: origin !== null
        },
        findings:
          none === null
            ? findingsOfParts(
                [
                  {
                    name: "authentication",
                    missing: "a page or section on authentication",
                    does: "tells how to authenticate",
                    seen: section
                  },
                  { name: "a sample request with credentials", does: "shows how credentials are sent", seen: sample },
                  { name: "where to get credentials", does: "says where to get credentials", seen: origin }
                ],
                documentation,
                { message: nothingRead(documentation, "explains authentication"), tried }
              )
            : ([
                {
                  good: true,
                  message: `${capitalised(none.where)} says that no credentials are needed.`,
                  proof: none.proof
                }
              ] as const)
      }
    },
    withMissingText(({ origin, sample, section }) => ({
      // A missing text may show a credential, which would mean that some calls need one after all.
      none_needed: EITHER,
      section: eitherUnless(section),
      sample: eitherUnless(sample),
      origin: eitherUnless(origin)
    }))
  )
})

/** Of a section without a name, the sentence that says it. */
const citing = (place: Place, says: (sentence: string) => boolean): Place =>
  place.kind === "sentence" ? { ...place, text: sentencesOf(passageOf(place).text).find(says) ?? place.text } : place

const sendsHeader = ({ codeBlocks }: Passage): boolean => codeBlocks.some(({ text }) => SENT_HEADER.test(text))

/** How people log in is cited only where nothing says how a call is authenticated. */
const OF_PEOPLE = /\b(?:openid|oidc|saml|sso|single sign[- ]on|sign(?:ing)? in|logging in)\b/i
const asSure = (place: Place): Place =>
  OF_PEOPLE.test(place.text) ? { ...place, others: place.others + AUTHENTICATION.spareWords } : place

/** A server of the product that its users run themselves. */
const OWN_SERVER = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/])/i

/**
 * A credential in a call to the site's own hosts or to the user's own server, or passed to the product's own library, on any page; on
 * a reference page, in a call to any host, since that may be the only one of the API that the documentation names.
 */
const strayCredential = (documentation: Documentation): Citation | null => {
  const { articles, isOwn, names } = documentation
  const reference = referenceUrls(documentation)
  const sends = (code: string) => {
    const called = (code.match(URLS) ?? []).filter((url) => OWN_SERVER.test(url) || isOwn(url))
    return (
      called.length > 0 &&
      (SENT_HEADER.test(code) || SENT_LOGIN.test(code) || called.some((url) => SENT_IN_QUERY.test(url)))
    )
  }
  const givesKey = (line: string) =>
    GIVEN_KEY.test(line) && (line.match(/[\p{L}\p{N}]+/gu) ?? []).some((word) => names.has(word.toLowerCase()))
  const article = articles.find(({ codeBlocks, url }) =>
    codeBlocks.some(
      ({ text }) =>
        sends(text) ||
        (reference.has(url) && SENT_SCHEME.test(text)) ||
        text.slice(0, CODE_CHARACTERS).split("\n").some(givesKey)
    )
  )
  return article === undefined ? null : { where: `a call on ${pathAndQuery(article.url)}`, proof: article.exchange }
}

/** A whole header. */
const WRITTEN_SCHEME = /\bauthorization: (?:bearer|basic) [<{$[\w*]/i

/** A header in the text of a reference page. */
const writtenCredential = (documentation: Documentation): Citation | null => {
  const reference = referenceUrls(documentation)
  const article = documentation.articles.find(
    ({ sections, url }) => reference.has(url) && sections.some(({ text }) => WRITTEN_SCHEME.test(text))
  )
  return article === undefined ? null : { where: `the text of ${pathAndQuery(article.url)}`, proof: article.exchange }
}

const isIssuing = ({ method, path }: ShownOperation): boolean => {
  const plain = trimTrailingSlashes(upTo(path, "?#"))
  return (method === "POST" || method === "PUT") && ISSUES.test(plain) && !OTHER_TOKENS.test(plain.replaceAll("_", "-"))
}

/** An endpoint that issues credentials is where they come from, in the API description or on a page. */
const issuingEndpoint = ({ sampled, spec, topicPages }: Documentation): Citation | null => {
  const described = spec?.spec.operations.find(isIssuing)
  if (spec !== null && described !== undefined)
    return { where: `the operation ${shown(described)} of the API description`, proof: spec.exchange }
  const page = [...sampled, ...topicPages].find(({ operations }) => operations.some(isIssuing))
  const operation = page?.operations.find(isIssuing)
  return page === undefined || operation === undefined
    ? null
    : { where: `the operation ${shown(operation)} on ${pathAndQuery(page.url)}`, proof: page.answer }
}

const shown = ({ method, path }: ShownOperation): string => {
  const text = `${method} ${URL.parse(path)?.pathname ?? path}`
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`
}
