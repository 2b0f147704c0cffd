import { isUtf8 } from "node:buffer"
import { textOf } from "../../evidence/BodyText.ts"
import type { Answer } from "../../evidence/Exchange.ts"

/** Why a published file cannot be completed without losing some of it, as a clause and what to do; `null`: it can, and `textOf` is all of it. */
export const whyNotCompleted = (answer: Answer): string | null => {
  if (answer.cut) return "is longer than what we read, so we did not add to it. Make it shorter and run this again."
  return isUtf8(answer.body) && new TextDecoder().decode(answer.body) === textOf(answer).text
    ? null
    : "is not in UTF-8, so we did not add to it. Convert it to UTF-8 and run this again."
}
