import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { configuredDatabase, databaseOf } from "../../engine/store/Database.ts"

const configured = (env: Record<string, string>) =>
  Effect.provideService(
    Effect.flatMap(Effect.void, () => configuredDatabase),
    ConfigProvider.ConfigProvider,
    ConfigProvider.fromEnv({ env })
  )

describe("DOCGAUGE_DATABASE_URL", () => {
  it.effect("is a file in the working directory by default", () =>
    Effect.map(configured({}), (address) => expect(address).toMatchObject({ _tag: "Sqlite", path: "data/docgauge.db" }))
  )

  it.each([
    ["file:data/runs.db", "data/runs.db"],
    ["file:/var/lib/runs.db", "/var/lib/runs.db"],
    ["file:///var/lib/my%20runs.db", "/var/lib/my runs.db"],
    ["file:./100%.db", "./100%.db"]
  ])("names the file of %s", (text, path) => expect(databaseOf(text)).toMatchObject({ _tag: "Sqlite", path }))

  it.each(["postgres://u:p@db.example:5432/runs", "postgresql://127.0.0.1/runs?sslmode=require"])(
    "names the server of %s",
    (text) => {
      const address = databaseOf(text)
      expect(address?._tag === "Postgres" && Redacted.value(address.url)).toBe(text)
    }
  )

  it("can select no database", () => expect(databaseOf("memory:")).toEqual({ _tag: "Memory" }))

  it.effect.each([
    " ",
    "data/runs.db",
    "file:",
    "file:data/",
    "file:///",
    "file://host/x.db",
    "file:a.db?mode=ro",
    "sqlite:a.db",
    "mysql://u:hush@h/d",
    "postgres://u:hush@h:port/d",
    "postgres:hush",
    "memory",
    "memory:1"
  ])("refuses %j in one line that names it, and keeps the value to itself", (value) =>
    Effect.map(Effect.flip(configured({ DOCGAUGE_DATABASE_URL: value })), (error) => {
      expect(error.message).toContain("DOCGAUGE_DATABASE_URL: must be file:PATH, postgres://")
      expect(error.message.trim()).not.toContain("\n")
      expect(error.message).not.toContain("hush")
    })
  )
})
