import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/plugin/Criterion.ts"
import { between, count, share, shares } from "../../engine/plugin/Fact.ts"
import { withSampledPages } from "../../engine/plugin/SampledPages.ts"
import { enumerated, pathShown, someOf } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { type MarkdownVersion, markdownVersionsOf, mayHaveVersions } from "./MarkdownVersion.ts"

/** What front matter says of a page; an element that is missing is `false`. */
interface FrontMatterElements {
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

/** B6: a Markdown version says in front matter what it is the version of. */
export const b6FrontMatter = define({
  id: "b6-front-matter",
  revision: 1,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    versions: count("Markdown versions of sampled pages (by URL, else negotiated)"),
    title: share("of those, versions whose front matter has a title"),
    description: share("of those, versions whose front matter has a description"),
    url: share("of those, versions whose front matter has the page's URL"),
    updated: share("of those, versions whose front matter has the date of the last change")
  },
  measure: Effect.fn("b6-front-matter")(function* (site) {
    const [{ first, missing }, versions] = yield* withSampledPages(site, markdownVersionsOf(site))
    const maybe = yield* mayHaveVersions(site)
    const unseen = missing.length + maybe.pages
    const read = versions.map((version): Read => ({
      version,
      elements: frontMatterElements(version.document().frontMatter)
    }))
    const having = (element: keyof FrontMatterElements): number =>
      read.filter(({ elements }) => elements[element]).length
    const has = shares(
      { title: having("title"), description: having("description"), url: having("url"), updated: having("updated") },
      read.length,
      unseen
    )
    const complete = read.filter(({ elements }) => missingIn(elements).length === 0)
    return {
      facts: { versions: read.length, ...has.facts },
      uncertain: { versions: between(read.length, read.length + unseen), ...has.uncertain },
      unanswered: [...missing, ...maybe.missing],
      findings: [
        {
          good: read.length > 0 && complete.length === read.length,
          message:
            read.length === 0
              ? "No sampled page has a Markdown version, so there is no front matter to read."
              : `${someOf(complete.length, read.length, ["Markdown version", "Markdown versions"], ["has", "have"])} front matter with a title, a description, a URL and the date of the last change.`,
          proof: (read.find((one) => !complete.includes(one)) ?? read[0])?.version.answer ?? first
        },
        ...read.flatMap(shortcoming)
      ]
    }
  })
})

interface Read {
  readonly version: MarkdownVersion
  readonly elements: FrontMatterElements
}

/** In the order in which they are named. */
const ELEMENTS: ReadonlyArray<readonly [element: keyof FrontMatterElements, name: string]> = [
  ["title", "title"],
  ["description", "description"],
  ["url", "URL"],
  ["updated", "date of the last change"]
]

const missingIn = (elements: FrontMatterElements): ReadonlyArray<string> =>
  ELEMENTS.flatMap(([element, name]) => (elements[element] ? [] : [name]))

const shortcoming = ({ elements, version: { answer, document, url } }: Read): ReadonlyArray<Finding> => {
  const missing = missingIn(elements)
  if (missing.length === 0) return []
  const message =
    document().frontMatter === ""
      ? `${pathShown(url)} has no front matter.`
      : `The front matter of ${pathShown(url)} has no ${enumerated(missing)}.`
  return [{ good: false, message, proof: answer }]
}
