import { normalise } from "../../evidence/Address.ts"
import { collapse } from "../../text/WhiteSpace.ts"
import { readCodeBlock } from "../code/CodeBlocks.ts"
import { codeText } from "../dom/CodeText.ts"
import { type DomWalk, elementsById, type PageTree, type Placed, type Segment } from "../dom/DomWalk.ts"
import { attribute, contentOf, type Element, findBelow, parentOf } from "../dom/HtmlTree.ts"
import { asksForScripts } from "../dom/Landmarks.ts"
import { saysNotFound } from "../ErrorPage.ts"
import type { Announcement, Definition, Page, PageBeside, PageMeta } from "../Page.ts"
import { shownOperations } from "../PageOperations.ts"
import { announcement, MAX_ANNOUNCEMENTS, type ResponseFacts, robotsDirectives } from "../ResponseFacts.ts"
import { accordionLabels, cutSections, readHeadings, sectionAt, sectionsOf } from "./Headings.ts"
import { chooseContent, type ChosenContent, hasFollowedHeading, mainContent, substanceOf } from "./MainContentReader.ts"
import { baseOf, countOverlong, isFrameMenu, isHashRouted, readLinks } from "./PageLinks.ts"
import { hiddenInstructions } from "./HiddenInstructions.ts"
import { readControls, sourceLinks, versionLinks } from "./PageControls.ts"
import { generatorsOf, jsonLdBlocks, modifiedOn, readStructuredData } from "./PageMetadata.ts"
import { isLoginWall, readChallenge, readRedirect } from "./PageRedirects.ts"
import { readViewers } from "./SpecViewers.ts"
import { readDefinitions, readResponsePanel, readTable, readTitledItem } from "./Tables.ts"

const MAX_CODE_BLOCKS = 2_000
const MAX_TABLES = 500
const MAX_DEFINITIONS = 5_000
const MAX_TIMES = 500
const MAX_METAS = 200

/**
 * How much of a page is read. `opening`: without its sections, tables, times and links, what is seen in these, and what an agent keeps,
 * which only criteria ask for; `linked`: with the links outside menus, which the check of its Markdown needs, too.
 */
export type PageReading = "whole" | "linked" | "opening"

