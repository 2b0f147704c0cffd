import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { makeAuthorTree } from "./AuthorTree.ts"
import { runCli } from "./RunCli.ts"

const OWN_RUBRIC = readFileSync(new URL("../../rubric.yaml", import.meta.url), "utf8")

const { docgauge, files, remove, renew, root } = makeAuthorTree()
afterAll(remove)

/** That what it writes compiles and can be tested: test/long/CriterionNew.test.ts. */
describe("docgauge criterion new", () => {
  it("gives a released rubric its next minor version, an unreleased one another criterion in its entry", async () => {
    renew()
    await docgauge("criterion", "new", "A6", "--category", "A", "--title", "Pages are numbered")
    await docgauge("criterion", "new", "b7-second", "--category", "b", "--title", "It is 'the' \"second\": one")
    const rubric = readFileSync(join(root, "rubric.yaml"), "utf8")
    const [, version = ""] = /^version: (\S+)/m.exec(OWN_RUBRIC) ?? []
    const [major, minor] = version.split(".")
    const isReleased = readdirSync(join(root, "test", "rubric", "released")).some((name) =>
      name.endsWith(`-${version}.yaml`)
    )
    expect(rubric).toContain(`version: ${isReleased ? `${major}.${Number(minor) + 1}.0` : version}\n`)
    if (isReleased)
      expect(rubric).toMatch(
        /- \{ version: [\d.]+, date: \d{4}-\d\d-\d\d, what: "A6 on trial: Pages are numbered", criteria: \[A6, B7\] \}\n/
      )
    expect(rubric).toContain('title: "It is \'the\' \\"second\\": one"')
    const check = await docgauge("rubric", "check")
    // Nothing is wrong with them but what only their author can say, which is a warning.
    expect(check.code).toBe(0)
    const messages = [...check.stderr.matchAll(/^.*rubric\.yaml:\d+:\d+: (.*)$/gm)].map(([, message]) => message)
    expect(new Set(messages)).toEqual(new Set(["this text is still a placeholder"]))
    expect(messages).toHaveLength(2 * 4)
    const [shown, audited] = [await docgauge("rubric", "show", "A6"), readFileSync(join(root, "rubric.yaml"), "utf8")]
    expect([shown.code, audited.match(/^ *- id: (?:A6|B7)$/gm)?.length]).toEqual([0, 2])
    expect(existsSync(join(root, "plugins", "a-discovery", "a6-pages-numbered.ts"))).toBe(true)
  })

  it("changes nothing if it fails, not even what it could write", async () => {
    renew()
    mkdirSync(join(root, "test", "plugins", "a-discovery"), { recursive: true })
    writeFileSync(join(root, "test", "plugins", "a-discovery", "a6-thing.test.ts"), "// mine\n")
    const before = files()
    for (const [id, message] of [
      ["thing", "a6-thing.test.ts already exists"],
      ["A1", "A1 is taken"]
    ] as const) {
      const { code, stderr } = await docgauge("criterion", "new", id, "--category", "A", "--title", "There is a thing")
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
      expect(files()).toEqual(before)
    }
  })

  it("works in a source tree only", async () => {
    const { code, stderr } = await runCli(["criterion", "new", "thing", "--category", "A", "--title", "X"], {
      cwd: tmpdir()
    })
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("this is not docgauge's source tree")
    })
  })
})
