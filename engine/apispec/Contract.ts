/*
 * What a description of HTTP operations wants of a call, as a compact index: plain data that threads can post. Operations share
 * parameters and shapes by index, because large descriptions repeat both thousands of times.
 */

export interface SpecContract {
  /** Of the document, paths and operations, each once; at most 50. */
  readonly servers: ReadonlyArray<ContractServer>
  /** Indices into `servers` of those that hold for operations without servers of their own. */
  readonly commonServers: ReadonlyArray<number>
  /** In document order, at most 5,000. */
  readonly operations: ReadonlyArray<ContractOperation>
  readonly parameters: ReadonlyArray<ContractParameter>
  /** The first one is of any value. */
  readonly shapes: ReadonlyArray<ContractShape>
  /** Objects that operations answer with, and objects in those. */
  readonly answers: ReadonlyArray<ContractAnswer>
  readonly answerFields: ReadonlyArray<AnswerField>
  /** What security schemes add to calls. */
  readonly credentials: ContractCredentials
  /** Code that operations show, at most 500 blocks. */
  readonly samples: ReadonlyArray<ContractSample>
  /** False where operations were left out or could not be read, so that an unknown path says nothing. */
  readonly complete: boolean
}

/** A block of code that an operation shows as a call of it. */
export interface ContractSample {
  /** Index into `SpecContract.operations`. */
  readonly operation: number
  /** As written, such as `cURL` or `JavaScript`; empty where nothing is said. */
  readonly language: string
  readonly text: string
}

export interface ContractServer {
  /** As written, variables as `{name}`; at most 500 characters. Relative ones count from the description's URL. */
  readonly url: string
  readonly variables: ReadonlyArray<ContractVariable>
}

interface ContractVariable {
  readonly name: string
  /** Its `enum`, else empty: any value. At most 50. */
  readonly values: ReadonlyArray<string>
}

export interface ContractOperation {
  /** Upper case. */
  readonly method: string
  /** The template as written, at most 500 characters. */
  readonly path: string
  readonly marks: ReadonlyArray<OperationMark>
  /** Indices into `SpecContract.parameters`. */
  readonly parameters: ReadonlyArray<number>
  readonly bodies: ReadonlyArray<ContractBody>
  /** Indices into `SpecContract.servers`; `null` where the common ones hold. */
  readonly servers: ReadonlyArray<number> | null
  /** Of its successful JSON answers, an index into `SpecContract.answers`; missing where nothing is known of them. */
  readonly answer?: number
}

/** `open_query`: queries may have other names, because a parameter was not read or spreads its members over the query. */
type OperationMark = "deprecated" | "open_query"

export interface ContractBody {
  /** `other`: its shape is of any value. */
  readonly kind: "json" | "form" | "other"
  /** Index into `SpecContract.shapes`. */
  readonly shape: number
}

export interface ContractField {
  readonly name: string
  readonly marks: ReadonlyArray<FieldMark>
  /** Index into `SpecContract.shapes`. */
  readonly shape: number
}

/** `excused`: it may be missing although it is required, because it is read-only or has a default. */
type FieldMark = "required" | "excused" | "deprecated"

export interface ContractParameter extends ContractField {
  readonly in: "query" | "path" | "header" | "cookie"
}

export type ContractType = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null"
export type ContractValue = string | number | boolean | null

export interface ContractShape {
  /** What a value may be; empty: anything. */
  readonly types: ReadonlyArray<ContractType>
  /** The only values; `null`: any, or more than 50. */
  readonly values: ReadonlyArray<ContractValue> | null
  /** Members of an object. */
  readonly fields: ReadonlyArray<ContractField>
  /** An object has no other members than `fields`, as far as the description says. */
  readonly closed: boolean
  /** Of a list's items, an index into `SpecContract.shapes`; 0 where nothing is said. */
  readonly items: number
}

/** An object of an answer; it may be in itself. */
export interface ContractAnswer {
  /** Indices into `SpecContract.answerFields`, in document order. */
  readonly fields: ReadonlyArray<number>
  /** What its fields and lists are or may be, indices into `SpecContract.answers`. */
  readonly parts: ReadonlyArray<number>
  /** It may have other fields than these. */
  readonly open: boolean
}

/** A field of answers, each name and shape once. */
export interface AnswerField {
  /** At most 100 characters. */
  readonly name: string
  /** An index into `SpecContract.shapes`, of one that has types only. */
  readonly shape: number
}

export interface ContractCredentials {
  readonly query: ReadonlyArray<string>
  /** Lower case. */
  readonly headers: ReadonlyArray<string>
  /** URLs of authorization servers, as written; at most 20. */
  readonly urls: ReadonlyArray<string>
}

/** The marks that hold, in a fixed order. */
export const marksOf = <Mark extends string>(said: Readonly<Record<Mark, boolean>>): ReadonlyArray<Mark> => {
  const marks: Array<Mark> = []
  for (const mark in said) if (said[mark]) marks.push(mark)
  return marks
}

export const ANY_SHAPE: ContractShape = { types: [], values: null, fields: [], closed: false, items: 0 }

/** Of a description that has no HTTP operations with schemas. */
export const noContract: SpecContract = {
  servers: [],
  commonServers: [],
  operations: [],
  parameters: [],
  shapes: [ANY_SHAPE],
  answers: [],
  answerFields: [],
  credentials: { query: [], headers: [], urls: [] },
  samples: [],
  complete: false
}
