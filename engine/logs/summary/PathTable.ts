import { COUNTED_AGENTS, ownCopy } from "../agents/LogAgents.ts"
import { MARKDOWN_ENDING } from "../../text/UrlPath.ts"

/** What a path is asked for as. */
const PATH_FORMS = ["html", "markdown", "llms_txt", "description", "site_file", "asset", "other"] as const
export type PathForm = (typeof PATH_FORMS)[number]

const RULES: ReadonlyArray<readonly [RegExp, PathForm]> = [
  [/\/llms[\w-]*\.txt$/i, "llms_txt"],
  [/^\/(?:robots|ai|humans|security)\.txt$|\/sitemap[\w-]*\.(?:xml|txt)(?:\.gz)?$|\/\.well-known\//i, "site_file"],
  [MARKDOWN_ENDING, "markdown"],
  [
    /\/(?:openapi|swagger|asyncapi|openrpc|postman|api-docs|schema|spec|api)[\w.-]*\.(?:json|ya?ml|graphql)$|\.graphqls?$|\/(?:v\d\/)?api-docs$|\/(?:openapi|swagger)$/i,
    "description"
  ],
  [/\.(?:atom|csv|json|rss|txt|webmanifest|xml|ya?ml)$/i, "other"]
]

/** What pages load, and no model reads. */
const ASSETS: ReadonlySet<string> = new Set(
  "avif bmp css eot gif gz ico jpeg jpg js map mjs mp4 otf pdf png svg tgz ttf wasm webm webp woff woff2 zip".split(" ")
)

export const isAsset = (path: string): boolean => {
  const dot = path.lastIndexOf(".")
  return dot !== -1 && path.length - dot <= 6 && ASSETS.has(path.slice(dot + 1).toLowerCase())
}

export const pathFormOf = (path: string): PathForm =>
  isAsset(path) ? "asset" : (RULES.find(([rule]) => rule.test(path))?.[1] ?? "html")

/** Paths that only scans for leaks and for other software ask for. */
const SCANNED =
  /\.(?:aspx?|bak|cgi|env|jsp|old|php\d?|sql|swp)(?:[/.]|$)|\/(?:\.git|\.env|\.aws|\.ssh|\.vscode|wp-|wordpress|cgi-bin|phpmyadmin|actuator|_ignition|boaform|hnap1)/i

export const isScanned = (path: string): boolean => SCANNED.test(path)

/** Distinct paths that are kept apart; the requests for all others are counted together. */
export const MOST_PATHS = 100_000

/** Of them, paths that were first seen because they are missing: made-up URLs must not crowd out the pages. */
const MOST_MISSING = MOST_PATHS / 2

/** What is counted for a path of the requests of agents and scripts. */
export const PATH_COUNTS = [
  "asked",
  "answered",
  "missing",
  "redirected",
  "refused",
  "limited",
  "failed",
  "soft"
] as const
export type PathCount = (typeof PATH_COUNTS)[number]

const COUNT_AT: Readonly<Record<PathCount, number>> = {
  asked: 0,
  answered: 1,
  missing: 2,
  redirected: 3,
  refused: 4,
  limited: 5,
  failed: 6,
  soft: 7
}

/** Numbers of 32 bits that say of a path which agents asked for it, by their index. */
const AGENT_WORDS = Math.ceil(COUNTED_AGENTS.length / 32)

/** A size of answers that differ. */
const SEVERAL_SIZES = -2
const NO_SIZE = -1

export interface PathRow extends Readonly<Record<PathCount, number>> {
  readonly path: string
  readonly form: PathForm
  /** Whether anyone, a browser too, was answered with it. */
  readonly isKnown: boolean
  /** Bytes of its successful answers to agents, where all were of one length; `null` otherwise. */
  readonly size: number | null
  /** Its place in the table; -1: it is in none. */
  readonly id: number
}

/** Counts by path, in arrays of numbers: objects with as many counters would take a hundred megabytes. The system gives an array its memory as it is filled. */
export class PathTable {
  readonly #ids = new Map<string, number>()
  readonly #paths: Array<string> = []
  readonly #forms = new Uint8Array(MOST_PATHS)
  readonly #known = new Uint8Array(MOST_PATHS)
  readonly #sizes = new Int32Array(MOST_PATHS).fill(NO_SIZE)
  readonly #counts = new Uint32Array(MOST_PATHS * PATH_COUNTS.length)
  readonly #agents = new Uint32Array(MOST_PATHS * AGENT_WORDS)
  #missing = 0
  /** Requests for paths that were not kept apart. */
  beyond = 0

  get length(): number {
    return this.#paths.length
  }

  /** The id of a path, a new one if there is room; -1 if there is not. */
  idOf(path: string, isMissing: boolean): number {
    const known = this.#ids.get(path)
    if (known !== undefined) return known
    if (this.#paths.length >= MOST_PATHS || (isMissing && this.#missing >= MOST_MISSING)) return -1
    const id = this.#paths.length
    if (isMissing) this.#missing += 1
    const own = ownCopy(path)
    this.#ids.set(own, id)
    this.#paths.push(own)
    this.#forms[id] = PATH_FORMS.indexOf(pathFormOf(own))
    return id
  }

  /** The form of a path, which is worked out once for a kept one. */
  formOf(id: number, path: string): PathForm {
    return id === -1 ? pathFormOf(path) : (PATH_FORMS[this.#forms[id] ?? 0] ?? "html")
  }

  setKnown(id: number): void {
    this.#known[id] = 1
  }

  add(id: number, count: PathCount): void {
    const at = id * PATH_COUNTS.length + COUNT_AT[count]
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
  }

  addAgent(id: number, agent: number): void {
    const at = id * AGENT_WORDS + (agent >> 5)
    this.#agents[at] = (this.#agents[at] ?? 0) | (1 << (agent & 31))
  }

  addSize(id: number, bytes: number): void {
    const before = this.#sizes[id]
    this.#sizes[id] = before === NO_SIZE || before === bytes ? Math.min(bytes, 2 ** 31 - 1) : SEVERAL_SIZES
  }

  /** All paths in the order in which they were first seen. */
  *rows(): Generator<PathRow> {
    for (const [id, path] of this.#paths.entries()) yield new TableRow(this, id, path)
  }

  count(id: number, count: PathCount): number {
    return this.#counts[id * PATH_COUNTS.length + COUNT_AT[count]] ?? 0
  }

  isKnown(id: number): boolean {
    return this.#known[id] === 1
  }

  sizeOf(id: number): number | null {
    const size = this.#sizes[id] ?? NO_SIZE
    return size < 0 ? null : size
  }

  /** Indexes of the agents that asked for a path. */
  agentsOf(id: number): ReadonlyArray<number> {
    const agents: Array<number> = []
    for (let word = 0; word < AGENT_WORDS; word++) {
      const bits = this.#agents[id * AGENT_WORDS + word] ?? 0
      for (let bit = 0; bit < 32 && bits >>> bit !== 0; bit++) if ((bits >>> bit) & 1) agents.push(word * 32 + bit)
    }
    return agents
  }

  /** How many paths each agent asked for, by its index. */
  pathsByAgent(): ReadonlyArray<number> {
    const paths = Array.from({ length: AGENT_WORDS * 32 }, () => 0)
    for (let id = 0; id < this.#paths.length; id++)
      for (const agent of this.agentsOf(id)) paths[agent] = (paths[agent] ?? 0) + 1
    return paths
  }
}

/** A path's place in the table: figures are looked up when they are wanted, because a hundred thousand copies of them take 15 MB. */
class TableRow implements PathRow {
  readonly #table: PathTable
  readonly id: number
  readonly path: string

  constructor(table: PathTable, id: number, path: string) {
    this.#table = table
    this.id = id
    this.path = path
  }

  get form(): PathForm {
    return this.#table.formOf(this.id, this.path)
  }
  get isKnown(): boolean {
    return this.#table.isKnown(this.id)
  }
  get size(): number | null {
    return this.#table.sizeOf(this.id)
  }
  get asked(): number {
    return this.#table.count(this.id, "asked")
  }
  get answered(): number {
    return this.#table.count(this.id, "answered")
  }
  get missing(): number {
    return this.#table.count(this.id, "missing")
  }
  get redirected(): number {
    return this.#table.count(this.id, "redirected")
  }
  get refused(): number {
    return this.#table.count(this.id, "refused")
  }
  get limited(): number {
    return this.#table.count(this.id, "limited")
  }
  get failed(): number {
    return this.#table.count(this.id, "failed")
  }
  get soft(): number {
    return this.#table.count(this.id, "soft")
  }
}
