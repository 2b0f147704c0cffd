import { normalise } from "../evidence/Address.ts"
import { announcedByElements } from "./Announcements.ts"
import { readCodeBlock } from "./CodeBlocks.ts"
import { saysNotFound } from "./ErrorPage.ts"
import { generatorOf } from "./Generator.ts"
import { cutSections, readHeadings, sectionAt } from "./Headings.ts"
import { attribute, collapse, contentOf, type Element, parseHtml } from "./HtmlTree.ts"
import { chooseContent, hasFollowedHeading, mainContent, substanceOf } from "./MainContentReader.ts"
import { isLoginWall, readChallenge } from "./Obstacles.ts"
import { shownOperations } from "./Operations.ts"
import type { Page } from "./Page.ts"
import { hasVersionSelector, readControls, sourceLinks } from "./PageControls.ts"
import { type PageFrame, robotsDirectives } from "./PageFrame.ts"
import { countOverlong, isHashRouted, labelledLinks, readLinks } from "./PageLinks.ts"
import { readRedirect } from "./PageRedirects.ts"
import { type PageWalk, type Placed, walkPage } from "./PageWalk.ts"
import { readViewers } from "./SpecViewers.ts"
import { readStructuredData } from "./StructuredDataReader.ts"
import { readDefinitions, readTable } from "./Tables.ts"

const MAX_CODE_BLOCKS = 2_000
const MAX_TABLES = 500
const MAX_DEFINITIONS = 5_000
const MAX_TIMES = 500

/** Reads a web page. */
export const readHtmlPage = (frame: PageFrame, html: string): Page => {
  const walk = walkPage(parseHtml(html))
  const base = baseOf(walk, frame.url)
  const content = chooseContent(walk)
  const headings = readHeadings(walk, content)
  const main = mainContent(content, walk.visibleCharacters)
  const inMain = (name: string): ReadonlyArray<Placed> =>
    (walk.seen.get(name) ?? []).filter(({ order, surrounding }) => !surrounding && order > content.container.from && order <= content.container.to)
  const section = sectionAt(headings)
  const byId = elementsById(walk)
  const title = firstText(walk.byName.get("title"))
  const firstHeading = headings.find((heading) => heading.level === 1)?.text ?? ""
  const links = labelledLinks(walk, base)
  return {
    ...frame,
    title,
    description: metaContent(walk, "description"),
    lang: collapse(attributeOfFirst(walk.byName.get("html"), "lang") ?? ""),
    canonical: canonicalOf(walk, base) ?? frame.announcements.find(({ rel }) => rel.includes("canonical"))?.url ?? null,
    robots: [...robotsDirectives(metaContent(walk, "robots")), ...frame.robots],
    generator: generatorOf(walk, metaContent(walk, "generator")),
    announcements: [...announcedByElements(walk.byName.get("link") ?? [], base), ...frame.announcements],
    structured: readStructuredData(walk),
    main,
    visibleCharacters: walk.visibleCharacters,
    substance: substanceOf(main, hasFollowedHeading(content.segments), walk.byName.has("script")),
    headings: headings.map(({ anchor, inMain: within, level, text }) => ({ level, text, anchor, inMain: within })),
    sections: cutSections(headings, content),
    links: readLinks(walk, base, content),
    overlongLinks: countOverlong(walk),
    textCut: false,
    codeBlocks: inMain("pre").slice(0, MAX_CODE_BLOCKS).map(({ element, order }) => readCodeBlock(element, section(order), byId))
      .filter((block) => block.lines > 0),
    tables: inMain("table").slice(0, MAX_TABLES).flatMap(({ element, order }) => readTable(element, section(order)) ?? []),
    definitions: inMain("dl").flatMap(({ element, order }) => readDefinitions(element, section(order))).slice(0, MAX_DEFINITIONS),
    operations: shownOperations(main.segments),
    times: inMain("time").slice(0, MAX_TIMES).flatMap(({ element }) => attribute(element, "datetime")?.trim() || []),
    redirect: readRedirect(walk, base, frame.url),
    saysNotFound: saysNotFound({ title, heading: firstHeading, text: main.text }),
    loginWall: isLoginWall(frame.answer, [title, firstHeading], walk, main.characters),
    challenge: readChallenge(frame.answer, title, walk, main.characters),
    hashRouting: isHashRouted(walk, main.characters),
    versionSelector: hasVersionSelector(walk),
    controls: readControls(walk, links),
    sourceLinks: sourceLinks(links),
    viewers: readViewers(walk, base)
  }
}

const attributeOfFirst = (elements: ReadonlyArray<Element> | undefined, name: string): string | null => {
  const [first] = elements ?? []
  return first === undefined ? null : attribute(first, name)
}

/** Documents have one title; drawings in them have others, later. */
const firstText = (elements: ReadonlyArray<Element> | undefined): string => {
  const [first] = elements ?? []
  return first === undefined ? "" : collapse(contentOf(first, 2_000)).slice(0, 1_000)
}

const baseOf = (walk: PageWalk, url: string): string => {
  const href = attributeOfFirst(walk.byName.get("base"), "href")
  return (href === null ? null : normalise(href, url)) ?? url
}

const metaContent = (walk: PageWalk, name: string): string => {
  const meta = (walk.byName.get("meta") ?? []).find((element) =>
    (attribute(element, "name") ?? attribute(element, "property"))?.trim().toLowerCase() === name && (attribute(element, "content") ?? "").trim() !== ""
  )
  return meta === undefined ? "" : collapse(attribute(meta, "content") ?? "").slice(0, 2_000)
}

const canonicalOf = (walk: PageWalk, base: string): string | null => {
  const link = (walk.byName.get("link") ?? []).find((element) =>
    (attribute(element, "rel") ?? "").toLowerCase().split(/\s+/).includes("canonical")
  )
  const href = link === undefined ? null : attribute(link, "href")
  return href === null || href.trim() === "" ? null : normalise(href, base)
}

const elementsById = (walk: PageWalk): (id: string) => Element | null => {
  let index: Map<string, Element> | null = null
  return (id) => {
    if (index === null) {
      index = new Map()
      for (const elements of walk.byName.values()) {
        for (const element of elements) {
          const own = attribute(element, "id")
          if (own !== null && !index.has(own)) index.set(own, element)
        }
      }
    }
    return index.get(id) ?? null
  }
}
