import { execFile } from "node:child_process"
import { join, resolve } from "node:path"
import process from "node:process"
import { describe, expect, it } from "vitest"

const SCRIPT = join(resolve(import.meta.dirname, "../.."), "scripts/audit.ts")

interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const audit = (...args: ReadonlyArray<string>): Promise<Finished> =>
  new Promise((settle) => {
    const child = execFile(process.execPath, [SCRIPT, ...args], (_, stdout, stderr) =>
      settle({ code: child.exitCode ?? -1, stdout, stderr })
    )
  })

describe("npm run audit", () => {
  it("audits the bundled sample site where no address is given, flags passed on", async () => {
    const { code, stderr, stdout } = await audit("--format", "json", "--quiet", "--sample", "8")
    expect({ code, stderr: stderr.trim() }).toEqual({
      code: 0,
      stderr: "No address given: auditing the bundled sample site, served on this machine."
    })
    const report: {
      readonly base_url: string
      readonly total_score: number
      readonly criteria: ReadonlyArray<unknown>
    } = JSON.parse(stdout)
    expect(report.base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/docs\/latest$/)
    expect(report.criteria).toHaveLength(30)
    expect(report.total_score).toBeGreaterThan(40)
  })

  it("ends with the exit code of the command line", async () => {
    expect((await audit("--min-score", "99", "--quiet", "--no-color")).code).toBe(1)
  })

  it("leaves an address that is given to the command line", async () => {
    const { code, stderr } = await audit("--quiet", "ftp://docs.example.com")
    expect(code).toBe(2)
    expect(stderr).toContain("ftp://docs.example.com cannot be audited")
  })
})
