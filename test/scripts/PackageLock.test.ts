import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const Lock = Schema.Struct({
  packages: Schema.Record(
    Schema.String,
    Schema.Struct({
      resolved: Schema.optionalKey(Schema.String),
      optionalDependencies: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
      hasInstallScript: Schema.optionalKey(Schema.Boolean),
      deprecated: Schema.optionalKey(Schema.String)
    })
  )
})

const Manifest = Schema.Struct({ allowScripts: Schema.optionalKey(Schema.Record(Schema.String, Schema.Boolean)) })

const json = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, "../..", name), "utf8"))

describe.each([
  ["package-lock.json", "package.json"],
  ["test/package-lock.json", "test/package.json"]
])("%s", (lock, manifest) => {
  const { packages } = Schema.decodeUnknownSync(Lock)(json(lock))

  it("names no registry", () => {
    expect(Object.entries(packages).flatMap(([name, { resolved }]) => (resolved === undefined ? [] : [name]))).toEqual(
      []
    )
  })

  // A registry that lacks the binaries of other systems leaves them out; `npm ci` then refuses the lock file. An entry
  // with version, cpu and os is enough.
  it("has an entry for each binary that a system may need", () => {
    const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    expect(
      wanted.filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)))
    ).toEqual([])
  })

  // npm's own warnings of these two are hidden by the log level in .npmrc.
  it(`has no install script that ${manifest} does not decide on`, () => {
    const { allowScripts = {} } = Schema.decodeUnknownSync(Manifest)(json(manifest))
    const scripted = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript === true ? [path.replace(/^.*node_modules\//, "")] : []
    )
    expect(scripted.sort()).toEqual(Object.keys(allowScripts).sort())
  })

  it("has no deprecated package", () => {
    expect(
      Object.entries(packages).flatMap(([path, { deprecated }]) =>
        deprecated === undefined ? [] : [`${path}: ${deprecated}`]
      )
    ).toEqual([])
  })
})
