import { parse } from "yaml"

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
