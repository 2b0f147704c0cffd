import { parsedJson } from "../../text/JsonText.ts"
import type { DomWalk } from "../dom/DomWalk.ts"
import { attribute, contentOf, type Element, hasAttributes, isElement } from "../dom/HtmlTree.ts"
import { $ } from "../dom/Selection.ts"
import type { StructuredData } from "../Page.ts"

const MAX_VALUES = 50_000
const MAX_BLOCKS = 100

const SCHEMA_ORG = /^https?:\/\/(?:www\.)?schema\.org\/([A-Za-z0-9]+)\/?$/

/** The types that a page declares by JSON-LD (`jsonLdBlocks`), microdata and RDFa. */
export const readStructuredData = (walk: DomWalk, blocks: ReadonlyArray<unknown>): StructuredData => {
  const types = new Set<string>()
  for (const value of blocks) for (const type of typesOfJsonLd(value)) types.add(type)
  for (const elements of walk.byName.values())
    for (const element of elements) for (const type of typesOfElement(element)) types.add(type)
  return { types: [...types].sort() }
}

/** The page's JSON-LD blocks; `undefined` for each that does not parse. */
export const jsonLdBlocks = (walk: DomWalk): ReadonlyArray<unknown> =>
  (walk.byName.get("script") ?? [])
    .filter(isJsonLd)
    .slice(0, MAX_BLOCKS)
    .map((script) => parseObject(contentOf(script)))

const isJsonLd = (script: Element): boolean =>
  (attribute(script, "type") ?? "").split(";", 1)[0]?.trim().toLowerCase() === "application/ld+json"

const parseObject = (text: string): unknown => {
  const value = parsedJson(text)
  return typeof value === "object" && value !== null ? value : undefined
}

/** Types of schema.org, by its context or by their full name. */
const typesOfJsonLd = (root: unknown): ReadonlyArray<string> => {
  const types: Array<string> = []
  const waiting: Array<{ readonly value: unknown; readonly schemaOrg: boolean }> = [{ value: root, schemaOrg: false }]
  for (let left = MAX_VALUES; left > 0; left--) {
    const next = waiting.pop()
    if (next === undefined) break
    const { value } = next
    if (Array.isArray(value)) for (const item of value) waiting.push({ value: item, schemaOrg: next.schemaOrg })
    else if (typeof value === "object" && value !== null) {
      const schemaOrg = "@context" in value ? namesSchemaOrg(value["@context"]) : next.schemaOrg
      if ("@type" in value) for (const type of [value["@type"]].flat()) types.push(...typeName(type, schemaOrg))
      for (const [key, item] of Object.entries(value)) if (key !== "@context") waiting.push({ value: item, schemaOrg })
    }
  }
  return types
}

const typeName = (type: unknown, schemaOrg: boolean): ReadonlyArray<string> => {
  if (typeof type !== "string") return []
  const full = SCHEMA_ORG.exec(type)?.[1] ?? /^schema:([A-Za-z0-9]+)$/.exec(type)?.[1]
  if (full !== undefined) return [full]
  return schemaOrg && /^[A-Za-z0-9]+$/.test(type) ? [type] : []
}

const namesSchemaOrg = (context: unknown): boolean =>
  typeof context === "string"
    ? /^(?:https?:)?\/\/(?:www\.)?schema\.org(?:\/|$)/i.test(context)
    : Array.isArray(context)
      ? context.some((item) => typeof item === "string" && namesSchemaOrg(item))
      : typeof context === "object" &&
        context !== null &&
        "@vocab" in context &&
        typeof context["@vocab"] === "string" &&
        namesSchemaOrg(context["@vocab"])

const typesOfElement = (element: Element): ReadonlyArray<string> => {
  if (!hasAttributes(element)) return []
  const microdata = attribute(element, "itemtype")?.split(/\s+/) ?? []
  const rdfa = attribute(element, "typeof")?.split(/\s+/) ?? []
  return [...microdata, ...rdfa].flatMap((type) => typeName(type, false))
}

/** `<meta>` names, properties and itemprops that hold the date of the last change. */
const NAMES = new Set(["article:modified_time", "og:updated_time", "last-modified", "dcterms.modified", "datemodified"])

/** What generators write before the date, in English, and the classes of their elements, which every language has. */
const LABEL = /\b(?:last (?:updated?|modified|changed|edited)|updated on)\b/i
const LABEL_CLASS = /(?:last-?updated|last-?modified)/i

/** Characters before a date that may label it. */
const LABEL_CHARACTERS = 200
const MAX_DATES = 500

/**
 * The day on which the page says that it was last changed, `YYYY-MM-DD`, from what is written for machines: `<meta>`, `<time>` and
 * JSON-LD; `null` if it names none, or several.
 */
