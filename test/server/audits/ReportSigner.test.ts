import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { encodeReport } from "../../../engine/audit/Report.ts"
import type { Database } from "../../../engine/store/Database.ts"
import { ServerKey } from "../../../engine/store/operators/ServerKey.ts"
import { ReportSigner } from "../../../server/audits/ReportSigner.ts"
import { dialectsOfSeveral, storeAt } from "../../store/Databases.ts"
import { reportOf } from "../ScriptedAuditor.ts"
import { startService } from "../TestService.ts"

/** What a process that starts on this database signs with. */
const signerAt = (address: Database) =>
  Effect.map(
    Layer.build(
      Layer.fresh(
        ReportSigner.layer.pipe(
          Layer.provideMerge(ServerKey.layerSql),
          Layer.provideMerge(storeAt(address)),
          Layer.provide(
            ConfigProvider.layer(ConfigProvider.fromEnvRecord({ DOCGAUGE_BASE_URL: "https://docgauge.example/" }))
          )
        )
      )
    ),
    (context) => ({
      ...Context.get(context, ReportSigner),
      verificationKey: Context.get(context, ServerKey).get,
      signingSeed: Context.get(context, ServerKey).reportSigning,
      sql: Context.get(context, SqlClient)
    })
  )

const RUN = {
  id: "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
  startedAt: "2026-11-21T10:14:03.512874Z",
  url: "https://docs.signed.dev"
}
const REPORT = encodeReport(reportOf(RUN.url, 78))

describe.each(dialectsOfSeveral.filter(({ available }) => available))(
  "the key that signs reports on $name",
  ({ fresh }) => {
    it("is one for processes that start at once, and for those that start later", () =>
      Effect.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const address = yield* fresh
            const [one, two] = yield* Effect.all([signerAt(address), signerAt(address)])
            const keys = yield* Effect.all([one.published, two.published], { concurrency: "unbounded" })
            expect(keys[0]).toHaveLength(1)
            expect(keys[1]).toEqual(keys[0])
            const signatures = yield* Effect.all([one.sign(RUN, REPORT), two.sign(RUN, REPORT), one.sign(RUN, REPORT)])
            expect(new Set(signatures).size).toBe(1)
            const later = yield* Effect.scoped(Effect.flatMap(signerAt(address), ({ sign }) => sign(RUN, REPORT)))
            expect(later).toBe(signatures[0])
          })
        )
      ))

    it("is another than the one that tokens are made of, and new once an operator deleted it", () =>
      Effect.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const address = yield* fresh
            const { published, signingSeed, sql, verificationKey } = yield* signerAt(address)
            expect(yield* signingSeed).not.toEqual(yield* verificationKey)
            const [before] = yield* published
            yield* sql`DELETE FROM server_keys WHERE name = 'report signing'`
            const restarted = yield* signerAt(address)
            const [after] = yield* restarted.published
            expect([after?.crv, after?.kid === before?.kid]).toEqual(["Ed25519", false])
            expect(yield* restarted.verificationKey).toEqual(yield* verificationKey)
          })
        )
      ))
  }
)

describe("a service that is started again on its database", () => {
  it("has the same key, and answers the same run with the same bytes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "docgauge-signer-"))
    const env = { DOCGAUGE_DATABASE_URL: `file:${join(folder, "runs.db")}` }
    const started = async (path: string) => {
      const service = await startService({ env })
      const first = path === "" ? await service.submit({ base_url: RUN.url }) : null
      const run = first === null ? path : `/api/public/audit/${first.headers.get("x-audit-run-id")}`
      const texts = [run, "/.well-known/docgauge-keys.json"].map(async (each) => (await service.ask(each)).text())
      const answers = await Promise.all(texts)
      await service.stop()
      return { run, answers }
    }
    const before = await started("")
    expect(await started(before.run)).toEqual(before)
    expect(before.answers[0]).toMatch(/,"signature":"[-\w]+\.[-\w]+\.[-\w]+"\}\n$/)
    rmSync(folder, { recursive: true })
  })
})

describe("a signature", () => {
  it("does not exist for a report with half of a character, which other programs could not read", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { sign } = yield* ReportSigner
        expect(yield* sign(RUN, '{"title":"\\ud83d"}')).toBeNull()
        expect(yield* sign(RUN, '{"title":"\\ud83d\\ude00"}')).toMatch(/^[-\w]+\.[-\w]+\.[-\w]+$/)
      }).pipe(
        Effect.provide(ReportSigner.layer.pipe(Layer.provide(ServerKey.layerMemory))),
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({})))
      )
    ))
})
