import type { Answer } from "../evidence/Exchange.ts"
import { wordsIn } from "../text/languages/Language.ts"
import { withoutPageEnding } from "../text/UrlPath.ts"
import { trimTrailingSlashes } from "../text/WhiteSpace.ts"

/** What a page is read from: the answer as it came, bytes and all. Decoding is part of reading. */
export interface PageInput {
  readonly answer: Answer
}

/**
 * A page of the site, read once: everything that several criteria ask of it. Plain data that can be posted between
 * threads. Reading never fails, whatever the body holds: what is missing is empty or `null`.
 *
 * Texts have their white space collapsed to single spaces and are trimmed, except code, which is as written. URLs
 * are absolute, resolved against `<base href>`, normalised, without their fragments; only http(s) ones are kept.
 */
export interface Page {
  /** The exchange that the page came from: what findings cite. */
  readonly answer: Answer
  /** The URL that answered, after HTTP redirects. */
  readonly url: string
  readonly format: PageFormat
  /** The body's length in bytes, decompressed; a lower bound where `answer.cut`. */
  readonly bytes: number
  readonly charset: Charset
  /** `<title>`, or a Markdown page's first heading; empty where there is none. */
  readonly title: string
  /** Of `<meta name="description">`; of Markdown: front matter. `og:description` is often the whole site's and does not count. */
  readonly description: string
  /** `<html lang>` as written; empty where there is none. */
  readonly lang: string
  readonly canonical: string | null
  /** Directives of robots metas and `X-Robots-Tag`, lower case, such as `noindex`. */
  readonly robots: ReadonlyArray<string>
  /** `<meta>` elements with a name (`name`, else `property`) and a content, in document order, at most 200; none of Markdown. */
  readonly meta: ReadonlyArray<PageMeta>
  /** Every `<meta name="generator">`, at most 10, else what the markup gives away, such as `sphinx`. */
  readonly generators: ReadonlyArray<string>
  /** `<link>` elements and `Link` headers, in that order, stylesheets and icons aside. */
  readonly announcements: ReadonlyArray<Announcement>
  /** JSON-LD, microdata and RDFa types. */
  readonly structured: StructuredData
  readonly main: MainContent
  readonly beside: PageBeside
  /** Characters of text that a reader sees, main content included. */
  readonly visibleCharacters: number
  readonly kept: KeptOfPage
  readonly substance: Substance
  /** All headings of the page in order, those outside main content included. */
  readonly headings: ReadonlyArray<Heading>
  /** Main content cut at its headings; the first one, without a heading, holds the text before them (and may be empty). */
  readonly sections: readonly [Section, ...ReadonlyArray<Section>]
  /** Links in document order, those in closed menus included, traps for crawlers left out, at most 5 000; then the pages that it shows in frames. */
  readonly links: ReadonlyArray<PageLink>
  /** A menu of a frameset: a list of links that open in another frame. */
  readonly isFrameMenu: boolean
  /** Links that were left out because their URL is longer than what is read (`LONGEST_URL`). */
  readonly overlongLinks: number
  /** A Markdown page that is longer than what is read of one (500 000 characters), or a page that takes more time or memory than one gets: the rest is missing. */
  readonly textCut: boolean
  /** Code blocks of main content, at most 2 000. */
  readonly codeBlocks: ReadonlyArray<CodeBlock>
  /** Tables of main content, at most 500 of at most 500 rows. */
  readonly tables: ReadonlyArray<Table>
  /** Entries of definition lists of main content, at most 5 000. */
  readonly definitions: ReadonlyArray<Definition>
  /** See `shownOperations`; at most 500, each once. */
  readonly operations: ReadonlyArray<ShownOperation>
  /** `datetime` of `<time>` elements in main content. */
  readonly times: ReadonlyArray<string>
  /** The day on which the page says for machines that it was last changed, `YYYY-MM-DD`; `null` if it names none, or several. */
  readonly modified: string | null
  /** Where the page itself sends its reader on at once; `null` where it does not. */
  readonly redirect: PageRedirect | null
  /** The page says that there is no such page (title, first heading or a bare "404"), whatever its status. */
  readonly saysNotFound: boolean
  /** The page asks for a password or to sign in, in place of content. */
  readonly loginWall: boolean
  /** The vendor of a bot challenge that replaces the content, such as `cloudflare`; `null` where there is none. */
  readonly challenge: string | null
  /** Pages are told apart by fragments: `#/guide`, `#!guide`. */
  readonly hashRouting: boolean
  /** URLs that a version selector offers, at most 50; `null`: there is no selector. */
  readonly versionLinks: ReadonlyArray<string> | null
  readonly controls: PageControls
  /** URLs of "edit this page" and "view source" links, off the site too. */
  readonly sourceLinks: ReadonlyArray<string>
  readonly viewers: ReadonlyArray<SpecViewer>
  /** Orders to agents in texts that people do not see, at most 20. */
  readonly hiddenInstructions: ReadonlyArray<HiddenInstruction>
}

