import { isReference, type Section, type Table } from "../../engine/page/Page.ts"
import type { Article } from "../../engine/site/texts/Article.ts"
import { titleParts } from "../../engine/site/topics/ProductName.ts"
import type { Meaning, Reader } from "../../engine/text/languages/Vocabulary.ts"
import { clippedProse } from "../../engine/text/MarkupText.ts"
import { oncePer } from "../../engine/text/OncePer.ts"
import { type Citation, foundInSpec, linesOfCode } from "./Citation.ts"
import type { Documentation } from "./Documentation.ts"
import { phrase, sentencesOf } from "./Sentence.ts"
import { isDocumentation, lastSegment, pathAndQuery, QUOTED_CHARACTERS } from "./Topic.ts"

/** What calls alone do not show, and how sentences say it. */
interface Behaviour {
  readonly english: RegExp
  readonly meaning: Meaning
  /** What an English sentence must not say as well. */
  readonly except?: RegExp
}

/** A step of a caller; "before you begin, install Node" is none. */
const STEP =
  "(?:activat|add|approv|assign|attach|authenticat|authori[sz]|call|cancel|captur|clos|commit|complet|confirm|connect|creat|delet|enabl|exchang|fetch|finali[sz]|initiali[sz]|initiat|link|log in|open|pay|post|publish|quer|read|refund|register|remov|request|retriev|revok|send|set|stor|submit|subscrib|unlock|updat|upload|us|verif|writ)"
const DOING = `${STEP}(?:ing|ting)`
const DONE = `(?:${STEP}(?:e?d|ied)|exist|set|sent|paid|read)`

