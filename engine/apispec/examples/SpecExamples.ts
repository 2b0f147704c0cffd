import { isWithinDepth, parsedJson } from "../../text/JsonText.ts"
import type { FalseExample, SpecExamples } from "../ApiSpec.ts"
import { type Documents, exampleUrl, follow, type IndexedDocument, type Located, placeKey } from "../text/Documents.ts"
import {
  cutTo,
  has,
  isList,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  member,
  objectAt,
  type Path,
  pointerOf,
  stringAt
} from "../text/Json.ts"
import { verdictOf } from "./SchemaMismatch.ts"
import {
  type Dialect,
  type Direction,
  isMismatch,
  type JudgeContext,
  type Mismatch,
  part,
  spend
} from "./ValueVerdict.ts"

/** Of a format without schemas. */
export const NO_EXAMPLES: SpecExamples = { compared: 0, false: 0, notCompared: 0, missing: [], found: [] }

/** Compares the values of one description, one after the other, within one budget of work. */
export interface ExampleComparer {
  readonly documents: Documents
  readonly dialect: Dialect
  /** Each place once with each schema. */
  readonly compare: (place: ExamplePlace) => void
  /** An Example Object whose value is in a file of its own. */
  readonly compareExternal: (example: Located, place: Omit<ExamplePlace, "value" | "document" | "path">) => void
  /** Counts a value that cannot be compared. */
  readonly leaveOut: () => void
  readonly result: () => SpecExamples
}

/** Steps for all values of one description, and for one of them: the 5,000 of GitHub's 13 MB take 80,000. */
const WORK = 2_000_000
const WORK_OF_ONE = 50_000

/** Of one description: a report shows 50 findings, and `docgauge drift` all. */
const FOUND = 500

/** Files with an example of their own that are asked for. */
const MISSING = 20

type Memory = Pick<JudgeContext, "matchers" | "enums" | "definitions">

export const exampleComparer = (documents: Documents, dialect: Dialect): ExampleComparer => {
  const seen = new Set<string>()
  const missing = new Set<string>()
  const found: Array<FalseExample> = []
  const memory: Memory = { matchers: new Map(), enums: new Map(), definitions: new Map() }
  let [left, compared, refused, notCompared] = [WORK, 0, 0, 0]

  /** `null` where it was left out. */
  const within = (place: ExamplePlace): Refusal | "accepted" | null => {
    const work = { left: Math.min(left, WORK_OF_ONE) }
    const before = work.left
    const verdict = left <= 0 ? null : refusalOf({ documents, dialect, ...memory, formats: true, work }, place)
    left -= before - work.left
    return verdict === "accepted" && work.left < 0 ? null : verdict
  }

  const compare = (place: ExamplePlace): void => {
    if (place.value === null || place.value === "") return
    const schema = follow(documents, place.schema)
    const key = `${placeKey(place)} ${placeKey(schema ?? place.schema)}`
    if (seen.has(key)) return
    seen.add(key)
    const verdict = schema === null || isEncoded(place) ? null : within(place)
    if (verdict === null) return void notCompared++
    compared++
    if (verdict === "accepted") return
    refused++
    if (found.length < FOUND) found.push(falseExample(documents, place, verdict))
  }

  return {
    documents,
    dialect,
    compare,
    compareExternal: (example, place) => {
      const url = exampleUrl(stringAt(example.value, "externalValue"), example.document)
      const value = documents.examples.get(url) ?? documents.byUrl.get(url)?.root
      const isJson = place.encoding === "json" || place.encoding === "unstated"
      if (value !== undefined && isJson) return compare({ ...place, ...example, value, external: true })
      notCompared++
      if (isJson && missing.size < MISSING) missing.add(url)
    },
    leaveOut: () => void notCompared++,
    result: () => ({ compared, false: refused, notCompared, missing: [...missing], found })
  }
}

/** Not the value that the schema is about, but how it travels. */
const isEncoded = ({ encoding, value }: ExamplePlace): boolean =>
  encoding === "other" || (encoding === "form" && typeof value === "string")

interface Refusal {
  readonly mismatch: Mismatch
  /** The value is JSON in a string: there is no pointer into it. */
  readonly inText: boolean
}

