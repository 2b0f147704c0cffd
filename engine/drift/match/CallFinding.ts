import { plainText } from "../../text/PlainText.ts"

/** What is false in a call. */
export type FalseReason =
  /** The host is written wrong. */
  | "unknown_host"
  /** The description has no such path. */
  | "unknown_path"
  | "unknown_method"
  | "unknown_version"
  /** In the query. */
  | "unknown_parameter"
  | "missing_parameter"
  | "wrong_type"
  | "not_in_enum"
  /** In the body. */
  | "unknown_field"
  | "missing_field"
  /** The description says that it is deprecated, and the page does not. */
  | "deprecated"

/** A call says something else than the description. All texts are fit to be shown. */
export interface CallFinding {
  readonly reason: FalseReason
  /** The call as shown: `GET /order/o_1`. */
  readonly call: string
  /** The operation that it was compared with, `GET /orders/{id}`; `null` where there is none. */
  readonly operation: string | null
  /** The parameter or field; empty where the address is false. */
  readonly name: string
  /** What the call has; empty where something is missing. */
  readonly found: string
  /** What the description has: names, a type, values, methods, a version. */
  readonly expected: string
  /** A JSON pointer into the description: the operation, or all paths. */
  readonly pointer: string
  /** The operation that is most likely meant. */
  readonly likely: string | null
}

const NAMES = 8
const CHARACTERS = 120

/** A text of a page or description as a finding quotes it. */
export const quoted = (text: string): string => plainText(text, CHARACTERS)

/** `a`, `a or b`, `a, b or c`; of more than eight the first ones. */
export const listed = (names: ReadonlyArray<string>, word: "and" | "or"): string => {
  const shown = names.slice(0, NAMES).map(quoted)
  if (names.length > NAMES) return `${shown.join(", ")} ${word} ${names.length - NAMES} more`
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} ${word} ${shown.at(-1) ?? ""}`
}

/** What is false, as a clause that follows the name of the page. */
export const sentenceOf = (finding: CallFinding): string => {
  const { call, expected, found, likely, name, operation } = finding
  const called = operation ?? call
  switch (finding.reason) {
    case "unknown_path":
      return `calls ${call}, which the description does not have${likely === null ? "" : `; the nearest is ${likely}`}`
    case "unknown_host":
      return `calls ${call} on ${found}; the description has ${expected}`
    case "unknown_method":
      return `calls ${call}, but the description has this path only with ${expected}`
    case "unknown_version":
      return `calls ${call}, which is version ${found}; the description is of ${expected}`
    case "unknown_parameter":
      return `sends ${name} in the query of ${called}; the description has ${expected}`
    case "missing_parameter":
      return `calls ${called} without ${name}, which the description requires`
    case "wrong_type":
      return `sends ${name} as ${found} in ${called}; the description wants ${expected}`
    case "not_in_enum":
      return `sends ${name} ${found} in ${called}; the description wants ${expected}`
    case "unknown_field":
      return `sends the field ${name} in ${called}; the description has ${expected}`
    case "missing_field":
      return `leaves out the field ${name} in ${called}, which the description requires`
    case "deprecated":
      return name === ""
        ? `calls ${called}, which the description has as deprecated`
        : `sends ${name} in ${called}, which the description has as deprecated`
  }
}
