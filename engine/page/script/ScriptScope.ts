import { type Expression, readArguments, readValue, type ScriptObject, type ScriptValue } from "./ScriptValue.ts"

/** A script whose names can be followed to their values. */
export interface ScriptScope {
  readonly code: string
  /** A value, or what a name, a path of names or `JSON.parse("…")` comes to; an expression if that is not written out. */
  readonly resolved: (value: ScriptValue | undefined) => ScriptValue | undefined
  /** What a name is given, as `name = …` or `x.name = …`; `undefined` if that is nothing that is written out. */
  readonly given: (name: string) => ScriptValue | undefined
  /** The arguments of the first calls of a function. */
  readonly calls: (name: string) => ReadonlyArray<ReadonlyArray<ScriptValue>>
  /** The text that an expression comes to. */
  readonly text: (value: Expression) => ScriptText
  /** The same script where a parameter has this value. */
  readonly with: (parameter: string, value: ScriptValue) => ScriptScope
}

/** Names that lead to names. */
const HOPS = 4
/** Values that one name is given, and calls of one function, that are read. */
const TRIES = 4
/** All that is read to follow names, as a multiple of the script's length. */
const REREADING = 8
/** Names in sums and templates that are followed. */
const TEXTS = 100
const MAX_FUNCTIONS = 1_000

const PATH = /^(?:window\.|globalThis\.|self\.)?([\w$]{1,100})((?:\.[\w$]{1,100}){0,5})$/
const PARSED = /^JSON\.parse\(\s{0,20}(?=["'`])/
const NAME = /^[\w$]{1,100}$/
const ASSIGNED = /\s{0,20}=(?![=>])/y
const CALLED = /\s{0,20}\(/y

export const makeScope = (code: string): ScriptScope => {
  let left = REREADING * code.length
  let texts = TEXTS
  let functions: ReadonlyArray<ScriptFunction> | undefined
  const places = new Map<string, ReadonlyArray<number>>()

  /** Where a name is given something. */
  const assigned = (name: string): ReadonlyArray<number> => {
    const found = places.get(name) ?? placesOf(code, name, ASSIGNED)
    places.set(name, found)
    return found
  }
  const scopeWith = (bound: ReadonlyMap<string, ScriptValue>): ScriptScope => {
    const known = new Map<string, ScriptValue | undefined>(bound)
    const given = (name: string): ScriptValue | undefined => valueOf(name, HOPS)
    const valueOf = (name: string, hops: number): ScriptValue | undefined => {
      if (!known.has(name)) {
        known.set(name, undefined)
        known.set(name, firstWritten(name, hops))
      }
      return known.get(name)
    }
    const firstWritten = (name: string, hops: number): ScriptValue | undefined => {
      for (const at of assigned(name)) {
        left -= code.length - at
        if (left < 0) return undefined
        const value = follow(readValue(code, at), hops - 1)
        if (!isExpression(value)) return value
      }
      return undefined
    }
    const follow = (value: ScriptValue | undefined, hops: number): ScriptValue | undefined => {
      if (!isExpression(value) || hops < 0) return value
      const parsed = PARSED.exec(value.source)
      if (parsed !== null) return parsedText(code, value.at + parsed[0].length) ?? value
      const [, name, path = ""] = PATH.exec(value.source) ?? []
      if (name === undefined) return value
      let found = valueOf(name, hops)
      for (const key of path.split(".").slice(1)) found = follow(memberOf(found, key), hops - 1)
      return found ?? value
    }
    const calls = (name: string): ReadonlyArray<ReadonlyArray<ScriptValue>> =>
      placesOf(code, name, CALLED).map((at) => readArguments(code, at - 1))
    /** What the function with this parameter is called with. */
    const passed = (parameter: string): ScriptValue | undefined => {
      functions ??= functionsIn(code)
      const called = functions.findLast(({ parameters }) => parameters.includes(parameter))
      left -= called === undefined ? 0 : code.length
      if (called === undefined || left < 0) return undefined
      const index = called.parameters.indexOf(parameter)
      return calls(called.name)
        .map((values) => follow(values[index], HOPS - 1))
        .find((value) => typeof value === "string")
    }
    /** What a name is given last, if no value of it is written out. */
    const worked = (name: string): ScriptValue | undefined => {
      const place = assigned(name).at(-1)
      return place === undefined ? passed(name) : readValue(code, place)
    }
    const textWithin = (value: Expression, hops: number): ScriptText =>
      textOfExpression(value, (source) => {
        if (texts-- <= 0) return undefined
        const found = follow({ _tag: "Expression", source, at: value.at }, hops)
        const plain = isExpression(found) && NAME.test(found.source) ? worked(found.source) : found
        if (isExpression(plain)) return hops > 0 && plain.source !== source ? textWithin(plain, hops - 1) : undefined
        return typeof plain === "string" || typeof plain === "number" ? { text: String(plain), whole: true } : undefined
      })
    return {
      code,
      given,
      resolved: (value) => follow(value, HOPS),
      calls,
      text: (value) => textWithin(value, HOPS),
      with: (parameter, value) => scopeWith(new Map([...bound, [parameter, value]]))
    }
  }
  return scopeWith(new Map())
}

interface ScriptFunction {
  readonly name: string
  readonly parameters: ReadonlyArray<string>
}

/** `function show(which) {`, `const show = (which) =>`. */
const FUNCTION =
  /(?:function\s{1,5}(?=[\w$]{1,100}\s{0,5}\()|(?<=(?:const|let|var)\s{1,5}))([\w$]{1,100})\s{0,5}(?:=\s{0,5}(?:async\s{1,5})?(?:function\s{0,5})?)?\(([\w$,\s]{1,200})\)/g

const functionsIn = (code: string): ReadonlyArray<ScriptFunction> =>
  [...code.matchAll(FUNCTION).take(MAX_FUNCTIONS)].map(([, name = "", parameters = ""]) => ({
    name,
    parameters: parameters.split(",").map((parameter) => parameter.trim())
  }))

const parsedText = (code: string, at: number): ScriptValue | undefined => {
  const text = readValue(code, at)
  return typeof text === "string" ? readValue(text, 0) : undefined
}

export const isExpression = (value: ScriptValue | undefined): value is Expression =>
  typeof value === "object" && value !== null && value._tag === "Expression"

export const isObject = (value: ScriptValue | undefined): value is ScriptObject =>
  typeof value === "object" && value !== null && value._tag === "Object"

export const memberOf = (value: ScriptValue | undefined, key: string): ScriptValue | undefined =>
  isObject(value) ? value.members.get(key) : undefined

/** Where the first places end at which `after` follows the name as a word of its own. */
const placesOf = (code: string, name: string, after: RegExp): ReadonlyArray<number> => {
  const places: Array<number> = []
  for (let at = code.indexOf(name); at >= 0 && places.length < TRIES; at = code.indexOf(name, at + name.length)) {
    after.lastIndex = at + name.length
    if (!/[\w$]/.test(code[at - 1] ?? "") && after.test(code)) places.push(after.lastIndex)
  }
  return places
}

/** A text that a script puts together, as far as that can be known without running it. */
interface ScriptText {
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
const textOfExpression = ({ source }: Pick<Expression, "source">, lookup: Lookup): ScriptText =>
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
