import type { Answer, Exchange } from "../evidence/Exchange.ts"
import type { FetchLimits } from "../evidence/FetchLimits.ts"
import type { SpecContract } from "./Contract.ts"

/** The kinds of API description that are read, best first (rubric.md, *Spec*). */
export type SpecFormat = "openapi" | "swagger" | "asyncapi" | "openrpc" | "graphql" | "postman"

/** APIs of which tools ship a description: Swagger's pet store, and the plant store of Mintlify's starter. */
export type SampleApiName = "pet_store" | "plant_store"

/** One file of an API description, as it was fetched. */
export interface SpecFile {
  /** The URL that answered: what its relative `$ref`s are resolved against. */
  readonly url: string
  /** As in `mediaType`; empty where unknown. A hint only: what it is gets decided by reading it. */
  readonly mediaType: string
  readonly bytes: Uint8Array
  /** True where `bytes` is only the beginning. */
  readonly cut: boolean
}

/** What the description worker is given: the document, and the files that its `$ref`s were found to lead to. */
export interface SpecInput {
  readonly document: SpecFile
  readonly others: ReadonlyArray<SpecFile>
  /** The files that its examples are in (`externalValue`), as far as they were read; none where left out. */
  readonly examples?: ReadonlyArray<SpecFile>
  /** URLs that were requested and that the site does not have: references to them are dead. */
  readonly absent: ReadonlyArray<string>
  /** Longest text of each kind, in bytes. */
  readonly limits: SpecLimits
}

export type SpecLimits = Pick<FetchLimits, "documentBytes" | "yamlBytes">

/** Plain, small, serialisable: facts about a description and an index of it, never the document. */
export type ParsedSpec = ApiDescription | Unparsed

/** Why a document is no API description that can be read. */
export type UnparsedReason =
  /** Well-formed, but none of the formats. */
  | "not_a_description"
  | "html"
  | "empty"
  | "syntax"
  | "truncated"
  | "too_large"
  | "too_deep"
  | "too_many_aliases"
  | "out_of_memory"
  | "timed_out"
  /** The worker ended without an answer. */
  | "crashed"
  /** Those before it took up what is read of one site. */
  | "not_read"

export interface Unparsed {
  readonly _tag: "Unparsed"
  readonly url: string
  readonly reason: UnparsedReason
  /** One plain clause, with line and column where there are any. */
  readonly message: string
}

export interface ApiDescription {
  readonly _tag: "ApiDescription"
  readonly url: string
  readonly format: SpecFormat
  /** The version of the format as declared, such as `3.1.0`; empty where none is (GraphQL SDL). */
  readonly formatVersion: string
  /** `info.title`; empty where missing. At most 200 characters. */
  readonly title: string
  /** `info.version`, trimmed; empty where missing. */
  readonly version: string
  /** `info.description`, Markdown, at most 50 000 characters. */
  readonly description: string
  /** In document order; at most 5 000 are listed, `operationCount` counts all, up to 50 000. */
  readonly operations: ReadonlyArray<SpecOperation>
  readonly operationCount: number
  /** In document order, variables replaced by their defaults; relative ones as written. At most 50. */
  readonly servers: ReadonlyArray<SpecServer>
  readonly security: SpecSecurity
  readonly elements: SpecElements
  readonly validity: SpecValidity
  readonly quality: SpecQuality
  readonly examples: SpecExamples
  /** What its operations want of a call; empty for other formats than OpenAPI. */
  readonly contract: SpecContract
  /** The well-known sample that name and paths are of; `null` for any other API. Whether it is a placeholder depends on the site. */
  readonly sampleApi: SampleApiName | null
  /** Files read, the document included. */
  readonly files: number
  /** URLs that a `$ref` leads to and that were not among the files given; sorted. */
  readonly missingFiles: ReadonlyArray<string>
}

/** A call that the API offers: an HTTP operation, an AsyncAPI operation, an RPC method, a GraphQL root field, a Postman request. */
export interface SpecOperation {
  /** `GET`, `POST`, …; `PUBLISH`, `SEND`, …; `CALL` (OpenRPC); `QUERY`, `MUTATION`, `SUBSCRIPTION` (GraphQL). */
  readonly method: string
  /** The path, channel, method name or field. */
  readonly path: string
  /** `operationId`, or empty. */
  readonly id: string
  /** Summary, or the beginning of the description; at most 160 characters. */
  readonly summary: string
}

export interface SpecServer {
  readonly url: string
  /** At most 200 characters. */
  readonly description: string
  /** An absolute https URL whose host is no placeholder (example.com, localhost, a template left open …). */
  readonly usable: boolean
  /** The URL as written, where its host is each customer's own: the default of its variable is one customer's. Missing for any other. */
  readonly template?: string
}

