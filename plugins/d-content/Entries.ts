import type { CodeBlock } from "../../engine/page/Page.ts"
import { oncePer } from "../../engine/text/OncePer.ts"
import { collapse } from "../../engine/text/WhiteSpace.ts"
import type { Article } from "../../engine/site/texts/Article.ts"
import type { Documentation } from "./Documentation.ts"
import { isDocumentation } from "./Topic.ts"

/** Something with a name in a table, a definition list or a line of its own: a header, a parameter, a code. */
export interface Entry {
  readonly name: string
  /** The text beside the name. */
  readonly text: string
  readonly article: Article
}

/** First cells of table rows, defined terms and the labels of lines. */
export const entriesOf = (documentation: Documentation): ReadonlyArray<Entry> =>
  documentation.articles.filter(isDocumentation).flatMap(entriesIn)

const entriesIn = oncePer((article: Article): ReadonlyArray<Entry> => [
  ...article.tables.flatMap(({ rows }) =>
    rows.map(([name = "", ...rest]) => ({ name: name.trim(), text: rest.join(" "), article }))
  ),
  ...article.definitions.map(({ term, text }) => ({ name: term.trim(), text, article })),
  ...labelledLines(article)
])

/** "Rate limits: 300 requests per minute", `X-RateLimit-Limit - requests per minute`: most are items of lists, with a bold label. */
const LABELLED = /^[\s•*-]{0,4}([^\s:：][^:：]{1,59}?)(?:[:：](?=[\s\u2E80-\uFFEF])|\s[–—-]\s)\s*(\S.*)$/

const labelledLines = (article: Article): ReadonlyArray<Entry> => {
  const cells = new Set(article.tables.flatMap(({ header, rows }) => [header, ...rows].flat()))
  const isCode = linesOfCode(article.codeBlocks)
  return article.sections.flatMap(({ text }) =>
    text.split("\n").flatMap((line): ReadonlyArray<Entry> => {
      const [, name, rest = ""] = LABELLED.exec(line) ?? []
      return name === undefined || cells.has(line) || isCode(line)
        ? []
        : [{ name: unquoted(name), text: rest, article }]
    })
  )
}

/** A name without the quotes or the backticks around it. */
export const unquoted = (name: string): string => name.replace(/^[`"']|[`"']$/g, "")

/** Tells which lines of a text are code. The text of an HTML page has a block on one line. */
export const linesOfCode = (blocks: ReadonlyArray<CodeBlock>): ((line: string) => boolean) => {
  const code = new Set(blocks.flatMap(({ text }) => [text, ...text.split("\n")].map(collapse)))
  return (line) => code.has(collapse(line))
}
