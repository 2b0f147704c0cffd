import {
  isList,
  isObject,
  type Json,
  type JsonObject,
  type Path,
  pathOfFragment,
  pointerOf,
  stringAt,
  valueAt
} from "./Json.ts"
import type { ParsedDocument } from "./ReadDocument.ts"

/** A `$ref` as written in a document. */
interface DocumentReference {
  /** Of the object that has it. */
  readonly path: Path
  readonly ref: string
}

/** A document with what can be referred to, and what refers, in it. */
export interface IndexedDocument extends ParsedDocument {
  readonly references: ReadonlyArray<DocumentReference>
  /** `$anchor`, `$dynamicAnchor` and old-style `$id: "#name"`, and their positions. */
  readonly anchors: ReadonlyMap<string, Path>
  /** Absolute `$id`s and their positions. */
  readonly ids: ReadonlyMap<string, Path>
}

/** A description's files: the document itself first. */
export interface Documents {
  readonly main: IndexedDocument
  readonly byUrl: ReadonlyMap<string, IndexedDocument>
  /** Values of examples that have a file of their own, by its URL. What is written in them is data. */
  readonly examples: ReadonlyMap<string, Json>
  /** URLs that are known not to be there. */
  readonly absent: ReadonlySet<string>
  /** What references lead to, by the object that has one: each is resolved once, however many lead through it. */
  readonly resolved: Map<Json, Resolution>
}

export interface Located {
  readonly value: Json
  readonly document: IndexedDocument
  readonly path: Path
}

/** `dead`: it leads nowhere. `unread`: it leads to a file that was not read, so nothing is known. */
type Resolution =
  | { readonly _tag: "Found"; readonly target: Located }
  | { readonly _tag: "Dead" }
  | { readonly _tag: "Unread"; readonly url: string }

/** References through references, at most. */
const HOPS = 30

export const indexDocument = (document: ParsedDocument): IndexedDocument => {
  const references: Array<DocumentReference> = []
  const anchors = new Map<string, Path>()
  const ids = new Map<string, Path>()
  walk(document.root, (node, path) => {
    const ref = node["$ref"]
    if (typeof ref === "string") references.push({ path: [...path], ref })
    for (const anchor of [stringAt(node, "$anchor"), stringAt(node, "$dynamicAnchor")]) {
      if (anchor !== "") anchors.set(anchor, [...path])
    }
    const id = stringAt(node, "$id")
    if (id.startsWith("#")) anchors.set(id.slice(1), [...path])
    else if (id !== "") ids.set(absolute(id, document.url), [...path])
  })
  return { ...document, references, anchors, ids }
}

/** The file of an example, as `externalValue` names it. */
export const exampleUrl = (written: string, from: ParsedDocument): string => absolute(written, baseOf(from))

/** What relative references of a document are relative to: its `$self` (OpenAPI 3.2), else the URL that it came from. */
const baseOf = ({ root, url }: ParsedDocument): string =>
  stringAt(root, "openapi") === "" ? url : absolute(stringAt(root, "$self"), url)

/** An address without its fragment, resolved; as written if it is not a URL. */
const absolute = (url: string, base: string): string => {
  const parsed = URL.parse(url, base)
  if (parsed === null) return url
  parsed.hash = ""
  return parsed.href
}

/** The file and the fragment that a `$ref` names. */
const addressOf = (ref: string, from: ParsedDocument): { readonly url: string; readonly fragment: string } => {
  const at = ref.indexOf("#")
  const file = at < 0 ? ref : ref.slice(0, at)
  if (file === "") return { url: from.url, fragment: ref.slice(at + 1) }
  const base = baseOf(from)
  const url = absolute(file, base)
  return { url: url === base ? from.url : url, fragment: at < 0 ? "" : ref.slice(at + 1) }
}

export const resolveReference = (documents: Documents, ref: string, from: IndexedDocument): Resolution => {
  const { url, fragment } = addressOf(ref, from)
  const document = url === from.url ? from : documents.byUrl.get(url)
  if (document !== undefined) return resolveWithin(document, fragment)
  for (const other of documents.byUrl.values()) {
    if (baseOf(other) === url) return resolveWithin(other, fragment)
    const base = other.ids.get(url)
    if (base !== undefined) return resolveBelow(other, base, fragment)
  }
  return documents.absent.has(url) ? { _tag: "Dead" } : { _tag: "Unread", url }
}

const resolveWithin = (document: IndexedDocument, fragment: string): Resolution => {
  const anchored = document.anchors.get(fragment)
  return anchored === undefined ? resolveBelow(document, [], fragment) : found(document, anchored)
}

