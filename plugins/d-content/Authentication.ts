import type { Reader } from "../../engine/text/languages/Vocabulary.ts"
import { type Citation, foundAt, foundIn, linesOfCode } from "./Citation.ts"
import type { Documentation } from "./Documentation.ts"
import { phrase, sentencesOf, states } from "./Sentence.ts"
import { type Passage, passageOf, type Place, placesOf, surestFirst, toldPlaces, type Topic } from "./Topic.ts"

export const AUTHENTICATION: Topic = {
  called: phrase(
    "authenticat(?:ion|e|ing)",
    "authori[sz]ation",
    "auth",
    "credentials?",
    "oauth ?(?:2(?:\\.[01])?)?",
    "openid connect",
    "sign(?:ing)? in",
    "logging in",
    "(?:api|access|secret|service|personal access|developer|application) (?:keys?|tokens?|secrets?)",
    "api-keys?",
    "bearer tokens?",
    "service accounts?"
  ),
  subject: "authentication",
  spareWords: 3
}

const SENT =
  "(?:api[- ]?keys?|(?:access|api|auth|bearer|personal access|app(?:lication)?|client) tokens?|bearer|basic auth(?:entication)?|http basic|oauth ?2?(?:\\.0)?|authori[sz]ation header|x-[\\w-]{1,40}(?:key|token|auth)[\\w-]{0,20}|jwts?)"

/** Payments are authorized, too: a heading that names the topic by that word alone may be about them. */
const AUTHORIZATION_ALONE = /^(?!.*(?:\bapis?\b|authent|credential|header|key|oauth|token)).*\bauthori[sz]ation/i
const OF_PAYMENTS = /\b(?:payments?|payers?|cards?|cardholders?|captur(?:e|ed|es)|refund(?:s|ed)?)\b/i
const OF_CALLERS =
  /\b(?:(?:api|access|secret)[- ]?keys?|(?:access|api|auth|bearer) tokens?|headers?|credentials?|oauth|bearer|log ?in|passwords?|scopes?|roles?|permissions?|authenticat\w*)\b/i

const isOfPayment = (place: Place): boolean => {
  if (!AUTHORIZATION_ALONE.test(place.text)) return false
  const { codeBlocks, text } = passageOf(place)
  const isCode = linesOfCode(codeBlocks)
  const prose = text
    .split("\n")
    .filter((line) => !isCode(line))
    .join("\n")
  return OF_PAYMENTS.test(`${place.article.title}\n${place.text}\n${prose}`) && !OF_CALLERS.test(prose)
}

/** The places that name authentication. */
export const authenticationPlaces = (documentation: Documentation): ReadonlyArray<Place> =>
  placesOf(documentation, AUTHENTICATION).filter((place) => !isOfPayment(place))

/** Where the reference tells in passing how a call is authenticated: "Each request must be authenticated with an API key". */
export const toldAuthentication = (documentation: Documentation): ReadonlyArray<Place> =>
  toldPlaces(documentation, (sentence) => TELLS_HOW.test(sentence) && !NEGATED.test(sentence))

const NEGATED = /\b(?:not?|never|without)\b|n['’]t\b/i
const TELLS_HOW = new RegExp(
  [
    `\\bauthenticat(?:e|ed|es|ing|ion)\\b[^.\\n]{0,60}\\b(?:with|using|by|via|through|uses?|requires?|in)\\b[^.\\n]{0,60}\\b${SENT}\\b`,
    `\\b(?:requests?|calls?|endpoints?|api)\\b[^.\\n]{0,40}\\b(?:requires?|needs?|must (?:include|have|contain|send|carry)|expects?)\\b[^.\\n]{0,40}\\b${SENT}\\b`,
    `\\b(?:send|pass|include|provide|supply|put|set|add)\\b[^.\\n]{0,60}\\b(?:keys?|tokens?|credentials)\\b[^.\\n]{0,40}\\b(?:header|query (?:parameter|string)|with (?:each|every) request)\\b`,
    "\\b(?:keys?|tokens?|credentials)\\b[^.\\n]{0,30}\\b(?:sent|passed|included|provided|supplied)\\b[^.\\n]{0,40}\\b(?:header|query (?:parameter|string)|(?:each|every) request)\\b"
  ].join("|"),
  "i"
)

/** "No authentication is required", "does not need an API key". */
const CREDENTIAL =
  "(?:authentication|authori[sz]ation|auth|api[- ]?keys?|(?:access )?tokens?|credentials?|login|account|sign-?up|registration)"
const NONE_NEEDED = new RegExp(
  [
    `\\bno ${CREDENTIAL}(?:,? (?:or|and) [\\w -]{1,30})?(?: (?:is|are))?(?: currently)? (?:needed|required|necessary)`,
    `\\b(?:need|require)s? no ${CREDENTIAL}`,
    `\\b(?:do|does)(?: not|n['’]t) (?:need|require|use)(?: any| an?)?(?: form of)? ${CREDENTIAL}`,
    // Only people have keys and accounts: "if you don't have an API key yet".
    "\\b(?:do|does)(?: not|n['’]t) have(?: any)?(?: form of)? auth(?:entication|ori[sz]ation)?\\b",
    `\\b${CREDENTIAL} (?:is|are)(?: not|n['’]t) (?:needed|required|necessary|used)`,
    `^no ${CREDENTIAL}[.!]?$`
  ].join("|"),
  "im"
)

/** Names of query parameters that are credentials, or the signature that is made with one. */
const QUERY_CREDENTIAL =
  "(?:(?:api|app|access|subscription|user)[-_]?(?:key(?:[-_]?id)?|token|id)|(?:x-(?:amz|goog)-)?(?:credential|signature)|sig|sign)"

/** Code that sends a credential or calls something with one. */
const SAMPLE = new RegExp(
  [
    "\\bauthorization[\"'`]?\\s*(?:[:=,]|=>)",
    "\\bx-[\\w-]{0,40}(?:key|token|auth)[\"'`]?\\s*(?:[:=,]|=>)",
    "\\bbearer\\s+[\\w<{$\\[*.…]",
    "\\b(?:api|access|secret|auth|bearer|private)[-_ ]?(?:key|token|secret)[\"'`]?\\s*(?:[:=]|=>)",
    `[?&]${QUERY_CREDENTIAL}=`,
    "[?&](?:token|key)=",
    "\\b(?:auth|password|passwd|login|token|credentials?)[\"'`]?\\s*(?:[:=](?!=)|=>|<-)",
    "--(?:api-key|token|user|password|auth)(?=[\\s=])",
    "\\s-u\\s+\\S+:",
    "\\b\\w{1,40}_(?:API_)?(?:KEY|TOKEN|SECRET)\\b",
    "\\b(?:authori[sz]e|authenticate|log_?in|sign_?in|with_?token|set_?token)!?\\s*\\(",
    "\\bBasicAuth\\b",
    "\\bclient_?secret\\b"
  ].join("|"),
  "i"
)

/** In running text, only a complete header or query parameter counts. */
const WRITTEN_HEADER = new RegExp(
  `\\bauthorization\\s*:\\s*\\S|\\bx-[\\w-]{0,40}(?:key|token)\\s*:\\s*\\S|\\bbearer\\s+[<{$[]|[?&]${QUERY_CREDENTIAL}=`,
  "i"
)

/** A library may read its key from an environment variable, so naming the variable is enough. */
const NAMED_VARIABLE = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET)\b/

