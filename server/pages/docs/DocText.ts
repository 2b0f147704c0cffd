import { parse } from "yaml"
import { DOCS_VERSION } from "./Contents.ts"
import { type Operation, operationsOf, schemaSection, schemasOf } from "./SchemaText.ts"
import { type DocFacts, placeholdersOf } from "./DocFacts.ts"
import { examplesSection, operationLine, operationList, requestSection, responsesSection } from "./OperationText.ts"

/** `<!-- generate: examples async=true -->`: a part that is generated from the contract, with its options. */
const DIRECTIVE = /^<!-- generate: ([a-z]+)(?: (\S+))? -->$/gm

const PLACEHOLDER = /\{([a-z]+_[a-z]+|version|contact)\}/g

/** Links within the documentation, relative to the source file. */
const LINK = /\]\((?![a-z]+:|#|\/|\{)([^)\s]+)\)/g

/** The path of a URL of this service. */
export const pathOf = (url: string): string => new URL(url).pathname

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

/** The source of a documentation page. */
export interface DocSource {
  /** Its path below `/v1`, without an extension; `index` is the first page. */
  readonly slug: string
  readonly title: string
  /** A shorter title for the navigation. */
  readonly short: string
  /** One or two sentences for the page's head, llms.txt and search results. */
  readonly description: string
  /** The day on which the text last changed, `YYYY-MM-DD`. */
  readonly updated: string
  /** The operation that the page documents; `null` for other pages. */
  readonly operation: string | null
  /** Markdown below the title, with placeholders and directives. */
  readonly text: string
}

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n+/

/** Parses a page's file. Throws if a field of its front matter is missing, because the files are part of the package. */
export const readDocSource = (slug: string, file: string): DocSource => {
  const [matter = "", head = ""] = FRONT_MATTER.exec(file) ?? []
  const fields: Readonly<Partial<Record<string, string>>> = parse(head, { schema: "failsafe" }) ?? {}
  const field = (name: string): string => {
    const value = fields[name]
    if (value === undefined) throw new Error(`the page ${slug} of the documentation has no ${name}`)
    return value
  }
  return {
    slug,
    title: field("title"),
    short: fields["short"] ?? field("title"),
    description: field("description"),
    updated: field("updated"),
    operation: fields["operation"] ?? null,
    text: file.slice(matter.length).trim()
  }
}
