import { describe, expect, it } from "vitest"
import { logText } from "../../../cli/io/Stdout.ts"

/** What GitHub's runner takes for a command: `::name` at the beginning of a line after white space, `##[name` anywhere. */
const COMMAND = /(?:^|[\r\n])\s*::|##\[/

const HOSTILE =
  "One\n::error::two\n  ::set-env name=a::b\r\n\t:::three \u2028::four\u2028 ::five ##[add-matcher]x ###[error]y"

describe("text in a GitHub log", () => {
  it.each(["text", "markdown", "junit", "html"])("as %s has no command of a site", (format) => {
    expect(HOSTILE).toMatch(COMMAND)
    expect(logText(HOSTILE, format)).not.toMatch(COMMAND)
  })

  it("as JSON has the same value and no command", () => {
    const value = { text: HOSTILE, list: ["##[error]", "::error::"] }
    for (const format of ["json", "sarif", "text"]) {
      const text = logText(JSON.stringify(value, null, 2), format)
      expect(text).not.toMatch(COMMAND)
      expect(JSON.parse(text)).toEqual(value)
    }
  })

  it("as our own annotations stays as it is", () => {
    expect(logText("::notice title=docgauge::82 of 100\n", "github")).toBe("::notice title=docgauge::82 of 100\n")
  })

  it("is the same if there is nothing to change", () => {
    const text = "Fix first\n  B1: add `a::b`, # heading, ## [link]\n"
    for (const format of ["text", "markdown", "junit", "html", "json"]) expect(logText(text, format)).toBe(text)
  })
})
