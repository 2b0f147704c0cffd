import * as Schema from "effect/Schema"
import type { YamlNode } from "./YamlSource.ts"

/**
 * What a rubric file holds, read from its YAML beforehand: reading the text is more than half of loading a rubric. The
 * package keeps one of its own rubric beside it, as `rubric.kept.json`. It is used for the very same bytes only, and
 * whatever is held against the file is looked for all the same.
 */
export interface KeptReading {
  /** SHA-256 of the file's bytes, as `sha256:` and hexadecimal digits. */
  readonly digest: string
  /** The values, as JSON has them. */
  readonly plain: unknown
}

/** The name of the file that keeps the reading of `rubric.yaml`, in the same folder. */
export const keptName = (rubricFile: string): string => rubricFile.replace(/\.ya?ml$/, ".kept.json")

const KeptFile = Schema.fromJsonString(Schema.Struct({ digest: Schema.String, plain: Schema.Unknown }))

/** From a file's text; `None` where it is no such reading. */
export const readKept = Schema.decodeUnknownOption(KeptFile)

/** As if it had been read from YAML, but for the places, of which there are none. */
export const nodeOf = (plain: unknown): YamlNode => {
  if (Array.isArray(plain)) return { plain, span: NOWHERE, entries: NO_ENTRIES, items: plain.map(nodeOf) }
  if (typeof plain !== "object" || plain === null) return { plain, span: NOWHERE, entries: NO_ENTRIES, items: [] }
  const entries = new Map(Object.entries(plain).map(([key, value]) => [key, { key: NOWHERE, node: nodeOf(value) }]))
  return { plain, span: NOWHERE, entries, items: [] }
}

const NOWHERE = { start: 0, end: 0 }

const NO_ENTRIES: YamlNode["entries"] = new Map()
