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
}

/** Names that lead to names. */
const HOPS = 4
/** Values that one name is given, and calls of one function, that are read. */
const TRIES = 4
/** All that is read to follow names, as a multiple of the script's length. */
const REREADING = 8

const PATH = /^(?:window\.|globalThis\.|self\.)?([\w$]{1,100})((?:\.[\w$]{1,100}){0,5})$/
const PARSED = /^JSON\.parse\(\s{0,20}(?=["'`])/
const ASSIGNED = /\s{0,20}=(?![=>])/y
const CALLED = /\s{0,20}\(/y

export const makeScope = (code: string): ScriptScope => {
  const known = new Map<string, ScriptValue | undefined>()
  let left = REREADING * code.length

  const given = (name: string): ScriptValue | undefined => valueOf(name, HOPS)
  const valueOf = (name: string, hops: number): ScriptValue | undefined => {
    if (!known.has(name)) {
      known.set(name, undefined)
      known.set(name, firstWritten(name, hops))
    }
    return known.get(name)
  }
  const firstWritten = (name: string, hops: number): ScriptValue | undefined => {
    for (const at of placesOf(code, name, ASSIGNED)) {
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
  return {
    code,
    given,
    resolved: (value) => follow(value, HOPS),
    calls: (name) => placesOf(code, name, CALLED).map((at) => readArguments(code, at - 1))
  }
}

const parsedText = (code: string, at: number): ScriptValue | undefined => {
  const text = readValue(code, at)
  return typeof text === "string" ? readValue(text, 0) : undefined
}

const isExpression = (value: ScriptValue | undefined): value is Expression =>
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
