import type { MismatchReason } from "../ApiSpec.ts"
import type { Documents, Located } from "../text/Documents.ts"
import type { Json, Path } from "../text/Json.ts"
import type { PatternMatcher } from "./PatternMatch.ts"

/** The first place where a schema refuses a value. */
export interface Mismatch {
  readonly reason: MismatchReason
  /** Into the value, to what is refused; of a missing property to the object that lacks it. */
  readonly path: Path
  readonly value: Json
  /** The missing or unwanted property; else empty. */
  readonly name: string
  /** One plain clause. */
  readonly wants: string
}

/** `unknown`: not refused by what was understood, and not known to be accepted by the rest. */
export type ValueVerdict = "accepted" | "unknown" | Mismatch

export const isMismatch = (verdict: ValueVerdict): verdict is Mismatch => typeof verdict !== "string"

/** The first refusal; else unknown if any is. Later parts are not looked at after a refusal. */
export const allOf = (parts: ReadonlyArray<() => ValueVerdict>): ValueVerdict => allOfEach(parts, (one) => one())

/** The same for items of any number. */
export const allOfEach = <A>(
  items: ReadonlyArray<A>,
  judgeItem: (item: A, index: number) => ValueVerdict
): ValueVerdict => {
  let verdict: ValueVerdict = "accepted"
  for (const [index, item] of items.entries()) {
    const one = judgeItem(item, index)
    if (isMismatch(one)) return one
    if (one === "unknown") verdict = one
  }
  return verdict
}

/** The same refusal, seen from what contains the value. */
export const below = (key: string, verdict: ValueVerdict): ValueVerdict =>
  isMismatch(verdict) ? { ...verdict, path: [key, ...verdict.path] } : verdict

/** Which JSON Schema a description is written in: what keywords mean differs. */
export type Dialect = "swagger" | "openapi-3.0" | "draft-07" | "2020-12"

/** Who sends the value; `either` where that is not known. */
export type Direction = "request" | "answer" | "either"

/** What is left to spend on comparing. One step is a value at a schema, a name of a list, or some characters. */
interface Work {
  left: number
}

/** False where nothing is left. */
export const spend = (work: Work, steps: number): boolean => {
  work.left -= steps
  return work.left >= 0
}

export const isSpent = ({ left }: Work): boolean => left < 0

/** What all parts of a schema say of a property. */
export interface Definitions {
  /** As written. */
  readonly found: ReadonlyArray<Located>
  /** False where a part was not read. */
  readonly complete: boolean
}

/** The values of an `enum`, as texts. */
export interface AllowedValues {
  readonly exact: ReadonlySet<string>
  /** Of scalars, without their types. */
  readonly loose: ReadonlySet<string>
}

/** How the values of one kind of place are compared with their schemas. */
export interface JudgeContext {
  readonly documents: Documents
  readonly dialect: Dialect
  readonly direction: Direction
  /** The value travels as text, so that `"5"` and `5` are the same: parameters, headers, forms. */
  readonly textual: boolean
  /** False where a refusal by a format would turn into something else: formats are annotations. */
  readonly formats: boolean
  readonly matchers: Map<string, PatternMatcher | null>
  readonly enums: Map<Json, AllowedValues>
  /** By the outermost schema of a value and the property's name. */
  readonly definitions: Map<Json, Map<string, Definitions>>
  readonly work: Work
}

/** Where a value is met: with the outermost schema of it, and those of it that are being looked at. */
export interface Instance {
  readonly whole: Located
  readonly active: ReadonlyArray<Json>
  /** Schemas in schemas so far, of all values around this one. */
  readonly depth: number
}

/** A value at a schema that is no reference. */
export interface Judging {
  readonly comparison: JudgeContext
  readonly value: Json
  readonly schema: Located
  readonly at: Instance
  /** Of another schema for the same value; without formats where its refusal would not be one of this value. */
  readonly same: (schema: Located, formats?: false) => ValueVerdict
  /** Of a value inside this one. */
  readonly inner: (value: Json, schema: Located) => ValueVerdict
}

export const refusal = (
  { value }: Pick<Judging, "value">,
  reason: MismatchReason,
  wants: string,
  name = ""
): Mismatch => ({ reason, path: [], value, name, wants })

/** A schema inside a schema, as written. */
export const part = (schema: Located, value: Json | undefined, ...keys: Path): Located => ({
  value: value ?? null,
  document: schema.document,
  path: [...schema.path, ...keys]
})
