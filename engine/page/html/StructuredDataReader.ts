import { attribute, contentOf, type Element, hasAttributes } from "../dom/HtmlTree.ts"
import type { StructuredData } from "../Page.ts"
import type { DomWalk } from "../dom/DomWalk.ts"
import { parsedJson } from "../../text/ParsedJson.ts"

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
