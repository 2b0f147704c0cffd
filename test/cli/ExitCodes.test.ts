import { readFileSync } from "node:fs"
import { constants } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { ExitCode } from "../../cli/io/CliFailure.ts"

const ROOT = join(import.meta.dirname, "../..")

const { SIGINT, SIGTERM } = constants.signals

/** As in shells, a command that a signal ends has 128 plus the signal's number. */
const CODES = [0, ...Object.values(ExitCode), 128 + SIGINT, 128 + SIGTERM].toSorted((one, other) => one - other)

const numbersIn = (text: string, pattern: RegExp): ReadonlyArray<number> =>
  [...text.matchAll(pattern)].map(([, number]) => Number(number)).toSorted((one, other) => one - other)

describe("the exit codes of the command line", () => {
  it.each(["server/docs/v1/cli.md", "docs/cli.md"])("are all in the table of %s", (page) => {
    expect(numbersIn(readFileSync(join(ROOT, page), "utf8"), /^\| (\d+) \|/gmu)).toEqual(CODES)
  })
})
