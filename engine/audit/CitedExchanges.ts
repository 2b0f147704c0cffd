import { deflateSync } from "fflate"
import type { Finding } from "../plugin/Criterion.ts"
import { beginningOf, OPENING_BYTES } from "../evidence/BodyText.ts"
import { type Answer, type Exchange, headerIn, type Headers, isAnswer, isSuccess } from "../evidence/Exchange.ts"
import { keyOf } from "../evidence/Journal.ts"
import { plainLines, plainText } from "../text/PlainText.ts"
import type { ReportedExchange } from "./Report.ts"

/** What the exchanges of a report take at most as JSON. */
export const MOST_JSON_BYTES = 256 * 1024

/**
 * What they take compressed: less than the 15 KB that the contract promises. Node's compressors give other lengths in other versions, and a report must keep the same
 * bytes in all of them; fflate is pinned and plain JavaScript. The store's zstd takes at most 7% more than it (held by the test).
 */
const MOST_DEFLATED_BYTES = 14 * 1024

/** The exchanges that a report keeps, and where each cited one is among them. */
export interface CitedExchanges {
  readonly exchanges: ReadonlyArray<ReportedExchange>
  /** How many cited exchanges there was no space for. */
  readonly leftOut: number
  /** The index of an exchange; `undefined`: left out. */
  readonly indexOf: (proof: Exchange) => number | undefined
}

/** What is kept of a body, in bytes: of those that a report shows first, and of the others. */
interface Excerpts {
  readonly first: number
  readonly others: number
}

/** From the most to the least. All steps keep what was asked, the status and headers. */
const STEPS: ReadonlyArray<Excerpts> = [
  { first: 2048, others: 2048 },
  { first: 2048, others: 512 },
  { first: 2048, others: 0 },
  { first: 1024, others: 0 },
  { first: 512, others: 0 },
  { first: 256, others: 0 },
  { first: 0, others: 0 }
]

/**
 * The exchanges that findings cite, each once. Those of `shown`, the evidence that a report shows first, come before those of
 * `others`. Within the limits on space bodies are cut first, those of `others` before those of `shown`, then headers, then
 * exchanges from the end. The same findings give the same exchanges.
 */
export const citedExchanges = (shown: ReadonlyArray<Finding>, others: ReadonlyArray<Finding>): CitedExchanges => {
  const first = new Map(shown.map(({ proof }) => [identityOf(proof), proof]))
  const all = new Map([
    ...first,
    ...others.map(({ proof }) => [identityOf(proof), proof] as const).filter(([key]) => !first.has(key))
  ])
  const cited = [...all.values()]
  const exchanges = fitted(cited, first.size)
  const indices = new Map([...all.keys()].slice(0, exchanges.length).map((key, index) => [key, index]))
  return { exchanges, leftOut: cited.length - exchanges.length, indexOf: (proof) => indices.get(identityOf(proof)) }
}

/** A request may end differently for two criteria, as one of them may have spent its budget. */
const identityOf = (proof: Exchange): string =>
  `${keyOf(proof.asked)}\n${isAnswer(proof) ? proof.status : proof.kind}\n${proof.url}`

const fitted = (cited: ReadonlyArray<Exchange>, first: number): ReadonlyArray<ReportedExchange> => {
  for (const excerpts of STEPS) {
    const kept = cited.map((exchange, index) =>
      reported(exchange, index < first ? excerpts.first : excerpts.others, keptHeaders)
    )
    if (isWithinLimits(kept)) return kept
  }
  const bare = cited.map((exchange) => reported(exchange, 0, tellingHeaders))
  let [least, most] = [0, bare.length]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (isWithinLimits(bare.slice(0, middle))) least = middle
    else most = middle - 1
  }
  return bare.slice(0, least)
}

