import { textOf } from "../../evidence/BodyText.ts"
import type { Answer } from "../../evidence/Exchange.ts"

/** Why a published file cannot be completed without losing some of it, as a clause and what to do; `null`: it can, and `textOf` is all of it. */
export const whyNotCompleted = (answer: Answer): string | null => {
  if (answer.cut) return "is longer than what we read, so we did not add to it. Make it shorter and run this again."
  return utf8Of(answer.body) === textOf(answer).text ? null : "is not in UTF-8, so we did not add to it. Convert it to UTF-8 and run this again."
}

/** `null`: not UTF-8. */
const utf8Of = (body: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body)
  } catch {
    return null
  }
}
