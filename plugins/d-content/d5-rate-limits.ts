import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define } from "../../engine/plugin/Criterion.ts"
import { EITHER, eitherUnless, flag } from "../../engine/plugin/Fact.ts"
import { withMissingText } from "../../engine/plugin/SampledPages.ts"
import { capitalised } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import type { Table } from "../../engine/page/Page.ts"
import type { Reader } from "../../engine/text/languages/Vocabulary.ts"
import { namesProduct } from "../../engine/site/topics/ProductName.ts"
import { nothingRead, readDocumentation } from "./Documentation.ts"
import { phrase, sentencesOf, states } from "./Sentence.ts"
import { entriesOf, type Entry, findingsOfParts, foundAmong, foundIn, foundInSpec } from "./Citation.ts"
import {
  describePlace,
  isAbout,
  type Passage,
  passageOf,
  type Place,
  placesOf,
  toldPlaces,
  type Topic
} from "./Topic.ts"

const RATE_LIMITS: Topic = {
  called: phrase(
    "rate[- ]?limit(?:s|ing|ed|er)?",
    "(?:request|usage|api|call|traffic) (?:rate )?limits?",
    "(?:request|api) rates?",
    "(?:request|api|rate) throttling",
    "(?:request |usage |api )?quotas?(?: and (?:limits|thresholds))?",
    "too many requests",
    "throttl(?:e|ing) (?:limits?|rates?|policy|policies)",
    "burst limits?",
    "(?:request|call|rate|usage|api) thresholds?",
    "(?:tps|rps|qps|rpm)(?: limits?)?",
    "(?:transactions|requests|queries|calls) per (?:second|minute|hour|day)",
    "fair[- ]use(?: policy)?",
    "limits? (?:to|on|of|for) [\\p{L} ]{0,30}(?:calls|requests|queries)",
    "how many (?:calls|requests|queries)"
  ),
  subject: "rateLimits",
  spareWords: 3
}

/** These words may be about sizes or processors, so they count only as the whole heading. */
const LIMITS: Topic = {
  called: phrase(
    "limits",
    "limits and quotas",
    "quotas and limits",
    "throttling",
    "throttling and limits",
    "thresholds"
  ),
  subject: "limits",
  spareWords: 0
}

/** A quota may be on what is stored. Where nothing in a heading but "quota" names the topic, the text must speak of calls. */
const QUOTA_ONLY = /^(?!.*\b(?:api|calls?|limits?|quer(?:y|ies)|rates?|requests?|throttl\w*|usage)\b).*\bquotas?\b/i
const OF_CALLS =
  /\b429\b|too many requests|\brate[- ]?limit|\bthrottl|\b(?:requests?|calls?|quer(?:y|ies)|messages) (?:quotas?|limits?|allowances?|(?:per|each|every|a) )|\b(?:number|amount|volume) of (?:[\w-]+ )?(?:requests|calls|queries|messages)\b|\bper (?:second|minute|hour|day|month)\b|\b(?:hourly|daily|monthly)\b/i

const COUNTED =
  "(?:(?:api |http |post |get |search )?(?:requests?|calls?|queries|reqs?|hits|operations?|messages?|tokens|transactions|events|units|credits|points)\\b[^.\\n\\d]{0,30})?"
const WINDOW =
  "(?:(?:\\d+[ -]?)?(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|months?)\\b)"
const QUANTITY = new RegExp(
  [
    `\\d[\\d., ]{0,12}(?:k|m|million|thousand)?\\+?\\s?${COUNTED}\\s?(?:/\\s?|(?:per|an?|every|each|in any|in|within|over)[\\s-])(?:an? |any |one |the )?${WINDOW}`,
    "\\d[\\d.,]{0,12}k? ?(?:rpm|rps|qps|rpd|tpm|tps|req/s|r/s)\\b",
    `\\bevery ${WINDOW}[^.\\n]{0,40}\\d+ (?:requests?|calls?|queries)`
  ].join("|"),
  "i"
)
/** The window may be in the heading of a column and the number in a cell. */
const WINDOW_COLUMN = /\b(?:per|\/)\s?(?:second|sec|minute|min|hour|day|month)|\b(?:rpm|rps|qps|tpm|rpd)\b/i

