import type { SpecRemark } from "../ApiSpec.ts"
import { cutTo, member, stringAt } from "../text/Json.ts"
import type { HttpOperation } from "./SpecOperations.ts"

const NAME_CHARACTERS = 200
const TEXT_CHARACTERS = 3_000
/** GitHub's operations say 400,000 characters, Stripe's 200,000. */
const ALL_CHARACTERS = 300_000

/** What operations say of themselves, as far as it fits. */
export const remarksOf = (operations: ReadonlyArray<HttpOperation>): ReadonlyArray<SpecRemark> => {
  const remarks: Array<SpecRemark> = []
  let left = ALL_CHARACTERS
  for (const { located, method, path } of operations) {
    const text = cutTo(textOf(located.value), TEXT_CHARACTERS)
    if (text === "") continue
    left -= text.length
    if (left < 0) break
    remarks.push({
      operation: cutTo(`${method} ${path}`, NAME_CHARACTERS),
      text,
      deprecated: member(located.value, "deprecated") === true
    })
  }
  return remarks
}

const textOf = (operation: HttpOperation["located"]["value"]): string =>
  ["summary", "description"]
    .map((key) => stringAt(operation, key))
    .filter((text) => text !== "")
    .join("\n")
