/** Lines that begin something else than prose: a heading, a quote, an item, a table, a directive, HTML, an image or a rule. */
const OTHER =
  /^(?:#{1,6}\s|>|[-*+]\s|\d{1,9}[.)]\s|\||:::|!!!|\?\?\?|<|!\[|={3}|-{3}|\*{3}|\[\^|import\s|export\s|\s{4}|\t)/

const FENCE = /^\s{0,3}(`{3,}|~{3,})/

/** The paragraphs of prose of a Markdown text, the first `most`: what is in fences, directives, quotes, lists and tables is left out. */
export const withoutMarkdown = (markdown: string, most: number): string => {
  const paragraphs: Array<string> = []
  let lines: Array<string> = []
  let isOther = false
  let fence: string | null = null
  let isDirective = false
  for (const line of linesOf(markdown)) {
    const mark: string | undefined = FENCE.exec(line)?.[1]
    if (fence !== null) {
      if (mark?.startsWith(fence) === true) fence = null
    } else if (mark !== undefined) {
      fence = mark
      isOther = true
    } else if (line.startsWith(":::")) isDirective = /^:{3,}\s*\w/.test(line)
    else if (line.trim() === "") {
      if (!isOther && lines.length > 0) paragraphs.push(lines.join("\n"))
      if (paragraphs.length >= most) break
      lines = []
      isOther = false
    } else {
      isOther ||= isDirective || (lines.length === 0 && OTHER.test(line))
      lines.push(line)
    }
  }
  if (!isOther && fence === null && lines.length > 0) paragraphs.push(lines.join("\n"))
  return paragraphs.join("\n\n")
}

/** More of a text is not looked at, in characters. */
const LOOKED_AT = 100_000

const linesOf = (markdown: string): ReadonlyArray<string> =>
  markdown
    .slice(0, LOOKED_AT)
    .replace(/^---\n[^]*?\n---\n/, "")
    .split("\n")
