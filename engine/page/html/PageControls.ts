import { normalise } from "../../evidence/Address.ts"
import { isMarkdownPath } from "../../text/UrlPath.ts"
import { type DomWalk, labelOf, seenText } from "../dom/DomWalk.ts"
import { attribute, childrenOf, classesOf, type Element, findBelow, hasAttributes, isText } from "../dom/HtmlTree.ts"
import type { PageControls, PageLink } from "../Page.ts"

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

const VERSION =
  /^v?\d{1,4}(?:\.(?:\d{1,4}|x)){0,3}(?:[-. ]?(?:x|alpha|beta|rc|dev|pre|lts|latest|stable|current|next|unreleased|eol|legacy)\.?\d*)?(?:\s?\([^)]{1,30}\))?$|^(?:latest|stable|main|master|dev|devel|next|nightly|canary|current|edge|unreleased)(?:\s?\([^)]{1,40}\))?$/i

const SELECTOR_NAME =
  /(?:^|[-_])(?:versions?[-_]?(?:select(?:or)?|switch(?:er)?|picker|dropdown|menu|list|warning-banner)|(?:select|switch|choose)[-_]?versions?|rst-versions|md-version)(?:$|[-_])/i

/** Other links are left out. */
const MAX_LINKS = 50

/**
 * The URLs that version selectors offer: lists of options, menus of links, elements of that name. `null` where there is none;
 * empty where scripts fill it in.
 */
export const versionLinks = (walk: DomWalk, base: string): ReadonlyArray<string> | null => {
  const lists = [...(walk.byName.get("select") ?? []), ...(walk.byName.get("ul") ?? [])].filter((element) =>
    offersVersions(childrenOf(element))
  )
  const named = SELECTOR_ELEMENTS.flatMap((name) => (walk.byName.get(name) ?? []).filter(isNamedSelector))
  const configured = (walk.byName.get("script") ?? []).flatMap(mikeVersions)
  if (lists.length + named.length + configured.length === 0) return null
  const hrefs = [...configured, ...[...lists, ...named].slice(0, MAX_LINKS).flatMap(offeredBy)]
  return [...new Set(hrefs.flatMap((href) => normalise(href, base) ?? []))].slice(0, MAX_LINKS)
}

const SELECTOR_ELEMENTS = ["div", "nav", "details", "select", "ul", "button", "readthedocs-flyout"]

/** Elements of a selector that are looked at. */
const MAX_ELEMENTS = 500

/** Targets of links, and values of options that are URLs. */
const offeredBy = (selector: Element): ReadonlyArray<string> => {
  const hrefs: Array<string> = []
  findBelow(
    selector,
    (element) => {
      const href =
        element.name === "a"
          ? attribute(element, "href")
          : element.name === "option"
            ? attribute(element, "value")
            : null
      if (href !== null && !href.startsWith("#") && (element.name === "a" || /[/]|\.html?$/.test(href)))
        hrefs.push(href)
      return hrefs.length >= MAX_LINKS
    },
    MAX_ELEMENTS
  )
  return hrefs
}

const offersVersions = (options: ReadonlyArray<Element>): boolean =>
  options.length >= 2 &&
  options.length <= 200 &&
  options.filter((option) => VERSION.test(seenText(option, 60)) && !leadsWithin(option)).length >= 2

/** A table of contents of a changelog lists versions too. */
const leadsWithin = (item: Element): boolean =>
  item.name === "li" &&
  findBelow(item, (link) => link.name === "a" && !(attribute(link, "href") ?? "#").startsWith("#"), 50) === null

const isNamedSelector = (element: Element): boolean =>
  element.name === "readthedocs-flyout" ||
  (hasAttributes(element) &&
    [attribute(element, "id") ?? "", ...classesOf(element)].some((name) => SELECTOR_NAME.test(name)))

/** MkDocs Material draws the selector by script from a file beside the versions, and says so in the page's configuration. */
const mikeVersions = (script: Element): ReadonlyArray<string> => {
  const [text] = script.children
  if (
    attribute(script, "id") !== "__config" ||
    text === undefined ||
    !isText(text) ||
    !/"provider"\s*:\s*"mike"/.test(text.data)
  )
    return []
  return [`${/"base"\s*:\s*"([^"]{1,200})"/.exec(text.data)?.[1] ?? "."}/../versions.json`]
}
