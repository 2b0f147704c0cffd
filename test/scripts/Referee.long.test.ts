import { execFile } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, describe, expect, it } from "vitest"
import { afdocs } from "../referee/SomeReports.ts"

const SCRIPT = join(import.meta.dirname, "../../scripts/referee/main.ts")
const run = promisify(execFile)

const folder = mkdtempSync(join(tmpdir(), "docgauge-tools-"))
const site = createServer((request, response) => {
  response.writeHead(request.url === "/" ? 200 : 404, { "content-type": "text/html" })
  response.end(`<!doctype html><title>Docs</title><h1>Docs</h1><p>${"How to call the API. ".repeat(20)}</p>`)
})
afterAll(() => {
  site.close()
  rmSync(folder, { recursive: true, force: true })
})

describe("the script that runs other tools", () => {
  it("writes what referee makes of the installed ones, though they fail, and leaves out the others", async () => {
    const bin = join(folder, "node_modules/.bin")
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(folder, "report.json"), JSON.stringify(afdocs(["llms-txt-exists", "fail"])))
    writeFileSync(join(bin, "afdocs"), `#!/bin/sh\ncat ${join(folder, "report.json")}\nexit 1\n`)
    chmodSync(join(bin, "afdocs"), 0o755)
    const port = await new Promise<number>((resolve) => {
      site.listen(0, "127.0.0.1", () => {
        const address = site.address()
        resolve(typeof address === "object" && address !== null ? address.port : 0)
      })
    })
    await run(process.execPath, [SCRIPT, folder, join(folder, "out"), `http://127.0.0.1:${port}`])
    const text = readFileSync(join(folder, `out/127.0.0.1-${port}/referee.txt`), "utf8")
    expect(text).toMatch(/docgauge (?:at least )?\d+ of 100, AFDocs 90: \d+ points apart\./)
    expect(text).toContain("llms-txt-exists (A1)")
    expect(text).not.toContain("Lighthouse")
  })

  it("says how it is used", async () => {
    await expect(run(process.execPath, [SCRIPT])).rejects.toMatchObject({ code: 2 })
  })
})
