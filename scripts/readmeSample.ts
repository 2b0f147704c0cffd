/**
 * `npm run generated` runs this: it writes the beginning of what `npm run audit` prints into the README. A test checks that it is
 * up to date.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"

const AUDIT = join(import.meta.dirname, "audit.ts")
export const README = join(import.meta.dirname, "..", "README.md")

const SAMPLE = /(?<=<!-- sample:begin -->\n```text\n).+?(?=…\n```\n<!-- sample:end -->)/s

/** What `npm run audit` prints of the bundled sample site. */
export const auditSample = (...flags: ReadonlyArray<string>): string =>
  execFileSync(process.execPath, [AUDIT, ...flags], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })

/** The README with the beginning of a report: as many lines as it shows now. It stays as it is where only the port and the day differ. */
export const withSample = (readme: string, report: string): string => {
  const shown = SAMPLE.exec(readme)?.[0]
  if (shown === undefined) throw new Error("README.md has no <!-- sample:begin --> … <!-- sample:end -->")
  const now = report.split("\n").slice(0, shown.split("\n").length - 1).map((line) => `${line}\n`).join("")
  return lasting(now) === lasting(shown) ? readme : readme.replace(shown, () => now)
}

/** Without the port and the day, which differ each time. */
const lasting = (text: string): string => text.replace(/^http:\/\/127\.0\.0\.1:\d+(\S*) {2}[\d-]{10}$/m, "$1")

if (import.meta.main) writeFileSync(README, withSample(readFileSync(README, "utf8"), auditSample()))
