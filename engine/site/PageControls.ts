import { attribute, childrenOf, classesOf, type Element, findBelow } from "./HtmlTree.ts"
import type { PageControls } from "./Page.ts"
import { labelOf, type PageWalk, seenText } from "./PageWalk.ts"

/** A link with its whole address, off the site too. */
export interface LabelledLink {
  readonly url: string
  readonly label: string
}

const COPY = /^copy(?: (?:this |the |full )?(?:page|article|doc(?:ument)?)(?: content)?)?(?: (?:as|to|in) (?:markdown|md)| for (?:an? )?(?:llms?|ai))?$|^copy (?:as )?(?:markdown|md)$|^copy (?:page|as markdown|for llms?)\b/i
const COPY_SNIPPET = /^copy$/i
const VIEW = /\b(?:view|open|show|see|read|get|download)\b.{0,20}\b(?:markdown|\.md)\b|^markdown$|^(?:raw )?markdown (?:source|version)|^llm(?:s)? (?:version|text)$|\bas markdown\b/i
const VIEW_SOURCE = /\b(?:view|show|see)\b.{0,30}\b(?:source|page|on github|on gitlab|on bitbucket|this (?:page|file|doc))|^(?:page )?source$/i
const SOURCE = /\b(?:view|show|edit|see|improve|suggest)\b.{0,30}\b(?:source|page|on github|on gitlab|on bitbucket|this (?:page|file|doc))|^(?:page )?source$|^edit$/i
const MARKDOWN_FILE = /\.(?:md|mdx|md\.txt)$/i

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

const ASSISTANT_BUTTON = /^(?:open|ask|chat|view|use|discuss|explain)\b.{0,30}\b(chatgpt|claude|perplexity|gemini|copilot|cursor|grok)\b/i

/** What a page offers to those who read with a model. */
export const readControls = (walk: PageWalk, links: ReadonlyArray<LabelledLink>): PageControls => {
  const buttons = buttonLabels(walk)
  const copies = [...buttons, ...links.map((link) => link.label)]
  return {
    copyMarkdown: copies.some((label) => COPY.test(label) && !COPY_SNIPPET.test(label)),
    viewMarkdown: unique(links.filter(leadsToMarkdown).map((link) => link.url)),
    assistants: unique([...links.flatMap(assistantOfLink), ...buttons.flatMap(assistantOfButton)]).toSorted()
  }
}

const unique = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(items)]

const MAX_BUTTONS = 2_000

/** What buttons show and what they are named: an icon has a name only. */
const buttonLabels = (walk: PageWalk): ReadonlyArray<string> =>
  (walk.byName.get("button") ?? []).slice(0, MAX_BUTTONS).flatMap((element) =>
    [labelOf(element), attribute(element, "aria-label") ?? "", attribute(element, "title") ?? ""].map((label) => label.trim().slice(0, 80))
  )

const leadsToMarkdown = ({ label, url }: LabelledLink): boolean => {
  const path = URL.parse(url)?.pathname ?? ""
  return MARKDOWN_FILE.test(path) && (VIEW.test(label) || VIEW_SOURCE.test(label))
}

const assistantOfLink = ({ url }: LabelledLink): ReadonlyArray<string> => {
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

/** Addresses of "edit this page" and "view source" links. */
export const sourceLinks = (links: ReadonlyArray<LabelledLink>): ReadonlyArray<string> =>
  unique(links.filter(({ label, url }) => SOURCE.test(label) || SOURCE_ADDRESS.test(url)).map(({ url }) => url))

const VERSION = /^v?\d{1,4}(?:\.(?:\d{1,4}|x)){0,3}(?:[-. ]?(?:x|alpha|beta|rc|dev|pre|lts|latest|stable|current|next|unreleased|eol|legacy)\.?\d*)?(?:\s?\([^)]{1,30}\))?$|^(?:latest|stable|main|master|dev|devel|next|nightly|canary|current|edge|unreleased)(?:\s?\([^)]{1,40}\))?$/i

const SELECTOR_NAME = /(?:^|[-_])(?:versions?[-_]?(?:select(?:or)?|switch(?:er)?|picker|dropdown|menu|list|warning-banner)|(?:select|switch|choose)[-_]?versions?|rst-versions|md-version)(?:$|[-_])/i

/** Two or more versions to choose from: a list of options, a menu of links, or an element of that name. */
export const hasVersionSelector = (walk: PageWalk): boolean =>
  (walk.byName.get("select") ?? []).some((element) => offersVersions(childrenOf(element)))
  || (walk.byName.get("ul") ?? []).some((element) => offersVersions(childrenOf(element)))
  || ["div", "nav", "details", "select", "ul", "button", "readthedocs-flyout"].some((name) => (walk.byName.get(name) ?? []).some(isNamedSelector))
  || (walk.byName.get("script") ?? []).some(usesMike)

const offersVersions = (options: ReadonlyArray<Element>): boolean =>
  options.length >= 2 && options.length <= 200
  && options.filter((option) => VERSION.test(seenText(option, 60)) && !leadsWithin(option)).length >= 2

/** A table of contents of a changelog lists versions too. */
const leadsWithin = (item: Element): boolean =>
  item.tagName === "li" && findBelow(item, (link) => link.tagName === "a" && !(attribute(link, "href") ?? "#").startsWith("#"), 50) === null

const isNamedSelector = (element: Element): boolean =>
  element.tagName === "readthedocs-flyout"
  || (element.attrs.length > 0 && [attribute(element, "id") ?? "", ...classesOf(element)].some((name) => SELECTOR_NAME.test(name)))

/** MkDocs Material draws the selector by script, and says so in the page's configuration. */
const usesMike = (script: Element): boolean => {
  const [text] = script.childNodes
  return attribute(script, "id") === "__config" && text !== undefined && "value" in text && /"provider"\s*:\s*"mike"/.test(text.value)
}
