import { execFileSync } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { describe, expect, it } from "vitest"

const PRINT_MODULES = `
import { registerHooks } from "node:module"
registerHooks({ load: (url, context, next) => { console.log(url); return next(url, context) } })`

/** All modules that a thread loads at its start. */
const modulesOf = (entry: string): ReadonlyArray<string> => {
  const file = join(import.meta.dirname, "../../engine/parse", entry)
  const args = ["--import", `data:text/javascript,${encodeURIComponent(PRINT_MODULES)}`, file]
  return execFileSync(process.execPath, args, { encoding: "utf8" }).trim().split("\n")
}

// Each thread has a heap of its own: what it loads is loaded, compiled and kept once more.
describe.each(["PageWorker.ts", "SpecWorker.ts"])("%s", (entry) => {
  const modules = modulesOf(entry)

  it("reads with plain functions, without Effect and its schemas", () => {
    expect(modules.length).toBeGreaterThan(20)
    expect(modules.filter((url) => url.includes("/node_modules/effect/"))).toEqual([])
  })

  it("knows no network and no store", () => {
    expect(modules.filter((url) => /\/node_modules\/(?:undici|sqlite3)\//.test(url))).toEqual([])
  })
})
