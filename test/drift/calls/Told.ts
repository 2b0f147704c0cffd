import type { SentBody, SentFields, SentValue, ShownCall } from "../../../engine/drift/ShownCall.ts"
import { callsIn } from "../../../engine/drift/calls/CallsIn.ts"

const value = (sent: SentValue): string => {
  switch (sent._tag) {
    case "Open":
      return "?"
    case "Known":
      return JSON.stringify(sent.value)
    case "List":
      return `[${[...sent.items.map(value), ...(sent.open ? ["…"] : [])].join(", ")}]`
    case "Object":
      return fields(sent.sent)
  }
}

const fields = (sent: SentFields): string =>
  `{${[...sent.fields.map(({ name, value: one }) => `${name}: ${value(one)}`), ...(sent.open ? ["…"] : [])].join(", ")}}`

const isEmpty = (sent: SentFields): boolean => sent.fields.length === 0 && !sent.open

const body = (sent: SentBody): ReadonlyArray<string> => {
  switch (sent._tag) {
    case "None":
      return []
    case "Open":
      return ["body ?"]
    case "Json":
      return [`json ${value(sent.value)}`]
    case "Form":
      return [`form ${fields(sent.sent)}`]
  }
}

/** A call in one line; what it sends nothing of is left out, and `?` and `…` are what is open. */
const told = (call: ShownCall): string =>
  [
    `${call.client} ${call.method} ${call.address}`,
    ...(isEmpty(call.query) ? [] : [`query ${fields(call.query)}`]),
    ...(isEmpty(call.headers) ? [] : [`headers ${fields(call.headers)}`]),
    ...body(call.body)
  ].join(" | ")

/** The calls of a block, each in one line. */
export const toldIn = (language: string | null, text: string): ReadonlyArray<string> =>
  callsIn({ language, text }).map(told)