const refusalOf = (base: Omit<JudgeContext, "direction" | "textual">, place: ExamplePlace): Refusal | "accepted" => {
  const textual = place.encoding === "text" || place.encoding === "form"
  const comparison: JudgeContext = { ...base, direction: place.direction, textual }
  const verdict = verdictOf(comparison, place.value, place.schema)
  if (!isMismatch(verdict) || isArguable(place, verdict)) return "accepted"
  if (typeof place.value !== "string" || textual || !wantsStructure(comparison, place))
    return { mismatch: verdict, inText: false }
  spend(base.work, place.value.length / 20)
  const parsed = structureIn(place.value)
  if (parsed === null) {
    return place.encoding === "json" && isPlainText(place.value) ? { mismatch: verdict, inText: false } : "accepted"
  }
  const inside = verdictOf(comparison, parsed, place.schema)
  return isMismatch(inside) && !isArguable(place, inside) ? { mismatch: inside, inText: true } : "accepted"
}

/**
 * A default is filled in by defaults of its members, and may be a word that the server reads. An example inside a part of a schema is
 * often one of the whole. An Example Object in the place of a value is wrong, but shows a right one.
 */
const isArguable = ({ kind, path, value }: ExamplePlace, { reason }: Mismatch): boolean =>
  isExampleObject(value) ||
  (kind === "default" && (reason === "required" || reason === "format")) ||
  (reason === "additional" && path.includes("allOf"))

const EXAMPLE_OBJECT = new Set(["summary", "description", "value", "externalValue"])

const isExampleObject = (value: Json): boolean =>
  isObject(value) && has(value, "value") && Object.keys(value).every((name) => EXAMPLE_OBJECT.has(name))

/** The schema is about objects or arrays, of which at most the members are refused: a string may hold one as JSON. */
const wantsStructure = (comparison: JudgeContext, { schema }: ExamplePlace): boolean =>
  [{}, []].some((value) => {
    const verdict = verdictOf(comparison, value, schema)
    return !isMismatch(verdict) || verdict.path.length > 0 || OF_MEMBERS.has(verdict.reason)
  })

const OF_MEMBERS: ReadonlySet<Mismatch["reason"]> = new Set(["required", "bound", "additional"])

const LONGEST_TEXT = 1_000_000
const DEPTH = 100

