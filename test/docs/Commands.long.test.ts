import { execFile } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { serveFakeSite } from "../../engine/testing/FakeSite.ts"
import { typicalSite, TYPICAL_URL } from "../golden/typical/Site.ts"
import { eventually } from "../server/admin/AdminService.ts"
import { startService, type TestService } from "../server/TestService.ts"

/* The commands of the README and of docs/operating.md, run as a reader would, against what is on this machine. */

const ROOT = join(import.meta.dirname, "../..")

const commandsOf = (page: string): ReadonlyArray<string> =>
  [...readFileSync(join(ROOT, page), "utf8").matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, code = ""]) =>
    code
      .replaceAll("\\\n", " ")
      .split("\n")
      .map((line) => line.replace(/ {2,}#.*$/, "").trim())
      .filter((line) => line !== "")
  )

const README = commandsOf("README.md")

/** The one command of the README that begins so. */
const shown = (start: string): string => {
  const found = README.filter((line) => line.startsWith(start))
  if (found.length !== 1 || found[0] === undefined)
    throw new Error(`README.md has ${found.length} commands that begin with ${start}`)
  return found[0]
}

const folder = mkdtempSync(join(tmpdir(), "docgauge-commands-"))
afterAll(() => rmSync(folder, { recursive: true }))

interface Ended {
  readonly code: number | null
  readonly stdout: string
}

/** Runs a command in the folder of a project, with this tree's program instead of that of the registry. */
const runs = (command: string): Promise<Ended> => {
  const local = command
    .replace(/^npx docgauge /, `'${process.execPath}' '${ROOT}/cli/main.ts' `)
    .replace(/^npm run audit -- /, `'${process.execPath}' '${ROOT}/scripts/audit.ts' `)
  return new Promise((done) => {
    const child = execFile("bash", ["-c", local], { cwd: folder }, (_, stdout) =>
      done({ code: child.exitCode, stdout })
    )
  })
}

describe("the command of the README", () => {
  it("that audits a preview on this machine does", async () => {
    const { origin, pathname } = new URL(TYPICAL_URL)
    const ended = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { port } = yield* serveFakeSite(typicalSite(), { host: origin, anyName: true })
          return yield* Effect.promise(() =>
            runs(shown("npm run audit -- http://localhost:").replace("localhost:3000", `localhost:${port}${pathname}`))
          )
        })
      )
    )
    expect(ended).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\/100 {2}\w+/m) })
  })

  it("that fixes a static build writes into it, and prints the gain", async () => {
    mkdirSync(join(folder, "build"))
    writeFileSync(
      join(folder, "build/index.html"),
      `<!doctype html><html lang="en"><head><title>Orders</title></head><body><main><h1>Orders</h1>${"<p>How to place an order, and what comes back.</p>".repeat(10)}</main></body></html>`
    )
    const { code, stdout } = await runs(shown("npx docgauge fix ./build"))
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/\d+ → (?:at least )?\d+/) })
    expect(existsSync(join(folder, "build/index.md"))).toBe(true)
  })
})

describe("the curl commands", () => {
  let service: TestService
  let run = ""

  // The runs that the commands read are of another site than the one that they submit, because a site keeps two archives.
  beforeAll(async () => {
    service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off" }, pace: "200 millis" })
    await service.submit({ base_url: "https://docs.harbourhub.dev" })
    run = (await service.submit({ base_url: "https://docs.harbourhub.dev" })).headers.get("x-audit-run-id") ?? ""
    await eventually(
      () => service.ask("/api/public/browse/export"),
      ({ status }) => status === 200
    )
  })
  afterAll(() => service.stop())

  it.each(["README.md", "docs/operating.md"])("of %s are answered", async (page) => {
    const commands = commandsOf(page).filter((line) => line.startsWith("curl "))
    expect(commands.length).toBeGreaterThan(1)
    for (const command of commands) {
      const here = command.replace("localhost:8080", service.url).replace("RUN_ID", run)
      expect((await runs(`${here} -sS -o /dev/null -w '%{http_code}'`)).stdout, command).toMatch(/^20[02]$/)
    }
  })
})
