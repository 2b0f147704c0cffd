import type { Answer } from "../evidence/Exchange.ts"
import { openingOf } from "../evidence/BodyText.ts"
import { wordSet } from "../text/LettersApart.ts"
import { isHtml } from "./ResponseFacts.ts"
import { folded } from "../text/languages/Language.ts"
import { Parser } from "htmlparser2"
import { collapse, collapseLines } from "../text/WhiteSpace.ts"

/** What a reader sees first of a document. Texts have their white space collapsed; blocks are separated by newlines. */
interface TextPreview {
  /** Of the document; empty where there is none. */
  readonly title: string
  /** The first H1; empty where there is none. */
  readonly heading: string
  /** Its text without navigation; the heading may be part of it. */
  readonly text: string
}

/** Of a long document this much is read, in characters. */
const PREVIEW_CHARACTERS = 100_000

/** Nothing deeper than this is read: the parser's time grows with the square of the depth. */
const PREVIEW_DEPTH = 500

const CHUNK = 16_384

const UNSEEN = new Set("title script style template noscript svg nav header footer aside head select iframe".split(" "))

const BLOCKS = new Set("p div h1 h2 h3 h4 h5 h6 li ul ol section article main td tr br".split(" "))

/** Of plain text or Markdown: the first H1 and the lines, heading marks left out. */
export const previewOfText = (text: string): TextPreview => {
  const beginning = text.slice(0, PREVIEW_CHARACTERS)
  const heading = /^#[ \t]+(\S[^\n]{0,300})/m.exec(beginning)?.[1] ?? ""
  return { title: "", heading: collapse(heading), text: collapseLines(beginning.replace(/^#+[ \t]+/gm, "")) }
}

/**
 * Of a web page: title, first H1 and visible text without navigation, by a scan that builds no tree. What comes after
 * `enough` characters of text may be left out.
 */
export const previewOfHtml = (html: string, enough = Number.POSITIVE_INFINITY): TextPreview => {
  const parts = { title: "", heading: "", text: "" }
  const open: Array<string> = []
  let unseen = 0
  let titles = 0
  let headings = 0
  const parser = new Parser({
    onopentagname: (name) => {
      if (open.length >= PREVIEW_DEPTH) return
      open.push(name)
      if (UNSEEN.has(name)) unseen++
      if (name === "title") titles++
      if (name === "h1") headings++
    },
    ontext: (data) => {
      if (titles === 1 && open.at(-1) === "title") parts.title += data
      if (headings === 1 && open.includes("h1")) parts.heading += data
      if (unseen === 0) parts.text += ` ${data}`
    },
    onclosetag: (name) => {
      const at = open.lastIndexOf(name)
      if (at < 0) return
      unseen -= open.splice(at).filter((closed) => UNSEEN.has(closed)).length
      if (BLOCKS.has(name)) parts.text += "\n"
    }
  })
  const end = Math.min(html.length, PREVIEW_CHARACTERS)
  let read = 0
  for (let at = 0; at < end && open.length < PREVIEW_DEPTH && read <= enough; at += CHUNK) {
    const before = parts.text.length
    parser.write(html.slice(at, Math.min(at + CHUNK, end)))
    read += collapseLines(parts.text.slice(before)).length
  }
  parser.end()
  return { title: collapse(parts.title), heading: collapse(parts.heading), text: collapseLines(parts.text) }
}

/** Longer than this, a page that is titled "Page not found" has something else to say. */
const MISSING_PAGE_CHARACTERS = 4_000
/** Longer than this, a page that is titled "404" or "Resource not found" explains that error. */
const BARE_ERROR_CHARACTERS = 400
/** Longer than this, a text without a heading is no bare "404. Page not found". */
const HEADLESS_CHARACTERS = 300
/** Words besides the error's own with which a page titled "404" still says nothing. */
const SILENT_WORDS = 8
const STATEMENT_WORDS = 16
const LINE_CHARACTERS = 500

const FILLERS = wordSet(
  "a an the this that it it's its we we're you you're your i i'm is isn't was were are be been has have had could couldn't can can't cannot" +
    " do does doesn't don't did didn't not no non never to for of at in on here there or and but longer any more anymore anywhere" +
    " looking requested request asked tried trying wanted reach access visit find found locate exist exists existed available moved" +
    " deleted removed missing seem seems like looks sorry oops ops whoops oh uh uhoh hmm yikes error 404 410 http status code gone" +
    " unfortunately may might"
)

/** What only a web server's own error page speaks of. */
const PAGE_NOUNS = wordSet("page pages url webpage")

/** What an API's error may be about as well. */
const THING_NOUNS = wordSet("file document address link route path content article site topic resource endpoint")

const DENIALS = [
  "not found",
  "not be found",
  "can't be found",
  "couldn't be found",
  "can't find",
  "cannot find",
  "couldn't find",
  "not find",
  "doesn't exist",
  "not exist",
  "didn't exist",
  "no longer exist",
  "no longer exists",
  "isn't here",
  "not here",
  "isn't available",
  "not available",
  "no longer available",
  "missing",
  "gone",
  "been moved",
  "been removed",
  "been deleted"
]

/** The same in other languages: a whole statement, folded, its words separated by single spaces. */
const FOREIGN_STATEMENTS: ReadonlyArray<RegExp> = [
  /^(?:die |diese )?(?:angeforderte |gesuchte )?seite (?:wurde |konnte |ist )?(?:leider )?(?:nicht (?:gefunden(?: werden)?|verfugbar|vorhanden)|existiert nicht(?: mehr)?)$/,
  /^(?:la |cette )?page (?:demandee |que vous (?:cherchez|recherchez|demandez) )?(?:(?:est )?introuvable|(?:n'a pas ete|non) trouvee|n'existe (?:pas|plus))$/,
  /^(?:la |esta )?pagina (?:solicitada |que buscas? )?no (?:(?:se ha |fue |ha sido )?encontrad[ao]|se encuentra|existe|esta disponible)$/,
  /^(?:a |esta )?pagina (?:solicitada |que voce procura )?nao (?:(?:foi )?encontrada|existe|esta disponivel)$/,
  /^pagina (?:non trovata|niet gevonden)$/,
  /^(?:(?:запрашиваемая |запрошенная |такая |эта )?страница не (?:найдена|существует)|такой страницы (?:нет|не существует))$/,
  /^(?:お探しの|ご指定の|指定された)?ページ[はが](?:見つかりません(?:でした)?|存在しません|ありません)$/,
  /^(?:(?:抱歉|对不起) ?)?(?:您?(?:访问|请求|查找|要找)的)?[页頁]面(?:未找到|不存在|找不到)了?$|^(?:找不到|未找到)(?:该|您?(?:访问|请求)的)?(?:[页頁]面|网页)$/,
  /^(?:요청하신 |찾으시는 )?페이지를 찾을 수 (?:없습니다|없어요|없음)$|^존재하지 않는 페이지(?:입니다)?$/
]

const CODE_WORDS = wordSet("404 410 error not found http status code gone oops sorry")

const SEPARATOR = / [|·•»«–—-] |[|·•»«–—\n]|: |\. |\.$/u

/** Keys of JSON errors: what they hold is the statement. */
const ERROR_KEYS = wordSet("error errors message detail status statuscode code title type success ok false")

const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .replaceAll("’", "'")
    .split(/[^\p{L}\p{N}']+/u)
    .filter((word) => word !== "")

/** Says that one of `nouns` is missing, and nothing else. */
const deniesOne = (nouns: ReadonlySet<string>, words: ReadonlyArray<string>): boolean => {
  if (words.length > STATEMENT_WORDS || !words.some((word) => nouns.has(word))) return false
  const said = ` ${words.join(" ")} `
  return (
    words.every((word) => PAGE_NOUNS.has(word) || THING_NOUNS.has(word) || FILLERS.has(word)) &&
    DENIALS.some((denial) => said.includes(` ${denial} `))
  )
}

/** "Page not found", "Sorry, the page you are looking for does not exist". */
const saysPageIsMissing = (statement: string): boolean => {
  const words = wordsOf(statement)
  const said = words.join(" ").replace(/^404 /, "")
  return (
    deniesOne(PAGE_NOUNS, words) ||
    (words.length <= STATEMENT_WORDS && FOREIGN_STATEMENTS.some((pattern) => pattern.test(folded(said))))
  )
}

/** "404", "Not Found", "Error 404", "Resource not found": an error, or the title of a text about it. */
const isBareError = (statement: string): boolean => {
  const words = wordsOf(statement)
  const code =
    words.length > 0 &&
    words.length <= 6 &&
    words.every((word) => CODE_WORDS.has(word)) &&
    (words.includes("404") || words.includes("410") || words.join(" ").includes("not found"))
  return code || deniesOne(THING_NOUNS, words)
}

const statementsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== "")

/** A title names its page first or last, around the names of sections and site. */
const namesIn = (title: string): ReadonlyArray<string> => {
  const line = title.slice(0, LINE_CHARACTERS)
  const parts = statementsOf(line)
  return [line, ...parts.slice(0, 1), ...parts.slice(1).slice(-1)]
}

/**
 * The document says that there is no such page, and says little else. A page *about* answers with 404 has more to tell
 * than that, or words its title otherwise ("Handling 404 errors").
 */
export const saysNotFound = (preview: TextPreview): boolean => {
  const names = [...namesIn(preview.title), ...namesIn(preview.heading)]
  const text = preview.text.trim()
  if (names.some(saysPageIsMissing) && text.length <= MISSING_PAGE_CHARACTERS) return true
  if (names.some(isBareError) && text.length <= BARE_ERROR_CHARACTERS) return saysNothingElse(text)
  return preview.heading === "" && text.length <= HEADLESS_CHARACTERS && beginsAsError(text)
}

const saysNothingElse = (text: string): boolean => {
  const others = statementsOf(text).filter((statement) => !isBareError(statement))
  return others.some(saysPageIsMissing) || others.flatMap(wordsOf).length <= SILENT_WORDS
}

/** A short text without a heading, or a JSON body: its first statement is the error. */
const beginsAsError = (text: string): boolean => {
  const first = text
    .split(/[{}[\]",:\n!]+|\. |\.$/u)
    .map((part) => part.trim())
    .find((part) => part !== "" && !ERROR_KEYS.has(part.toLowerCase()))
  return first !== undefined && (saysPageIsMissing(first) || isBareError(first))
}

/** The answer reads as an error page, whatever its status: HTML, Markdown, plain text or JSON. */
export const readsAsErrorPage = (answer: Answer): boolean => {
  const text = openingOf(answer)
  return saysNotFound(isHtml(answer, text) ? previewOfHtml(text, MISSING_PAGE_CHARACTERS) : previewOfText(text))
}
