import { LANGUAGES } from "../text/languages/Language.ts"
import { readerIn } from "../text/languages/Vocabulary.ts"
import { trimEnd } from "../text/WhiteSpace.ts"
import type { ShownOperation, Table } from "./Page.ts"

const MAX_OPERATIONS = 500

/** The longest stretch of a block that is searched, in characters. */
const SEARCHED = 20_000

const PATH_PART = String.raw`(?:[^\s"'<>|\x60]|<[\w .-]{1,60}>)`
const HOST_PART = String.raw`(?:[^\s\/"'<>|\x60]|<[\w-]{1,60}>)`

/** `{host}`, `{{baseUrl}}`, `$HOST`, `<tenant>`: each user puts a server in. */
const VARIABLE = String.raw`(?:\{{1,2}[\w. -]{1,60}\}{1,2}|\$\{?\w{1,60}\}?|<[\w .-]{1,60}>)`

/** A path, or a URL with one: a host alone is no operation. */
const ADDRESS = String.raw`(?:https?:\/\/${HOST_PART}{1,200}\/${PATH_PART}{1,500}|(?:${VARIABLE}|localhost(?::\d{1,5})?)?\/[\p{L}\p{N}{:<~_.$]${PATH_PART}{0,500})`

/** `GET /users`, capitals as HTTP writes them. Not `GET / POST`. */
const SIDE_BY_SIDE = new RegExp(
  String.raw`(?<![A-Za-z0-9_.-])(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[ \t]{1,4}(${ADDRESS})`,
  "gu"
)

/** A badge and its path without a space between, or in small letters, at the start of a block. */
const BADGE = new RegExp(String.raw`^(get|post|put|patch|delete)[ \t]{0,4}(${ADDRESS})`, "iu")

const METHOD_ALONE = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/i
const PATH_ALONE = new RegExp(String.raw`^(${ADDRESS})(?:$|\s)`, "u")

/** `Method: POST`, `请求方法：GET / WS`, `Method: GET Body: none`: the path is the next block, or one before it that is nothing else. */
const LABELLED_METHOD =
  /^[^:：/]{2,40}[:：][ \t]{0,4}(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)(?: ?[/|,][ A-Z/|,]{1,40}|\s\p{L}[\p{L}()]{1,30}(?: [\p{L}()]{1,30})?[:：].{0,60})?$/su
const PATH_WHOLE = new RegExp(String.raw`^${ADDRESS}$`, "u")

/** The most blocks between a path and its method. */
const PATH_BLOCKS = 5

/** `Endpoint: /orders`, where the method is told once for all of them. */
const LABELLED = new RegExp(String.raw`^([^:：/]{2,60})[:：][ \t]{0,4}(${ADDRESS})[.,;]?$`, "u")

/** Longer blocks are sentences, in characters. */
const LABEL = 60
const LABELLED_BLOCK = 600

const ENDPOINT =
  /^(?:(?:api|rest|http|request) )?(?:end-?points?|(?:request|call) (?:url|uri|path))(?: (?:url|uri|path))?$/i
const others = readerIn(...LANGUAGES)

const saysEndpoint = (text: string): boolean =>
  text.length <= LABEL &&
  text.trim() !== "" &&
  (ENDPOINT.test(text.trim()) || others.without("endpointLabel", text).trim() === "")

/**
 * The operations that a page shows: HTTP methods with a path, in one block, in two neighbouring ones or in one row of a table, and
 * paths that are called an endpoint before them, in one block or two, or above their column, with an empty method. Each once, in order.
 */
export const shownOperations = (
  blocks: ReadonlyArray<string>,
  tables: ReadonlyArray<Pick<Table, "header" | "rows">> = []
): ReadonlyArray<ShownOperation> => {
  const found = new Map<string, ShownOperation>()
  const add = (method: string | undefined, path: string | undefined): void => {
    if (method === undefined || path === undefined || found.size >= MAX_OPERATIONS) return
    const operation = { method: method.toUpperCase(), path: trimEnd(path, ".,;:)]") }
    const key = `${operation.method} ${operation.path}`
    if (!found.has(key)) found.set(key, operation)
  }
  let path = ""
  let pathAt = -Infinity
  blocks.forEach((block, index) => {
    const next = blocks[index + 1] ?? ""
    // Each path has a slash: most blocks have none.
    const searched = block.includes("/") ? block.slice(0, SEARCHED) : ""
    const badge = BADGE.exec(searched)
    if (badge !== null) add(badge[1], badge[2])
    for (const match of searched.matchAll(SIDE_BY_SIDE)) add(match[1], match[2])
    if (METHOD_ALONE.test(block)) {
      for (const neighbour of [next, blocks[index - 1]]) add(block, PATH_ALONE.exec(neighbour ?? "")?.[1])
    }
    const method = LABELLED_METHOD.exec(block)?.[1]
    if (method !== undefined && PATH_WHOLE.test(next)) add(method, next)
    else if (method !== undefined && index - pathAt <= PATH_BLOCKS) add(method, path)
    if (PATH_WHOLE.test(searched)) {
      path = searched
      pathAt = index
    }
    if (block.length <= LABEL + 1 && next.includes("/") && saysEndpoint(trimEnd(block.trim(), ":：")))
      add("", PATH_ALONE.exec(next.slice(0, LABELLED_BLOCK))?.[1])
    const labelled = block.length <= LABELLED_BLOCK ? LABELLED.exec(searched) : null
    if (labelled !== null && saysEndpoint(labelled[1] ?? "")) add("", labelled[2])
  })
  for (const { method, path } of tables.flatMap(inTable)) add(method, path)
  return [...found.values()].filter(({ method, path }) => method !== "" || !hasMethod(found, path))
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

const hasMethod = (found: ReadonlyMap<string, ShownOperation>, path: string): boolean =>
  METHODS.some((method) => found.has(`${method} ${path}`))

/** Rows with a method and a path, and the paths of a column of endpoints. */
const inTable = ({ header, rows }: Pick<Table, "header" | "rows">): ReadonlyArray<ShownOperation> => {
  const column = header.findIndex(saysEndpoint)
  return rows.flatMap((cells) => {
    const method = cells.find((cell) => METHOD_ALONE.test(cell))
    const paths = column >= 0 ? cells.slice(column, column + 1) : method === undefined ? [] : cells
    const path = paths.flatMap((cell) => PATH_ALONE.exec(cell)?.[1] ?? [])[0]
    return path === undefined ? [] : [{ method: method ?? "", path }]
  })
}