/** `other`: neither HTML nor Markdown nor plain text (JSON, XML, PDF): `main` is empty then, and nothing is read. */
export type PageFormat = "html" | "markdown" | "text" | "other"

/** How the body was decoded. */
interface Charset {
  /** The encoding's name by the WHATWG standard, such as `UTF-8` or `EUC-KR`. */
  readonly name: string
  /** Where the encoding was declared; `none`: nowhere, and the name is a guess. */
  readonly declaredBy: "bom" | "header" | "meta" | "none"
}

/** A `<meta>` element that says something of the page. */
export interface PageMeta {
  /** In lower case, such as `description` or `og:title`. */
  readonly name: string
  /** At most 2 000 characters, white space collapsed; may be empty. */
  readonly content: string
}

/** The first content of a `<meta>` element of this name that is not empty; empty where there is none. */
export const metaContent = ({ meta }: Pick<Page, "meta">, name: string): string =>
  meta.find((one) => one.name === name.toLowerCase() && one.content !== "")?.content ?? ""

/** A `<link>` element or one link of a `Link` header. */
export interface Announcement {
  readonly from: "element" | "header"
  /** Relation types, lower case. */
  readonly rel: ReadonlyArray<string>
  readonly url: string
  /** Media type without parameters, lower case; empty where none is given. */
  readonly type: string
}

export interface StructuredData {
  /** schema.org types without their prefix, such as `TechArticle`; each once, sorted. */
  readonly types: ReadonlyArray<string>
}

/** The page's own text, without the navigation, header and footer of every page. */
export interface MainContent {
  /** What it was found in: `article`, `main`, a generator's container such as `.rst-content`, or `body`. */
  readonly container: string
  /** Its text in reading order, blocks separated by newlines; at most the first 1 000 000 characters. */
  readonly text: string
  /** Its whole length in characters, white space collapsed. */
  readonly characters: number
  /** Characters of visible text before it. */
  readonly offset: number
  /** Its blocks (headings, paragraphs, list items, cells, code) as text, in order, at most 20 000. */
  readonly segments: ReadonlyArray<string>
}

/**
 * What an agent keeps whose tool converts the whole page to Markdown, its navigation included; of a page that is Markdown itself, all
 * of it. Of a page that was cut, of what was read.
 */
export interface KeptOfPage {
  readonly characters: number
  /** In UTF-8. */
  readonly bytes: number
  /** Of the characters, those of the main content. */
  readonly content: number
  /** Characters up to the end of the main content. */
  readonly contentEnd: number
}

/**
 * Text outside main content that is no navigation either, where the main content is only one of the page's parts: one of the cards of a
 * home page without `<main>`, say. Elsewhere it is empty.
 */
