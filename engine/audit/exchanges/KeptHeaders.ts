import { headerIn, type Headers } from "../../evidence/Headers.ts"
import { plainText } from "../../text/PlainText.ts"

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
export const keptHeaders = (headers: Headers): ReadonlyArray<string> => {
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
export const tellingHeaders = (headers: Headers): ReadonlyArray<string> =>
  keptHeaders(
    TELLING.flatMap((name) => {
      const value = headerIn(headers, name)
      return value === null ? [] : [[name, value] as const]
    })
  )
