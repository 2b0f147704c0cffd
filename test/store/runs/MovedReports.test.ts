import { describe, expect, it } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { layerBlobDeletion } from "../../../engine/store/blobs/BlobRows.ts"
import { blobDigest } from "../../../engine/store/blobs/BlobStore.ts"
import { makeS3 } from "../../../engine/store/blobs/S3Blobs.ts"
import { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { Moderation } from "../../../engine/store/operators/Moderation.ts"
import { layerMovedReports, layerSql } from "../../../engine/store/runs/SqlRunStore.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { ownServer, until } from "../archives/Archives.ts"
import { dialects, onFresh } from "../Databases.ts"
import { audited, newRun, resultOf } from "../SampleRuns.ts"

describe.each(dialects.filter(({ available }) => available))(
  "a report that an earlier version moved to the object store, with $name",
  (backend) => {
    it.live("is read there, answers 503 without it, and is deleted with its run", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const server = yield* ownServer
          const objects = yield* makeS3(server.location)
          const reportOf = (id: string) => RunStore.use((store) => store.report(id))
          const inObjects = Layer.fresh(layerSql).pipe(
            Layer.provide(layerMovedReports(objects)),
            Layer.provide(SecureRandom.layerWebCrypto)
          )
          yield* onFresh(
            backend,
            Effect.gen(function* () {
              const sql = yield* SqlClient
              const { id } = yield* audited(newRun("docs.example.com"), 70)
              const [row] = yield* sql<{ readonly content: Uint8Array }>`SELECT content FROM reports`
              const content = Uint8Array.from(row?.content ?? [])
              const { bytes, sha256 } = yield* blobDigest(content)
              yield* objects.put("reports/one", content, { bytes, sha256 })
              yield* sql`
                INSERT INTO objects (key, run_id, site, domain, kind, attempt, bytes, sha256, state, changed_at)
                SELECT 'reports/one', id, site, domain, 'document', 1, ${bytes}, ${sha256}, 'kept', 1 FROM runs`
              yield* sql`UPDATE reports SET content = ${new Uint8Array()}`
              expect(yield* Effect.flip(reportOf(id))).toBeInstanceOf(StoreUnavailable)
              expect((yield* Effect.provide(reportOf(id), inObjects))?.encoded).toBe(resultOf(70).encoded)
              yield* Effect.provide(
                Moderation.use((moderation) => moderation.drop([id])),
                Moderation.layerSql
              )
              yield* Effect.provide(
                until(
                  "the object is deleted",
                  Effect.sync(() => server.keys().length === 0)
                ),
                layerBlobDeletion(objects)
              )
            })
          )
        })
      )
    )
  }
)
