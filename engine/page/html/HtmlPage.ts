import { accordionLabels } from "./AccordionLabels.ts"
import { besideContent } from "./BesideContent.ts"
import { readCodeBlock } from "../code/CodeBlocks.ts"
import { saysNotFound } from "../ErrorPage.ts"
import { hiddenInstructions } from "./HiddenInstructions.ts"
import { baseOf } from "./BaseUrl.ts"
import { generatorsOf } from "./Generator.ts"
import { cutSections, readHeadings, sectionAt } from "./Headings.ts"
import { collapse } from "../../text/WhiteSpace.ts"
import { attribute, contentOf, type Element } from "../dom/HtmlTree.ts"
import { chooseContent, hasFollowedHeading, mainContent } from "./MainContentReader.ts"
import { announcedByElements, canonicalOf } from "./LinkElements.ts"
import { isLoginWall, readChallenge } from "./AccessWalls.ts"
import { shownOperations } from "../PageOperations.ts"
import type { Page, PageMeta } from "../Page.ts"
import { readControls, sourceLinks } from "./PageControls.ts"
import { versionLinks } from "./VersionSelector.ts"
import { sectionsOf } from "../Sections.ts"
import { substanceOf } from "../Substance.ts"
import { type ResponseFacts, robotsDirectives } from "../ResponseFacts.ts"
import { countOverlong, isFrameMenu, isHashRouted, readLinks } from "./PageLinks.ts"
import { readRedirect } from "./PageRedirects.ts"
import { type DomWalk, elementsById, type PageTree, type Placed, type Segment } from "../dom/DomWalk.ts"
import { readViewers } from "./SpecViewers.ts"
import { isMounted } from "./MountPoint.ts"
import { modifiedOn } from "./ModifiedDate.ts"
import { jsonLdBlocks, readStructuredData } from "./StructuredDataReader.ts"
import { readDefinitions, readTitledItem, readTable } from "./Tables.ts"

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
  const title = firstText(walk.byName.get("title"))
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
      ? [...inMain("dl"), ...inMain("li")]
          .sort((one, other) => one.order - other.order)
          .flatMap(({ element, order }) =>
            element.name === "dl"
              ? readDefinitions(element, section(order))
              : (readTitledItem(element, section(order)) ?? [])
          )
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