export interface PageBeside {
  /** The main content is only a part, so that links of `place` `other` are the page's own. */
  readonly isPart: boolean
  /** Blocks as text, in order, at most 20 000. */
  readonly segments: ReadonlyArray<string>
  /** Headings among them. */
  readonly headings: ReadonlyArray<string>
  /** Code blocks as text, at most 2 000. */
  readonly code: ReadonlyArray<string>
}

/**
 * `substantive`: main content of 120 characters or more, or a heading with a block of 20 or more after it.
 * `placeholder`: a mount point, `Loading…`, "enable JavaScript". `thin`: less than either.
 */
export type Substance = "substantive" | "placeholder" | "thin"

export interface Heading {
  readonly level: 1 | 2 | 3 | 4 | 5 | 6
  readonly text: string
  /** The fragment that leads to it: its own id, an anchor's in or right before it, or its section's; `null`: none. */
  readonly anchor: string | null
  readonly inMain: boolean
}

/** A heading of main content and the text below it, up to the next heading. */
export interface Section {
  /** Empty for the text before the first heading. */
  readonly heading: string
  /** 0 for the text before the first heading. */
  readonly level: 0 | Heading["level"]
  readonly anchor: string | null
  /** Headings above it, outermost first. */
  readonly path: ReadonlyArray<string>
  /** Text below the heading, code and tables included, blocks separated by newlines; at most 20 000 characters. */
  readonly text: string
}

export interface PageLink {
  readonly url: string
  /** Without `#`; empty where there is none. */
  readonly fragment: string
  /** Its text, else its label, title or image's alternative text. */
  readonly text: string
  readonly rel: ReadonlyArray<string>
  /** `nav`: navigation, sidebar, header, footer, table of contents, what is hidden; `other`: the rest outside main content. */
  readonly place: "main" | "nav" | "other"
  /** A reader sees it without opening a menu; it counts as a link either way. */
  readonly seen: boolean
}

export interface CodeBlock {
  readonly text: string
  /** Lines that are not blank. */
  readonly lines: number
  /** What the page says it is in, aliases resolved (`sh` is `shell`, `ts` is `typescript`); `null`: nothing said. */
  readonly language: string | null
  /** The label of the tab, caption or file name over it, such as `Python`; `null` where there is none. */
  readonly label: string | null
  /** Index into `Page.sections`. */
  readonly section: number
  /** The line of the answer's body on which the text begins, from 1; `null` where it is not known. */
  readonly line: number | null
  /** Each line of the text is one of the body: line `n` of the text, from 0, is line `line + n`. Highlighters may put all on one line. */
  readonly lineByLine: boolean
}

export interface Table {
  readonly caption: string
  /** Cells of the header row; empty where there is none. */
  readonly header: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** Index into `Page.sections`. */
  readonly section: number
}

export interface Definition {
  readonly term: string
  readonly text: string
  /** Index into `Page.sections`. */
  readonly section: number
}

export interface ShownOperation {
  /** Upper case; empty for an endpoint that is shown without one. */
  readonly method: string
  /** As shown: a path or a whole URL. */
  readonly path: string
}

/** An order to agents in a text that people do not see. */
export interface HiddenInstruction {
  /** How the text is hidden, as a noun: `an HTML comment`. */
  readonly hiddenBy: string
  /** The sentence that gives the order, at most 600 characters, white space collapsed. */
  readonly text: string
}

/** The most that are kept of a page: one is enough to be a finding. */
export const MOST_HIDDEN_INSTRUCTIONS = 20

export interface PageRedirect {
  readonly kind: "meta" | "script"
  readonly url: string
}

/** What a page offers to readers who use a model. */
export interface PageControls {
  /** "Copy page", "Copy as Markdown", or a script that makes such a button, by its name. */
  readonly copyMarkdown: boolean
  /** URLs of "view as Markdown" and "view source" links that end in `.md`, `.mdx` or `.md.txt`; an editor's and a code host's are none. */
  readonly viewMarkdown: ReadonlyArray<string>
  /** Assistants that the page can be opened in, lower case, such as `chatgpt`; sorted. */
  readonly assistants: ReadonlyArray<string>
}

