import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { Config } from "../../cli/config/Config.ts"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"

const ROOT = resolve(import.meta.dirname, "../..")

const textOf = (page: string): string => readFileSync(join(ROOT, page), "utf8")

const yamlBlocks = (page: string): ReadonlyArray<string> =>
  [...textOf(page).matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, code = ""]) => code)

describe.each(["docs/ci.md", "server/docs/v1/cli.md"])("the examples of %s", (page) => {
  it("have a docgauge.yaml that docgauge accepts", () => {
    const configs = yamlBlocks(page).filter((code) => code.startsWith("# yaml-language-server:"))
    expect(configs).toHaveLength(1)
    for (const config of configs)
      expect(Schema.decodeUnknownSync(Config, { onExcessProperty: "error" })(parse(config)).goals).toMatchObject({
        score: 75
      })
  })

  it("set up Node.js before they run docgauge in a workflow", () => {
    const [steps] = yamlBlocks(page)
      .filter((code) => code.startsWith("- uses:"))
      .map((code): ReadonlyArray<Readonly<Record<string, unknown>>> => parse(code))
    expect(steps).toMatchObject([
      { uses: expect.stringMatching(/^actions\/setup-node@[0-9a-f]{40}$/) },
      { run: expect.stringMatching(/^npx docgauge@/) }
    ])
  })
})

it.each(["server/docs/v1/cli.md", "docs/ci.md"])("the version that %s pins is this one", (page) => {
  const pinned = [...textOf(page).matchAll(/docgauge@(\d+\.\d+\.\d+)/g)].map(([, version]) => version)
  expect(new Set(pinned)).toEqual(new Set([ENGINE_VERSION]))
})
