import * as Config from "effect/Config"
import { SourceError } from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as MemoryLimitStore from "../engine/limit/MemoryLimitStore.ts"
import * as SqlLimitStore from "../engine/limit/SqlLimitStore.ts"
import { AuditQueue } from "../engine/schedule/AuditQueue.ts"
import { QueuePause } from "../engine/schedule/QueuePause.ts"
import { AdminLog } from "../engine/store/operators/AdminLog.ts"
import { archiveRule } from "../engine/store/archives/ArchiveRule.ts"
import { ArchiveSpace } from "../engine/store/archives/ArchiveSpace.ts"
import { ArchiveStore } from "../engine/store/archives/ArchiveStore.ts"
import { DashboardStore } from "../engine/store/operators/DashboardStore.ts"
import { configuredDatabase, type Database, layerServiceDatabase } from "../engine/store/Database.ts"
import { layerFolder } from "../engine/store/archives/FolderArchiveStore.ts"
import { layerObjectArchives } from "../engine/store/archives/ObjectArchiveStore.ts"
import { objectLocation } from "../engine/store/objects/ObjectSettings.ts"
import { layerMovedReports, layerOldReports, oldReportDays } from "../engine/store/objects/OldReports.ts"
import { layerS3 } from "../engine/store/objects/S3ObjectStore.ts"
import { Corpus } from "../engine/store/corpus/Corpus.ts"
import * as SqlCorpus from "../engine/store/corpus/SqlCorpus.ts"
import * as MemoryRunStore from "../engine/store/runs/MemoryRunStore.ts"
import { RunHistory } from "../engine/store/runs/RunHistory.ts"
import * as SqlRunStore from "../engine/store/runs/SqlRunStore.ts"
import { Moderation } from "../engine/store/operators/Moderation.ts"
import { ScheduleStore } from "../engine/store/operators/ScheduleStore.ts"
import { ServerKey } from "../engine/store/operators/ServerKey.ts"
import { SiteBlocks } from "../engine/store/operators/SiteBlocks.ts"
import { Transactions } from "../engine/store/database/Transactions.ts"
import * as MemoryOAuthStore from "./oauth/MemoryOAuthStore.ts"
import * as SqlOAuthStore from "./oauth/SqlOAuthStore.ts"

const noArchives = Layer.mergeAll(ArchiveStore.layerOff, ArchiveSpace.layerOff)

const inMemory = Layer.mergeAll(
  AuditQueue.layerMemory.pipe(Layer.provideMerge(MemoryRunStore.layerMemory)),
  RunHistory.layerNone,
  Corpus.layerNone,
  MemoryLimitStore.layerMemory,
  Transactions.layerMemory,
  QueuePause.layerNever,
  AdminLog.layerEmpty,
  SiteBlocks.layerNone,
  Moderation.layerNone,
  ScheduleStore.layerNone,
  DashboardStore.layerEmpty,
  ServerKey.layerMemory,
  noArchives,
  MemoryOAuthStore.layerMemory
).pipe(Layer.provide(SecureRandom.layerWebCrypto))

const archives = Layer.unwrap(
  Effect.map(Config.all({ location: objectLocation, rule: archiveRule }), ({ location, rule }) => {
    if (rule === null) return noArchives
    return location === null ? layerFolder(rule) : layerObjectArchives(rule).pipe(Layer.provide(layerS3(location)))
  })
)

/** Moves old reports to the object store if it is set so, and reads those that were moved. */
const oldReports = Layer.unwrap(
  Effect.gen(function* () {
    const { days, location } = yield* Config.all({ days: oldReportDays, location: objectLocation })
    if (location === null && days !== null)
      return yield* Effect.fail(
        new Config.ConfigError(new SourceError({ message: "DOCGAUGE_OLD_REPORTS: set DOCGAUGE_OBJECT_STORE, too" }))
      )
    if (location === null) return Layer.empty
    return Layer.mergeAll(layerMovedReports, days === null ? Layer.empty : layerOldReports(days)).pipe(
      Layer.provide(layerS3(location))
    )
  })
)

const inDatabase = (database: Database) =>
  Layer.mergeAll(
    SqlRunStore.layerSql.pipe(Layer.provide(oldReports)),
    RunHistory.layerSql,
    SqlCorpus.layerSql,
    SqlLimitStore.layerSql,
    Transactions.layerSql,
    AuditQueue.layerSql,
    QueuePause.layerSql,
    AdminLog.layerSql,
    SiteBlocks.layerSql,
    Moderation.layerSql,
    ScheduleStore.layerSql,
    DashboardStore.layerSql,
    ServerKey.layerSql,
    SqlOAuthStore.layerSql,
    archives
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto), Layer.provide(layerServiceDatabase(database)))

/** All stores, in the database of `DOCGAUGE_DATABASE_URL` or in memory. */
export const layerStorage = Layer.unwrap(
  Effect.map(Config.all({ database: configuredDatabase, rule: archiveRule }), ({ database }) =>
    database._tag === "Memory" ? inMemory : inDatabase(database)
  )
)
