import type { FalseExample } from "../ApiSpec.ts"
import type { IndexedDocument, Located } from "../text/Documents.ts"
import type { Json } from "../text/Json.ts"
import type { Path } from "../text/Pointer.ts"
import type { Direction } from "./ValueVerdict.ts"

/**
 * How a value is written down. `text`: it travels as text (a parameter, a header). `form`: its members do. `unstated`: as a schema
 * shows it, for any use. `other`: XML and the like, which no schema here is about.
 */
export type Encoding = "json" | "text" | "form" | "unstated" | "other"

/** A value of a description, and the schema that it is written for. */
export interface ExamplePlace {
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