/** Where the headers that a request has are told: what is sent as one of them may be a credential. */
export const HEADERS: Topic = { called: phrase("(?:(?:http|request) )?headers?"), spareWords: 0 }

const KEY_HEADER = "\\bx-[\\w-]{0,40}(?:api|auth|access)[\\w-]{0,40}(?:key|token)[\"'`]?\\s*(?:[:,=]|=>)"
const SCHEME = "(?:bearer|basic|token|apikey|key)\\s"

/** A header with a credential, in code outside a section on authentication. */
export const SENT_HEADER = new RegExp(
  [
    // A key in a header of its own name: `-H "api_key: …"`.
    "(?:\\s-H|--header|\\bheaders[\"']?\\s?[:=]\\s?[{[])[\\s(\"']{1,20}(?:api|access|app|auth)[-_]?(?:key|token)[\"']?\\s?[:=]",
    `\\bauthorization["'\`]?\\s*(?:[:,=]|=>)\\s*["'\`]?(?:${SCHEME}|[<{$[]|[\\w-]{8,})`,
    KEY_HEADER
  ].join("|"),
  "i"
)

/** A header that can be nothing else: the `authorization` in a response may be that of a payment. */
export const SENT_SCHEME = new RegExp(`\\bauthorization["'\`]?\\s*(?:[:,=]|=>)\\s*["'\`]?${SCHEME}|${KEY_HEADER}`, "i")

/** A key in the query of a URL, outside a section on authentication: a bare `key` or `id` may be anything there. */
export const SENT_IN_QUERY =
  /[?&](?:(?:(?:api|app|access|auth|user|subscription)[-_]?)?token|(?:api|app|access|auth|secret|subscription)[-_]?key)=/i

/** A login that `curl` is given; the user of a container (`-u 1000:1000`) is none. */
export const SENT_LOGIN = /\s(?:-u|--user)[ =]["']?[A-Za-z<{$][\w.<>{}$@-]{0,100}:/

/** A header in the same passage means that some calls need credentials after all. */
export const saysNoneNeeded = ({ codeBlocks, text }: Passage, place: Place, reader: Reader): boolean =>
  sentencesOf(`${place.text}\n${text}`).some((sentence) => states(sentence, NONE_NEEDED, "noneNeeded", reader)) &&
  !codeBlocks.some((block) => SENT_HEADER.test(block.text))

/** The passage shows a credential as it is sent. */
export const showsSample = ({ codeBlocks, text }: Passage): boolean =>
  codeBlocks.some((block) => SAMPLE.test(block.text)) || WRITTEN_HEADER.test(text) || NAMED_VARIABLE.test(text)

/** A page, section or sentence that documents authentication; `null` if there is none, or if the documentation says that none is needed. */
export const documentedAuthentication = (documentation: Documentation): Citation | null => {
  const places = authenticationPlaces(documentation)
  const place = surestFirst([...places, ...toldAuthentication(documentation)]).find(({ kind }) => kind !== "table")
  if (place === undefined) return null
  const noneNeeded =
    foundIn(places, showsSample) === null &&
    foundIn(places, (passage, at) => saysNoneNeeded(passage, at, documentation.reader)) !== null
  return noneNeeded ? null : foundAt(place)
}
