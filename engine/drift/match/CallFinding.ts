import type { CodeBlock, Page } from "../../page/Page.ts"
import { LANGUAGES } from "../../text/languages/Language.ts"
import { readerIn } from "../../text/languages/Vocabulary.ts"
import { plainText } from "../../text/PlainText.ts"
import { collapseLines } from "../../text/WhiteSpace.ts"

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

/** What surrounds a call on its page. */
export interface CallContext {
  /** URL of the page that shows it. */
  readonly page: string
  /** The headings above it, and the prose right before and after it, without code. */
  readonly around: string
}

/** Characters of prose before and after a block of code that are about it. */
const BEFORE = 300
const AFTER = 200

/** The context of the calls in a block of code. */
export const contextOf = (
  page: Pick<Page, "sections" | "url">,
  block: Pick<CodeBlock, "section" | "text">
): CallContext => {
  const section = page.sections[block.section]
  if (section === undefined) return { page: page.url, around: "" }
  const [before, after] = proseAround(section.text, block.text)
  return { page: page.url, around: [...section.path, section.heading, before, after].join("\n") }
}

/** Where a text has the code, by its first and last lines; what is right before and right after. */
const proseAround = (text: string, code: string): readonly [before: string, after: string] => {
  const lines = collapseLines(code).split("\n")
  const collapsed = collapseLines(text)
  const start = collapsed.indexOf(lines[0] ?? "")
  // Code that is not where it is looked for may be anywhere: the beginning of the section is about it.
  if (start < 0) return [collapsed.slice(0, BEFORE), ""]
  const last = lines.at(-1) ?? ""
  const end = Math.max(start, collapsed.indexOf(last, start)) + last.length
  return [collapsed.slice(Math.max(0, start - BEFORE), start), collapsed.slice(end, end + AFTER)]
}

const TEXT = 5_000

const OLD =
  /\b(?:deprecat\w{1,6}|obsolete|legacy|no longer|(?:was|were|been|is|are|be) (?:removed|retired|shut down|switched off)|sunset|discontinued|superseded|replaced (?:by|with)|(?:old|older|previous|earlier|former|outdated) (?:versions?|api|endpoints?|calls?|way|release)|before (?:version|v\d)|formerly|used to be|until (?:version|v\d|20\d\d)|prior to (?:version|v\d)|migrat(?:e|ing) from|answered with 4\d\d)\b/i

const FAILING =
  /\b(?:(?:invalid|incorrect|wrong|bad|erroneous|malformed|unsupported|failing|failed) (?:requests?|calls?|examples?|parameters?|fields?|values?|quer(?:y|ies)|usage|body)|(?:do not|don['’]t|never) (?:do|use|send|call|write)|(?:not|never|instead of|rather than) [`'"“‘]?(?:GET|POST|PUT|PATCH|DELETE) \/|(?:will|would|does) (?:fail|not work)|doesn['’]t work|(?:returns?|answers?|responds?|results?|fails?|rejected)(?: \w{1,20}){0,4} (?:4\d\d|errors?))\b/i

const others = readerIn(...LANGUAGES)

/** A text says that a call is of the past or leaves use: it is deprecated, was removed, or is of an older version. */
export const saysOld = (text: string): boolean => {
  const read = text.slice(0, TEXT)
  return OLD.test(read) || others.says("outOfUse", read)
}

/** Pages of the past, and of what changes: their calls need not be those of today. */
const PAST =
  /[/._-](?:changelogs?|change-?log|changes|release-?notes?|releases?|history|migrat[a-z]{1,8}|upgrad[a-z]{1,6}|legacy|deprecat[a-z]{1,6}|archived?|whats-?new|news|blog)(?=[/._-]|$)/i

/** The URL of a page says that it tells of the past. */
export const isOfPast = (page: string): boolean => PAST.test(URL.parse(page)?.pathname ?? "")

/** A text says that a call is shown as one that fails. */
export const saysFailing = (text: string): boolean => {
  const read = text.slice(0, TEXT)
  return FAILING.test(read) || others.says("failingCall", read)
}
