/**
 * `npm run generated` runs this: it renews what the README shows of the output of `npm run audit`. A test checks that it is up to
 * date.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"

const ROOT = resolve(import.meta.dirname, "..")

const SAMPLE = /(?<=<!-- sample:begin -->\n```text\n).+?(?=…\n```\n<!-- sample:end -->)/s

/** What `npm run audit` prints about the bundled sample site. */
export const auditSample = (...flags: ReadonlyArray<string>): string =>
  execFileSync(process.execPath, [join(ROOT, "scripts/audit.ts"), ...flags], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"]
  })

/**
 * The README with the lines of this output that it shows: as many as now from its beginning, and after each ellipsis from the same line on.
 * The first line stays, because its port and day differ each time.
 */
export const withSample = (readme: string, output: string): string => {
  const printed = output.split("\n")
  return readme.replace(SAMPLE, (shown) =>
    shown
      .split("…\n")
      .map((part, index) => renewed(part, printed, index === 0))
      .join("…\n")
  )
}

const renewed = (part: string, printed: ReadonlyArray<string>, isBeginning: boolean): string => {
  const [first = "", ...rest] = part.split("\n").slice(0, -1)
  const start = isBeginning ? 0 : printed.indexOf(first)
  if (start === -1)
    throw new Error(`npm run audit no longer prints "${first}": choose other lines for the README's sample`)
  return [first, ...printed.slice(start + 1).slice(0, rest.length)].map((line) => `${line}\n`).join("")
}

if (import.meta.main) {
  const file = join(ROOT, "README.md")
  writeFileSync(file, withSample(readFileSync(file, "utf8"), auditSample()))
}
