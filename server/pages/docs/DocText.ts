import { operationsOf, type Operation, schemasOf } from "./ContractReading.ts"
import { DOCS_VERSION } from "./Contents.ts"
import { type DocFacts, placeholdersOf } from "./DocFacts.ts"
import type { DocSource } from "./DocSource.ts"
import { examplesSection, operationLine, operationList, requestSection, responsesSection } from "./OperationText.ts"
import { schemaSection } from "./SchemaText.ts"

/** `<!-- generate: examples async=true -->`: a part that is generated from the contract, with its options. */
const DIRECTIVE = /^<!-- generate: ([a-z]+)(?: (\S+))? -->$/gm

const PLACEHOLDER = /\{([a-z]+_[a-z]+|version|contact)\}/g

/** Links within the documentation, relative to the source file. */
const LINK = /\]\((?![a-z]+:|#|\/|\{)([^)\s]+)\)/g

/** The URL of a page's Markdown version. */
export const markdownUrl = (docsUrl: string, slug: string): string => `${docsUrl}/${DOCS_VERSION}/${slug}.md`

/** The URL of a page. The first page has that of the version. */
export const pageUrl = (docsUrl: string, slug: string): string =>
  slug === "index" ? `${docsUrl}/${DOCS_VERSION}` : `${docsUrl}/${DOCS_VERSION}/${slug}`

/**
 * A page as Markdown: its title, where all pages are listed, its text with everything filled in, and links that hold
 * wherever it is read.
 */
export const docText = (source: DocSource, facts: DocFacts): string => {
  const parts = source.text.replace(DIRECTIVE, (_, name: string, told: string | undefined) =>
    generated(name, told ?? "", source, facts)
  )
  const filled = filledIn(parts, facts)
  const index = `> [/llms.txt](${facts.addresses.base}/llms.txt) lists all pages of this documentation.`
  return `# ${source.title}\n\n${index}\n\n${linked(filled, markdownUrl(facts.addresses.docs, source.slug))}\n`
}

/** Fills in the placeholders of a text; unknown ones stay. */
export const filledIn = (text: string, facts: DocFacts): string => {
  const words = placeholdersOf(facts)
  return text.replace(PLACEHOLDER, (written, name: string) => words[name] ?? written)
}

/** Makes links within the documentation absolute; code is not changed. */
const linked = (text: string, from: string): string =>
  text
    .split(/^(```[\s\S]*?^```)$/m)
    .map((part) =>
      part.startsWith("```") ? part : part.replace(LINK, (_, href: string) => `](${new URL(href, from).href})`)
    )
    .join("")

const generated = (
  name: string,
  told: string,
  { operation: id, slug }: DocSource,
  { addresses, contract }: DocFacts
): string => {
  const operations = operationsOf(contract)
  if (name === "operations") return operationList(operations, (operation) => `operations/${operationSlug(operation)}`)
  if (name === "objects")
    return schemasOf(contract)
      .map(([schema, value]) => schemaSection(schema, value))
      .join("\n\n")
  const operation = operations.find((one) => one.id === id)
  if (operation === undefined) throw new Error(`the page ${slug} of the documentation is about no operation`)
  return aboutOperation(name, told, operation, addresses.base)
}

const aboutOperation = (name: string, told: string, operation: Operation, baseUrl: string): string => {
  if (name === "line") return operationLine(operation, baseUrl)
  if (name === "request") return requestSection(operation)
  if (name === "examples") return examplesSection(operation, baseUrl, told)
  if (name === "responses") return responsesSection(operation)
  throw new Error(`the documentation asks for ${name}, which nothing generates`)
}

/** The page of an operation: `submitAudit` has `submit-audit`. */
export const operationSlug = ({ id }: Operation): string => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