/** What happens beyond a limit. */
const BEYOND = new RegExp(
  [
    "\\b429\\b",
    "too many requests",
    "rate[_ -]?limit(?:ed|ing)?[_ -]?(?:exceeded|error|exception)",
    "\\bthrottl(?:ed|es)\\b",
    "\\b(?:exceed(?:s|ed|ing)?|beyond|surpass(?:es|ed|ing)?|over|hit(?:s|ting)?|reach(?:es|ed|ing)?)\\b[^.\\n]{0,60}\\b(?:limit|quota|rate|allowance)[^.\\n]{0,80}\\b(?:error|block|reject|ban|den(?:y|ied)|refuse|suspend|queue|delay|drop|fail|receiv|return|respon|50\\d|403)",
    "\\b(?:limit|quota|allowance)s?\\b[^.\\n]{0,30}\\b(?:exceeded|reached|hit|surpassed|used up)\\b[^.\\n]{0,80}\\b(?:error|block|reject|ban|den(?:y|ied)|refuse|suspend|queue|delay|drop|fail|50\\d|403)",
    "\\b(?:will be|may be|are|get|is) (?:temporarily )?rate[- ]limited\\b",
    "\\b(?:cannot|can ?not|(?:not|n['’]t) be able to|unable to) (?:make|send) (?:any )?(?:additional|further|more|new) (?:api )?(?:calls|requests)\\b",
    // Statuses that some servers send instead of 429.
    "\\b(?:return|respond|answer|send|receiv|get|gets|with)\\w{0,5} (?:an? |the )?(?:http )?(?:status )?(?:code )?(?:420|430|498|509)\\b"
  ].join("|"),
  "i"
)
/** What may also happen to calls that are too large. */
const REFUSAL =
  /\b(?:will be|may be|are|get|is) (?:temporarily )?(?:blocked|rejected|banned|denied|refused|suspended|queued|delayed|dropped)\b/i

const HEADER =
  /\bretry-after(?:-ms)?\b|\b(?:x-)?(?:[\w]{1,30}-)?rate-?limit-[\w-]{1,40}|\bx-rate-?limit\b|\bratelimit(?:-policy)?\b(?= (?:response )?headers?)/gi
const HEADER_NAME = /^(?:retry-after(?:-ms)?|(?:x-)?(?:\w{1,30}-)?rate-?limit(?:-[\w-]{1,40})?)$/i

const NONE_APPLY =
  /\b(?:there (?:is|are) (?:currently |presently )?no|has no|have no|no) (?:(?:api|request|usage|hard|strict) )?(?:rate[- ]?limit(?:s|ing)?|limits? on (?:the number of )?(?:requests|calls)|quotas?|throttling)\b(?! (?:header|information))|\b(?:not|n['’]t|never)(?: currently)? (?:be )?rate[- ]limited\b|\b(?:do|does)(?: not|n['’]t)(?: currently)? (?:have|enforce|impose|apply|set|use)(?: any| a)? (?:rate[- ]?limit(?:s|ing)?|quotas?|throttling)\b|\bunlimited (?:requests|calls|usage)\b/i

export const d5RateLimits = define({
  id: "d5-rate-limits",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    none_apply: flag("a heading says that no rate limits apply"),
    quantity: flag(
      "a section on rate limits, or a sentence of the reference on them, gives a number with its time window"
    ),
    consequence: flag("the documentation says what happens beyond the limit, such as 429"),
    headers: flag("`Retry-After`, `RateLimit` or a vendor's own headers are documented")
  },
  measure: Effect.fn("d5-rate-limits")(
    function* (site) {
      const documentation = yield* readDocumentation(site)
      const { reader, spec, tried } = documentation
      const tellsLimit = (sentence: string): boolean =>
        LIMITED.test(sentence) && statesQuantity(sentence, reader) && !isOfOthers(sentence, documentation.names)
      // A column of limits may be about anything: it counts only by what is in it.
      const columns = placesOf(documentation, LIMITS).filter(({ kind }) => kind === "table")
      const named = [
        ...placesOf(documentation, RATE_LIMITS),
        ...placesOf(documentation, LIMITS).filter(({ kind }) => kind !== "table")
      ].filter((place) => !isQuotaOnStorage(place, reader))
      const places = [...named, ...columns, ...toldPlaces(documentation, tellsLimit)]
      const entries = entriesOf(documentation)
      // What rate limiting is may be explained below the same name.
      const terms = entries.filter(
        ({ name, text }) =>
          isAbout(name, RATE_LIMITS, documentation) && (statesQuantity(text, reader) || /\b429\b/.test(text))
      )
      const saysBeyond = (text: string): boolean => BEYOND.test(text) || reader.says("consequence", text)
      const quantity =
        foundIn(places, (passage) => givesQuantity(passage, reader)) ??
        foundAmong(terms, ({ text }) => statesQuantity(text, reader)) ??
        foundInSpec(
          spec,
          ({ elements }) => elements.remarks.some(({ text }) => sentencesOf(text).some(tellsLimit)),
          "the text of an operation in the API description"
        )
      const beyond =
        foundIn(places, ({ text }) => saysBeyond(text)) ??
        foundAmong(terms, ({ text }) => saysBeyond(text)) ??
        foundAmong(entries, (entry) => isTooMany(entry, reader)) ??
        foundInSpec(
          spec,
          ({ elements }) => elements.responses.some(({ name }) => name === "429"),
          "the response 429 of the API description"
        )
      const consequence = beyond ?? foundIn([...named, ...columns], ({ text }) => REFUSAL.test(text))
      const headers =
        foundIn(places, (passage) => namesHeader(passage, reader)) ??
        foundAmong(terms, ({ text }) => documentsHeader(text, reader)) ??
        foundAmong(entries, isHeader) ??
        foundInSpec(
          spec,
          ({ elements }) => elements.responseHeaders.some(({ name }) => HEADER_NAME.test(name)),
          "a response header of the API description"
        )
      // If the documentation describes a limit, "not rate limited" is about a part of the API.
      const limit = quantity ?? beyond ?? headers
      const none =
        limit === null ? foundIn(places, ({ text }, place) => saysNoneApply(`${place.text}\n${text}`, reader)) : null
      const [place] = named
      const nothing =
        place === undefined
          ? { message: nothingRead(documentation, "documents rate limits"), tried }
          : {
              message: `${capitalised(describePlace(place))} is about limits, but gives no number with its time window, no consequence and no header.`,
              tried: place.article.exchange
            }
      return {
        facts: {
          none_apply: none !== null,
          quantity: quantity !== null,
          consequence: consequence !== null,
          headers: headers !== null
        },
        findings:
          none === null
            ? findingsOfParts(
                [
                  {
                    name: "a limit as a number with its time window",
                    does: "gives a limit as a number with its time window",
                    seen: quantity
                  },
                  { name: "what happens beyond a limit", does: "says what happens beyond a limit", seen: consequence },
                  { name: "rate-limit headers", does: "names rate-limit headers", seen: headers }
                ],
                documentation,
                nothing
              )
            : ([
                { good: true, message: `${capitalised(none.where)} says that no rate limits apply.`, proof: none.proof }
              ] as const)
      }
    },
    withMissingText((facts) => ({
      // A missing text may describe a limit.
      none_apply: EITHER,
      quantity: eitherUnless(facts.quantity),
      consequence: eitherUnless(facts.consequence),
      headers: eitherUnless(facts.headers)
    }))
  )
})

