import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { BUILD } from "../harness/program/BuiltProgram.ts"

const LIB = join(BUILD, "lib")

const IMPORT = /(?:from|import)\s*"\.\/([^"]+)"/g

/** The files that are loaded with `file`, itself among them; not those that it may `import()` later. */
const loadedWith = (file: string): ReadonlySet<string> => {
  const loaded = new Set([file])
  for (const one of loaded)
    for (const [, next = ""] of readFileSync(join(LIB, one), "utf8").matchAll(IMPORT)) loaded.add(next)
  return loaded
}

/** The file that `file` loads later and whose name begins with `name`. */
const laterOf = (file: string, name: string): string => {
  const [, later = ""] =
    new RegExp(`import\\(\`\\./(${name}-[^\`]+)\``).exec(readFileSync(join(LIB, file), "utf8")) ?? []
  return later
}

/** Names of chunks without their hashes. */
const chunksOf = (files: ReadonlySet<string>): ReadonlyArray<string> =>
  [...files].map((file) => file.replace(/-[\w-]{8}\.js$/, ""))

describe("the files of the built package", () => {
  it("let the main thread of a command load nothing but what starts and ends its thread", () => {
    expect(chunksOf(loadedWith("main.js"))).toEqual(["main.js", "launch"])
    expect(chunksOf(loadedWith(laterOf("main.js", "Supervisor")))).toEqual(["Supervisor", "launch"])
  })

  it("let a command load what it needs until its first request, and not what reads pages and judges", () => {
    const loaded = chunksOf(loadedWith(laterOf("CommandThread.js", "Program")))
    expect(loaded).toEqual(expect.arrayContaining(["command", "fetching"]))
    expect(loaded).not.toContain("pages")
    expect(loaded).not.toContain("judging")
    expect(loaded.length).toBeLessThan(10)
  })

  it("let docgauge.yaml be read without what reads pages and judges", () => {
    const command =
      [...loadedWith(laterOf("CommandThread.js", "Program"))].find((file) => file.startsWith("command-")) ?? ""
    const loaded = chunksOf(loadedWith(laterOf(command, "ConfiguredAudits")))
    expect(loaded).toContain("sources")
    expect(loaded).not.toContain("pages")
    expect(loaded).not.toContain("judging")
  })

  it("let the thread that reads pages load neither the command line nor what fetches", () => {
    const loaded = chunksOf(loadedWith("PageWorker.js"))
    expect(loaded).toContain("pages")
    expect(loaded).not.toContain("command")
    expect(loaded).not.toContain("fetching")
  })

  it("let the thread that reads API descriptions load neither what reads pages nor what judges", () => {
    const loaded = chunksOf(loadedWith("SpecWorker.js"))
    expect(loaded).toContain("descriptions")
    for (const chunk of ["pages", "judging", "fetching", "command"]) expect(loaded).not.toContain(chunk)
  })
})
