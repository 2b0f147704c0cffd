import { describe, expect, test } from "vitest"
import { contextOf } from "../../../engine/drift/match/CallFinding.ts"
import { readPage } from "../../../engine/page/read/ReadPage.ts"
import { answerOf } from "../../site/FakeContext.ts"

const around = (markdown: string, block = 0): string => {
  const body = `# Parcels\n\n${markdown}\n`
  const page = readPage({ answer: answerOf("https://docs.fernpost.dev/a.md", { body, type: "text/markdown" }) })
  const code = page.codeBlocks[block]
  return code === undefined ? "no code" : contextOf(page, code).around
}

const CODE = "```sh\ncurl https://api.fernpost.dev/v2/parcels\n```"

describe("what surrounds a call", () => {
  test("is the headings above it and the prose next to it, without the code", () => {
    expect(
      around(`## List\n\nThis lists them.\n\n${CODE}\n\nOne page at a time.`)
        .split("\n")
        .filter((line) => line !== "")
    ).toEqual(["Parcels", "List", "This lists them.", "One page at a time."])
  })

  test("is not what is far away in the same section", () => {
    const far = `## List\n\nOld calls are deprecated.\n\n${"Much is said here of parcels. ".repeat(30)}\n\n${CODE}`
    expect(around(far)).not.toContain("deprecated")
    expect(around(`## List\n\nOld calls are deprecated.\n\n${CODE}`)).toContain("deprecated")
  })
})