const resolveBelow = (document: IndexedDocument, base: Path, fragment: string): Resolution => {
  const path = pathOfFragment(fragment)
  if (path !== null) {
    const within = found(document, [...base, ...path])
    if (within._tag === "Found") return within
  }
  // Below an `$id` a fragment counts from there, and which `$id` holds for a reference is not followed here.
  return document.ids.size > 0 ? { _tag: "Unread", url: document.url } : { _tag: "Dead" }
}

const found = (document: IndexedDocument, path: Path): Resolution => {
  const value = valueAt(document.root, path)
  return value === undefined ? { _tag: "Dead" } : { _tag: "Found", target: { value, document, path } }
}

/** Follows `$ref`s to their target; `null` if there is none (dead, unread, circular). */
export const follow = (documents: Documents, start: Located): Located | null => {
  const last = wayOf(documents, start).at(-1)
  return last === undefined || stringAt(last.value, "$ref") !== "" ? null : last
}

/** The start and everything that its `$ref`s lead to, in order, as far as they can be followed. */
export const wayOf = (documents: Documents, start: Located): ReadonlyArray<Located> => {
  const way = [start]
  let at = start
  while (way.length < HOPS) {
    const resolution = resolutionOf(documents, at)
    if (resolution?._tag !== "Found") return way
    at = resolution.target
    way.push(at)
  }
  return way
}

/** `null` where there is no reference. */
const resolutionOf = (documents: Documents, { document, value }: Located): Resolution | null => {
  const ref = stringAt(value, "$ref")
  if (ref === "") return null
  const resolution = documents.resolved.get(value) ?? resolveReference(documents, ref, document)
  documents.resolved.set(value, resolution)
  return resolution
}

/** What is read of a value, read once for each: any number of operations may share what they refer to. */
export const onceEach = <A>(read: (place: Located) => A): ((place: Located) => A) => {
  const known = new Map<Json, { readonly found: A }>()
  return (place) => {
    const reading = known.get(place.value) ?? { found: read(place) }
    known.set(place.value, reading)
    return reading.found
  }
}

/** The value of a member, references followed; `null` if there is none or it cannot be reached. */
export const child = (documents: Documents, parent: Located, ...keys: Path): Located | null => {
  const value = valueAt(parent.value, keys)
  return value === undefined
    ? null
    : follow(documents, { value, document: parent.document, path: [...parent.path, ...keys] })
}

/** One key for one place, in any document. */
export const placeKey = (located: Pick<Located, "document" | "path">): string =>
  `${located.document.url}#${pointerOf(located.path)}`

/** Members that hold data as it travels, not description: a `$ref` in there is a string like any other. */
const DATA = new Set(["example", "default", "enum", "const"])

/** Members whose keys are names given by the author, where `default` or `example` is a name like any other. */
const NAMED = new Set(
  (
    "paths webhooks pathItems schemas responses parameters requestBodies headers securitySchemes securityDefinitions links callbacks" +
    " properties patternProperties definitions $defs dependentSchemas dependencies content mediaTypes encoding variables mapping" +
    " scopes channels messages operations servers messageTraits operationTraits"
  ).split(" ")
)

/**
 * Visits every object of a description that describes something, parents first, in document order, each once even where
 * YAML aliases share it. Examples, defaults and extensions (`x-…`) are left out. `path` is valid during the visit only.
 *
 * Recurses: the depth of a document is bounded before it gets here.
 */
export const walk = (root: Json, visit: (node: JsonObject, path: Path) => void): void => {
  const seen = new WeakSet<object>()
  const path: Array<string> = []

  const into = (value: Json, key: string, named: boolean): void => {
    if (typeof value !== "object" || value === null) return
    path.push(key)
    step(value, named)
    path.pop()
  }

  const step = (value: ReadonlyArray<Json> | JsonObject, named: boolean): void => {
    if (seen.has(value)) return
    seen.add(value)
    if (isList(value)) return value.forEach((item, index) => into(item, String(index), false))
    if (!named) visit(value, path)
    for (const key of Object.keys(value)) {
      const child = value[key]
      if (child === undefined) continue
      if (named) into(child, key, false)
      else if (key === "examples") visitExamples(child)
      else if (!DATA.has(key) && !key.startsWith("x-")) into(child, key, NAMED.has(key) && isObject(child))
    }
  }

  /** An example may be given by reference; what it holds is data. */
  const visitExamples = (examples: Json): void => {
    if (!isObject(examples)) return
    for (const [name, example] of Object.entries(examples)) {
      if (!isObject(example) || typeof example["$ref"] !== "string") continue
      path.push("examples", name)
      visit(example, path)
      path.length -= 2
    }
  }

  if (typeof root === "object" && root !== null) step(root, false)
}
