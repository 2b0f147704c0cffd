import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { textOf } from "../../evidence/BodyText.ts"
import { type Answer, type Exchange, isAnswer, isMissing, isSuccess, mediaType } from "../../evidence/Exchange.ts"
import { describesPage, type Page } from "../../page/Page.ts"
import { ParserPool } from "../../parse/ParserPool.ts"
import type { PlanPromises } from "../plan/PlanData.ts"
import { grouped } from "../../plugin/Wording.ts"

export type PlannedFile = PlanPromises["files"][number]

/** What came of a promise. `open`: it could not be checked. */
export type Outcome = "kept" | "broken" | "open"

/** An outcome, and why, as a clause without a subject. */
export interface PromiseVerdict {
  readonly outcome: Outcome
  readonly says: string
}

export const kept = (says: string): PromiseVerdict => ({ outcome: "kept", says })
export const broken = (says: string): PromiseVerdict => ({ outcome: "broken", says })
const open = (says: string): PromiseVerdict => ({ outcome: "open", says })

/** Why an answer says nothing of what is published; `null`: it does. */
export const whyOpen = (exchange: Exchange | undefined): PromiseVerdict | null => {
  if (exchange === undefined) return open("was not asked for: we reached the limit of requests")
  if (!isAnswer(exchange)) return open(`could not be asked for: ${exchange.message}`)
  return isMissing(exchange) ? open(`answers ${exchange.status}, so it could not be checked`) : null
}

/** Whether a file is served as it was planned: its type and its bytes, or the same text with other line ends. */
export const judgeFile = (file: PlannedFile, exchange: Exchange | undefined): PromiseVerdict => {
  const undecided = whyOpen(exchange)
  if (undecided !== null || exchange === undefined || !isAnswer(exchange)) return undecided ?? open("was not asked for")
  if (!isSuccess(exchange.status)) return broken(`answers ${exchange.status}`)
  const size = grouped(exchange.body.length)
  if (!isSame(file, exchange.body, textOf(exchange).text))
    return file.only_if_absent === true
      ? kept("has another text, which it may: it was to be published only if there was none")
      : broken(`has another text: ${size} bytes in place of ${grouped(file.bytes)}`)
  const type = mediaType(exchange)
  return isFitting(file.type, type)
    ? kept(`${type === "" ? "without a type" : type}, ${size} bytes`)
    : broken(`is served as ${type === "" ? "no type" : type}, not as ${essence(file.type ?? "")}`)
}

const essence = (type: string): string => type.split(";", 1)[0] ?? ""

/** Types that hosts give to text of any kind. */
const isFitting = (planned: string | null, served: string): boolean =>
  planned === null ||
  served === essence(planned) ||
  (served === "text/plain" && /^text\/(?:markdown|plain)/.test(planned)) ||
  (served === "text/xml" && essence(planned) === "application/xml")

/** Hosts and repositories may change line ends, and the line break at the end. */
const isSame = ({ sha256 }: PlannedFile, body: Uint8Array, text: string): boolean => {
  const lines = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n")
  return [body, lines, `${lines.trimEnd()}\n`].some((one) => createHash("sha256").update(one).digest("hex") === sha256)
}

/** Whether the head of a page says what a snippet says, however it is written. */
export const judgeHead = Effect.fnUntraced(function* (
  { elements }: PlannedFile,
  exchange: Exchange | undefined,
  rebased: (url: string) => string
): Effect.fn.Return<PromiseVerdict, never, ParserPool> {
  const undecided = whyOpen(exchange)
  if (undecided !== null || exchange === undefined || !isAnswer(exchange)) return undecided ?? broken("did not answer")
  if (!isSuccess(exchange.status)) return broken(`answers ${exchange.status}`)
  const { page } = yield* ParserPool
  const wanted = yield* page({ answer: pageOf(exchange, elements) })
  const missing = missingIn(wanted, yield* page({ answer: exchange }), rebased)
  return missing.length === 0
    ? kept(elements.length === 1 ? "has its element" : `has all ${elements.length} elements`)
    : broken(`lacks ${missing.join(", ")}`)
})

const pageOf = (answer: Answer, elements: ReadonlyArray<string>): Answer => ({
  ...answer,
  headers: [["content-type", "text/html; charset=utf-8"]],
  body: new TextEncoder().encode(
    `<!doctype html><html><head>${elements.join("\n")}</head><body><p>Snippet</p></body></html>`
  ),
  cut: false
})

/** Elements by what they say; a URL of the plan counts as that of the published site, too. */
const missingIn = (wanted: Page, served: Page, rebased: (url: string) => string): ReadonlyArray<string> => {
  const isSame = (one: string, other: string): boolean => one === other || rebased(one) === other
  return [
    ...(wanted.title !== "" && wanted.title !== served.title ? ["its title"] : []),
    ...(wanted.description !== "" && wanted.description !== served.description ? ["its description"] : []),
    ...(wanted.canonical !== null && (served.canonical === null || !isSame(wanted.canonical, served.canonical))
      ? ["its canonical URL"]
      : []),
    ...(describesPage(wanted.structured) && !describesPage(served.structured) ? ["its JSON-LD"] : []),
    ...wanted.announcements
      .filter(({ rel }) => !rel.includes("canonical"))
      .filter(
        ({ rel, url }) =>
          !served.announcements.some((other) => rel.every((one) => other.rel.includes(one)) && isSame(url, other.url))
      )
      .map(({ rel }) => `its link rel="${rel.join(" ")}"`)
  ]
}