export const modifiedOn = (walk: DomWalk, jsonLd: ReadonlyArray<unknown>): string | null => {
  const times = (walk.byName.get("time") ?? []).slice(0, MAX_DATES)
  const sources = [
    (walk.byName.get("meta") ?? []).filter(isNamed).map((meta) => attribute(meta, "content")),
    times.filter((time) => attribute(time, "itemprop")?.toLowerCase() === "datemodified").map(datetime),
    times.filter(isLabelled).map(datetime),
    jsonLd.flatMap(topLevel).map(dateModified)
  ]
  for (const source of sources) {
    const days = new Set(source.flatMap((value) => dayOf(value ?? "") ?? []))
    if (days.size > 0) return days.size === 1 ? ([...days][0] ?? null) : null
  }
  return null
}

const isNamed = (meta: Element): boolean =>
  NAMES.has(
    (attribute(meta, "property") ?? attribute(meta, "name") ?? attribute(meta, "itemprop") ?? "").trim().toLowerCase()
  )

const datetime = (time: Element): string | null => attribute(time, "datetime")

/** VitePress: `<p class="VPLastUpdated">Last updated: <time …>`; Nextra: `<div>Last updated on <time …>`. */
const isLabelled = (time: Element): boolean => {
  const { parent } = time
  if (parent === null || !isElement(parent)) return false
  return (
    LABEL_CLASS.test(attribute(parent, "class") ?? "") ||
    LABEL.test(contentOf(parent, LABEL_CHARACTERS).slice(0, LABEL_CHARACTERS))
  )
}

/** The objects of a JSON-LD block that are about the page itself, not about what it contains. */
const topLevel = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return value.slice(0, MAX_DATES)
  if (typeof value !== "object" || value === null) return []
  return "@graph" in value && Array.isArray(value["@graph"]) ? value["@graph"].slice(0, MAX_DATES) : [value]
}

const dateModified = (value: unknown): string | null =>
  typeof value === "object" && value !== null && "dateModified" in value && typeof value.dateModified === "string"
    ? value.dateModified
    : null

const DATE = /^\d{4}-\d\d-\d\d(?:$|T\d\d:\d\d)/

/** The day as it is written: a time without an offset is in a time zone that only the site knows. */
const dayOf = (value: string): string | null => {
  const text = value.trim()
  const day = text.slice(0, "YYYY-MM-DD".length)
  return DATE.test(text) && isDay(day) ? day : null
}

/** `Date.parse` takes 30 February for 2 March. */
const isDay = (day: string): boolean => {
  const time = Date.parse(day)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/** Marks that generators leave where they do not name themselves: each a `div` or a `section`. */
const MARKS: ReadonlyArray<readonly [generator: string, selector: string]> = [
  ["mkdocs", "div#mkdocs_search_modal"],
  ["sphinx", "div.sphinxsidebar"],
  ["sphinx", "div.rst-content"],
  ["sphinx", "div.documentwrapper"],
  ["yard", "div#filecontents"],
  ["yard", "div.nav_wrap"],
  ["slate", "div.toc-wrapper"],
  ["javadoc", "div.contentContainer"],
  ["javadoc", "div.flex-content"],
  ["rustdoc", "section#main-content"],
  ["vuepress", "div.theme-default-content"],
  ["redoc", "div.redoc-wrap"],
  ["mintlify", "div#content-area"],
  ["readme", "div.rm-Markdown"]
]

const MAX_NAMED = 10

/** The generators that a page names, such as a framework and its theme, else the one that its markup gives away. */
export const generatorsOf = (walk: DomWalk, named: ReadonlyArray<string>): ReadonlyArray<string> => {
  const telling = named.filter((name) => !/^docutils/i.test(name)).slice(0, MAX_NAMED)
  if (telling.length > 0) return telling
  if (hasMkDocsScript(walk)) return ["mkdocs"]
  const blocks = $([...(walk.byName.get("div") ?? []), ...(walk.byName.get("section") ?? [])])
  const marked = MARKS.find(([, selector]) => blocks.is(selector))
  return marked === undefined ? named.slice(0, MAX_NAMED) : [marked[0]]
}

/** MkDocs' own themes set these variables in the head of each page; that named readthedocs has the marks of Sphinx' theme otherwise. */
const hasMkDocsScript = (walk: DomWalk): boolean =>
  (walk.byName.get("script") ?? []).some((script) =>
    /\bvar mkdocs_page_name\b/.test(contentOf(script, SCRIPT_START).slice(0, SCRIPT_START))
  )

/** Characters of a script that are looked at. */
const SCRIPT_START = 300
