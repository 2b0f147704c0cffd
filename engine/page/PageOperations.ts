import { trimEnd } from "../text/Trim.ts"
import type { ShownOperation } from "./Page.ts"

const MAX_OPERATIONS = 500

/** The longest stretch of a block that is searched, in characters. */
const SEARCHED = 20_000

/** A path, or a URL with one: a host alone is no operation. */
const ADDRESS = String.raw`(?:https?:\/\/[^\s\/"'<>|\`]{1,200}\/[^\s"'<>|\`]{1,500}|\/[A-Za-z{:<~_.][^\s"'<>|\`]{0,500})`

/** `GET /users`, capitals as HTTP writes them. Not `GET / POST`. */
const SIDE_BY_SIDE = new RegExp(
  String.raw`(?<![A-Za-z0-9_.-])(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[ \t]{1,4}(${ADDRESS})`,
  "g"
)

/** A badge and its path without a space between, or in small letters, at the start of a block. */
const BADGE = new RegExp(String.raw`^(get|post|put|patch|delete)[ \t]{0,4}(${ADDRESS})`, "i")

const METHOD_ALONE = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/i
const PATH_ALONE = new RegExp(`^(${ADDRESS})(?:$|\\s)`)

/** HTTP methods shown with a path, in one block or in two neighbouring ones; each once, in order. */
export const shownOperations = (blocks: ReadonlyArray<string>): ReadonlyArray<ShownOperation> => {
  const found = new Map<string, ShownOperation>()
  const add = (method: string | undefined, path: string | undefined): void => {
    if (method === undefined || path === undefined || found.size >= MAX_OPERATIONS) return
    const operation = { method: method.toUpperCase(), path: trimEnd(path, ".,;:)]") }
    const key = `${operation.method} ${operation.path}`
    if (!found.has(key)) found.set(key, operation)
  }
  blocks.forEach((block, index) => {
    const searched = block.slice(0, SEARCHED)
    const badge = BADGE.exec(searched)
    if (badge !== null) add(badge[1], badge[2])
    for (const match of searched.matchAll(SIDE_BY_SIDE)) add(match[1], match[2])
    if (METHOD_ALONE.test(block)) {
      for (const neighbour of [blocks[index + 1], blocks[index - 1]]) add(block, PATH_ALONE.exec(neighbour ?? "")?.[1])
    }
  })
  return [...found.values()]
}
