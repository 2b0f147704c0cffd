import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const ROOT = join(import.meta.dirname, "../..")

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8")

const sources = globSync("{engine,server}/**/*.ts", { cwd: ROOT }).map(read)

/** Those whose default is a text in the code. */
const defaults = sources.flatMap((text) =>
  [...text.matchAll(/setting\("([A-Z\d_]+)", "([^"]+)"/gu)].map(([, name = "", value = ""]) => ({ name, value }))
)

/** The rows of the settings' tables: the variables, their flags, and the text of the default. */
const rows = [
  ...read("docs/configuration.md").matchAll(
    /^\| ((?:`[A-Z\d_]+`(?:, )?)+) \| ((?:`--[a-z-]+`(?:, )?)*) ?\| ([^|]*) \| [^|]+ \|$/gmu
  )
].map(([, names = "", flags = "", value = ""]) => ({
  names: [...names.matchAll(/`([A-Z\d_]+)`/gu)].map(([, name = ""]) => name),
  flags: [...flags.matchAll(/`(--[a-z-]+)`/gu)].map(([, flag = ""]) => flag),
  value
}))

describe("the tables of settings in docs/configuration.md", () => {
  it("have the flag of each variable that has one", () => {
    const expected = rows
      .filter(({ flags }) => flags.length > 0)
      .map(({ names }) => names.map((name) => `--${name.replace("DOCGAUGE_", "").toLowerCase().replaceAll("_", "-")}`))
    expect(rows.filter(({ flags }) => flags.length > 0).map(({ flags }) => flags)).toEqual(expected)
  })

  it("have the defaults of the code", () => {
    expect(defaults.length).toBeGreaterThan(15)
    const wrong = defaults.filter(
      ({ name, value }) =>
        rows
          .find(({ names }) => names.includes(name))
          ?.value.replaceAll("`", "")
          .includes(value) !== true
    )
    expect(wrong).toEqual([])
  })

  it("have each setting that files of deployments set", () => {
    const deployed = ["compose.yaml", ...globSync("deploy/*.yaml", { cwd: ROOT }), "Dockerfile"].flatMap((file) =>
      [...read(file).matchAll(/\b(DOCGAUGE_[A-Z_]+|AWS_[A-Z\d_]+)\b/gu)].map(([, name = ""]) => name)
    )
    expect(deployed.length).toBeGreaterThan(3)
    const named = new Set(rows.flatMap(({ names }) => names))
    expect(deployed.filter((name) => !named.has(name))).toEqual([])
  })
})
