import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { backends } from "../../store/Databases.ts"
import { startService, type TestService } from "../TestService.ts"

for (const { available, fresh, name } of backends.filter(({ name }) => name !== "SQLite (sqlite3)")) {
  describe.skipIf(!available)(`a NUL in a request, which PostgreSQL takes in no text, on ${name}`, () => {
    const scope = Scope.makeUnsafe()
    let service: TestService
    beforeAll(async () => {
      const database = await Effect.runPromise(Scope.provide(fresh, scope))
      service = await startService({
        env: database._tag === "Postgres" ? { DOCGAUGE_DATABASE_URL: Redacted.value(database.url) } : {}
      })
    })
    afterAll(async () => {
      await service.stop()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    })

    it.each([
      "/api/public/dashboard?slug=%00",
      "/api/public/browse/adoption?criterion=%00",
      "/api/public/browse/adoption?generator=a%00b",
      "/api/public/browse/export?format=%00",
      "/dashboard/%00",
      "/r/%00",
      "/api/public/audit/%00",
      "/api/public/audit/%00/history"
    ])("is a mistake of the client: %s", async (path) => {
      const { status } = await service.ask(path)
      expect([400, 404]).toContain(status)
    })

    it.each([
      "/api/public/browse/search?q=a%00b",
      "/browse?q=a%00b",
      "/api/public/browse/top?window=%00",
      "/compare?a=%00&b=%00"
    ])("is found nowhere, or refused: %s", async (path) => {
      expect((await service.ask(path)).status).toBeLessThan(500)
    })

    it("is an escape in the URL that is audited", async () => {
      expect((await service.submit({ base_url: "https://docs.public.dev/a\0b" })).status).toBe(200)
    })
  })
}
