import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define } from "../../engine/criterion/Criterion.ts"
import { flag } from "../../engine/criterion/Fact.ts"
import { readDocumentation } from "./Documentation.ts"
import { phrase } from "./Phrase.ts"
import { capitalised, findingsOfParts, seenAmong, seenIn, seenInSpec } from "./Sighting.ts"
import { describePlace, entriesOf, type Entry, type Passage, placesOf, type Subject } from "./Subject.ts"

const RATE_LIMITS: Subject = {
  called: phrase(
    "rate[- ]?limit(?:s|ing|ed|er)?", "(?:request|usage|api|call|traffic) (?:rate )?limits?", "(?:request|api) rates?", "(?:request|api|rate) throttling",
    "quotas?", "too many requests", "fair[- ]use(?: policy)?", "limits? (?:to|on|of|for) [\\p{L} ]{0,30}(?:calls|requests|queries)",
    "how many (?:calls|requests|queries)"
  ),
  spareWords: 3
}

/** May be about sizes, or processors: these have to stand alone. */
const LIMITS: Subject = { called: phrase("limits", "limits and quotas", "quotas and limits", "throttling", "throttling and limits"), spareWords: 0 }

const COUNTED = "(?:(?:api |http |post |get |search )?(?:requests?|calls?|queries|reqs?|hits|operations?|messages?|tokens|transactions|events|units|credits|points)\\b[^.\\n\\d]{0,30})?"
const WINDOW = "(?:(?:\\d+ ?)?(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|months?)\\b)"
const QUANTITY = new RegExp(
  [
    `\\d[\\d., ]{0,12}(?:k|m|million|thousand)?\\+?\\s?${COUNTED}\\s?(?:/\\s?|(?:per|an?|every|each|in any|in|within|over)[\\s-])(?:an? |one |the )?${WINDOW}`,
    "\\d[\\d.,]{0,12}k? ?(?:rpm|rps|qps|rpd|tpm|tps|req/s|r/s)\\b",
    `\\bevery ${WINDOW}[^.\\n]{0,40}\\d+ (?:requests?|calls?|queries)`
  ].join("|"),
  "i"
)
/** The window may stand in the heading of a column, its number in a cell. */
const WINDOW_COLUMN = /\b(?:per|\/)\s?(?:second|sec|minute|min|hour|day|month)|\b(?:rpm|rps|qps|tpm|rpd)\b/i

const CONSEQUENCE = new RegExp(
  [
    "\\b429\\b", "too many requests", "rate[_ -]?limit(?:ed|ing)?[_ -]?(?:exceeded|error|exception)", "\\bthrottl(?:ed|es)\\b",
    "\\b(?:exceed(?:s|ed|ing)?|beyond|surpass(?:es|ed|ing)?|over|hit(?:s|ting)?|reach(?:es|ed|ing)?)\\b[^.\\n]{0,60}\\b(?:limit|quota|rate|allowance)[^.\\n]{0,80}\\b(?:error|block|reject|ban|den(?:y|ied)|refuse|suspend|queue|delay|drop|fail|receiv|return|respon|50\\d|403)",
    "\\b(?:will be|may be|are|get|is) (?:temporarily )?(?:blocked|rejected|banned|denied|refused|suspended|queued|delayed|dropped|rate[- ]limited)\\b"
  ].join("|"),
  "i"
)

const HEADER = /\bretry-after(?:-ms)?\b|\b(?:x-)?(?:[\w]{1,30}-)?rate-?limit-[\w-]{1,40}|\bx-rate-?limit\b|\bratelimit(?:-policy)?\b(?= (?:response )?headers?)/i
const HEADER_NAME = /^(?:retry-after(?:-ms)?|(?:x-)?(?:\w{1,30}-)?rate-?limit(?:-[\w-]{1,40})?)$/i

const NONE_APPLY = /\b(?:there (?:is|are) (?:currently |presently )?no|has no|have no|no) (?:(?:api|request|usage|hard|strict) )?(?:rate[- ]?limit(?:s|ing)?|limits? on (?:the number of )?(?:requests|calls)|quotas?|throttling)\b(?! (?:header|information))|\b(?:not|n['’]t|never)(?: currently)? (?:be )?rate[- ]limited\b|\b(?:do|does)(?: not|n['’]t)(?: currently)? (?:have|enforce|impose|apply|set|use)(?: any| a)? (?:rate[- ]?limit(?:s|ing)?|quotas?|throttling)\b|\bunlimited (?:requests|calls|usage)\b/i

export const d5RateLimits = define({
  id: "d5-rate-limits",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    none_apply: flag("\"No limits\" is said as a subject"),
    quantity: flag("A number with its window is given where rate limits are the subject"),
    consequence: flag("What happens beyond the limit is said, as 429 or the like"),
    headers: flag("`Retry-After`, `RateLimit` or a vendor's own headers are documented")
  },
  measure: Effect.fn("d5-rate-limits")(function*(site) {
    const documentation = yield* readDocumentation(site)
    const { spec, tried } = documentation
    const places = [...placesOf(documentation, RATE_LIMITS), ...placesOf(documentation, LIMITS)]
    const entries = entriesOf(documentation)
    const none = seenIn(places, (passage, place) => NONE_APPLY.test(`${place.text}\n${passage.text}`) && !givesQuantity(passage))
    const quantity = seenIn(places, givesQuantity)
    const consequence = seenIn(places, ({ text }) => CONSEQUENCE.test(text)) ?? seenAmong(entries, isTooMany)
      ?? seenInSpec(spec, ({ elements }) => elements.responses.some(({ name }) => name === "429"), "the response 429 of the API description")
    const headers = seenIn(places, ({ text }) => HEADER.test(text)) ?? seenAmong(entries, ({ name }) => HEADER_NAME.test(name))
      ?? seenInSpec(spec, ({ elements }) => elements.responseHeaders.some(({ name }) => HEADER_NAME.test(name)), "a response header of the API description")
    const [place] = places
    const nothing = place === undefined
      ? { message: "Rate limits are the subject of no page, section, table or element of the API description.", tried }
      : { message: `${capitalised(describePlace(place))} is about limits, and gives no number, consequence or header.`, tried: place.article.exchange }
    return {
      facts: { none_apply: none !== null, quantity: quantity !== null, consequence: consequence !== null, headers: headers !== null },
      findings: none === null
        ? findingsOfParts([
          { name: "a number with its window", seen: quantity },
          { name: "what happens beyond a limit", seen: consequence },
          { name: "headers that tell the state of limits", seen: headers }
        ], nothing)
        : [{ good: true, message: `${capitalised(none.where)} says that no rate limits apply.`, proof: none.proof }]
    }
  })
})

const givesQuantity = ({ tables, text }: Passage): boolean =>
  QUANTITY.test(text) || tables.some(({ header, rows }) =>
    header.some((cell, column) => WINDOW_COLUMN.test(cell) && rows.some((row) => /^\D{0,3}\d/.test(row[column] ?? ""))))

/** A row of a table of errors: the status, and that it is about too many requests. */
const isTooMany = ({ name, text }: Entry): boolean => /^(?:http )?429\b/i.test(name) && /too many|rate|limit|throttl|quota/i.test(`${name} ${text}`)
