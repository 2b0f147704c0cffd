import { readMarkdown } from "../../page/markdown/MarkdownReader.ts"
import type { Page } from "../../page/Page.ts"
import { titleParts } from "../../site/topics/ProductName.ts"
import { collapse } from "../../text/WhiteSpace.ts"
import { plainText } from "../../text/PlainText.ts"

/** Longest description that is written, in characters. */
export const DESCRIPTION_CHARACTERS = 300

/** A page and the paragraphs of its prose, which are read when they are first asked for. */
interface Described {
  readonly page: Page
  readonly paragraphs: () => ReadonlyArray<string>
}

/** `markdown`: that of the page, where it has any: it tells prose from notes, lists and code. */
export const described = (page: Page, markdown: string | null): Described => {
  let known: ReadonlyArray<string> | null = null
  return { page, paragraphs: () => (known ??= paragraphsOf(page, markdown)) }
}

/** What is known of all pages. */
export interface SharedWords {
  /** Descriptions that several pages have. */
  readonly templates: ReadonlySet<string>
  /** Descriptions that pages have in their heads: the sentence of a card may be that of the page it leads to. */
  readonly descriptions: ReadonlySet<string>
  /** What the site calls itself. */
  readonly titles: ReadonlySet<string>
  /** How many pages have each H1, as `headingCounts` counts; left out: each is its page's own. */
  readonly headings?: ReadonlyMap<string, number>
}

/** What a template writes where its author has set no description, and what starters of generators have there. */
const PLACEHOLDER =
  /^(?:what is below comes from the \b|(?:none|null|nil|undefined|n\/a|todo|tbd)\.?$|description will go into a meta tag|(?:a |the |your |my )?(?:short |page |site )?description(?: (?:of|for) (?:the|this|your|my) (?:page|site|project))?(?: goes)?(?: here)?[.!]?$|(?:add|write|enter|insert|put) (?:a|your|the) (?:short )?description|lorem ipsum|hello from docusaurus|you don't need react to write|get started building your docs site with starlight|a (?:reference|guide) (?:page )?in my new starlight docs site|a vitepress site\.?$|just another wordpress site|welcome to your new|my new docs?\b|this is a sample)/i

const GREETING =
  /^(?:hi|hello|hey|welcome|thanks?(?: you)?|congratulations|congrats|great|okay|ok|now|so|well|sorry|please|note|warning|caution|tip|important|attention|danger|deprecated|who knows|let's|let us|here(?:'s| is| are)|however|but|and|or|also|then|moreover|furthermore|additionally|in addition|on the other hand|otherwise|finally|similarly|therefore|thus|hence|as a result|for (?:example|instance|this reason)|in (?:this|that) case|this means|that (?:said|means|is)|if (?:this|that|the|it)\b)\b/i

const FIRST_PERSON = /(?:^|\s)I(?:'m|'ve|'ll|'d)?\s(?!\/)\p{Ll}/u

