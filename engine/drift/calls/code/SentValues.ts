import type { SentValue } from "../../ShownCall.ts"
import { OPEN, sentText } from "../values/Fields.ts"
import type { CodeValue } from "./CodeValue.ts"

/** What is nested deeper, or comes after so many values, is open: names can hold each other, so that a short program makes a large value. */
const DEPTH = 20
const MOST_VALUES = 2_000

/** The JSON that a value becomes. */
export const sentValue = (value: CodeValue): SentValue => {
  let left = MOST_VALUES
  const sent = (one: CodeValue, depth: number): SentValue => {
    if (--left < 0 || depth > DEPTH) return OPEN
    if (one._tag === "Text") return sentText(one.text)
    if (one._tag === "Literal") return { _tag: "Known", value: one.value }
    if (one._tag === "List") {
      const items = one.items.slice(0, Math.max(0, left)).map((item) => sent(item, depth + 1))
      return { _tag: "List", items, open: one.open || items.length < one.items.length }
    }
    if (one._tag !== "Dict") return OPEN
    const fields = one.entries
      .slice(0, Math.max(0, left))
      .map(([name, member]) => ({ name, value: sent(member, depth + 1) }))
    return { _tag: "Object", sent: { fields, open: one.open || fields.length < one.entries.length } }
  }
  return sent(value, 0)
}
