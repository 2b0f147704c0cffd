import type { SentBody, SentValue } from "../../ShownCall.ts"
import { queryOf } from "../values/Fields.ts"
import { CodeReader } from "./CodeReader.ts"
import type { ClientRules } from "./ClientRules.ts"
import { sentValue } from "./SentValues.ts"
import { JSON_TEXT } from "./Syntax.ts"

const nothing = (): undefined => undefined

const NO_CLIENT: ClientRules = {
  syntax: JSON_TEXT,
  callFunction: nothing,
  callMethod: nothing,
  member: nothing,
  named: nothing,
  assign: () => {}
}

/** JSON as pages show it, with comments, commas too many and placeholders; `null` if the text is something else. */
export const readJson = (text: string): SentValue | null => {
  const reader = new CodeReader(text, NO_CLIENT)
  const value = reader.expression(true)
  return reader.next.kind === "end" && (value._tag === "Dict" || value._tag === "List") ? sentValue(value) : null
}

const FORM = /^[\w.[\]%-]{1,100}=/

/** What a text is as a body. */
export const bodyOfText = (text: string, type: string | null): SentBody => {
  const trimmed = text.trim()
  if (trimmed === "") return { _tag: "None" }
  if (/^[[{]/.test(trimmed)) {
    const value = readJson(trimmed)
    return value === null ? { _tag: "Open" } : { _tag: "Json", value }
  }
  const isForm = (type === null || /x-www-form-urlencoded/i.test(type)) && FORM.test(trimmed) && !/[\n<]/.test(trimmed)
  return isForm ? { _tag: "Form", sent: queryOf(trimmed) } : { _tag: "Open" }
}
