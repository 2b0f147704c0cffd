import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { describe, expect, it } from "vitest"

const ROOT = join(import.meta.dirname, "../..")

/** Without the port and the day, which differ each time. */
const lasting = (text: string): string => text.replace(/^http:\/\/127\.0\.0\.1:\d+(\S*) {2}[\d-]{10}$/m, "$1")

const audit = (...args: ReadonlyArray<string>): string =>
  execFileSync(process.execPath, [join(ROOT, "scripts/audit.ts"), ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })

describe("npm run audit", () => {
  it("begins as the README shows", () => {
    const [, sample = ""] = /<!-- sample:begin -->\n```text\n(.*?)…\n```\n<!-- sample:end -->/s.exec(readFileSync(join(ROOT, "README.md"), "utf8")) ?? []
    expect(sample).not.toBe("")
    expect(lasting(audit()).slice(0, lasting(sample).length)).toBe(lasting(sample))
  })

  it("audits the sample with flags, too", () => {
    expect(audit("-v", "--sample", "5")).toContain("docs-ai-readiness")
  })
})
