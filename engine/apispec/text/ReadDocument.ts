import type { DocumentNode } from "graphql"
import type { SpecFile, SpecLimits, UnparsedReason } from "../ApiSpec.ts"
import { beginsAsHtml } from "../../page/ResponseFacts.ts"
import { formatOf, isIntrospection, mayBeGraphQl } from "./Format.ts"
import { type DuplicateKey, isList, isObject, type Json } from "./Json.ts"

/** A file's content, once read, or why it could not be. */
type DocumentReading = ParsedDocument | GraphQlDocument | UnreadDocument

/** JSON, or YAML as its JSON equivalent: an object or a list at the top. */
export interface ParsedDocument {
  readonly _tag: "ParsedDocument"
  readonly url: string
  readonly notation: "json" | "yaml"
  readonly root: Json
  readonly duplicates: ReadonlyArray<DuplicateKey>
}

export interface GraphQlDocument {
  readonly _tag: "GraphQlDocument"
  readonly url: string
  readonly text: string
  readonly document: DocumentNode
}

export interface UnreadDocument {
  readonly _tag: "UnreadDocument"
  readonly reason: UnparsedReason
  /** One plain clause. */
  readonly message: string
}

/** Objects and lists in each other. Descriptions written by hand or by a generator stay below 60. */
const DEPTH_LIMIT = 250
/** Of one key, in characters: GitHub's longest is 96. */
const KEY_LIMIT = 10_000

const unread = (reason: UnparsedReason, message: string): UnreadDocument => ({
  _tag: "UnreadDocument",
  reason,
  message
})

const tooDeep = unread("too_deep", `it is nested more than ${DEPTH_LIMIT} levels deep`)

/** Reads a file whatever it is. The body decides, not the media type: servers label YAML as anything. */
export const readDocument = async (file: SpecFile, limits: SpecLimits): Promise<DocumentReading> => {
  if (file.cut) return unread("truncated", "it is longer than may be fetched")
  if (file.bytes.byteLength > limits.documentBytes)
    return unread("too_large", `it is larger than ${megabytes(limits.documentBytes)}`)
  const text = decode(file.bytes)
  const beginning = /\S/.exec(text)?.[0]
  if (beginning === undefined) return unread("empty", "it is empty")
  if (beginsAsHtml(text)) return unread("html", "it is a web page")
  if (beginning === "{" || beginning === "[") {
    const reading = readJson(file.url, text)
    return reading._tag === "ParsedDocument" && isIntrospection(reading.root)
      ? readIntrospected(file, reading.root)
      : reading
  }
  if (beginning === "<") return unread("not_a_description", "it is markup")
  return mayBeGraphQl(text) ? readGraphQl(file, text, limits) : readYamlText(file, text, limits)
}

/** The result of an introspection, as a schema in the GraphQL language. */
const readIntrospected = async (file: SpecFile, root: Json): Promise<DocumentReading> => {
  const { introspectedText, readGraphQlText } = await import("./GraphQlText.ts")
  const text = introspectedText(root)
  const reading = text === null ? null : readGraphQlText(text)
  return text !== null && reading?._tag === "Read"
    ? { _tag: "GraphQlDocument", url: file.url, text, document: reading.document }
    : unread("syntax", "it is not a valid result of a GraphQL introspection")
}

/** What looks like a GraphQL schema is one if it parses as such: a description in YAML may quote one. */
const readGraphQl = async (file: SpecFile, text: string, limits: SpecLimits): Promise<DocumentReading> => {
  const { readGraphQlText } = await import("./GraphQlText.ts")
  const reading = readGraphQlText(text)
  if (reading._tag === "Read") return { _tag: "GraphQlDocument", url: file.url, text, document: reading.document }
  const yaml = await readYamlText(file, text, limits)
  return yaml._tag === "ParsedDocument" && formatOf(yaml.root) !== null
    ? yaml
    : unread("syntax", `it is not valid GraphQL${reading.where}`)
}

const readYamlText = async (file: SpecFile, text: string, limits: SpecLimits): Promise<DocumentReading> => {
  if (file.bytes.byteLength > limits.yamlBytes)
    return unread("too_large", `it is YAML larger than ${megabytes(limits.yamlBytes)}`)
  return readYamlFile(file.url, text)
}

