import type { ApiDescription, SpecOperation } from "../ApiSpec.ts"
import type { Documents } from "../text/Documents.ts"
import type { FormatMark } from "../text/Format.ts"
import { cutTo, type Json, objectAt, stringAt, wordAt } from "../text/Json.ts"

/** What every format's reader starts from. */
export interface Recognised {
  readonly documents: Documents
  readonly mark: FormatMark
  readonly missingFiles: ReadonlyArray<string>
}

const OPERATIONS_KEPT = 5_000
const SUMMARY_CHARACTERS = 160

type Heading = Pick<
  ApiDescription,
  "_tag" | "url" | "format" | "formatVersion" | "title" | "version" | "description" | "files" | "missingFiles"
>

/** What all formats but GraphQL and Postman say in the same words. */
export const headingOf = ({ documents, mark, missingFiles }: Recognised): Heading => {
  const info = objectAt(documents.main.root, "info")
  return {
    _tag: "ApiDescription",
    url: documents.main.url,
    format: mark.format,
    formatVersion: mark.version,
    title: cutTo(stringAt(info, "title"), 200),
    version: cutTo(wordAt(info, "version"), 100),
    description: cutTo(stringAt(info, "description"), 50_000),
    files: documents.byUrl.size,
    missingFiles
  }
}

/** The index of operations, and their number. */
export const indexOf = (
  operations: ReadonlyArray<SpecOperation>
): Pick<ApiDescription, "operations" | "operationCount"> => ({
  operations: operations.slice(0, OPERATIONS_KEPT),
  operationCount: operations.length
})

export const summaryOf = (operation: Json): string =>
  cutTo(stringAt(operation, "summary") || stringAt(operation, "description"), SUMMARY_CHARACTERS)