/** An API description viewer in the page and the description that it is set up to show. */
export interface SpecViewer {
  /** `script`: a description that a script holds, for whichever viewer. */
  readonly kind: "redoc" | "swagger-ui" | "scalar" | "stoplight" | "rapidoc" | "asyncapi" | "script"
  readonly url: string | null
  /** The description itself, where the page carries it; JSON, YAML or GraphQL of at most 20 MB. */
  readonly inline: string | null
  /** A script or JSON file of the viewer's that tells what it shows. */
  readonly configuration: string | null
  /** Where only a running script knows the URL: what that is known to begin with, which may be nothing. */
  readonly computed: string | null
}

const REFERENCE_WORDS = new Set([
  "api",
  "apis",
  "api-docs",
  "api-reference",
  "rest-api",
  "reference",
  "references",
  "endpoint",
  "endpoints",
  "method",
  "methods",
  "operation",
  "operations",
  "resource",
  "resources",
  "rpc"
])

/** Folders of entries about terms, not about operations. */
const ESSAY_ADDRESS = /\/(?:glossary|glossar|glossaire|glosario|glossario|learn(?:ing)?(?:-center)?|academy)\//i

/** A folder or file of this name, without its ending, says reference. */
export const isReferenceWord = (segment: string): boolean => REFERENCE_WORDS.has(segment.toLowerCase())

/** A path segment says reference; the name of an entry of a glossary is that of its subject. */
export const isReferenceAddress = (url: string): boolean => {
  const path = trimTrailingSlashes((URL.parse(url)?.pathname ?? "").toLowerCase())
  const segments = path.split("/")
  return (ESSAY_ADDRESS.test(path) ? segments.slice(0, -1) : segments).some((segment) =>
    REFERENCE_WORDS.has(withoutPageEnding(segment))
  )
}

/** The last path segment says reference: pages like `/docs/api/` list the others. */
export const isReferenceIndexAddress = (url: string): boolean => {
  const path = trimTrailingSlashes(
    (URL.parse(url)?.pathname ?? "").toLowerCase().replace(/\/index(?:\.x?html?)?$/, "/")
  )
  return REFERENCE_WORDS.has(withoutPageEnding(path.split("/").at(-1) ?? ""))
}

/** A title that asks or explains something in general: "What is a REST API?", "REST API, explained". */
const ESSAY_TITLE =
  /[?？]|\b(?:what (?:is|are)|why|how (?:to|do|does)|explained|explainer|vs\.?|versus|101|basics|best practices|was (?:ist|sind)|qu[eé] (?:es|son)|qu['’]est-ce|o que (?:é|são))(?![\p{L}\p{N}])|что такое|とは|什么是|(?:이란|무엇)/iu

const isReferenceTitle = ({ title, url }: Page): boolean =>
  wordsIn(title.toLowerCase()).some((word) => REFERENCE_WORDS.has(word)) &&
  !ESSAY_TITLE.test(title) &&
  !ESSAY_ADDRESS.test(url)

/** A path segment or a word of the title says reference, or the page shows an operation. */
export const isReference = (page: Page): boolean =>
  isReferenceAddress(page.url) || isReferenceTitle(page) || page.operations.length > 0

/** Main content worth reading, and the page's own: no error text, login or challenge in its place. */
export const isSubstantive = (page: Page): boolean =>
  page.substance === "substantive" && !page.saysNotFound && !page.loginWall && page.challenge === null

/** Types that describe the site or the page's frame, not the page. */
const SITE_TYPES = new Set(
  (
    "Organization WebSite BreadcrumbList Corporation ListItem SearchAction EntryPoint PropertyValueSpecification" +
    " ImageObject ContactPoint PostalAddress SiteNavigationElement WPHeader WPFooter WPSideBar"
  ).split(" ")
)

/** Whether structured data says something about the page itself. */
export const describesPage = ({ types }: StructuredData): boolean => types.some((type) => !SITE_TYPES.has(type))