const readJson = (url: string, text: string): DocumentReading => {
  const scan = scanJson(text, DEPTH_LIMIT)
  if (scan.depth > DEPTH_LIMIT) return tooDeep
  if (scan.longestKey > KEY_LIMIT) return unread("too_large", `a key in it is longer than ${KEY_LIMIT} characters`)
  try {
    // What JSON.parse gives is JSON by definition; its type says `any`.
    const root = JSON.parse(text) as Json
    return { _tag: "ParsedDocument", url, notation: "json", root, duplicates: scan.duplicates }
  } catch (error) {
    const place = /\(line (\d+) column (\d+)\)/.exec(String(error))
    return unread(
      "syntax",
      place === null ? "it is not valid JSON" : `it is not valid JSON (line ${place[1]}, column ${place[2]})`
    )
  }
}

/** The YAML library is loaded where there is YAML. */
const readYamlFile = async (url: string, text: string): Promise<DocumentReading> => {
  const { readSpecYaml } = await import("./Yaml.ts")
  const reading = readSpecYaml(text, DEPTH_LIMIT)
  if (reading._tag === "TooDeep") return tooDeep
  if (reading._tag === "TooManyAliases")
    return unread("too_many_aliases", "its aliases multiply beyond what may be read")
  if (reading._tag === "Malformed")
    return unread("syntax", `it is not valid YAML (line ${reading.line}, column ${reading.column})`)
  if (reading._tag === "Circular")
    return unread(
      "syntax",
      `an alias in it repeats a part that contains the alias (line ${reading.line}, column ${reading.column})`
    )
  return isObject(reading.value) || isList(reading.value)
    ? { _tag: "ParsedDocument", url, notation: "yaml", root: reading.value, duplicates: reading.duplicates }
    : unread("not_a_description", "it is plain text")
}

/** By byte order mark, else UTF-8, which JSON and YAML are in. */
const decode = (bytes: Uint8Array): string => {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8"
  return new TextDecoder(encoding).decode(bytes)
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`

/** What a JSON text would cost to read, found in one pass before it is. */
interface JsonScan {
  /** Deepest nesting of objects and lists. */
  readonly depth: number
  readonly longestKey: number
  /** At most `DUPLICATES_KEPT`, in the order of the text. */
  readonly duplicates: ReadonlyArray<DuplicateKey>
}

const DUPLICATES_KEPT = 100

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

interface Level {
  /** Of an object; `null` for a list. */
  readonly keys: Set<string> | null
  /** The key or the index that the scan is at. */
  at: string | number
  expectsKey: boolean
}

/**
 * One pass for all of it, not `isWithinDepth` and another for the keys: an API description has up to 20 MB. Scans without building anything and without recursion. Whether the text *is* JSON is for the parser to say: this
 * ends for any text, and stops early where nesting exceeds `depthLimit` (`depth` is one more then).
 */
export const scanJson = (text: string, depthLimit: number): JsonScan => {
  const levels: Array<Level> = []
  const duplicates: Array<DuplicateKey> = []
  let depth = 0
  let longestKey = 0

  const takeKey = (level: Level, keys: Set<string>, key: string): void => {
    if (keys.has(key) && duplicates.length < DUPLICATES_KEPT) {
      duplicates.push({ path: levels.slice(0, -1).map(({ at }) => String(at)), key })
    }
    keys.add(key)
    level.at = key
    level.expectsKey = false
    longestKey = Math.max(longestKey, key.length)
  }

  for (let index = 0; index < text.length && depth <= depthLimit; index++) {
    const code = text.charCodeAt(index)
    const level = levels.at(-1)
    if (code === QUOTE) {
      const end = stringEnd(text, index + 1)
      if (level?.expectsKey === true && level.keys !== null) takeKey(level, level.keys, text.slice(index + 1, end))
      index = end
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      const isObject = code === OPEN_OBJECT
      levels.push({ keys: isObject ? new Set() : null, at: isObject ? "" : 0, expectsKey: isObject })
      depth = Math.max(depth, levels.length)
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      levels.pop()
    } else if (code === COMMA && level !== undefined) {
      level.expectsKey = level.keys !== null
      if (typeof level.at === "number") level.at++
    }
  }
  return { depth, longestKey, duplicates }
}

/** The index of the closing quote, or of the text's end. */
const stringEnd = (text: string, from: number): number => {
  let end = from
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code === QUOTE) return end
    end += code === BACKSLASH ? 2 : 1
  }
  return text.length
}
