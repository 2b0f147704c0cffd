import { attribute, contentOf, type Element, isElement } from "../dom/HtmlTree.ts"
import type { DomWalk } from "../dom/DomWalk.ts"

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
