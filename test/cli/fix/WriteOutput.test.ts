import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { writeOutput } from "../../../cli/fix/WriteOutput.ts"
import type { OutputFile } from "../../../engine/fix/plan/OutputFiles.ts"

const root = mkdtempSync(join(tmpdir(), "docgauge-output-"))
afterAll(() => rmSync(root, { recursive: true }))

const file = (path: string, text: string): OutputFile => ({
  path,
  url: null,
  criteria: ["A1"],
  isVersion: false,
  versionOf: null,
  text,
  completes: false
})

const FILES = [file("site/llms.txt", "# Harbour\n"), file("host/nginx.conf", "# rules\n")]

/** Writes, and tells what was refused; `null`: nothing. */
const write = (folder: string, files = FILES, force = false): Promise<string | null> =>
  Effect.runPromise(
    Effect.match(
      writeOutput(
        folder,
        files,
        { plan: "# Plan\n", data: "{}\n", questions: "# Questions\n", pullRequest: null },
        force
      ),
      {
        onFailure: ({ message }) => message,
        onSuccess: () => null
      }
    )
  )

describe("the output folder", () => {
  test("is replaced by the next run if nothing in it was changed", async () => {
    const folder = join(root, "again")
    expect(await write(folder)).toBeNull()
    rmSync(join(folder, "host/nginx.conf"))
    expect(await write(folder, [file("site/robots.txt", "User-agent: *\n")])).toBeNull()
    expect(existsSync(join(folder, "site/llms.txt"))).toBe(false)
    expect(readFileSync(join(folder, "PLAN.md"), "utf8")).toContain("# Plan")
    expect(readFileSync(join(folder, "QUESTIONS.md"), "utf8")).toBe("# Questions\n")
  })

  test.each([
    ["site/llms.txt", "# My own\n"],
    ["site/guide/own.md", "mine"],
    ["PLAN.md", "<!-- docgauge fix -->\n- done"],
    ["QUESTIONS.md", "# Answers\n"]
  ])("keeps %s as its owner changed it, unless forced", async (path, text) => {
    const folder = join(root, path.replaceAll("/", "-"))
    await write(folder)
    mkdirSync(join(folder, path, ".."), { recursive: true })
    writeFileSync(join(folder, path), text)
    expect(await write(folder)).toContain(
      `files were changed or added: ${path}. Choose another folder with --out, or replace them with --force.`
    )
    expect(readFileSync(join(folder, path), "utf8")).toBe(text)
    expect(await write(folder, FILES, true)).toBeNull()
    expect(await write(folder)).toBeNull()
  })

  test("is refused if it is someone else's, even by force", async () => {
    const folder = join(root, "foreign")
    mkdirSync(join(folder, "site"), { recursive: true })
    writeFileSync(join(folder, "site/index.html"), "mine")
    expect(await write(folder, FILES, true)).toContain("has files that we did not write")
    expect(readFileSync(join(folder, "site/index.html"), "utf8")).toBe("mine")
  })
})