/** Reads a web page from its tree. */
export const readHtmlPage = (
  facts: ResponseFacts,
  { codePlaces, document, walk }: PageTree,
  reading: PageReading = "whole"
): Page => {
  const isWhole = reading === "whole"
  const base = baseOf(walk, facts.url)
  const content = chooseContent(walk)
  const headings = readHeadings(walk, content)
  const main = mainContent(content, walk.visibleCharacters)
  const inMain = (name: string): ReadonlyArray<Placed> =>
    (walk.seen.get(name) ?? []).filter(
      ({ order, surrounding }) => !surrounding && order > content.container.from && order <= content.container.to
    )
  const labels = accordionLabels(walk, content)
  const cuts = labels.length === 0 ? headings : [...headings, ...labels].sort((one, other) => one.order - other.order)
  const section = sectionAt(cuts)
  const byId = elementsById(walk)
  const title = firstText(walk.byName.get("title")).replace(LOOSE_SEPARATOR, "")
  const firstHeading = headings.find((heading) => heading.level === 1)?.text ?? ""
  const jsonLd = jsonLdBlocks(walk)
  const links = reading === "opening" ? [] : readLinks(walk, base, content, isWhole)
  const otherPages = links.filter(({ url }) => url !== facts.url)
  const tables = isWhole
    ? inMain("table")
        .slice(0, MAX_TABLES)
        .flatMap(({ element, order }) => readTable(element, section(order)) ?? [])
    : []
  return {
    ...facts,
    title,
    description: metaContent(walk, "description"),
    lang: collapse(attributeOfFirst(walk.byName.get("html"), "lang") ?? ""),
    canonical: canonicalOf(walk, base) ?? facts.announcements.find(({ rel }) => rel.includes("canonical"))?.url ?? null,
    robots: [...robotsDirectives(metaContent(walk, "robots")), ...facts.robots],
    meta: readMetas(walk),
    generators: isWhole ? generatorsOf(walk, metaContents(walk, "generator")) : [],
    announcements: [...announcedByElements(walk.byName.get("link") ?? [], base), ...facts.announcements],
    structured: readStructuredData(walk, jsonLd),
    main,
    beside: besideContent(walk, content),
    visibleCharacters: walk.visibleCharacters,
    kept: keptOf(walk, content.segments),
    substance: substanceOf(main, hasFollowedHeading(content.segments), isMounted(walk, content)),
    headings: headings.map(({ anchor, inMain: within, level, text }) => ({ level, text, anchor, inMain: within })),
    sections: isWhole ? cutSections(cuts, content) : sectionsOf([], []),
    links,
    isFrameMenu: isFrameMenu(walk, main.characters),
    overlongLinks: countOverlong(walk),
    textCut: false,
    codeBlocks: inMain("pre")
      .slice(0, MAX_CODE_BLOCKS)
      .map(({ element, order }) => readCodeBlock(element, section(order), byId, codePlaces.get(element) ?? null))
      .filter((block) => block.lines > 0),
    tables,
    definitions: isWhole
      ? [...inMain("dl"), ...inMain("li"), ...inMain("tabpanel")]
          .sort((one, other) => one.order - other.order)
          .flatMap(({ element, order }) => definitionsOf(element, section(order), byId))
          .slice(0, MAX_DEFINITIONS)
      : [],
    operations: shownOperations(main.segments, tables),
    times: isWhole
      ? inMain("time")
          .slice(0, MAX_TIMES)
          .flatMap(({ element }) => attribute(element, "datetime")?.trim() || [])
      : [],
    modified: modifiedOn(walk, jsonLd),
    redirect: readRedirect(walk, base, facts.url),
    saysNotFound: saysNotFound({ title, heading: firstHeading, text: main.text }),
    loginWall: isLoginWall(facts.answer, [title, firstHeading], walk, main.characters),
    challenge: readChallenge(facts.answer, title, walk, main.characters),
    hashRouting: isHashRouted(walk, base, main.characters),
    versionLinks: isWhole ? versionLinks(walk, base) : null,
    controls: readControls(walk, otherPages),
    sourceLinks: sourceLinks(otherPages),
    viewers: readViewers(walk, base, facts.url),
    hiddenInstructions: isWhole ? hiddenInstructions(document) : []
  }
}

const keptOf = ({ kept }: DomWalk, segments: ReadonlyArray<Segment>): Page["kept"] => ({
  characters: kept.characters,
  bytes: kept.bytes,
  content: segments.reduce((sum, { keptFrom, keptTo }) => sum + keptTo - keptFrom, 0),
  contentEnd: segments.at(-1)?.keptTo ?? kept.characters
})

const attributeOfFirst = (elements: ReadonlyArray<Element> | undefined, name: string): string | null => {
  const [first] = elements ?? []
  return first === undefined ? null : attribute(first, name)
}

/** Documents have one title; drawings in them have others, later. */
const definitionsOf = (
  element: Element,
  section: number,
  byId: (id: string) => Element | null
): ReadonlyArray<Definition> => {
  if (element.name === "dl") return readDefinitions(element, section)
  const one = element.name === "li" ? readTitledItem(element, section) : readResponsePanel(element, section, byId)
  return one === null ? [] : [one]
}

/** What templates leave between the page's name and the site's where one of the two is empty. */
const LOOSE_SEPARATOR = /^[|·•»«–—-] | [|·•»«–—-]$/u

const firstText = (elements: ReadonlyArray<Element> | undefined): string => {
  const [first] = elements ?? []
  return first === undefined ? "" : collapse(contentOf(first, 2_000)).slice(0, 1_000)
}

const readMetas = (walk: DomWalk): ReadonlyArray<PageMeta> =>
  (walk.byName.get("meta") ?? [])
    .flatMap((meta) => {
      const name = nameOfMeta(meta)
      const content = attribute(meta, "content")
      return name === undefined || content === null ? [] : [{ name, content: collapse(content).slice(0, 2_000) }]
    })
    .slice(0, MAX_METAS)

