import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../harness/port/FreePort.ts"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"
import { startService, type TestService } from "../server/TestService.ts"

/* The commands and the program of docs/signing.md, run as a reader would, against a service on this machine. */

const ROOT = join(import.meta.dirname, "../..")
const PAGE = readFileSync(join(ROOT, "docs/signing.md"), "utf8")

const folder = mkdtempSync(join(tmpdir(), "docgauge-signing-"))
let service: TestService
let run = ""

beforeAll(async () => {
  // The program imports jose as one that has it installed.
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
  const port = await freePort()
  service = await startService({ env: { PORT: String(port), DOCGAUGE_BASE_URL: `http://127.0.0.1:${port}` } })
  run = (await service.submit({ base_url: "https://docs78.signed.dev" })).headers.get("x-audit-run-id") ?? ""
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

const here = (text: string): string =>
  text.replaceAll("https://docgauge.example", service.url).replaceAll("RUN_ID", run)

/** `docgauge` of this tree, which may ask this machine where it asks anybody. */
const DOCGAUGE = `docgauge() { case "$*" in *--keys*) set -- "$@";; *) set -- "$@" --allow-private --allow-http;; esac; '${process.execPath}' '${PROGRAM}' "$@"; }`

const ended = (command: string, args: ReadonlyArray<string>) =>
  new Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>((done) => {
    const child = execFile(command, args, { cwd: folder, encoding: "utf8" }, (_, stdout, stderr) =>
      done({ code: child.exitCode, stdout, stderr })
    )
  })

describe("the commands of docs/signing.md", () => {
  const blocks = [...PAGE.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code = ""]) => code)

  it("verify a run, with saved keys, and a report alone", async () => {
    expect(blocks).toHaveLength(3)
    for (const block of blocks) {
      const { code, stderr, stdout } = await ended("bash", [
        "-c",
        `set -e\n${DOCGAUGE}\n${here(block).replaceAll("curl ", "curl -sS ")}`
      ])
      expect([block, code, stderr, stdout]).toEqual([
        block,
        0,
        "",
        expect.stringMatching(/^Valid: https:\/\/docs78\.signed\.dev, 78 of 100/)
      ])
      expect(stdout).toContain(`Signed by ${service.url}, as demanded.`)
    }
  })
})

describe("the program of docs/signing.md", () => {
  const [, program = ""] = /<!-- verify:begin -->\n```js\n([^]*?)```/.exec(PAGE) ?? []

  const verified = async (text: string) => {
    writeFileSync(join(folder, "run.json"), text)
    writeFileSync(join(folder, "verify.mjs"), here(program))
    return ended(process.execPath, ["verify.mjs"])
  }

  beforeAll(async () => {
    writeFileSync(join(folder, "keys.json"), await (await service.ask("/.well-known/docgauge-keys.json")).text())
  })

  it("verifies a run of a service", async () => {
    const text = await (await service.ask(`/api/public/audit/${run}`)).text()
    expect(await verified(text)).toEqual({
      code: 0,
      stdout: `78 of 100, run ${run}, signed by ${service.url}\n`,
      stderr: ""
    })
  })

  it("fails on a run that was changed, or that another service signed", async () => {
    const text = await (await service.ask(`/api/public/audit/${run}`)).text()
    expect(await verified(text.replace('"verdict": "AI-ready"', '"verdict": "Excellent"'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("the report was changed after it was signed")
    })
    writeFileSync(join(folder, "verify.mjs"), program)
    expect(await ended(process.execPath, ["verify.mjs"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"iss"')
    })
  })
})
