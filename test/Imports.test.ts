import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { describe, expect, it } from "vitest"

const ROOT = resolve(import.meta.dirname, "..")

/** What a part of the house may import; itself always. Arrows run one way. */
const HOUSE: Readonly<Record<string, ReadonlyArray<string>>> = {
  engine: [],
  plugins: ["engine"],
  server: ["engine", "plugins"],
  cli: ["engine", "plugins", "server"]
}

/** The same within the engine; `testing` is for tests and may use all of it. */
const ENGINE: Readonly<Record<string, ReadonlyArray<string>>> = {
  config: [],
  evidence: [],
  rubric: ["criterion"],
  site: ["evidence"],
  criterion: ["site", "evidence"],
  audit: ["criterion", "site", "evidence", "rubric"],
  worker: ["audit", "criterion", "site", "evidence", "rubric", "store"],
  schedule: ["config", "audit", "criterion", "site", "evidence", "rubric", "store", "limit", "worker"],
  limit: ["config", "store"],
  store: ["config", "evidence"],
  outside: ["config", "criterion", "site", "evidence", "rubric"],
  testing: ["audit", "criterion", "site", "evidence", "rubric", "schedule", "limit", "store"]
}

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))

const importsOf = (file: string): ReadonlyArray<string> =>
  [...readFileSync(join(ROOT, file), "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)]
    .flatMap(([, path]) => (path === undefined ? [] : [relative(ROOT, join(ROOT, dirname(file), path))]))

const edges = Object.keys(HOUSE).flatMap(filesOf).flatMap((file) => importsOf(file).map((target) => ({ file, target })))

const room = (path: string, depth: number): string => path.split("/")[depth] ?? ""

describe("the direction of imports", () => {
  it("reads the tree at all", () => expect(edges.length).toBeGreaterThan(100))

  it("runs from cli to server to plugins to engine", () => {
    const wrong = edges.filter(({ file, target }) => {
      const [from, to] = [room(file, 0), room(target, 0)]
      return from !== to && HOUSE[to] !== undefined && !(HOUSE[from] ?? []).includes(to)
    })
    expect(wrong).toEqual([])
  })

  it("runs one way within the engine", () => {
    const inner = edges.filter(({ file, target }) => file.startsWith("engine/") && target.startsWith("engine/"))
    const wrong = inner.filter(({ file, target }) => {
      const [from, to] = [room(file, 1), room(target, 1)]
      return from !== to && !(ENGINE[from] ?? []).includes(to)
    })
    expect(wrong).toEqual([])
  })

  it("keeps plugins apart: none imports another", () => {
    const isPlugin = (path: string) => /^plugins\/[^/]+\/[a-f]\d-/.test(path)
    expect(edges.filter(({ file, target }) => isPlugin(file) && isPlugin(target))).toEqual([])
  })
})
