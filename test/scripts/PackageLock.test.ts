import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const Lock = Schema.Struct({
  packages: Schema.Record(
    Schema.String,
    Schema.Struct({
      resolved: Schema.optionalKey(Schema.String),
      optionalDependencies: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
    })
  )
})

const { packages } = Schema.decodeUnknownSync(Lock)(JSON.parse(readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8")))

describe("package-lock.json", () => {
  it("names no registry", () => {
    expect(Object.entries(packages).flatMap(([name, { resolved }]) => (resolved === undefined ? [] : [name]))).toEqual([])
  })

  // A registry that lacks the binaries of other systems leaves them out; `npm ci` then refuses the lock file. An entry
  // with version, cpu and os is enough.
  it("has an entry for each binary that a system may need", () => {
    const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    expect(wanted.filter((name) => packages[`node_modules/${name}`] === undefined)).toEqual([])
  })
})
