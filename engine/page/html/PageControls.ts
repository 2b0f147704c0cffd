import { attribute } from "../dom/HtmlTree.ts"
import type { PageControls, PageLink } from "../Page.ts"
import { type DomWalk, labelOf } from "../dom/DomWalk.ts"
import { isMarkdownPath } from "../../text/MarkdownFile.ts"

const COPY =
  /^copy(?: (?:this |the |full )?(?:page|article|doc(?:ument)?)(?: content)?)?(?: (?:as|to|in) (?:markdown|md)| for (?:an? )?(?:llms?|ai))?$|^copy (?:as )?(?:markdown|md)$|^copy (?:page|as markdown|for llms?)\b/i
const COPY_SNIPPET = /^copy$/i
const VIEW =
  /\b(?:view|open|show|see|read|get|download)\b.{0,20}\b(?:markdown|\.md)\b|^markdown$|^(?:raw )?markdown (?:source|version)|^llm(?:s)? (?:version|text)$|\bas markdown\b/i
const VIEW_SOURCE =
  /\b(?:view|show|see)\b.{0,30}\b(?:source|page|on github|on gitlab|on bitbucket|this (?:page|file|doc))|^(?:page )?source$/i
const SOURCE =
  /\b(?:view|show|edit|see|improve|suggest)\b.{0,30}\b(?:source|page|on github|on gitlab|on bitbucket|this (?:page|file|doc))|^(?:page )?source$|^edit$/i

const ASSISTANTS: ReadonlyArray<readonly [host: RegExp, name: string]> = [
  [/^(?:chatgpt\.com|chat\.openai\.com)$/, "chatgpt"],
  [/^claude\.ai$/, "claude"],
  [/(?:^|\.)perplexity\.ai$/, "perplexity"],
  [/^gemini\.google\.com$/, "gemini"],
  [/^aistudio\.google\.com$/, "gemini"],
  [/^(?:chat\.deepseek\.com)$/, "deepseek"],
  [/^(?:grok\.com|x\.ai)$/, "grok"],
  [/^(?:chat\.mistral\.ai)$/, "mistral"],
  [/^(?:t3\.chat)$/, "t3"],
  [/^(?:scira\.ai)$/, "scira"]
]

const ASSISTANT_BUTTON =
  /^(?:open|ask|chat|view|use|discuss|explain)\b.{0,30}\b(chatgpt|claude|perplexity|gemini|copilot|cursor|grok)\b/i

/**
 * What a page offers to readers who use a model.
 *
 * @param links those of the page, on the site and off it.
 */
export const readControls = (walk: DomWalk, links: ReadonlyArray<PageLink>): PageControls => {
  const buttons = buttonLabels(walk)
  const copies = [...buttons, ...links.map((link) => link.text)]
  return {
    copyMarkdown:
      copies.some((label) => COPY.test(label) && !COPY_SNIPPET.test(label)) ||
      scriptNames(walk).some((name) => COPY_SCRIPT.test(name)),
    viewMarkdown: unique(links.filter(leadsToMarkdown).map((link) => link.url)),
    assistants: unique([...links.flatMap(assistantOfLink), ...buttons.flatMap(assistantOfButton)]).toSorted()
  }
}

const unique = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(items)]

const MAX_BUTTONS = 2_000

/** What buttons show and what they are named: an icon has a name only. */
const buttonLabels = (walk: DomWalk): ReadonlyArray<string> =>
  (walk.byName.get("button") ?? [])
    .slice(0, MAX_BUTTONS)
    .flatMap((element) =>
      [labelOf(element), attribute(element, "aria-label") ?? "", attribute(element, "title") ?? ""].map((label) =>
        label.trim().slice(0, 80)
      )
    )

const MAX_SCRIPTS = 500

/** The last segments of the URLs of scripts. */
const scriptNames = (walk: DomWalk): ReadonlyArray<string> =>
  (walk.byName.get("script") ?? []).slice(0, MAX_SCRIPTS).flatMap((element) => {
    const path = (attribute(element, "src") ?? "").split(/[?#]/, 1)[0] ?? ""
    return path === "" ? [] : [(path.split("/").at(-1) ?? "").slice(0, 200)]
  })

/** Scripts that make a button to copy a page as Markdown; those that copy a block of code are others. */
const COPY_SCRIPT =
  /(?:^|[-_.])copy[-_]?(?:(?:as|to|for|page)[-_]?){0,3}(?:markdown|md|llms?|page)(?:$|[-_.])|(?:^|[-_.])(?:markdown|md|llms?|page)[-_]copy(?:$|[-_.])|(?:^|[-_.])page[-_]actions(?:$|[-_.])/i

const leadsToMarkdown = ({ text, url }: PageLink): boolean => {
  const { hostname = "", pathname = "" } = URL.parse(url) ?? {}
  return isMarkdownPath(pathname) && (VIEW.test(text) || VIEW_SOURCE.test(text)) && !showsFile(hostname, pathname)
}

/** A code host shows a file in a page of its own, unless it is asked for the raw file. */
const CODE_HOST =
  /(?:^|\.)(?:github\.com|gitlab\.[a-z.]{2,40}|bitbucket\.[a-z.]{2,40}|codeberg\.org|gitee\.com|sr\.ht|sourceforge\.net|dev\.azure\.com)$/i

const showsFile = (hostname: string, pathname: string): boolean =>
  (CODE_HOST.test(hostname) || /\/blob\//.test(pathname)) && !/\/(?:-\/)?raw\//.test(pathname)

const assistantOfLink = ({ url }: PageLink): ReadonlyArray<string> => {
  const parsed = URL.parse(url)
  // A link that hands the page over carries it in the query; one without is a mere mention.
  if (parsed === null || parsed.search === "") return []
  return ASSISTANTS.flatMap(([host, name]) => (host.test(parsed.hostname) ? [name] : []))
}

const assistantOfButton = (label: string): ReadonlyArray<string> => {
  const name = ASSISTANT_BUTTON.exec(label)?.[1]
  return name === undefined ? [] : [name.toLowerCase()]
}

const SOURCE_ADDRESS = /\/(?:_sources|edit)\/[^?#]+\.(?:mdx?|rst|adoc|txt|ipynb)$/i

/** URLs of "edit this page" and "view source" links. */
export const sourceLinks = (links: ReadonlyArray<PageLink>): ReadonlyArray<string> =>
  unique(links.filter(({ text, url }) => SOURCE.test(text) || SOURCE_ADDRESS.test(url)).map(({ url }) => url))