const isWithinLimits = (exchanges: ReadonlyArray<ReportedExchange>): boolean => {
  const json = JSON.stringify(exchanges)
  if (json.length > MOST_JSON_BYTES) return false
  const bytes = Buffer.from(json)
  return (
    bytes.length <= MOST_JSON_BYTES &&
    (bytes.length <= MOST_DEFLATED_BYTES || deflateSync(bytes, { level: 6 }).length <= MOST_DEFLATED_BYTES)
  )
}

const reported = (exchange: Exchange, bytes: number, headersOf: typeof keptHeaders): ReportedExchange => {
  const {
    asked: { accept, agent, body: sent, method, url },
    redirects
  } = exchange
  return {
    method,
    url,
    accept,
    agent,
    ...(sent === undefined ? {} : { request_body: sent.slice(0, LONGEST_SENT) }),
    ...(redirects.length === 0 ? {} : { redirects }),
    ...(isAnswer(exchange)
      ? { status: exchange.status, headers: headersOf(exchange.headers), ...excerptOf(exchange, bytes) }
      : {
          status: null,
          fault: exchange.kind,
          failure: plainText(exchange.message),
          headers: [],
          body: null,
          body_bytes: 0,
          body_cut: false
        })
  }
}

/** Longer than any body that a plugin of ours sends. */
const LONGEST_SENT = 4_000

const excerptOf = (answer: Answer, bytes: number): Pick<ReportedExchange, "body" | "body_bytes" | "body_cut"> => {
  // A replay from a shortened archive has no more than the opening of an error page.
  const length = isSuccess(answer.status) ? answer.body.length : Math.min(answer.body.length, OPENING_BYTES)
  const text = bytes === 0 || length === 0 ? "" : beginningOf(answer, bytes)
  return text === "" || isBinary(text)
    ? { body: null, body_bytes: length, body_cut: length > 0 }
    : { body: plainLines(text), body_bytes: length, body_cut: length > bytes || answer.cut }
}

/** Text has no NUL, and few characters that do not decode. */
const isBinary = (text: string): boolean => text.includes("\0") || text.split("\ufffd").length - 1 > text.length / 20

/** Longest kept value, longest list and most characters of all headers of a response: a site decides how many it sends. */
const VALUE = 300
const LIST = 50
const CHARACTERS = 3_000

/** Headers that may identify a visitor or open a door. `x-markdown-tokens` counts tokens of text. */
const SECRET =
  /cookie|auth(?:orization|entication-info)|session|secret|credential|signature|csrf|xsrf|api-?key|password|token/i
const HARMLESS: ReadonlySet<string> = new Set(["x-markdown-tokens"])

/** Headers of the connection, and those that differ with every response: they say nothing of the site, and two audits of it would differ. */
const PASSING =
  /^(?:date|age|expires|connection|keep-alive|server-timing|x-timer|x-runtime|cf-ray|report-to|nel|x-amz-cf-id|x-amz-id-2|x-served-by|x-cache-hits|x-vercel-id)$|(?:request|trace|correlation|transaction)-?id$/

const isSecret = (name: string): boolean => SECRET.test(name) && !HARMLESS.has(name)

/** A response's headers as lines `name: value`, in the order in which they came, without the values of secrets and without what changes with every response. */
const keptHeaders = (headers: Headers): ReadonlyArray<string> => {
  let room = CHARACTERS
  return headers
    .filter(([name]) => !PASSING.test(name))
    .slice(0, LIST)
    .map(([name, value]) => `${plainText(name, 100)}: ${isSecret(name) ? "(not kept)" : plainText(value, VALUE)}`)
    .filter((line) => (room -= line.length) >= 0)
}

/** Headers that decide what a response is; all that is kept where there is no space for more. */
const TELLING = ["content-type", "link", "location", "vary", "retry-after"] as const

/** The few of the headers that tell most. */
const tellingHeaders = (headers: Headers): ReadonlyArray<string> =>
  keptHeaders(
    TELLING.flatMap((name) => {
      const value = headerIn(headers, name)
      return value === null ? [] : [[name, value] as const]
    })
  )