export interface SecurityScheme {
  readonly name: string
  /** `apiKey`, `http`, `oauth2`, `openIdConnect`, `mutualTLS`, `basic` … as declared. */
  readonly type: string
  /** Of `http`: `bearer`, `basic` …; else empty. */
  readonly scheme: string
  /** Of `apiKey`: `header`, `query`, `cookie`; else empty. */
  readonly place: string
  /** Of `apiKey`: the header, parameter or cookie; else empty. */
  readonly parameter: string
  /** Of `oauth2`: the URL of the first flow that issues tokens by one, an implicit one included; else empty. */
  readonly tokenUrl: string
  /** At most 1 000 characters. */
  readonly description: string
}

export interface SpecSecurity {
  /** In document order. */
  readonly schemes: ReadonlyArray<SecurityScheme>
  /** Operations that a declared scheme is applied to, by themselves or by the document. */
  readonly securedOperations: number
  /** Operations that require a scheme which is declared nowhere. */
  readonly undeclaredOperations: number
  /** The document or every operation says `security: []` (or an empty requirement). */
  readonly saidToBeNone: boolean
  /** Operations that name 401 or 403 among their answers. */
  readonly refusingOperations: number
}

/** What may be the subject of documentation inside a description, each once, sorted. Lists hold at most 500. */
export interface SpecElements {
  readonly parameters: ReadonlyArray<SpecElement>
  /** Headers of answers, names in lower case. */
  readonly responseHeaders: ReadonlyArray<SpecElement>
  /** By status: `200`, `404`, `5XX`, `default`. */
  readonly responses: ReadonlyArray<SpecElement>
  readonly webhooks: ReadonlyArray<SpecElement>
  readonly tags: ReadonlyArray<SpecElement>
  /** `callbacks` that operations declare. */
  readonly callbacks: number
  /** Names of parameters for which a default is declared. */
  readonly defaults: number
  /** What operations say of themselves, in document order; at most 300,000 characters in all. */
  readonly remarks: ReadonlyArray<SpecRemark>
}

export interface SpecRemark {
  /** `POST /orders`, at most 200 characters. */
  readonly operation: string
  /** Its summary and its description, at most 3,000 characters. */
  readonly text: string
  readonly deprecated: boolean
}

export interface SpecElement {
  readonly name: string
  /** The first description found, at most 300 characters. */
  readonly description: string
  /** Operations that have it. */
  readonly operations: number
}

export type SpecErrorRule =
  | "structure"
  | "reference"
  | "operation_id"
  | "identical_path"
  | "path_parameter"
  | "parameter"
  | "server_variable"
  | "duplicate_key"

export interface SpecError {
  readonly rule: SpecErrorRule
  /** A JSON pointer into the document, or the URL of the file and one; at most 300 characters. */
  readonly at: string
  /** One plain clause. */
  readonly message: string
  /** Operations that the error affects: those that contain it, or that refer to the part that does. */
  readonly operations: number
}

export interface SpecValidity {
  /** Distinct errors, counted to 1,000: checking stops there. */
  readonly errorCount: number
  /** Of those, repeated operationIds, identical paths and path parameters that do not match their path. */
  readonly identityErrorCount: number
  /** The first of each rule and place, at most 10, in document order. */
  readonly errors: ReadonlyArray<SpecError>
  /**
   * Operations that contain an error, or refer to a part that does; an error of the document as a whole affects all, and so
   * do more errors than are counted.
   */
  readonly touchedOperations: number
  /** False where only the essentials of the structure were checked, for want of a schema for that version. */
  readonly bySchema: boolean
}

/** A part of a whole, as counts. */
export interface Portion {
  readonly part: number
  readonly whole: number
}

/** The counts behind C3, C4 and C5; see rubric.md for what each means. */
export interface SpecQuality {
  /** Of each operation in document order, the length of its summary or description, whichever is longer, by `readingLength`. */
  readonly operationTexts: ReadonlyArray<number>
  readonly describedParameters: Portion
  readonly describedProperties: Portion
  /** Of operations with a request body or a success answer that has a schema or an example: those that exemplify both. */
  readonly exampleOperations: Portion
  /** Of parameters and properties. */
  readonly typedFields: Portion
  /** Of parameters and properties that are strings or numbers. */
  readonly constrainedFields: Portion
  /** Operations with a 4xx or `default` answer that has a schema. */
  readonly errorOperations: Portion
  /** Operations with a 4xx or `default` answer whose body has a message, and beside it the field, the reason or what to do. */
  readonly helpfulErrors: Portion
}

