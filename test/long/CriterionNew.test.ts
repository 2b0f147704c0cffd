import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import process from "node:process"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { makeAuthorTree } from "../cli/AuthorTree.ts"

const { docgauge, files, remove, renew, root } = makeAuthorTree()
afterAll(remove)

/** Runs one of the tree's tools there; what it printed, and how it ended. */
const tool = (
  name: string,
  ...args: ReadonlyArray<string>
): Promise<{ readonly code: number; readonly printed: string }> =>
  new Promise((done) => {
    const [command, ...first] =
      name === "vitest"
        ? [process.execPath, join(root, "node_modules", "vitest", "vitest.mjs")]
        : [join(root, "node_modules", ".bin", name)]
    execFile(command ?? "", [...first, ...args], { cwd: root, maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : 1, printed: stdout + stderr })
    })
  })

/** What a run of vitest there made of its tests. */
interface Outcomes {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly title: string }>
  }>
}

/** Tests that a new plugin and another rubric could break. */
const HELD = [
  "test/plugins/index.test.ts",
  "test/rubric/rubric.test.ts",
  "test/rubric/Documents.test.ts",
  "test/Imports.test.ts"
]

describe("docgauge criterion new", () => {
  beforeEach(renew)

  it("writes a criterion that compiles, and whose test fails as promised and nowhere else", async () => {
    const before = files()
    const { code, stderr, stdout } = await docgauge(
      "criterion",
      "new",
      "has-motto",
      "--category",
      "D",
      "--title",
      "There is a motto"
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toContain("D8 is experimental: it is measured and reported separately, without points.")

    const after = files()
    expect(
      [...after.keys()]
        .filter((path) => after.get(path) !== before.get(path))
        .toSorted((one, other) => (one < other ? -1 : 1))
    ).toEqual([
      "plugins/d-content/d8-has-motto.ts",
      "plugins/index.ts",
      "rubric.yaml",
      "test/plugins/d-content/d8-has-motto.test.ts"
    ])

    // Types and lint in one: each program by itself reads all that these files import.
    const lint = await tool(
      "oxlint",
      "--type-aware",
      "--type-check",
      "--quiet",
      "plugins/index.ts",
      "plugins/d-content/d8-has-motto.ts",
      "test/plugins/d-content/d8-has-motto.test.ts"
    )
    expect(lint).toMatchObject({ code: 0, printed: expect.stringContaining("0 errors") })

    const report = join(root, "outcomes.json")
    const { printed } = await tool(
      "vitest",
      "run",
      "--color=false",
      // Each further process loads the engine again.
      "--maxWorkers=1",
      "--reporter=default",
      "--reporter=json",
      `--outputFile=${report}`,
      "test/plugins/d-content/d8-has-motto.test.ts",
      ...HELD
    )
    const outcomes: Outcomes = JSON.parse(readFileSync(report, "utf8"))
    const failed = outcomes.testResults.flatMap(({ assertionResults, name }) =>
      assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ title }) => ({ file: relative(root, name), title }))
    )
    expect(new Set(failed)).toEqual(
      new Set([
        { file: "test/plugins/d-content/d8-has-motto.test.ts", title: "every page meets it" },
        // Its page and its line in the index are written once its texts are.
        {
          file: "test/rubric/Documents.test.ts",
          title: "docs/criteria/README.md is up to date (renew it with `npm run docs:criteria`)"
        },
        {
          file: "test/rubric/Documents.test.ts",
          title: "docs/criteria/D8.md is up to date (renew it with `npm run docs:criteria`)"
        }
      ])
    )
    expect(printed).toMatch(/earns 0 instead of 2: .* the criterion\./)
    expect(outcomes.testResults).toHaveLength(HELD.length + 1)
  })
})
