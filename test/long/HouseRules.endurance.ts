import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { NODE_FIRST, packInto, ROOT } from "../harness/PackedPackage.ts"

/*
 * Follows docs/house-rules.md word by word, with the packed package: each YAML block is the file that its first line names, and
 * each shell block is run, in their order. `npm install` puts the package and vitest in place, which no registry has here.
 */

const TEXT = readFileSync(join(ROOT, "docs/house-rules.md"), "utf8")

const BLOCKS = [...TEXT.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = "", code = ""]) => ({
  language,
  code
}))

const folder = mkdtempSync(join(tmpdir(), "docgauge-house-"))
const project = join(folder, "project")
const PACKAGE = join(folder, "node_modules/docgauge")
afterAll(() => rmSync(folder, { recursive: true }))

const PAGE = `<!doctype html><html lang="en"><title>Terms</title><main><h1>Glossary</h1>${"<p>How to place an order, and what comes back.</p>".repeat(10)}</main></html>`

/** Stands in for npm: `install` links what this repository has, and everything else is npm's. */
const NPM = (real: string): string => `#!/bin/sh
if [ "$1" = install ]; then
  mkdir -p node_modules && ln -sfn "${PACKAGE}" node_modules/docgauge && ln -sfn "${join(ROOT, "node_modules/vitest")}" node_modules/vitest
  mkdir -p node_modules/.bin && ln -sfn ../vitest/vitest.mjs node_modules/.bin/vitest && ln -sfn ../docgauge/dist/docgauge.cjs node_modules/.bin/docgauge
  for last; do :; done
  case "$last" in ./*) ln -sfn "$PWD/$last" "node_modules/$(basename "$last")" ;; esac
  exit 0
fi
exec "${real}" "$@"
`

const NPX = `#!/bin/sh
shift
exec "${process.execPath}" "${join(PACKAGE, "dist/docgauge.cjs")}" "$@"
`

const shell = (
  script: string,
  environment: Readonly<Record<string, string | undefined>> = {}
): Promise<{ readonly code: number | null; readonly printed: string }> =>
  new Promise((done) => {
    const child = execFile(
      "sh",
      ["-e", "-c", script],
      {
        cwd: project,
        env: { ...NODE_FIRST, NO_COLOR: "1", PATH: `${join(folder, "bin")}:${NODE_FIRST.PATH}`, ...environment }
      },
      (_, stdout, stderr) => done({ code: child.exitCode, printed: stdout + stderr })
    )
  })

beforeAll(async () => {
  const tarball = packInto(folder)
  for (const part of ["bin", "project/build", "node_modules/docgauge"])
    mkdirSync(join(folder, part), { recursive: true })
  await shell(`tar -xzf "${tarball}" -C "${PACKAGE}" --strip-components 1`)
  const real = (await shell("command -v npm", { PATH: NODE_FIRST.PATH })).printed.trim()
  writeFileSync(join(folder, "bin/npm"), NPM(real), { mode: 0o755 })
  writeFileSync(join(folder, "bin/npx"), NPX, { mode: 0o755 })
  writeFileSync(join(project, "build/index.html"), PAGE)
  writeFileSync(join(project, "package.json"), "{}")
  symlinkSync(join(ROOT, "node_modules/vitest"), join(folder, "node_modules/vitest"))
})

describe("docs/house-rules.md", () => {
  it("does what it says, from top to bottom", async () => {
    const printed: Array<string> = []
    for (const { code, language } of BLOCKS) {
      const file = /^# (\S+)\n/.exec(code)?.[1]
      if (language === "yaml") {
        // A block that names no file shows how a criterion is written.
        if (file === undefined) continue
        mkdirSync(dirname(join(project, file)), { recursive: true })
        writeFileSync(join(project, file), code)
      } else {
        const done = await shell(code)
        expect([code, done.code, done.code === 0 ? "" : done.printed]).toEqual([code, 0, ""])
        printed.push(done.printed)
      }
    }
    const [first = "", owner = "", made = "", counting = "", , config = ""] = printed
    expect(first).toContain("docs-ai-readiness 3")
    expect(first).toContain("B5")
    expect(readFileSync(join(project, "whole.yaml"), "utf8")).toMatch(
      /^# house\.yaml, which extends docs-ai-readiness 3\.\d+\.\d+ \(sha256:/
    )
    expect(owner).toContain("D8")
    expect(made).toMatch(/Tests\s+\S*\d+ passed/)
    expect(made).toMatch(/is valid: it extends docs-ai-readiness 3\.\d+\.\d+: 30 criteria and \d+ on trial/)
    expect(counting).toContain("acme-docs 1.0.0")
    expect(counting).toContain("Our terms are not those of other products.")
    expect(config).toContain("acme-docs 1.0.0")
  })
})
