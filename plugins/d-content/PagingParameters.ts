import type { ApiDescription } from "../../engine/apispec/ApiSpec.ts"
import type { Section } from "../../engine/page/Page.ts"
import type { Reader } from "../../engine/text/languages/Vocabulary.ts"
import type { Citation } from "./Citation.ts"
import type { Documentation } from "./Documentation.ts"
import { pathAndQuery } from "./Topic.ts"

/** Proves paging by itself. */
const PAGE_PARAMETER =
  /^(?:(?:next_?)?page_?token|next_?(?:cursor|token)|cursor|page_?cursor|per_?page|page_?size|page\[(?:size|number|cursor|limit)\]|starting_?after|ending_?before|page_?number)$/i

/** Cursor is an editor, too. */
const ON_LISTS = /\bpag(?:e|es|ing|inat)|\bresults?\b|\brecords?\b|\bnext\b|\bposition\b/i

/** Whether an entry of a list or a table is a parameter that proves paging by itself. */
export const isPageParameter = ({ name, text }: Parameter): boolean =>
  PAGE_PARAMETER.test(name) && (name !== "Cursor" || ON_LISTS.test(text))

const PLAIN_PARAMETERS: ReadonlyArray<ReadonlySet<string>> = [
  ["limit", "offset"],
  ["max", "offset"],
  ["limit", "page"],
  ["size", "page"],
  ["count", "page"],
  ["first", "after"],
  ["limit", "after"],
  ["top", "skip"],
  ["take", "skip"]
].map((names) => new Set(names))

/** The operations of an API description are paged; OData writes `$top` and `$skip`. `limit` alone may mean anything; with `offset` it is paging. */
export const pagesLists = ({ elements: { parameters } }: ApiDescription, reader: Reader): boolean => {
  const names = new Set(parameters.map(({ name }) => name.toLowerCase().replace(/^\$/, "")))
  return (
    parameters.some(({ name }) => PAGE_PARAMETER.test(name) || reader.says("pagination", spaced(name))) ||
    PLAIN_PARAMETERS.some((pair) => pair.isSubsetOf(names)) ||
    (["pageNumber", "pageSize"] as const).every((meaning) =>
      parameters.some(({ name }) => isWhole(meaning, name, reader))
    )
  )
}

/** `paginacao.paginaAtual` is `paginacao pagina Atual`. */
const spaced = (name: string): string =>
  name
    .slice(0, 100)
    .replace(/[._[\]-]/g, " ")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")

/** Names of a parameter that says where a page begins, and of one that says how long it is, without `-` and `_`. */
const WHERE = new Set([
  "page",
  "pageno",
  "pagenum",
  "pagenumber",
  "pageindex",
  "currentpage",
  "offset",
  "cursor",
  "marker",
  "skip",
  "fromid",
  "maxid",
  "sinceid",
  "minid",
  "startindex",
  "startat",
  "nexttoken",
  "pagetoken"
])
const HOW_MANY = new Set([
  "limit",
  "size",
  "count",
  "perpage",
  "pagesize",
  "pagelimit",
  "take",
  "top",
  "first",
  "max",
  "maxresults",
  "maxkeys",
  "maxitems"
])
/** Words that mean paging only beside each other. */
const PAIRS: ReadonlyArray<ReadonlySet<string>> = [
  ["start", "rows"],
  ["after", "limit"],
  ["before", "limit"],
  ["after", "first"]
].map((names) => new Set(names))
/** Names that say where a page begins if the text beside them speaks of paging. */
const MAYBE_WHERE = new Set(["from", "start", "after", "before", "since"])
const SPEAKS_OF_PAGES = /\bpaginat|\bnext page|\boffset\b|\bcursor\b/i

interface Parameter {
  readonly name: string
  readonly text: string
}

/** `cursor (optional)` names `cursor`. Other languages' names are taken for the English ones. */
const nameOf = ({ name, text }: Parameter, reader: Reader): string => {
  const written = /^[`"'\s]{0,3}\$?([\p{L}\p{N}_-]{1,40})/u.exec(name)?.[1] ?? ""
  const plain = written.replace(/[-_]/g, "").toLowerCase()
  if (isWhole("pageNumber", written, reader)) return "page"
  if (isWhole("pageSize", written, reader)) return "size"
  const isWhere = MAYBE_WHERE.has(plain) && (SPEAKS_OF_PAGES.test(text) || reader.says("aboutPaging", text))
  return isWhere ? "offset" : plain
}

const isWhole = (meaning: "pageNumber" | "pageSize", name: string, reader: Reader): boolean =>
  reader.languages.size > 0 && name !== "" && reader.without(meaning, spaced(name)).trim() === ""

const arePaging = (parameters: ReadonlyArray<Parameter>, reader: Reader): boolean => {
  const names = new Set(parameters.map((parameter) => nameOf(parameter, reader)))
  return (
    (!names.isDisjointFrom(WHERE) && !names.isDisjointFrom(HOW_MANY)) || PAIRS.some((pair) => pair.isSubsetOf(names))
  )
}

const COLUMNS = [0, 1, 2]
const LINE_CHARACTERS = 400
/** An item of a list of parameters: `limit: integer - how many`. */
const ITEM = /^[•*-]?\s?[`"']?([\p{L}\p{N}_-]{2,40})[`"']?\s?(?:[:：]|[–—-]\s|[(（])(.*)$/u

const itemsIn = ({ text }: Section): ReadonlyArray<Parameter> =>
  text.split("\n").flatMap((line) => {
    const [, name, rest = ""] = ITEM.exec(line.slice(0, LINE_CHARACTERS)) ?? []
    return name === undefined ? [] : [{ name, text: rest }]
  })

/** The heading above parameters that have a heading each. */
const PARAMETERS = /\bparam(?:eter)?s?\b|\bquery\b|\barguments?\b/i

const parametersByHeading = (sections: ReadonlyArray<Section>): ReadonlyArray<ReadonlyArray<Parameter>> => [
  ...Map.groupBy(
    sections
      .filter(({ path }) => PARAMETERS.test(path.at(-1) ?? ""))
      .map(({ heading, path, text }) => ({ name: heading, text, below: path.join("\n") })),
    ({ below }) => below
  ).values()
]

/**
 * A table, a list of terms, a list of items or headings below one of parameters that have a parameter for where a page begins and one for
 * how long it is.
 */
export const pagingParameters = ({ articles, reader }: Documentation): Citation | null => {
  const article = articles.find(
    ({ definitions, sections, tables }) =>
      tables.some(({ rows }) =>
        COLUMNS.some((column) =>
          arePaging(
            rows.map((row) => ({ name: row[column] ?? "", text: row.join(" ") })),
            reader
          )
        )
      ) ||
      [...Map.groupBy(definitions, ({ section }) => section).values()].some((terms) =>
        arePaging(
          terms.map(({ term, text }) => ({ name: term, text })),
          reader
        )
      ) ||
      sections.some((section) => arePaging(itemsIn(section), reader)) ||
      parametersByHeading(sections).some((parameters) => arePaging(parameters, reader))
  )
  return article === undefined
    ? null
    : { where: `the list of parameters on ${pathAndQuery(article.url)}`, proof: article.exchange }
}
