import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as MemoryLimitStore from "../engine/limit/MemoryLimitStore.ts"
import * as SqlLimitStore from "../engine/limit/SqlLimitStore.ts"
import { AuditQueue } from "../engine/schedule/AuditQueue.ts"
import { Leases } from "../engine/schedule/Leases.ts"
import { QueuePause } from "../engine/schedule/QueuePause.ts"
import { LEASE_MS } from "../engine/schedule/Scheduler.ts"
import { AdminLog } from "../engine/store/operators/AdminLog.ts"
import { archiveRule } from "../engine/store/archives/ArchiveRule.ts"
import { ArchiveSpace } from "../engine/store/archives/ArchiveSpace.ts"
import { ArchiveStore } from "../engine/store/archives/ArchiveStore.ts"
import { DashboardStore } from "../engine/store/operators/DashboardStore.ts"
import { configuredDatabase, type Database, layerDatabase } from "../engine/store/Database.ts"
import { layerFolder } from "../engine/store/archives/FolderArchiveStore.ts"
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
  AuditQueue.layerMemory.pipe(Layer.provideMerge([MemoryRunStore.layerMemory, Leases.layerMemory])),
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

const archives = Layer.unwrap(Effect.map(archiveRule, (rule) => (rule === null ? noArchives : layerFolder(rule))))

const inDatabase = (database: Database) =>
  Layer.mergeAll(
    SqlRunStore.layerSql,
    RunHistory.layerSql,
    SqlCorpus.layerSql,
    SqlLimitStore.layerSql,
    Transactions.layerSql,
    AuditQueue.layerSql.pipe(Layer.provideMerge(Leases.layerSql(LEASE_MS))),
    QueuePause.layerSql,
    AdminLog.layerSql,
    SiteBlocks.layerSql,
    Moderation.layerSql,
    ScheduleStore.layerSql,
    DashboardStore.layerSql,
    ServerKey.layerSql,
    SqlOAuthStore.layerSql,
    archives
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto), Layer.provide(layerDatabase(database)))

/** All stores, in the database of `DOCGAUGE_DATABASE_URL` or in memory. */
export const layerStorage = Layer.unwrap(Effect.map(
  Config.all({ database: configuredDatabase, rule: archiveRule }),
  ({ database }) => (database._tag === "Memory" ? inMemory : inDatabase(database))
))
