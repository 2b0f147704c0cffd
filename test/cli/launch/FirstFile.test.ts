import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { describe, expect, it } from "vitest"
import { oldNode } from "../../harness/OldNode.ts"

const FIRST = resolve(import.meta.dirname, "../../../cli/launch/docgauge.cjs")
const PACKAGE: { readonly engines: { readonly node: string }; readonly bin: { readonly docgauge: string } } =
  JSON.parse(readFileSync(resolve(import.meta.dirname, "../../../package.json"), "utf8"))

/** Everything that a Node of 2015 cannot parse. */
const NEWER = /=>|`|\b(?:let|const|class|async|await|import|export)\b|\?\.|\?\?|\.\.\./

const code = (text: string): string => text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/"[^"]*"/g, '""')

describe("the first file of the package", () => {
  it("is docgauge.cjs, the program that npx runs", () => {
    expect(PACKAGE.bin.docgauge).toBe("dist/docgauge.cjs")
    expect(readdirSync(resolve(FIRST, ".."))).toEqual(["docgauge.cjs", "start.cjs"])
  })

  it("is plain old JavaScript and asks for the version that package.json names", () => {
    const text = readFileSync(FIRST, "utf8")
    expect(code(text)).not.toMatch(NEWER)
    expect(`>=${/needed = \[(\d+), (\d+)\]/.exec(text)?.slice(1).join(".")}.0`).toBe(PACKAGE.engines.node)
  })

  it.each([
    ["are missing", null, "Cannot find module"],
    ["are broken", "throw new Error('half a file\\nand more')\n", "half a file"]
  ])("says in one line that the package's own files %s, and ends with 70", async (_, main, reason) => {
    const folder = mkdtempSync(join(tmpdir(), "docgauge-first-"))
    cpSync(resolve(FIRST, ".."), folder, { recursive: true })
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
    if (main !== null) {
      mkdirSync(join(folder, "lib"))
      writeFileSync(join(folder, "lib/main.js"), main)
    }
    const run = await new Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>(
      (done) => {
        const child = execFile(process.execPath, [join(folder, "docgauge.cjs")], (_error, stdout, stderr) =>
          done({ code: child.exitCode, stdout, stderr })
        )
      }
    )
    rmSync(folder, { recursive: true })
    expect(run).toEqual({
      code: 70,
      stdout: "",
      stderr: expect.stringMatching(/^docgauge: its own files cannot be loaded: .*\. Install docgauge again\.\n$/)
    })
    expect(run.stderr).toContain(reason)
  })

  it.skipIf(oldNode() === null)("says in one line what is needed on an older Node, and ends with 2", async () => {
    const run = await new Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>(
      (done) => {
        const child = execFile(oldNode() ?? "", [FIRST, "https://docs.example.com"], (_, stdout, stderr) =>
          done({ code: child.exitCode, stdout, stderr })
        )
      }
    )
    expect(run).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(
        /^docgauge: Node\.js 22\.19 or later is needed, and this is \d+\.\d+\.\d+\. Install a newer one .*\n$/
      )
    })
  })
})
