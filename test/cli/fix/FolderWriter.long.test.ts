import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { folderWriter, uncommitted } from "../../../cli/fix/FolderWriter.ts"

const root = mkdtempSync(join(tmpdir(), "docgauge-writer-"))
afterAll(() => rmSync(root, { recursive: true }))

const folder = (name: string): string => {
  mkdirSync(join(root, name))
  return join(root, name)
}

describe("a file of a folder", () => {
  test("is not written through a link that leads out, nor over a folder", async () => {
    const site = folder("site")
    const outside = folder("outside")
    symlinkSync(outside, join(site, "guide"))
    symlinkSync(join(site, "gone"), join(site, "llms.txt"))
    mkdirSync(join(site, "robots.txt"))
    writeFileSync(join(site, "a"), "")
    const { whyNot, write } = folderWriter(site)
    const why = (path: string): Promise<string | null> => Effect.runPromise(whyNot(path))
    expect(await why("guide/deep/index.md")).toContain("leads out of the folder")
    expect(await why("llms.txt")).toContain("leads nowhere")
    expect(await why("robots.txt")).toContain("is a folder")
    expect(await why("a/b")).toContain("below a file")
    expect(await why("new/index.md")).toBeNull()
    expect(await Effect.runPromise(write("guide/deep/index.md", new Uint8Array()))).toContain("leads out of the folder")
    expect(existsSync(join(outside, "deep"))).toBe(false)
    expect(await Effect.runPromise(write("new/index.md", Buffer.from("# New\n")))).toBeNull()
    expect(await why("new/index.md/more")).toContain("below a file")
    expect(readFileSync(join(site, "new/index.md"), "utf8")).toBe("# New\n")
  })
})

describe("changes that are not committed", () => {
  const git = (path: string, ...args: ReadonlyArray<string>): void =>
    void execFileSync("git", ["-C", path, ...args], { stdio: "ignore" })

  test("are found in a repository, also if git lists more than we read", async () => {
    const path = folder("repository")
    git(path, "init")
    expect(await Effect.runPromise(uncommitted(path))).toBeNull()
    for (let index = 0; index < 6_000; index++) writeFileSync(join(path, `${"a".repeat(200)}${index}`), "")
    expect(await Effect.runPromise(uncommitted(path))).toContain("not committed")
  })

  test("may be there if git fails", async () => {
    const path = folder("broken")
    git(path, "init")
    writeFileSync(join(path, ".git", "config"), "[broken")
    expect(await Effect.runPromise(uncommitted(path))).toContain("git could not tell")
  })

  test("are none outside a repository", async () => {
    expect(await Effect.runPromise(uncommitted(folder("plain")))).toBeNull()
  })
})
