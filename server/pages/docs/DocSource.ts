import { parse } from "yaml"

/** A page of the documentation as its author writes it. */
export interface DocSource {
  /** Its address below `/v1`, without an ending; `index` is the first page. */
  readonly slug: string
  readonly title: string
  /** In the navigation, where the title is too long for it. */
  readonly short: string
  /** One or two sentences: for the page's head, llms.txt and search results. */
  readonly description: string
  /** The day on which the text last changed, `YYYY-MM-DD`. */
  readonly updated: string
  /** The operation that the page is about; `null` for all other pages. */
  readonly operation: string | null
  /** Markdown below the title, with placeholders and directives as written. */
  readonly text: string
}

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n+/

/** Reads a page's file. Throws where a field of its front matter is missing: the files are part of the package. */
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