/** An endpoint, a path or a group of calls; the whole API is none of them. */
const PART =
  /(?<![\w:/.])\/[a-z{:]|\b(?:this|that|the|an?) (?:[\w-]+ ){0,3}(?:endpoint|route|operation|method)\b|\b(?:these|those|following|some|certain|other|read|get) (?:[\w-]+ ){0,2}(?:endpoints|routes|operations|methods|calls|requests|queries)\b/i

const isQuotaOnStorage = (place: Place, reader: Reader): boolean => {
  if (!QUOTA_ONLY.test(place.text)) return false
  const { text } = passageOf(place)
  return !OF_CALLS.test(text) && !statesQuantity(text, reader)
}

const saysNoneApply = (text: string, reader: Reader): boolean =>
  sentencesOf(text).some((sentence) => states(sentence, NONE_APPLY, "noneApply", reader) && !PART.test(sentence))

const statesQuantity = (text: string, reader: Reader): boolean => QUANTITY.test(text) || reader.says("quantity", text)

/** "API keys have a rate limit of 600 requests per hour", in the text of a reference page. */
const LIMITED =
  /\brate[- ]?limit|\bthrottled (?:at|to)\b|\b(?:requests?|calls?|quer(?:y|ies))\b[^.\n]{0,40}\b(?:limited to|limit of)\b|\b(?:limited to|limit of|at most|up to|no more than|maximum of)\b[^.\n]{0,40}\b(?:requests?|calls?|queries)\b/i

/** "Acme's API rate limit"; "Your account's" and the first word of a sentence are no names. */
const OWNER =
  /(?<=[\p{Ll},] )(\p{Lu}\p{Ll}[\p{L}\p{N}]{0,30})['’]s (?:[\w-]{1,20} ){0,2}(?:rate[- ]?limits?|limits?|quotas?)\b/u

const isOfOthers = (sentence: string, names: ReadonlySet<string>): boolean => {
  const [, owner] = OWNER.exec(sentence) ?? []
  return owner !== undefined && !namesProduct(names, owner)
}

/** The text of a section may give the window of all limits in its tables: "the rate limits are in requests per second". */
const WINDOW_OF_ALL =
  /\b(?:requests|calls|queries|transactions|operations|messages)\s?(?:\/|per|an?|each|every) ?(?:second|sec|minute|min|hour|day)\b/i
const LIMIT_COLUMN = /^(?:(?:maximum|max\.?) )?(?:rate[- ]?)?limits?$|^(?:request )?rates?$/i

/** The column of a time window, whose cells may leave the unit to it: `5 minutes`, or `1000` below "Time period (ms)". */
const PERIOD_COLUMN = /^(?:time )?(?:periods?|windows?|intervals?|time ?frames?)\b/i
const UNIT_OF_COLUMN = new RegExp(`\\(${WINDOW}\\)`, "i")
const PERIOD = new RegExp(`^(?:\\d[\\d.,]{0,12}\\s?)?${WINDOW}$`, "i")
const COUNTED_COLUMN = /\b(?:limits?|requests|calls|quer(?:y|ies)|quotas?|rate)\b/i
const NUMBER = /^\d[\d., ]{0,12}$/

/** A row has a number of calls in one column, and its time window in another. */
const givesPeriods = ({ header, rows }: Table): boolean => {
  const period = header.findIndex((cell) => PERIOD_COLUMN.test(cell.trim()))
  const counted = header.findIndex((cell, column) => column !== period && COUNTED_COLUMN.test(cell))
  if (period < 0 || counted < 0) return false
  const hasUnit = UNIT_OF_COLUMN.test(header[period] ?? "")
  return rows.some((row) => {
    const [number, time] = [(row[counted] ?? "").trim(), (row[period] ?? "").trim()]
    return NUMBER.test(number) && (PERIOD.test(time) || (hasUnit && NUMBER.test(time)))
  })
}

const givesQuantity = ({ tables, text }: Passage, reader: Reader): boolean => {
  if (statesQuantity(text, reader) || tables.some(givesPeriods)) return true
  const hasWindow = WINDOW_OF_ALL.test(text)
  return tables.some(({ header, rows }) =>
    (header.some((cell) => cell !== "") ? header : (rows[0] ?? [])).some(
      (cell, column) =>
        (WINDOW_COLUMN.test(cell) ||
          reader.says("windowColumn", cell) ||
          (hasWindow && LIMIT_COLUMN.test(cell.trim()))) &&
        rows.some((row) => /^\D{0,3}\d/.test(row[column] ?? ""))
    )
  )
}

/** A vendor's own header that reports the state: `X-Quota-Remaining`, `X-Used-Weight-1m`. Only among what a section on limits lists. */
const OWN_HEADER =
  /^x(?:-[a-z0-9]{1,30}){0,6}-(?:limit|remaining|reset|used|usage|quota|left|consumed|weight)(?:-[a-z0-9]{1,30}){0,3}$/i

/** The first word of an item, without what quotes it. */
const LIST_NAME = /^[\s•*-]{0,4}[`"']?([\w-]{4,80})/

const namesHeader = ({ definitions, tables, text }: Passage, reader: Reader): boolean =>
  documentsHeader(text, reader) ||
  tables.some(({ rows }) => rows.some((row) => row.some((cell) => OWN_HEADER.test(cell.trim())))) ||
  definitions.some(({ term }) => OWN_HEADER.test(term.trim())) ||
  text.split("\n").some((line) => OWN_HEADER.test(LIST_NAME.exec(line)?.[1] ?? ""))

/** "You need no Retry-After handling", "the API does not send" right before the header. */
const NOT_SENT =
  /\b(?:no|without(?: any)?|(?:not|n['’]t|never) (?:have|include|need|provide|require|return|send|set|support|use)(?: an?| any| the)?)\s$/i
/** Length of what is read around the name of a header: the words that deny it stand close to it, after it in some languages. */
const AROUND_CHARACTERS = 30

/** A header is named and not denied. */
const documentsHeader = (text: string, reader: Reader): boolean =>
  [...text.matchAll(HEADER)].some(({ 0: header, index }) => {
    const before = text.slice(Math.max(0, index - AROUND_CHARACTERS), index).replace(/[`"']$/, "")
    const after = text.slice(index + header.length, index + header.length + AROUND_CHARACTERS)
    return !NOT_SENT.test(before) && !reader.says("notSent", `${lastSentence(before)}#${firstSentence(after)}`)
  })

const lastSentence = (text: string): string => text.split(/[.!?。！？\n]/).at(-1) ?? ""

const firstSentence = (text: string): string => text.split(/[.!?。！？\n]/, 1)[0] ?? ""

/** What compatibility tables say of headers that the API does not send. */
const UNSUPPORTED = /^(?:ignored|unsupported|not (?:supported|available|returned|sent)|no|n\/a|[-–—✗❌])$/i

const isHeader = ({ name, text }: Entry): boolean => HEADER_NAME.test(name) && !UNSUPPORTED.test(text.trim())

/** A row of an error table about status 429, too many requests. */
const isTooMany = ({ name, text }: Entry, reader: Reader): boolean => {
  const said = `${name} ${text}`
  return (
    /^(?:http )?429\b/i.test(name) &&
    (/too many|rate|limit|throttl|quota/i.test(said) ||
      reader.says("rateLimits", said) ||
      reader.says("consequence", said))
  )
}
