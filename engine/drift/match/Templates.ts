import { hasPlaceholder, isPlaceholder } from "../ShownCall.ts"

/** Templates that a path fits: the words of the path are looked for before parameters. */
export interface TemplateMatch {
  /** What was given for the template when it was added; several templates may be the same. */
  readonly entries: ReadonlyArray<number>
  /** Segments that are the template's own words. */
  readonly literals: number
  /** A placeholder of the path is where the template has a word. */
  readonly loose: boolean
}

export interface Templates {
  /** `null` where there is too much to look through. */
  readonly find: (path: ReadonlyArray<string>) => ReadonlyArray<TemplateMatch> | null
  /** Templates that a path fits but for the segment at an index, where they have a word; `null` where there is too much to look through. */
  readonly findBut: (path: ReadonlyArray<string>, at: number) => ReadonlyArray<TemplateMatch> | null
  /** Whether a template begins with these words; none do with no words. */
  readonly beginsWith: (words: ReadonlyArray<string>) => boolean
}

/** A template in segments, and what it is called by. */
interface TemplateEntry {
  readonly segments: ReadonlyArray<string>
  readonly entry: number
}

interface Node {
  readonly words: Map<string, Node>
  readonly mixed: Map<string, Node>
  parameter: Node | null
  readonly entries: Array<number>
  /** Of templates whose last parameter takes any number of segments. */
  readonly tails: Array<number>
}

/** Places of the tree that are looked at for one path: the work for a call does not grow with the description. */
const VISITS = 500
const MATCHES = 20
const MATCHES_BUT_ONE = 200

const newNode = (): Node => ({ words: new Map(), mixed: new Map(), parameter: null, entries: [], tails: [] })

const PARAMETER = /^\{[^{}]{1,200}\}$/
const HOLES = /\{[^{}]{1,200}\}/g

/** A last parameter of these names is a path itself: `{path}`, `{+key}`, `{rest*}`. */
const TAIL =
  /^\{(?:[+/].{1,100}|.{1,100}\*|(?:\w{0,40}[_-])?(?:path|filepath|file|key|ref|url|uri|dir|directory|folder|rest|object|name)s?)\}$/i

export const isParameterSegment = (segment: string): boolean => PARAMETER.test(segment)

/** Not empty segments of a path: slashes at its end and doubled ones are ignored. */
export const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((segment) => segment !== "")

/** An index of templates by their segments. */
export const templatesOf = (entries: ReadonlyArray<TemplateEntry>): Templates => {
  const root = newNode()
  for (const { entry, segments } of entries) add(root, segments, entry)
  return {
    find: (path) => search(root, path, -1),
    findBut: (path, at) => search(root, path, at),
    beginsWith: (words) => {
      const end = words.reduce<Node | undefined>((node, word) => node?.words.get(word), root)
      return words.length > 0 && end !== undefined
    }
  }
}

const add = (root: Node, segments: ReadonlyArray<string>, entry: number): void => {
  let node = root
  for (const [index, segment] of segments.entries()) {
    if (index === segments.length - 1 && TAIL.test(segment)) node.tails.push(entry)
    node = childOf(node, segment)
  }
  node.entries.push(entry)
}

const childOf = (node: Node, segment: string): Node => {
  if (isParameterSegment(segment)) {
    node.parameter ??= newNode()
    return node.parameter
  }
  const among = segment.includes("{") ? node.mixed : node.words
  const known = among.get(segment) ?? newNode()
  among.set(segment, known)
  return known
}

/** `but`: the index of a segment in whose place any word is; -1 for none. */
const search = (root: Node, path: ReadonlyArray<string>, but: number): ReadonlyArray<TemplateMatch> | null => {
  const found: Array<TemplateMatch> = []
  let visits = 0
  const isExhausted = (): boolean => {
    visits += 1
    return visits > VISITS
  }

  const visit = (node: Node, index: number, literals: number, loose: boolean): void => {
    if (isExhausted() || found.length >= (but < 0 ? MATCHES : MATCHES_BUT_ONE)) return
    const segment = path[index]
    if (segment === undefined) {
      if (node.entries.length > 0) found.push({ entries: node.entries, literals, loose })
      return
    }
    if (index === but) {
      for (const next of node.words.values()) visit(next, index + 1, literals, loose)
      return
    }
    const word = node.words.get(segment)
    if (word !== undefined) visit(word, index + 1, literals + 1, loose)
    for (const [template, next] of node.mixed) {
      if (isExhausted()) return
      if (fits(segment, template)) visit(next, index + 1, literals, loose)
    }
    if (node.parameter !== null) visit(node.parameter, index + 1, literals, loose)
    if (isPlaceholder(segment)) {
      for (const [own, next] of node.words) {
        if (visits > VISITS) return
        if (own !== segment) visit(next, index + 1, literals, true)
      }
    }
    if (node.tails.length > 0 && index < path.length - 1) found.push({ entries: node.tails, literals, loose })
  }

  visit(root, 0, 0, false)
  if (visits > VISITS) return null
  // A placeholder that is where a template has a parameter is that parameter.
  const exact = found.filter(({ loose }) => !loose)
  return exact.length > 0 ? exact : found
}

/** A segment of words and parameters, such as `{id}.json`, `{id}:cancel` or `orders({id})`. */
const fits = (segment: string, template: string): boolean => {
  const words = template.split(HOLES)
  const first = words[0] ?? ""
  const last = words.at(-1) ?? ""
  if (!segment.startsWith(first) || !segment.endsWith(last))
    return hasPlaceholder(segment) && first === "" && last === ""
  let at = first.length
  for (const word of words.slice(1, -1)) {
    const next = segment.indexOf(word, at)
    if (next < 0) return false
    at = next + word.length
  }
  return at <= segment.length - last.length
}

const VERSION =
  /^(?:v\d{1,3}(?:[._]\d{1,3}){0,2}(?:(?:alpha|beta|rc|preview)\d{0,3})?|\d{4}-\d{2}(?:-\d{2})?|\d{1,2}\.\d{1,3})$/i

/** A segment of a path that names a version of an API: `v1`, `v2.1`, `v1beta1`, `2024-05`, `1.0`. */
export const isVersionSegment = (segment: string): boolean => VERSION.test(segment)

const numberOf = (version: string): string =>
  version
    .toLowerCase()
    .replace(/^v/, "")
    .replaceAll("_", ".")
    .replace(/(?:\.0)+$/, "")

/** Whether two segments name the same version: `v2`, `V2.0` and `2.0` do. */
export const isSameVersion = (one: string, other: string): boolean => numberOf(one) === numberOf(other)

/** The versions that a text names: `v2`, `version 2`, `2024-05-01`. URLs and paths in it do not count. */
export const versionsNamed = (text: string): ReadonlyArray<string> => {
  const words = text
    .slice(0, TEXT)
    .split(/\s+/)
    .filter((word) => !word.includes("/"))
    .map((word) => word.replace(/^[("'`[]{1,3}/, "").replace(/[)"'`\],.;:!?]{1,3}$/, ""))
  return words.flatMap((word, index) => {
    const before = words[index - 1] ?? ""
    if (isVersionSegment(word)) return [word]
    return VERSION_WORD.test(before) && /^\d{1,3}(?:\.\d{1,3}){0,2}$/.test(word) ? [`v${word}`] : []
  })
}

const TEXT = 20_000
const VERSION_WORD = /^(?:version|release|versi[oó]n|vers[aã]o|версии?|версия|api)$/iu