/** What a schema refuses a value by. */
export type MismatchReason =
  | "type"
  | "required"
  /** A set of values, or the only value. */
  | "enum"
  | "format"
  | "pattern"
  /** Of a number, a length, a number of items or properties. */
  | "bound"
  /** A property that is not allowed. */
  | "additional"
  /** Anything else, such as no alternative of several. */
  | "schema"

/** A value of a description that the schema beside it refuses. */
export interface FalseExample {
  readonly kind: "example" | "default" | "const"
  /** Of the refused value, as in `SpecError`; of a missing property its object; of an example that is JSON in a string the string. */
  readonly at: string
  /** The refused value as JSON, at most 80 characters. */
  readonly value: string
  /** One plain clause, to follow "its schema wants": `an integer`. */
  readonly wants: string
  /** One plain clause, to follow the example's name: `says "abc" for amount`, `lacks amount`. */
  readonly found: string
  readonly reason: MismatchReason
  /** `POST /orders`; `null` where the value is written outside of an operation. */
  readonly operation: string | null
}

/** Examples, defaults and constants against the schemas that they are written for; see rubric.md. */
export interface SpecExamples {
  /** Each place once, with each schema that it is written for. */
  readonly compared: number
  /** Of those, refused by their schema. */
  readonly false: number
  /** In another encoding, outside of the document, or beyond the work that is spent on one description. */
  readonly notCompared: number
  /** URLs of examples (`externalValue`) that were not among the files given, at most 20, in the order of the examples. */
  readonly missing: ReadonlyArray<string>
  /** The first 500: operations and what is written in them in document order, then components. */
  readonly found: ReadonlyArray<FalseExample>
}

/** How a candidate came to be known. */
export type SpecSource = "link" | "header" | "llms.txt" | "catalog" | "well_known" | "viewer" | "inline"

export interface SpecCandidate {
  /** Its URL; of an inline document the page's. */
  readonly url: string
  /** How it was announced, each once, in the order of `SpecSource`. */
  readonly sources: ReadonlyArray<SpecSource>
  /** Where it was announced first: the page, llms.txt or catalog; `null` where it is at a well-known URL only. */
  readonly announcedBy: Exchange | null
  /** Known, and on another site: never fetched. */
  readonly offSite: boolean
  /** The answer, or the fault; `null` where it was not fetched (off site, or beyond the limit of candidates). */
  readonly exchange: Exchange | null
  /** What was made of it; `null` where there was no 2xx answer, or the one that the site gives to every URL. */
  readonly spec: ParsedSpec | null
  /** A description without operations, a well-known sample on a site that is not about it, or a stub that declares itself not an API. */
  readonly placeholder: "no_operations" | SampleApiName | "no_api" | null
}

export interface FoundSpec extends SpecCandidate {
  readonly exchange: Exchange
  readonly spec: ApiDescription
}

/** The search for an API description of the site. */
export interface SpecSearch {
  /** Every candidate, those that are descriptions first, best first, then the rest by URL. */
  readonly candidates: ReadonlyArray<SpecCandidate>
  /** The Spec: the best one that is no placeholder. */
  readonly best: FoundSpec | null
  /** The best placeholder, where there is one. A stub that declares itself not an API does not count as a placeholder. */
  readonly placeholder: FoundSpec | null
  /** What was fetched in the search, likeliest first: the first is what is cited where nothing was found. Never empty. */
  readonly tried: ReadonlyArray<Exchange>
  /**
   * What may well be a description, or a better one than `best`, and could not be fetched (a missing response, a refusal, a
   * document beyond our limits). `null` if the site says that there is none, or if nothing could be better than `best`.
   */
  readonly unobtainable: Exchange | null
  /** Where there is no `best`: a page with a viewer whose description only a running script knows. */
  readonly open: Answer | null
  /** How many URLs on the site that are announced as descriptions were not read, because others were likelier the main one. */
  readonly unread: number
  /** What `best` was read from; `null` where there is none. */
  readonly files: SpecInput | null
  /** Missing responses to files that `best` refers to. */
  readonly missingFiles: ReadonlyArray<Exchange>
  /** Missing responses that could have announced `best`, or another description: pages, llms.txt, the catalog. */
  readonly missingClues: ReadonlyArray<Exchange>
}

/** Errors told apart; a document with more is as wrong as one can be, and checking stops. */
export const ERRORS_COUNTED = 1_000

/** Errors described one by one, each with the operations that it affects; the rest are counted. */
export const ERRORS_SHOWN = 10
