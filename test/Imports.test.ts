import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { describe, expect, it } from "vitest"

const ROOT = resolve(import.meta.dirname, "..")

/** What each folder may import besides itself. Arrows point down only; a folder that is missing here may import nothing. */
const ARROWS: Readonly<Record<string, ReadonlyArray<string>>> = {
  "engine/text": [],
  "engine/config": [],
  "engine/worker": [],
  "engine/evidence": ["engine/text"],
  "engine/page": ["engine/evidence", "engine/text"],
  "engine/apispec": ["engine/evidence", "engine/page", "engine/text"],
  "engine/drift": ["engine/apispec", "engine/evidence", "engine/page", "engine/text"],
  "engine/parse": ["engine/apispec", "engine/page", "engine/worker"],
  "engine/site": ["engine/apispec", "engine/drift", "engine/evidence", "engine/page", "engine/parse", "engine/text"],
  "engine/plugin": ["engine/apispec", "engine/evidence", "engine/page", "engine/site", "engine/text"],
  "engine/rubric": ["engine/plugin", "engine/text"],
  "engine/audit": [
    "engine/plugin",
    "engine/drift",
    "engine/evidence",
    "engine/page",
    "engine/parse",
    "engine/rubric",
    "engine/site",
    "engine/text"
  ],
  "engine/report": ["engine/audit", "engine/drift", "engine/evidence", "engine/plugin", "engine/rubric", "engine/text"],
  "engine/referee": ["engine/audit", "engine/evidence", "engine/plugin", "engine/report", "engine/rubric"],
  "engine/logs": ["engine/audit", "engine/plugin", "engine/site", "engine/text"],
  "engine/fix": [
    "engine/apispec",
    "engine/audit",
    "engine/drift",
    "engine/evidence",
    "engine/page",
    "engine/parse",
    "engine/plugin",
    "engine/report",
    "engine/rubric",
    "engine/site",
    "engine/text"
  ],
  "engine/store": ["engine/config", "engine/evidence"],
  "engine/limit": ["engine/config", "engine/evidence", "engine/store"],
  "engine/process": [
    "engine/audit",
    "engine/plugin",
    "engine/evidence",
    "engine/fix",
    "engine/parse",
    "engine/rubric",
    "engine/store",
    "engine/text"
  ],
  "engine/schedule": [
    "engine/config",
    "engine/evidence",
    "engine/fix",
    "engine/limit",
    "engine/process",
    "engine/rubric",
    "engine/store"
  ],
  "engine/external": [
    "engine/config",
    "engine/plugin",
    "engine/evidence",
    "engine/rubric",
    "engine/site",
    "engine/worker"
  ],
  "engine/testing": [
    "engine/audit",
    "engine/config",
    "engine/plugin",
    "engine/evidence",
    "engine/external",
    "engine/parse",
    "engine/rubric",
    "engine/site",
    "engine/text"
  ],
  plugins: ["engine/apispec", "engine/plugin", "engine/evidence", "engine/page", "engine/site", "engine/text"],
  "server/observe": ["engine/audit", "engine/limit", "engine/store"],
  "server/api": ["engine/audit", "engine/evidence", "engine/store", "engine/text"],
  "server/files": [],
  "server/config": [
    "engine/config",
    "engine/plugin",
    "engine/evidence",
    "engine/external",
    "engine/rubric",
    "engine/text",
    "plugins"
  ],
  "server/response": ["engine", "server/api", "server/config", "server/observe"],
  "server/audits": ["engine", "plugins", "server/api", "server/config", "server/observe", "server/response"],
  "server/fixes": ["engine", "server/audits", "server/config", "server/response"],
  "server/dashboards": ["engine/audit", "engine/store", "server/api"],
  "server/webhooks": ["engine", "server/api", "server/audits", "server/config", "server/observe"],
  "server/http": [
    "engine",
    "server/api",
    "server/audits",
    "server/config",
    "server/dashboards",
    "server/observe",
    "server/response",
    "server/webhooks"
  ],
  "server/images": ["engine", "server/api", "server/audits", "server/files", "server/http", "server/response"],
  "server/oauth": ["engine", "server/audits", "server/config", "server/http", "server/observe"],
  "server/mcp": [
    "engine",
    "server/api",
    "server/audits",
    "server/config",
    "server/fixes",
    "server/http",
    "server/oauth",
    "server/observe"
  ],
  "server/pages": [
    "engine",
    "server/api",
    "server/audits",
    "server/config",
    "server/dashboards",
    "server/files",
    "server/fixes",
    "server/http",
    "server/images",
    "server/mcp",
    "server/oauth",
    "server/response"
  ],
  "server/admin": [
    "engine",
    "server/api",
    "server/audits",
    "server/config",
    "server/dashboards",
    "server/http",
    "server/observe",
    "server/response"
  ],
  "server/background": [
    "engine/evidence",
    "engine/process",
    "engine/schedule",
    "engine/store",
    "server/admin",
    "server/audits",
    "server/config",
    "server/observe",
    "server/webhooks"
  ],
  server: ["engine", "plugins", "server"],
  cli: ["engine", "plugins", "server"]
}

