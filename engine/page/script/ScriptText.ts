import { type Expression, readArguments, readValue, type ScriptValue } from "./ScriptValue.ts"

/** A text that a script puts together, as far as that can be known without running it. */
export interface ScriptText {
  /** What it begins with. */
  readonly text: string
  /** Nothing comes after that. */
  readonly whole: boolean
}

/** What a name, a path of names or another expression comes to; `undefined` if that is not written out. */
type Lookup = (source: string) => ScriptText | undefined

const UNKNOWN: ScriptText = { text: "", whole: false }

/** `location.protocol + "//" + location.host`, in a sum or a template. */
const ORIGIN =
  /(?:(?:window|document|self|globalThis)\.)?location\.protocol\s{0,5}(?:\+\s{0,5}["'`]\/\/["'`]\s{0,5}\+|\}\/\/\$\{)\s{0,5}(?:(?:window|document|self|globalThis)\.)?location\.host(?:name)?(?![\w$])/g

/** An empty text before a path: both lead to the page's own origin. */
const OWN_ORIGIN = /^(?:(?:window|document|self|globalThis)\.)?(?:location\.)?origin$/

/** The page's own URL, which is what a viewer resolves URLs against anyway. */
const OWN_URL = /(?:^|[^\w$.])(?:(?:window|document|self|globalThis)\.)?(?:location|baseURI|URL)(?![\w$])/

/** Operators within operators that are followed. */
const DEPTH = 8

/** The text that an expression comes to. */
export const textOfExpression = ({ source }: Pick<Expression, "source">, lookup: Lookup): ScriptText =>
  evaluated(source.replace(ORIGIN, "location.origin"), lookup, DEPTH)

const evaluated = (given: string, lookup: Lookup, depth: number): ScriptText => {
  const source = given.trim()
  if (depth === 0 || source === "") return UNKNOWN
  const inner = (part: string): ScriptText => evaluated(part, lookup, depth - 1)
  const [, ...branches] = splitAt(source, "?")
  if (branches.length > 0) return firstKnown(splitAt(branches.join("?"), ":").map(inner))
  const choices = splitAt(source, "||", "??")
  if (choices.length > 1) return firstKnown(choices.map(inner))
  const terms = splitAt(source, "+")
  if (terms.length > 1) return joined(terms.map(inner))
  return termOf(source, inner, lookup)
}

/** What a choice may come to: the first that is known whole, else the first of which the beginning is. */
const firstKnown = (all: ReadonlyArray<ScriptText>): ScriptText =>
  all.find(({ whole }) => whole) ?? all.find(({ text }) => text !== "") ?? UNKNOWN

const joined = (parts: ReadonlyArray<ScriptText>): ScriptText => {
  const end = parts.findIndex(({ whole }) => !whole)
  const known = end < 0 ? parts : parts.slice(0, end + 1)
  return { text: known.map(({ text }) => text).join(""), whole: end < 0 }
}

const SAME_TEXT = /\.(?:toString\(\)|href|trim\(\))$/
const NEW_URL = /^new URL(?=\()/

const termOf = (source: string, inner: (part: string) => ScriptText, lookup: Lookup): ScriptText => {
  const same = SAME_TEXT.exec(source)
  if (same !== null) return inner(source.slice(0, same.index))
  if (source.startsWith("(") && splitAt(source.slice(1), ")").at(-1) === "") return inner(source.slice(1, -1))
  if (/^["']/.test(source)) return writtenText(readValue(source, 0)) ?? UNKNOWN
  if (source.startsWith("`")) return filled(source, inner)
  if (OWN_ORIGIN.test(source)) return { text: "", whole: true }
  if (NEW_URL.test(source)) return locatedUrl(source, inner)
  return lookup(source) ?? UNKNOWN
}

const writtenText = (value: ScriptValue | undefined): ScriptText | undefined =>
  typeof value === "string" || typeof value === "number" ? { text: String(value), whole: true } : undefined

/** A template's texts and what is put between them. */
const filled = (source: string, inner: (part: string) => ScriptText): ScriptText => {
  if (!source.endsWith("`") || source.length < 2) return UNKNOWN
  const parts: Array<ScriptText> = []
  let rest = source.slice(1, -1)
  for (let open = rest.indexOf("${"); open >= 0; open = rest.indexOf("${")) {
    const [hole = "", ...after] = splitAt(rest.slice(open + 2), "}")
    if (after.length === 0) return UNKNOWN
    parts.push({ text: rest.slice(0, open), whole: true }, inner(hole))
    rest = rest.slice(open + 2 + hole.length + 1)
  }
  return joined([...parts, { text: rest, whole: true }])
}

/** `new URL("a.json", base)`: as the page has it where the base is the page's own URL. */
const locatedUrl = (source: string, inner: (part: string) => ScriptText): ScriptText => {
  const [url, base] = readArguments(source, source.indexOf("("))
  const text = typeof url === "string" ? { text: url, whole: true } : isExpression(url) ? inner(url.source) : UNKNOWN
  if (base === undefined || /^[a-z]+:/i.test(text.text)) return text
  if (isExpression(base) && OWN_URL.test(base.source)) return text
  const from = typeof base === "string" ? base : isExpression(base) ? inner(base.source).text : ""
  const located = URL.parse(text.text, from)?.href
  return located === undefined || !text.whole ? UNKNOWN : { text: located, whole: true }
}

const isExpression = (value: ScriptValue | undefined): value is Expression =>
  typeof value === "object" && value !== null && value._tag === "Expression"

/** The parts of an expression between operators that are neither in brackets nor in texts. */
const splitAt = (source: string, ...operators: ReadonlyArray<string>): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let depth = 0
  let from = 0
  let quote = ""
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? ""
    if (quote !== "") {
      if (character === "\\") at++
      else if (character === quote) quote = ""
      continue
    }
    const operator = depth === 0 ? operators.find((one) => source.startsWith(one, at)) : undefined
    if (operator !== undefined && isAlone(source, at, operator)) {
      parts.push(source.slice(from, at))
      at += operator.length - 1
      from = at + 1
    } else if ("\"'`".includes(character)) quote = character
    else if ("([{".includes(character)) depth++
    else if (")]}".includes(character)) depth--
  }
  return [...parts, source.slice(from)]
}

/** `?` is a part of `??` and `?.`, too. */
const isAlone = (source: string, at: number, operator: string): boolean =>
  operator !== "?" || (source[at - 1] !== "?" && source[at + 1] !== "?" && source[at + 1] !== ".")
