import * as CliError from "effect/cli/CliError"
import { describe, expect, it } from "vitest"
import { usageMessage } from "../../cli/Program.ts"

const invalid = (expected: string, value: string): string =>
  usageMessage(new CliError.InvalidValue({ option: "sample", value, expected, kind: "flag" }))

describe("the message about an invalid flag", () => {
  it("says that a flag takes a number", () => {
    expect(invalid("Expected a string representing a finite number", "x")).toBe(
      '--sample takes a number, not "x". See docgauge --help.'
    )
  })

  it("lists the choices of a flag", () => {
    expect(invalid('"text" | "json" | "both"', "pdf")).toBe(
      '--sample takes text, json or both, not "pdf". See docgauge --help.'
    )
  })

  it("says that a flag has no value", () => {
    expect(invalid("integer", "")).toBe("--sample takes a number, but has no value. See docgauge --help.")
  })
})

describe("the message about an unknown flag", () => {
  const unknown = (...commandPath: ReadonlyArray<string>): string =>
    usageMessage(
      new CliError.ShowHelp({
        commandPath,
        errors: [new CliError.UnrecognizedOption({ option: "--ful", suggestions: ["--full"] })]
      })
    )

  it("names the help of the command whose flag it is not", () => {
    expect(unknown("docgauge", "rubric", "show")).toBe(
      "unknown flag --ful. Did you mean --full? See docgauge rubric show --help."
    )
    expect(unknown("docgauge")).toBe("unknown flag --ful. Did you mean --full? See docgauge --help.")
  })
})
