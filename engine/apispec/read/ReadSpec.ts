import type { ParsedSpec, SpecFile, SpecInput, Unparsed } from "../ApiSpec.ts"
import { describeAsync } from "../formats/AsyncApi.ts"
import type { Json } from "../text/Json.ts"
import { type Documents, type IndexedDocument, indexDocument, resolveReference } from "../text/Documents.ts"
import { formatOf } from "../text/Format.ts"
import { describeHttp } from "../formats/OpenApi.ts"
import { describeRpc } from "../formats/OpenRpc.ts"
import { describePostman } from "../formats/Postman.ts"
import { type ParsedDocument, readDocument, type UnreadDocument } from "../text/ReadDocument.ts"

/**
 * Reads an API description: what it is, what it offers, what is wrong with it and how good it is. Never fails, and gives
 * the same for the same bytes. For a large one it takes a second and 300 MB: call it in a thread (see `ParserPool`).
 */
export const readSpec = async (input: SpecInput): Promise<ParsedSpec> => {
  const { url } = input.document
  try {
    const reading = await readDocument(input.document, input.limits)
    if (reading._tag === "UnreadDocument") return unparsed(url, reading)
    if (reading._tag === "ParsedDocument") return await describe(input, reading)
    const { describeGraphQl } = await import("../formats/GraphQl.ts")
    return describeGraphQl(reading)
  } catch (error) {
    return unparsed(url, error instanceof RangeError ? tooDeep : { reason: "crashed", message: "reading it failed" })
  }
}

const tooDeep = { reason: "too_deep", message: "it is nested too deeply" } as const

const unparsed = (url: string, { reason, message }: Pick<UnreadDocument, "reason" | "message">): Unparsed => ({
  _tag: "Unparsed",
  url,
  reason,
  message
})

const describe = async (input: SpecInput, document: ParsedDocument): Promise<ParsedSpec> => {
  const mark = formatOf(document.root)
  if (mark === null) return unparsed(document.url, { reason: "not_a_description", message: "it is no API description" })
  const documents = await gatherDocuments(input, document)
  const common = { documents, mark, missingFiles: missingFiles(documents) }
  return await DESCRIBE[mark.format](common)
}

const DESCRIBE = {
  openapi: describeHttp,
  swagger: describeHttp,
  asyncapi: describeAsync,
  openrpc: describeRpc,
  postman: describePostman
} as const

/** The document and the files that its references led to; a file that cannot be read is as one that is not there. */
export const gatherDocuments = async (input: SpecInput, document: ParsedDocument): Promise<Documents> => {
  const main = indexDocument(document)
  const byUrl = new Map<string, IndexedDocument>([[main.url, main]])
  const absent = new Set(input.absent)
  for (const file of input.others) {
    const read = await readOther(file, input)
    if (read === null) absent.add(file.url)
    else byUrl.set(file.url, indexDocument(read))
  }
  return { main, byUrl, examples: await readExamples(input), absent, resolved: new Map() }
}

/** Those that are written in JSON, or in a file that is called YAML: any text is YAML of some kind. */
const readExamples = async ({ examples = [], limits }: SpecInput): Promise<ReadonlyMap<string, Json>> => {
  const values = new Map<string, Json>()
  for (const file of examples) {
    const reading = await readDocument(file, limits)
    if (reading._tag === "ParsedDocument" && (reading.notation === "json" || isNamedYaml(file)))
      values.set(file.url, reading.root)
  }
  return values
}

const isNamedYaml = ({ mediaType, url }: SpecFile): boolean =>
  /\byaml$/.test(mediaType) || /\.ya?ml$/i.test(url.split(/[?#]/, 1)[0] ?? "")

const readOther = async (file: SpecFile, input: SpecInput): Promise<ParsedDocument | null> => {
  const reading = await readDocument(file, input.limits)
  return reading._tag === "ParsedDocument" ? reading : null
}

const missingFiles = (documents: Documents): ReadonlyArray<string> => {
  const missing = new Set<string>()
  for (const document of documents.byUrl.values()) {
    for (const { ref } of document.references) {
      const resolution = resolveReference(documents, ref, document)
      if (resolution._tag === "Unread" && !documents.byUrl.has(resolution.url)) missing.add(resolution.url)
    }
  }
  return [...missing].sort()
}
