/** What front matter says of a page; an element that is missing is `false`. */
export interface FrontMatterElements {
  readonly title: boolean
  readonly description: boolean
  readonly url: boolean
  readonly updated: boolean
}

/** The names that each goes by, in lower case, without `-` and `_`. */
const NAMES: Readonly<Record<keyof FrontMatterElements, ReadonlySet<string>>> = {
  title: new Set(["title"]),
  description: new Set(["description", "summary", "excerpt"]),
  url: new Set(["url", "canonical", "canonicalurl", "permalink", "source", "sourceurl"]),
  updated: new Set([
    "lastupdated",
    "lastupdate",
    "lastmodified",
    "lastmod",
    "updated",
    "updatedat",
    "modified",
    "modifiedat",
    "datemodified"
  ])
}

const LINES = 200

/** What YAML front matter says, by its keys at the margin. */
export const frontMatterElements = (frontMatter: string): FrontMatterElements => {
  const values = new Map<string, string>()
  const lines = frontMatter.split("\n", LINES)
  for (const [index, line] of lines.entries()) {
    const [, key, value] = /^["']?([A-Za-z][\w-]{0,40})["']?[ \t]*:(?:[ \t](.*))?$/.exec(line) ?? []
    if (key !== undefined)
      values.set(key.toLowerCase().replace(/[-_]/g, ""), scalar(value ?? "", lines[index + 1] ?? ""))
  }
  const has = (element: keyof FrontMatterElements, fits: (value: string) => boolean): boolean =>
    [...NAMES[element]].some((name) => fits(values.get(name) ?? ""))
  return {
    title: has("title", (value) => value !== ""),
    description: has("description", (value) => value !== ""),
    url: has("url", (value) => /^(?:https?:\/\/|\/)\S*$/.test(value)),
    updated: has("updated", (value) => /\b\d{4}\b/.test(value))
  }
}

/** A value on the line of its key, or a block of text below it, of which the first line is enough. */
const scalar = (value: string, next: string): string => {
  const bare = value.trim()
  if (/^[|>][+-]?\d?$/.test(bare)) return /^\s/.test(next) ? next.trim() : ""
  return bare.replace(/^(["'])(.*)\1$/, "$2").trim()
}
