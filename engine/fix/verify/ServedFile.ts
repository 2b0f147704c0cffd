import { createHash } from "node:crypto"
import { textOf } from "../../evidence/BodyText.ts"
import { type Exchange, isAnswer, isMissing, isSuccess, mediaType } from "../../evidence/Exchange.ts"
import type { PlanPromises } from "../plan/PlanData.ts"

/** A file of a plan. */
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
  const size = exchange.body.length.toLocaleString("en")
  if (!isSame(file, exchange.body, textOf(exchange).text))
    return file.only_if_absent === true
      ? kept("has another text, which it may: it was to be published only if there was none")
      : broken(`has another text: ${size} bytes in place of ${file.bytes.toLocaleString("en")}`)
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