/** What the command line imports of the service, by what starts one or asks one. */
const SERVER_IN_CLI: Readonly<Record<string, string>> = {
  "cli/commands/serve.ts": "server/Serve.ts",
  "cli/commands/mcp.ts": "server/mcp",
  "cli/audit/RemoteAudit.ts": "server/client.ts"
}

const MOST_FILES = 20

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((file) => !file.includes("node_modules/"))

/** Types are imported like anything else, and so is what a worker is started from. */
const importsOf = (file: string): ReadonlyArray<string> =>
  [...readFileSync(join(ROOT, file), "utf8").matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g)].flatMap(([, path]) =>
    path === undefined ? [] : [relative(ROOT, join(ROOT, dirname(file), path))]
  )

interface Arrow {
  readonly from: string
  readonly to: string
}

const PRODUCT = ["engine", "plugins", "server", "cli"]
const imports: ReadonlyArray<Arrow> = PRODUCT.flatMap(filesOf)
  .flatMap((from) => importsOf(from).map((to) => ({ from, to })))
  .filter(({ to }) => PRODUCT.some((part) => to.startsWith(`${part}/`)))

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

/** The entry of `ARROWS` that a file belongs to: the longest that names one of its folders. */
const roomOf = (file: string): string =>
  Object.keys(ARROWS)
    .filter((room) => isWithin(file, room))
    .sort((one, other) => other.length - one.length)[0] ?? dirname(file)

const mayImport = (from: string, to: string): boolean => (ARROWS[from] ?? []).some((allowed) => isWithin(to, allowed))

/** One cycle, as `a -> b -> a`; `null` where there is none. */
const cycleOf = (arrows: ReadonlyArray<Arrow>): string | null => {
  const targets = Map.groupBy(
    arrows.filter(({ from, to }) => from !== to),
    ({ from }) => from
  )
  const done = new Set<string>()
  const visit = (node: string, path: ReadonlyArray<string>): string | null => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node].join(" -> ")
    if (done.has(node)) return null
    for (const { to } of targets.get(node) ?? []) {
      const cycle = visit(to, [...path, node])
      if (cycle !== null) return cycle
    }
    done.add(node)
    return null
  }
  for (const node of targets.keys()) {
    const cycle = visit(node, [])
    if (cycle !== null) return cycle
  }
  return null
}

describe("the direction of imports", () => {
  it("finds the imports of every part", () => {
    expect(new Set(imports.map(({ from }) => from.split("/")[0]))).toEqual(new Set(PRODUCT))
    expect(imports.length).toBeGreaterThan(1_000)
  })

  it("follows the arrows between folders", () => {
    const wrong = imports.flatMap(({ from, to }) => {
      const [one, other] = [roomOf(from), roomOf(to)]
      if (one === other || mayImport(one, other)) return []
      return [`${from} imports ${to}: ${one} may not import ${other}`]
    })
    expect(wrong).toEqual([])
  })

  it("leads from the command line to the service only where that starts one or asks one", () => {
    const wrong = imports
      .filter(({ from, to }) => isWithin(from, "cli") && isWithin(to, "server"))
      .filter(({ from, to }) => !isWithin(to, SERVER_IN_CLI[from] ?? "cli"))
    expect(wrong).toEqual([])
  })

  it("allows no cycle by the arrows themselves", () => {
    const rooms = Object.keys(ARROWS)
    // `server` and `cli` are what puts the parts together.
    const allowed = rooms
      .filter((room) => room.includes("/"))
      .flatMap((from) => rooms.filter((to) => mayImport(from, to)).map((to) => ({ from, to })))
    expect(cycleOf(allowed)).toBeNull()
  })

  it("has no cycle between files, of types either", () => {
    expect(cycleOf(imports)).toBeNull()
  })

  it("has no cycle between folders", () => {
    const folders = imports.map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }))
    expect(cycleOf(folders)).toBeNull()
  })

  it("loads pg-boss and the queue over it only when a service opens PostgreSQL", () => {
    const atOnce = /^(?:import|export) (?!type )[^"]*"(?:pg-boss|[^"]*\/(?:PostgresQueue|JobEngine)\.ts)"/m
    const files = PRODUCT.flatMap(filesOf).filter((file) => atOnce.test(readFileSync(join(ROOT, file), "utf8")))
    expect(files).toEqual(["engine/schedule/queue/PostgresQueue.ts"])
  })

  it("keeps plugins apart: none imports another", () => {
    const isPlugin = (path: string) => /^plugins\/[^/]+\/[a-f]\d-/.test(path)
    expect(imports.filter(({ from, to }) => isPlugin(from) && isPlugin(to))).toEqual([])
  })
})

describe("the size of folders", () => {
  it(`holds at most ${MOST_FILES} files in each`, () => {
    const files = [...PRODUCT, "scripts", "test"].flatMap(filesOf)
    const large = [...Map.groupBy(files, dirname)].filter(([, { length }]) => length > MOST_FILES)
    expect(large.map(([folder, { length }]) => `${folder} holds ${length} files`)).toEqual([])
  })
})
