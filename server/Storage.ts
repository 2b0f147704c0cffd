import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as LimitStore from "../engine/limit/LimitStore.ts"
import { AuditQueue, QueuePause } from "../engine/schedule/AuditQueue.ts"
import { AdminLog } from "../engine/store/operators/AdminLog.ts"
import { archiveRule } from "../engine/store/archives/ArchiveRetention.ts"
import { ArchiveSpace } from "../engine/store/archives/ArchiveSpace.ts"
import { ArchiveStore } from "../engine/store/archives/ArchiveStore.ts"
import { DashboardStore } from "../engine/store/operators/DashboardStore.ts"
import { configuredDatabase, type Database, layerServiceDatabase } from "../engine/store/Database.ts"
import { layerArchives } from "../engine/store/archives/SqlArchiveStore.ts"
import { layerBlobDeletion } from "../engine/store/blobs/BlobRows.ts"
import { makeS3, objectLocation } from "../engine/store/blobs/S3Blobs.ts"
import * as SqlCorpus from "../engine/store/corpus/SqlCorpus.ts"
import { layerMovedReports } from "../engine/store/runs/SqlRunStore.ts"
import * as MemoryRunStore from "../engine/store/runs/MemoryRunStore.ts"
import { RunHistory } from "../engine/store/runs/RunHistory.ts"
import { Snapshots } from "../engine/store/snapshots/Snapshots.ts"
import * as SqlSnapshots from "../engine/store/snapshots/SqlSnapshots.ts"
import * as SqlRunStore from "../engine/store/runs/SqlRunStore.ts"
import { Moderation } from "../engine/store/operators/Moderation.ts"
import { ScheduleStore } from "../engine/store/operators/ScheduleStore.ts"
import { ServerKey } from "../engine/store/operators/ServerKey.ts"
import { SiteBlocks } from "../engine/store/operators/SiteBlocks.ts"
import { DeliveryStore } from "../engine/store/webhooks/DeliveryStore.ts"
import { WebhookStore } from "../engine/store/webhooks/WebhookStore.ts"
import { Transactions } from "../engine/store/database/SqlDatabase.ts"
import { webhooksOn } from "./config/Settings.ts"
import * as OAuthStore from "./oauth/OAuthStore.ts"

const noArchives = Layer.mergeAll(ArchiveStore.layerOff, ArchiveSpace.layerOff)

const inMemory = Layer.mergeAll(
  AuditQueue.layerMemory.pipe(Layer.provideMerge(MemoryRunStore.layerMemory)),
  RunHistory.layerNone,
  LimitStore.layerMemory,
  Transactions.layerMemory,
  QueuePause.layerNever,
  AdminLog.layerEmpty,
  SiteBlocks.layerNone,
  Moderation.layerNone,
  ScheduleStore.layerNone,
  DashboardStore.layerEmpty,
  Snapshots.layerNone,
  WebhookStore.layerNone,
  DeliveryStore.layerNone,
  ServerKey.layerMemory,
  noArchives,
  OAuthStore.layerMemory
).pipe(Layer.provide(SecureRandom.layerWebCrypto))

/** Runs, and what is kept outside of the database: archives, and reports that an earlier version moved to the object store. */
const runsAndArchives = Layer.unwrap(
  Effect.gen(function* () {
    const { location, noted, rule } = yield* Config.all({
      location: objectLocation,
      noted: webhooksOn,
      rule: archiveRule
    })
    const objects = location === null ? null : yield* makeS3(location)
    return Layer.merge(
      SqlRunStore.layerSql.pipe(
        Layer.provide(Layer.succeed(SqlRunStore.NotesForWebhooks, noted)),
        Layer.provide(objects === null ? Layer.empty : layerMovedReports(objects))
      ),
      rule !== null
        ? layerArchives(rule, objects)
        : Layer.merge(noArchives, objects === null ? Layer.empty : layerBlobDeletion(objects))
    )
  })
)

const inDatabase = (database: Database) =>
  Layer.mergeAll(
    runsAndArchives,
    RunHistory.layerSql,
    SqlCorpus.layerSql,
    SqlSnapshots.layerSql.pipe(Layer.provide(Transactions.layerSql)),
    LimitStore.layerSql,
    Transactions.layerSql,
    AuditQueue.layerSql,
    QueuePause.layerSql,
    AdminLog.layerSql,
    SiteBlocks.layerSql,
    Moderation.layerSql,
    ScheduleStore.layerSql,
    DashboardStore.layerSql,
    WebhookStore.layerSql.pipe(Layer.provide(Transactions.layerSql)),
    DeliveryStore.layerSql,
    ServerKey.layerSql,
    OAuthStore.layerSql
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto), Layer.provide(layerServiceDatabase(database)))

/** All stores, in the database of `DOCGAUGE_DATABASE_URL` or in memory. */
export const layerStorage = Layer.unwrap(
  Effect.map(Config.all({ database: configuredDatabase, rule: archiveRule }), ({ database }) =>
    database._tag === "Memory" ? inMemory : inDatabase(database)
  )
)