const nameOfMeta = (meta: Element): string | undefined =>
  (attribute(meta, "name") ?? attribute(meta, "property"))?.trim().toLowerCase()

const metaContent = (walk: DomWalk, name: string): string => metaContents(walk, name)[0] ?? ""

/** Those that are not empty, in order. */
const metaContents = (walk: DomWalk, name: string): ReadonlyArray<string> =>
  (walk.byName.get("meta") ?? [])
    .filter((meta) => nameOfMeta(meta) === name)
    .map((meta) => collapse(attribute(meta, "content") ?? "").slice(0, 2_000))
    .filter((content) => content !== "")

/** `<link>` elements of a page, those for looks and loading aside. */
const announcedByElements = (links: ReadonlyArray<Element>, base: string): ReadonlyArray<Announcement> =>
  links.slice(0, MAX_ANNOUNCEMENTS).flatMap((link) => {
    const href = attribute(link, "href")
    return announcement("element", href ?? "", base, (name) => attribute(link, name))
  })

/** Of the head: search engines and browsers pass over one in the body, which may be a user's text. */
const canonicalOf = (walk: DomWalk, base: string): string | null => {
  const link = (walk.byName.get("link") ?? []).find(
    (element) =>
      parentOf(element)?.name === "head" &&
      (attribute(element, "rel") ?? "").toLowerCase().split(/\s+/).includes("canonical")
  )
  const href = link === undefined ? null : attribute(link, "href")
  return href === null || href.trim() === "" ? null : normalise(href, base)
}

/** How far an element is searched, in nodes and in characters of blanks. */
const NODES = 2_000
const BLANKS = 1_000

const BLOCKS = new Set("div main section article".split(" "))

/**
 * Scripts may fill the empty main content: the page shows no text at all, says that it needs scripts, or has an empty element that
 * scripts can find by its id or its own kind. A section without a text has none of these.
 */
export const isMounted = (walk: DomWalk, { container }: ChosenContent): boolean => {
  if (!walk.byName.has("script")) return false
  if (walk.visibleCharacters === 0 || (walk.byName.get("noscript") ?? []).some(isNotice)) return true
  const [body] = walk.byName.get("body") ?? []
  const content = container.element ?? body
  return content !== undefined && (isMount(content) || findBelow(content, isMount, NODES) !== null)
}

const isNotice = (element: Element): boolean => asksForScripts(collapse(contentOf(element, BLANKS)))

const isMount = (element: Element): boolean =>
  (element.name.includes("-") || (BLOCKS.has(element.name) && (attribute(element, "id") ?? "") !== "")) &&
  contentOf(element, BLANKS).trim() === ""

/** A container with this share of the text outside navigation is the page; what is beside it is furniture that nobody marked. */
const MOST_TEXT = 2 / 3

const MAX_SEGMENTS = 20_000

/** Containers that a page has once, for all its content. */
const WHOLE = new Set(["main", "[role=main]", "body"])

const NOTHING_BESIDE: PageBeside = { isPart: false, segments: [], headings: [], code: [] }

/** What is beside the main content where that is one of several parts, as one card of a home page is. */
const besideContent = (walk: DomWalk, { container, segments }: ChosenContent): PageBeside => {
  if (WHOLE.has(container.name) || lengthOf(segments) >= MOST_TEXT * lengthOf(walk.segments)) return NOTHING_BESIDE
  const isBeside = ({ order }: { readonly order: number }): boolean => order <= container.from || order > container.to
  const others = walk.segments.filter(isBeside).slice(0, MAX_SEGMENTS)
  return {
    isPart: true,
    segments: others.map(({ text }) => text),
    headings: others.filter(({ isHeading }) => isHeading).map(({ text }) => text),
    code: (walk.seen.get("pre") ?? [])
      .filter((pre) => !pre.surrounding && isBeside(pre))
      .slice(0, MAX_CODE_BLOCKS)
      .map(({ element }) => codeText(element))
  }
}

const lengthOf = (segments: ReadonlyArray<Segment>): number => segments.reduce((sum, { text }) => sum + text.length, 0)