/** What must come before what. */
export const ORDER: Behaviour = {
  english: new RegExp(
    [
      // "You must create a customer before you can create a charge", "…must be created before calling…"
      `\\b(?:must|needs? to|ha(?:s|ve) to|should|required to)\\b[^.\\n]{0,80}\\b(?:before|prior to) (?:you (?:can )?${STEP}|(?:it|they|this|the|a|an|any|your)\\b[^.\\n]{0,40}\\bcan be\\b|${DOING})`,
      // "Before you can create a charge, create a customer"
      `\\bbefore (?:you (?:can )?${STEP}|${DOING})[^.\\n]{0,60}, (?:you (?:must|need|have)|first\\b|(?:please )?(?:make sure|${STEP}e?)\\b)`,
      `\\b(?:must|need to|needs to|has to|have to|should) (?:first|already) (?:be |have |exist|${STEP})`,
      `\\b(?:must|need to|needs to|has to|have to) (?:already exist|have been ${DONE}|be ${DONE} first|be called (?:before|after|first|once|in)\\b)`,
      `\\brequires? (?:that )?(?:a|an|the|your|you|it|its)\\b[^.\\n]{0,50}\\b(?:has|have|to have) (?:already )?been ${DONE}`,
      // "A payment can only be refunded after it was captured"
      `\\b(?:(?:can|must)(?: only)?|(?:may|will) only) be ${DONE}\\b[^.\\n\\d]{0,20}\\b(?:only )?(?:after|once)\\b`,
      `\\b(?:only|not) (?:be )?(?:available|possible|allowed|valid|works?|accepted|callable)[^.\\n]{0,20} (?:after|until|before)\\b`,
      `\\b(?:fails?|error|rejected|refused|\\d{3})\\b[^.\\n]{0,30}\\b(?:until|unless) (?:the|a|an|you|your|it|its)\\b[^.\\n]{0,40}\\b(?:has|have|was|were|is|are) (?:been )?${DONE}`,
      `\\b(?:fails?|error|rejected|refused|\\d{3})\\b[^.\\n]{0,30}\\bif (?:the|a|an|you|your|it|its)\\b[^.\\n]{0,40}\\b(?:has|have|was|were|is|are)(?: not|n['’]t)(?: yet)? (?:been )?(?:yet )?${DONE}`,
      // "After the upload is complete, call …"
      `\\b(?:after|once)\\b[^.,\\n]{3,80}, (?:then )?(?:you (?:must|need to|have to|can then)|call\\b|poll\\b|send an?\\b|make an?\\b)`,
      "\\b(?:calls?|called|made|operations|methods|sent|steps)\\b[^.\\n]{0,40}\\bin (?:this|the following|that|a specific) (?:order|sequence)\\b",
      "\\border of (?:the )?(?:api )?(?:calls|requests|operations)\\b",
      // "Before analysing a recording, its reference needs to be prepared", "without this method being called first"
      `\\bbefore [a-z]{2,20}ing\\b[^.,\\n]{0,60}, (?:its|the|an?|your|this)\\b[^.\\n]{0,60}\\b(?:must|needs? to|ha(?:s|ve) to) (?:first )?be\\b`,
      `\\bwithout\\b[^.\\n]{0,60}\\b(?:being|having been) ${DONE} first\\b`
    ].join("|"),
    "i"
  ),
  meaning: "callOrder",
  // What a receiver of webhooks does, how often it is sent one, and what someone does with a mouse is no order of calls.
  except:
    /\b(?:after|before|once you(?: have|['’]ve)?) (?:select|click|choos|drag|typ)(?:ing|ed|en|ging|ged)\b|\b(?:more than|at least|at most|only|exactly) once\b|\brespond (?:to [^.\n]{1,30} )?with\b|\b(?:batch|deliver(?:y|ies)|event|webhook)s? (?:will be|is|are) (?:re)?sent\b|\bregardless\b|\bwhether\b|\b(?:url-)?encod|\bescap|\binstall|\bset ?up\b|\bpip\b|\bnpm\b|\bsdk\b|\bpackages?\b|\bread\b[^.\n]{0,20}\b(?:guide|docs|documentation)\b/i
}

/** What happens if something is left out. */
const DEFAULTS: Behaviour = {
  english:
    /\bdefaults? (?:to|is|are|value)\b|\bby default\b|\bdefaults?\s?[:=]|\(default\)|\b(?:if|when|where) (?:it is |this is |they are |that is )?(?:omitted|left out|(?:not|un)[- ]?(?:specified|provided|set|given|present|supplied|passed))|\b(?:if|when) [^.,\n]{1,60}\b(?:is|are) (?:omitted|left out|not (?:specified|provided|set|given|present|supplied|passed))|\bif you (?:omit|leave out|do not (?:specify|provide|set|pass|send)|don['’]t (?:specify|provide|set|pass|send))/i,
  meaning: "leftOut",
  except: /\brate[- ]?limit|\btest suite\b|\boperating systems?\b/i
}

/** What fails or changes without an error. */
export const SILENT: Behaviour = {
  english: new RegExp(
    [
      "\\bsilently (?:accept|cap|chang|clamp|coerc|convert|discard|drop|fail|fall|ignor|los|overwrit|reduc|reject|remov|replac|return|round|skip|stop|strip|succeed|truncat)",
      "\\bfails? silently\\b",
      "\\b(?:is|are|will be|gets?) (?:also |always |automatically |just |otherwise |simply |then )?(?:clamped|cut off|discarded|dropped|ignored|overwritten|rounded|stripped|swallowed|trimmed|truncated)\\b",
      "\\b(?:clamps|discards|ignores|rounds (?:all|amounts?|any|down|it|numbers?|off|prices?|the|to|up|values?)|truncates|overwrites (?:all|any|existing|the|your)|will (?:discard|ignore|overwrite|truncate))\\b",
      "\\b(?:answers?|gets?|receives?|responds?|returns?|succeeds?)\\b[^.\\n]{0,40}\\b(?:20[0-4]|2xx|ok|success(?:ful(?:ly)?)?)\\b[^.\\n]{0,60}\\beven (?:if|though|when)\\b",
      "\\b(?:accepted|succeeds?) even (?:if|though|when)\\b",
      "\\beventual(?:ly)? consisten",
      "\\b(?:appear|appl(?:y|ied)|available|changes?|delet(?:e|ed|ion|ions)|effect|propagat(?:e|ion)|reflected|updates?|visible)\\b[^.\\n]{0,60}\\b(?:can|could|may|might) take\\b",
      "\\b(?:can|could|may|might) take\\b[^.\\n]{0,40}\\b(?:before|for|to|until)\\b[^.\\n]{0,30}\\b(?:appear|appl(?:y|ied)|available|effect|indexed|propagat(?:e|ed)|reflected|searchable|show|visible)\\b",
      "\\b(?:is|are) not (?:enforced|guaranteed|validated|verified)\\b",
      "\\bno (?:errors?|exceptions?) (?:is|are|will be) (?:generated|raised|reported|returned|sent|thrown)\\b",
      "\\bwithout (?:raising |reporting |returning |throwing )?(?:an? |any )?(?:error|exception)\\b",
      "\\b(?:do|does|will) not (?:cause|raise|report|return|throw) (?:an? |any )?(?:error|exception)\\b",
      "\\bha(?:s|ve) no effect\\b"
    ].join("|"),
    "i"
  ),
  meaning: "silentEffect",
  except: /\bshell\b|\bregardless\b/i
}

/** What people read who install, run, change or buy the product. */
const SET_UP = phrase(
  "install(?:ation|ing|er)?s?",
  "set(?:ting)?[- ]?up",
  "prerequisites?",
  "(?:system )?requirements",
  "deploy(?:ment|ing)?s?",
  "self[- ]host(?:ed|ing)",
  "upgrad(?:e|es|ing)",
  "migrat(?:e|ion|ions|ing)",
  "config(?:uration|ure|uring|s)?",
  "environment variables?",
  "docker(?: compose)?",
  "kubernetes",
  "nginx",
  "reverse prox(?:y|ies)",
  "contribut(?:ing|ors?|e)",
  "development",
  "(?:running|writing)(?: [\\p{L}]+){0,3} tests",
  "code style",
  "review guidelines",
  "release notes",
  "releases?",
  "change ?logs?",
  "what['’]?s new",
  "roadmap",
  "blog",
  "^(?:version |release )?history$",
  "pricing",
  "plans",
  "terms(?: of (?:service|use))?",
  "privacy(?: policy)?",
  "legal",
  "licen[cs]es?",
  "liability",
  "command[- ]line",
  "cli",
  "(?:console )?commands",
  "observability",
  "monitoring",
  "metrics",
  "benchmarks?",
  "projects",
  "faqs?"
)

/** Nouns of calls: a sentence without any is about something else, outside of what is itself about calls. */
const OF_CALLS =
  /\b(?:api|requests?|responses?|parameters?|params?|headers?|fields?|endpoints?|(?:api|method|subsequent) calls?|quer(?:y|ies)|payloads?|request bod(?:y|ies)|webhooks?)\b/i
const METHOD = /\b(?:GET|POST|PUT|PATCH|DELETE)\b/

/** Headings of what a caller sends or gets. */
const CALL_HEADING =
  /\b(?:parameters?|requests?|responses?|headers?|fields?|arguments?|endpoints?|query|body|operations?)\b/i

/** Maximum length of a sentence, in characters. */
const SENTENCE_CHARACTERS = 500

const speaksOfCalls = (text: string, reader: Reader): boolean =>
  OF_CALLS.test(text) ||
  METHOD.test(text) ||
  reader.says("aboutRequests", text) ||
  reader.says("aboutAnswers", text) ||
  reader.says("fieldColumn", text)

const isCallHeading = (heading: string, reader: Reader): boolean =>
  CALL_HEADING.test(heading) ||
  METHOD.test(heading) ||
  reader.says("aboutRequests", heading) ||
  reader.says("aboutAnswers", heading)

const isSetUp = (text: string, reader: Reader): boolean => SET_UP.exec(text) !== null || reader.says("setUp", text)

/** A section of what is documented of the API. */
interface ApiSection {
  readonly article: Article
  readonly section: Section
  /** It is itself about calls, so that its sentences need not name any. */
  readonly ofCalls: boolean
  readonly tables: ReadonlyArray<Table>
}

/** Sections on the API, page by page in reading order; those on installing, running, changing or buying the product are left out. */
const sectionsOnApi = oncePer((documentation: Documentation): ReadonlyArray<ApiSection> => {
  const { articles, reader, sampled, siteTitles, topicPages } = documentation
  const references = new Set([...sampled, ...topicPages].filter(isReference).map(({ url }) => url))
  const isOnApi = ({ kind, title, url }: Article): boolean =>
    kind !== "page" ||
    ![...titleParts(title).filter((part) => !siteTitles.has(part)), lastSegment(url)].some((name) =>
      isSetUp(name, reader)
    )
  return articles
    .filter(isDocumentation)
    .filter(isOnApi)
    .flatMap((article) => {
      const tables = Map.groupBy(article.tables, ({ section }) => section)
      return article.sections.flatMap((section, at): ReadonlyArray<ApiSection> => {
        const headings = [section.heading, ...section.path]
        if (headings.some((heading) => isSetUp(heading, reader))) return []
        const ofCalls =
          article.kind === "spec" ||
          references.has(article.url) ||
          headings.some((heading) => isCallHeading(heading, reader))
        return [{ article, section, ofCalls, tables: tables.get(at) ?? [] }]
      })
    })
})

const codeLines = oncePer((article: Article) => linesOfCode(article.codeBlocks))

/** What a sentence, a cell or a description says. */
interface Remark extends Citation {
  /** One for all that repeat it, such as a page and a full text. */
  readonly key: string
}

/** What sections say of it, in reading order, then what operations, parameters and answers of the API description say. */
function* remarksOn(behaviour: Behaviour, documentation: Documentation): Generator<Remark> {
  const { reader, spec } = documentation
  const says = (text: string): boolean =>
    (behaviour.english.test(text) && behaviour.except?.test(text) !== true) || reader.says(behaviour.meaning, text)
  for (const { article, ofCalls, section } of sectionsOnApi(documentation)) {
    if (!behaviour.english.test(section.text) && !reader.says(behaviour.meaning, section.text)) continue
    for (const line of section.text.split("\n")) {
      for (const sentence of sentencesOf(line)) {
        if (sentence.length > SENTENCE_CHARACTERS || !says(sentence)) continue
        if ((!ofCalls && !speaksOfCalls(sentence, reader)) || codeLines(article)(line)) continue
        yield {
          key: `${section.heading}\n${sentence}`,
          where: `${quoted(sentence)} ${placed(article, section)}`,
          proof: article.exchange
        }
      }
    }
  }
  if (spec === null) return
  const { parameters, remarks, responses } = spec.spec.elements
  for (const { name, text } of [
    ...remarks.map(({ operation, text }) => ({ name: operation, text })),
    ...[...parameters, ...responses].map(({ description, name }) => ({ name, text: description }))
  ])
    for (const sentence of sentencesOf(text))
      if (sentence.length <= SENTENCE_CHARACTERS && says(sentence))
        yield {
          key: `${name}\n${sentence}`,
          where: `${quoted(sentence)} of ${clippedProse(name, QUOTED_CHARACTERS)} in the API description`,
          proof: spec.exchange
        }
}

/** The tags and the marks of headings that descriptions have. */
const MARKS = /<\/?[a-z][^<>]{0,100}>|^\s{0,3}#{1,6}\s/gi

const quoted = (sentence: string): string => `"${clippedProse(sentence.replace(MARKS, "").trim(), QUOTED_CHARACTERS)}"`

const placed = ({ kind, url }: Article, { heading }: Section): string =>
  kind === "spec"
    ? "in the text of the API description"
    : `on ${pathAndQuery(url)}${heading === "" ? "" : ` under "${clippedProse(heading, QUOTED_CHARACTERS)}"`}`

/** The first place that says it. */
export const firstRemark = (behaviour: Behaviour, documentation: Documentation): Citation | null =>
  remarksOn(behaviour, documentation).next().value ?? null

/** Fewer are said by chance. */
const LEAST_DEFAULTS = 3

const DEFAULT_COLUMN = /^default(?:s| value)?$/i
const NO_DEFAULT = /^(?:|[-–—/]+|none|n\/a|null|nil|required)$/i

/** Cells of the column of defaults, in tables of what a caller sends. */
function* defaultCells(documentation: Documentation): Generator<Remark> {
  const { reader } = documentation
  for (const { article, ofCalls, section, tables } of sectionsOnApi(documentation)) {
    if (!ofCalls) continue
    for (const { header, rows } of tables) {
      const column = header.findIndex(
        (cell) =>
          DEFAULT_COLUMN.test(cell.trim()) ||
          reader.says("leftOut", cell) ||
          (cell.trim() !== "" && reader.without("defaultColumn", cell).trim() === "")
      )
      if (column < 0) continue
      for (const row of rows) {
        const cell = (row[column] ?? "").trim()
        const name = row[0] ?? ""
        if (!NO_DEFAULT.test(cell))
          yield {
            key: `${section.heading}\n${name}\n${cell}`,
            where: `the default of ${clippedProse(name, QUOTED_CHARACTERS)} ${placed(article, section)}`,
            proof: article.exchange
          }
      }
    }
  }
}

/** Where the first of enough defaults is; `null` if fewer are documented. */
export const firstDefault = (documentation: Documentation): Citation | null => {
  const { spec } = documentation
  const found = new Map<string, Citation>()
  for (const remarks of [remarksOn(DEFAULTS, documentation), defaultCells(documentation)])
    for (const remark of remarks) {
      if (!found.has(remark.key)) found.set(remark.key, remark)
      if (found.size >= LEAST_DEFAULTS) return [...found.values()][0] ?? null
    }
  return foundInSpec(spec, ({ elements }) => elements.defaults >= LEAST_DEFAULTS, "the API description")
}
