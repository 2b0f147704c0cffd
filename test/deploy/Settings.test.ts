import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const ROOT = join(import.meta.dirname, "../..")

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8")

const NAME = /"(DOCGAUGE_[A-Z_]+|AWS_[A-Z\d_]+|OTEL_EXPORTER_OTLP_ENDPOINT|PORT|HOST)"/gu

const sources = globSync("{engine,server}/**/*.ts", { cwd: ROOT }).map(read)

/** Every environment variable that the service reads. */
const settings = new Set(sources.flatMap((text) => [...text.matchAll(NAME)].map(([, name = ""]) => name)))

/** Those whose default is a text in the code. */
const defaults = sources.flatMap((text) => [...text.matchAll(/setting\("([A-Z\d_]+)", "([^"]+)"/gu)].map(([, name = "", value = ""]) => ({ name, value })))

/** The rows of the table in the README: the variables, and the text of the default. */
const rows = [...read("README.md").matchAll(/^\| ((?:`[A-Z\d_]+`(?:, | or )?)+) \| ([^|]*) \| [^|]+ \|$/gmu)].map(([, names = "", value = ""]) => ({
  names: [...names.matchAll(/`([A-Z\d_]+)`/gu)].map(([, name = ""]) => name),
  value
}))

describe("the table of settings in the README", () => {
  it("has each setting of the service once, and no other", () => {
    expect(settings.size).toBeGreaterThan(40)
    expect(rows.flatMap(({ names }) => names).sort()).toEqual([...settings].sort())
  })

  it("has the defaults of the code", () => {
    expect(defaults.length).toBeGreaterThan(15)
    const wrong = defaults.filter(({ name, value }) => rows.find(({ names }) => names.includes(name))?.value.replaceAll("`", "").includes(value) !== true)
    expect(wrong).toEqual([])
  })

  it("has each setting that has a flag, and each that files of deployments set", () => {
    const flags = [...read("cli/commands/serve.ts").matchAll(/"((?:DOCGAUGE_[A-Z_]+|PORT|HOST))"/gu)].map(([, name = ""]) => name)
    const deployed = ["compose.yaml", ...globSync("deploy/*.yaml", { cwd: ROOT }), "Dockerfile"].flatMap((file) => [...read(file).matchAll(/\b(DOCGAUGE_[A-Z_]+|AWS_[A-Z\d_]+)\b/gu)].map(([, name = ""]) => name))
    expect(flags.length).toBeGreaterThan(25)
    expect(deployed.length).toBeGreaterThan(3)
    expect([...flags, ...deployed].filter((name) => !settings.has(name))).toEqual([])
  })
})