/** What speaks of a sentence before it, or sends its reader on. */
const REFERS_BACK =
  /^(?:they|(?:this|that|these|which) (?:ensures?|allows?|enables?|lets?|makes?|prevents?|avoids?|causes?|results?|can|could|will|should|must|may|might|would|happens?)|this is (?:called|known as|because|why|also|due|the (?:main |only )?reason)|if you (?:cannot|can.t|do not|don.t) do (?:that|this|so)|to (?:use|do|run|enable|fix|avoid|change) (?:it|this|that|them|so)|in other words|in such (?:an? )?cases?|the newly|the (?:request|response|result)s? (?:contains?|has|have|is|are|will)|see (?:the|also|our))\b|^this is (?:the|an?) ["“]/i

/** "See Keys and Errors for details": a sentence that only sends its reader on to what it names. */
const SENDS_ON = /^(?:See|Refer to) (?:\p{Lu}|[^.\n]{0,200}\bfor (?:more |further |full )?(?:details|information)\b)/u

/** Half a sentence, whose beginning is in a block before it, an address, a footnote, and an item of a list of parameters: "Type: string", "limit (integer) – how many". */
const HALF =
  /^(?:where|whereas|which|whose|while|when|with|as|if|for|to|in|and|or)\b|^https?:|^\([*†‡\d]|^(?:types?|default|required|optional|returns?|format|example)\s?:|^[\w.[\]]{1,60} \([a-z][\w, |[\]]{0,60}\)\s?[:–—-]/i

/** A sentence that says something: no question, greeting or exclamation, and no placeholder. */
const isStatement = (text: string): boolean =>
  !/(?:[?？!！,;:，；：、]|\.\.\.|…)["”')]?$/u.test(text) &&
  !GREETING.test(text) &&
  !REFERS_BACK.test(text) &&
  !SENDS_ON.test(text) &&
  !HALF.test(text) &&
  !FIRST_PERSON.test(text) &&
  !PLACEHOLDER.test(text)

/** Without tags that a generator wrote as text. */
const tidy = (text: string): string =>
  plainText(text.replaceAll(/<\/?[a-z][^<>]{0,60}>/gi, " ").replace(/\s+/gu, " "), DESCRIPTION_CHARACTERS).trim()

/** The page's own description in its head; empty where it has none, a placeholder, a name or a heading of the page, or one that other pages have, too. */
const ownDescription = (
  { description, headings, main, title }: Page,
  { templates, titles }: Pick<SharedWords, "templates" | "titles">
): string => {
  if (isExcerpt(description, main)) return ""
  const whole = plainText(description, WHOLE)
  const own = tidy(whole.length <= LINE ? whole : firstSentences(whole))
  if (own === "" || templates.has(description) || !isStatement(own)) return ""
  const names = [title, ...titleParts(title), ...titles, ...headings.map(({ text }) => text)]
  return names.some((name) => haveSameWords(name, own)) ? "" : own
}

/** What generators cut from the beginning of a page: headings run into sentences, and the last word may be half. A paragraph, or whole sentences of one, are none. */
const isExcerpt = (description: string, { segments, text }: Page["main"]): boolean =>
  description !== "" &&
  !(/[.!?。！？]["”')]?$/u.test(description) && segments.some((segment) => segment.includes(description))) &&
  collapse(text.slice(0, LOOKED_AT)).includes(description)

/** Whether two texts have the same words. */
export const haveSameWords = (one: string, other: string): boolean => wordsOf(one) === wordsOf(other)

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** As much of a description is read for its first sentences, in characters. */
const WHOLE = 4 * DESCRIPTION_CHARACTERS

/** A longer description is cut to its first sentences, in characters. */
const LINE = 200

const firstSentences = (text: string): string => {
  let kept = ""
  for (const sentence of sentencesOf(text)) {
    if (kept.length + sentence.length >= LINE) break
    kept = `${kept} ${sentence}`.trim()
  }
  return kept || (sentencesOf(text)[0] ?? text)
}

/** What a page is about: its own description, else the first sentence of its prose that has the page as its subject; else empty. */
export const descriptionOf = (
  described: Described,
  { descriptions, templates, titles }: SharedWords,
  isStart: boolean
): string =>
  ownDescription(described.page, { templates: isStart ? new Set() : templates, titles }) ||
  (sentencesIn(described)
    .map((sentence) => (isStart ? sentence.replace(WELCOME, "") : sentence))
    .find(
      (sentence) =>
        (sentence === described.page.description || !descriptions.has(sentence)) &&
        isAbout(sentence, described.page, isStart ? titles : new Set())
    ) ??
    "")

/** The greeting of a start page before the name of the product and what that is: "Welcome to the documentation for Quill, a …". */
const WELCOME =
  /^Welcome to (?:(?:the|our) )?(?:(?:official )?(?:documentation|docs)(?: (?:site|website|repository|pages?))? (?:for|of) )?(?=\p{Lu}[^,.:;!?]{0,60}, (?:an?|the) )/u

/** Shorter sentences say nothing about a page, in characters. */
const LEAST_SENTENCE = 20

const PAGE_AS_SUBJECT =
  /^(?:this|these|the following|in this)\b.{0,80}\b(?:page|guide|section|document|documentation|tutorial|reference|article|chapter|api|endpoints?|methods?|resources?)\b|^(?:learn|describes?|explains?|shows?|lists?|how to)\b/i

/** Whether a sentence names what the page's title names, or the page itself. */
const isAbout = (sentence: string, page: Page, names: ReadonlySet<string>): boolean => {
  if (sentence.length < LEAST_SENTENCE || !isStatement(sentence)) return false
  const folded = sentence.toLowerCase()
  const heading = page.headings.find(({ inMain, level }) => inMain && level === 1)?.text ?? page.title
  const words = new Set(sentence.split(/[^\p{L}\p{N}]+/u))
  return (
    PAGE_AS_SUBJECT.test(sentence) ||
    [heading, ...names].some(
      (name) => stemsOf(name).some((stem) => folded.includes(stem)) || acronymsOf(name).some((word) => words.has(word))
    )
  )
}

/** The short names in a title, such as SDK; what nearly every sentence of a documentation has tells nothing. */
const acronymsOf = (title: string): ReadonlyArray<string> =>
  title
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => /^\p{Lu}[\p{Lu}\p{N}]{1,2}$/u.test(word) && !/^(?:API|FAQ)$/.test(word))

/** Characters that words of one stem share. */
const STEM = 5

const SMALL_WORDS = new Set("with from your this that what when into about using page pages docs".split(" "))

/** The beginnings of the words of a title; of scripts without spaces each pair of characters. */
const stemsOf = (title: string): ReadonlyArray<string> =>
  title
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .flatMap((word) => {
      if (/^\p{Lo}/u.test(word))
        return Array.from({ length: Math.max(0, word.length - 1) }, (_, at) => word.slice(at, at + 2))
      return word.length < 4 || SMALL_WORDS.has(word) ? [] : [word.slice(0, STEM)]
    })

/** The first sentences of a page's prose that say something: whole ones, of one paragraph, until there are `least` characters; empty if there are fewer. */
export const openingProse = ({ paragraphs }: Described, least: number): string => {
  for (const paragraph of paragraphs()) {
    let opening = ""
    for (const sentence of sentencesOf(paragraph)) {
      if (!isStatement(sentence) || opening.length >= least) break
      opening = `${opening} ${sentence}`.trim()
    }
    if (opening.length >= least && opening !== "") return tidy(opening)
  }
  return ""
}

const sentencesIn = ({ paragraphs }: Described): ReadonlyArray<string> =>
  paragraphs().slice(0, PARAGRAPHS).flatMap(sentencesOf)

/** As many paragraphs are read for a sentence about the page: those further below are about its parts. */
const PARAGRAPHS = 3

const SEGMENTS = 40

const paragraphsOf = (page: Page, markdown: string | null): ReadonlyArray<string> => {
  if (markdown !== null && markdown !== "")
    return readMarkdown(withoutMarkdown(beforeOperation(markdown), SEGMENTS)).blocks.flatMap((block) =>
      block.kind === "paragraph" && isProse(block.text) ? [block.text] : []
    )
  const code = new Set(page.codeBlocks.map(({ text }) => text.trim().replace(/\s+/g, " ")))
  const headings = new Set(page.headings.map(({ text }) => text))
  return page.main.segments
    .slice(0, SEGMENTS)
    .filter((segment) => !headings.has(segment) && !code.has(segment) && isProse(segment))
}

/** An operation as a heading, an item or bold text: `- **GET /orders**`. In code it is an example. */
const OPERATION = /^(?:[-*+] |#{1,6} |\*\*|`)[^\w\n]{0,4}(?:GET|POST|PUT|PATCH|DELETE)\W{1,4}(?:\/|https?:)\S/m

/** What is said after the first operation of a reference is about that one. */
const beforeOperation = (markdown: string): string => {
  const at = markdown.search(OPERATION)
  return at === -1 ? markdown : markdown.slice(0, at)
}

/** Some words that end like a sentence, or like one that leads to what follows. */
const isProse = (text: string): boolean =>
  /^[\p{L}\p{N}"“(`]/u.test(text) &&
  /[.!?:。！？：]["”')]?$/u.test(text) &&
  (text.includes(" ") || /\p{Lo}/u.test(text)) &&
  !/[{};=]\s*$/.test(text)

const sentencesOf = (text: string): ReadonlyArray<string> => {
  const sentences: Array<string> = []
  let start = 0
  for (const { index, 0: mark } of text
    .slice(0, 4 * DESCRIPTION_CHARACTERS)
    .matchAll(/[.!?]["”')]?(?=\s+[\p{Lu}\p{N}"“(]|$)|[。！？]/gu)) {
    // "Philipp C." and "e.g." end no sentence.
    if (/(?:^|[\s.(])\p{L}$/u.test(text.slice(0, index))) continue
    const sentence = text.slice(start, index + mark.length).trim()
    start = index + mark.length
    if (sentence.length <= DESCRIPTION_CHARACTERS) sentences.push(sentence)
  }
  return sentences
}

/** Descriptions that several pages have: they say nothing about one. */
export const templateDescriptions = (pages: ReadonlyArray<Pick<Page, "description">>): ReadonlySet<string> => {
  const counts = Map.groupBy(pages, ({ description }) => description)
  return new Set([...counts].filter(([, own]) => own.length > 1).map(([description]) => description))
}

/** A page that a generator's starter has, and that its author left in. */
export const isStarterPage = ({ headings, main }: Page): boolean =>
  headings.some(({ text }) => text === "Markdown page example") &&
  main.segments.some((segment) => segment.includes("You don't need React to write simple standalone pages"))

/** Lines that begin something else than prose: a heading, a quote, an item, a table, a directive, HTML, an image or a rule. */
const OTHER =
  /^(?:#{1,6}\s|>|[-*+]\s|\d{1,9}[.)]\s|\||:::|!!!|\?\?\?|<|!\[|={3}|-{3}|\*{3}|\[\^|import\s|export\s|\s{4}|\t)/

const FENCE = /^\s{0,3}(`{3,}|~{3,})/

/** The paragraphs of prose of a Markdown text, the first `most`: what is in fences, directives, quotes, lists and tables is left out. */
const withoutMarkdown = (markdown: string, most: number): string => {
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