const structureIn = (text: string): Json | null => {
  if (!/^\s{0,100}[[{]/.test(text) || text.length > LONGEST_TEXT || !isWithinDepth(text, DEPTH)) return null
  // What JSON.parse gives is JSON by definition.
  return (parsedJson(text) as Json | undefined) ?? null
}

/** Words, and not a path, markup or JSON that was abridged. */
const isPlainText = (text: string): boolean => /^[\p{L}\d][^/\\{}[\]<>]{0,300}$/u.test(text) && !/\.\w{2,5}$/.test(text)

const falseExample = (documents: Documents, place: ExamplePlace, { inText, mismatch }: Refusal): FalseExample => {
  const path = inText || place.external === true ? place.path : [...place.path, ...mismatch.path]
  const at = `${place.document.url === documents.main.url ? "" : place.document.url}#${pointerOf(path)}`
  const value = shown(mismatch.value)
  return {
    kind: place.kind,
    at: cutTo(at, 300),
    value,
    wants: mismatch.wants,
    found: foundShown(place, mismatch, value),
    reason: mismatch.reason,
    operation: place.operation
  }
}

const VALUE_CHARACTERS = 80

const shown = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length <= VALUE_CHARACTERS ? text : `${cutTo(text, VALUE_CHARACTERS - 1)}…`
}

const NAME_CHARACTERS = 80

const foundShown = (place: ExamplePlace, { name, path, reason }: Mismatch, value: string): string => {
  if (reason === "required") return `lacks ${cutTo(name, NAME_CHARACTERS)}`
  if (reason === "additional") return `has ${cutTo(name, NAME_CHARACTERS)}`
  const member = memberShown(path) || place.name
  return `says ${value}${member === "" ? "" : ` for ${cutTo(member, NAME_CHARACTERS)}`}`
}

/** `amount`, `tags[0]`; empty for the whole value. */
const memberShown = (path: ReadonlyArray<string>): string => {
  const from = path.findLastIndex((segment) => !/^\d+$/.test(segment))
  if (from < 0) return ""
  return `${path[from] ?? ""}${path
    .slice(from + 1)
    .map((index) => `[${index}]`)
    .join("")}`
}

/**
 * How a value is written down. `text`: it travels as text (a parameter, a header). `form`: its members do. `unstated`: as a schema
 * shows it, for any use. `other`: XML and the like, which no schema here is about.
 */
type Encoding = "json" | "text" | "form" | "unstated" | "other"

/** A value of a description, and the schema that it is written for. */
interface ExamplePlace {
  readonly kind: FalseExample["kind"]
  readonly value: Json
  readonly document: IndexedDocument
  readonly path: Path
  /** The value is in a file of its own, and `document` and `path` are of the Example Object that names it. */
  readonly external?: boolean
  /** As written: a reference is followed with the value. */
  readonly schema: Located
  /** Of the parameter or property that the value is for; else empty. */
  readonly name: string
  readonly operation: string | null
  readonly direction: Direction
  readonly encoding: Encoding
}

/** What is the same for all values of one part of a description. */
export type PlaceContext = Pick<ExamplePlace, "name" | "operation" | "direction" | "encoding">

/** Of a media type as written; JSON in a stream is not one value. */
export const encodingOf = (mediaType: string): Encoding => {
  const name = (mediaType.split(";")[0] ?? "").trim().toLowerCase()
  if (name === "" || name === "*/*" || name === "application/*") return "unstated"
  if (name === "application/x-www-form-urlencoded" || name === "multipart/form-data") return "form"
  return /^(?:application|text)\/(?:[\w.-]{1,100}\+)?json$/.test(name) && !/\bstream\+|\bseq\b/.test(name)
    ? "json"
    : "other"
}

/** Visits schemas, each once however many lead to it, and compares the values that they show with themselves. */
export interface SchemaVisitor {
  /** A schema where it is written, and all that is written in it. What it refers to waits for `rest`. */
  readonly visit: (schema: Located, context: PlaceContext) => void
  /** All that was referred to and not visited yet, in the order of the references. */
  readonly rest: () => void
}

/** Of a schema that several operations may share. */
export const SHARED: PlaceContext = { name: "", operation: null, direction: "either", encoding: "unstated" }

const ONE = new Set(["items", "additionalProperties", "additionalItems", "contains", "if", "then", "else"])
const SEVERAL = new Set(["allOf", "anyOf", "oneOf", "prefixItems", "items"])
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"])

export const schemaVisitor = (comparer: ExampleComparer): SchemaVisitor => {
  const { dialect, documents } = comparer
  const visited = new Set<Json>()
  const referred: Array<Located> = []

  const visit = (schema: Located, context: PlaceContext): void => {
    const { value } = schema
    if (!isObject(value) || visited.has(value)) return
    visited.add(value)
    if (typeof value["$ref"] === "string") {
      const target = follow(documents, schema)
      if (target !== null && !visited.has(target.value)) referred.push(target)
      // Members beside a reference count from 2019-09 on.
      if (dialect !== "2020-12") return
    }
    for (const place of ownPlaces(schema, value, context)) comparer.compare(place)
    for (const key of Object.keys(value)) visitMember(schema, key, context)
  }

  const visitMember = (schema: Located, key: string, context: PlaceContext): void => {
    const value = member(schema.value, key)
    if (ONE.has(key) && isObject(value)) visit(part(schema, value, key), context)
    if (SEVERAL.has(key) && isList(value)) {
      value.forEach((item, index) => visit(part(schema, item, key, String(index)), context))
    }
    if (NAMED.has(key) && isObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        visit(part(schema, item, key, name), key === "properties" ? { ...context, name } : context)
      }
    }
  }

  const rest = (): void => {
    // Visits add to the end of the list.
    for (const schema of referred) visit(schema, SHARED)
  }
  return { visit, rest }
}

const KINDS = { example: "example", "x-example": "example", default: "default", const: "const" } as const

/** Who sends a schema's own example is not said, wherever the schema is. */
const ownPlaces = (schema: Located, value: JsonObject, context: PlaceContext): ReadonlyArray<ExamplePlace> => {
  const place = (kind: ExamplePlace["kind"], shown: Json, path: ReadonlyArray<string>): ExamplePlace => ({
    ...context,
    kind,
    value: shown,
    document: schema.document,
    path: [...schema.path, ...path],
    schema,
    direction: "either"
  })
  return [
    ...(["example", "x-example", "default", "const"] as const).flatMap((key) => {
      const shown = member(value, key)
      return shown === undefined ? [] : [place(KINDS[key], shown, [key])]
    }),
    ...listAt(value, "examples").map((shown, index) => place("example", shown, ["examples", String(index)]))
  ]
}

/** Schemas by name, such as `components.schemas`. */
export const visitNamed = (visitor: SchemaVisitor, holder: Located, ...keys: ReadonlyArray<string>): void => {
  const schemas = keys.reduce<Json>((value, key) => objectAt(value, key), holder.value)
  if (!isObject(schemas)) return
  for (const [name, schema] of Object.entries(schemas)) visitor.visit(part(holder, schema, ...keys, name), SHARED)
}
