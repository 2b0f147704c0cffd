import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { randomBytes, randomUUID } from "node:crypto"
import { currentMicros, digestKey, formatInstant, type Int } from "../database/ColumnValues.ts"
import { orUnavailable, ReadClient, Transactions } from "../database/SqlDatabase.ts"
import type { Stored } from "../database/StoreUnavailable.ts"
import { storedId } from "../runs/Run.ts"

/** What a webhook can be asked to tell of. */
export const WEBHOOK_EVENTS = ["audit.finished", "score.fell", "criterion.lost"] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** Webhooks that one site may have. */
export const MOST_WEBHOOKS = 5

/** A webhook to be created, whose receiver was checked. */
export interface NewWebhook {
  /** `base_url_norm`. */
  readonly site: string
  readonly baseUrl: string
  /** The URL that deliveries are posted to. */
  readonly url: string
  readonly events: ReadonlyArray<WebhookEvent>
}

export interface Webhook extends NewWebhook {
  /** A UUID. */
  readonly id: string
  /** `whsec_` and 32 random bytes in base64, as Standard Webhooks writes it: signs deliveries, and proves who may read and delete the webhook. */
  readonly secret: string
  /** RFC 3339. */
  readonly createdAt: string
  /** Why nothing is sent to it any more; `null` while it is active. */
  readonly problem: string | null
}

/** The webhooks of sites. */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** Whether there is a database to keep webhooks in. Without one there are none, and `create` must not be called. */
    readonly isKept: boolean
    /**
     * With a new id and secret; `null` if the site has `MOST_WEBHOOKS`. One that the site has at the same URL keeps its id, gets a new secret
     * and these events, and is active again: so its owner rotates a secret, or goes on after one was lost.
     */
    readonly create: (webhook: NewWebhook) => Stored<Webhook | null>
    readonly find: (id: string) => Stored<Webhook | null>
    /** The active webhooks of exactly this site. */
    readonly active: (site: string) => Stored<ReadonlyArray<Webhook>>
    /** With its deliveries. */
    readonly remove: (id: string) => Stored<void>
    /** Removes those of the site and of sites below it; returns their number. */
    readonly removeBelow: (site: string) => Stored<number>
  }
>()("docgauge/store/WebhookStore") {
  static readonly layerNone: Layer.Layer<WebhookStore> = Layer.succeed(WebhookStore, {
    isKept: false,
    create: () => Effect.die(new Error("there is no database to keep webhooks in")),
    find: () => Effect.succeed(null),
    active: () => Effect.succeed([]),
    remove: () => Effect.void,
    removeBelow: () => Effect.succeed(0)
  })

  static readonly layerSql: Layer.Layer<WebhookStore, never, SqlClient | ReadClient | Transactions> = Layer.effect(
    WebhookStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = yield* ReadClient
      const transactions = yield* Transactions
      const all = (rows: Effect.Effect<ReadonlyArray<WebhookRow>, SqlError>) =>
        orUnavailable(Effect.map(rows, (found) => found.map(webhookOf)))

      const renew = Effect.fnUntraced(function* (key: string, url: string, secret: string, events: string) {
        const [row] = yield* sql<WebhookRow>`
          UPDATE webhooks SET secret = ${secret}, events = ${events}, problem = NULL, failures = 0
          WHERE serial = (SELECT MIN(serial) FROM webhooks WHERE key = ${key} AND url = ${url}) RETURNING *`
        return row === undefined ? null : webhookOf(row)
      })

      const insert = Effect.fnUntraced(function* ({ baseUrl, events: told, site, url }: NewWebhook) {
        const [key, events] = [digestKey(site), told.join(" ")]
        const secret = `whsec_${randomBytes(32).toString("base64")}`
        const renewed = yield* renew(key, url, secret, events)
        if (renewed !== null) return renewed
        const [found] = yield* sql<{ readonly count: Int }>`SELECT COUNT(*) AS count FROM webhooks WHERE key = ${key}`
        if (Number(found?.count) >= MOST_WEBHOOKS) return null
        const row = {
          id: randomUUID(),
          site,
          base_url: baseUrl,
          url,
          secret,
          events,
          created_at: yield* currentMicros,
          problem: null
        }
        yield* sql`INSERT INTO webhooks ${sql.insert({ ...row, key })}`
        return webhookOf(row)
      })

      const removeBelow = Effect.fnUntraced(function* (site: string) {
        const folder = `${site}/`
        const rows = yield* sql`
          DELETE FROM webhooks WHERE key = ${digestKey(site)} OR substr(site, 1, ${folder.length}) = ${folder} RETURNING serial`
        return rows.length
      })

      return {
        isKept: true,
        // One at a time for each site, so that none gets more of them.
        create: (webhook) => transactions.alone(`webhooks ${webhook.site}`, orUnavailable(insert(webhook))),
        find: (id) => {
          const stored = storedId(id)
          return stored === null
            ? Effect.succeed(null)
            : Effect.map(
                all(read<WebhookRow>`SELECT * FROM webhooks WHERE id = ${stored}`),
                ([webhook = null]) => webhook
              )
        },
        active: (site) =>
          all(
            sql<WebhookRow>`SELECT * FROM webhooks WHERE key = ${digestKey(site)} AND problem IS NULL ORDER BY serial`
          ),
        remove: (id) => Effect.asVoid(orUnavailable(sql`DELETE FROM webhooks WHERE id = ${id}`)),
        removeBelow: (site) => orUnavailable(removeBelow(site))
      }
    })
  )
}

interface WebhookRow {
  readonly id: string
  readonly site: string
  readonly base_url: string
  readonly url: string
  readonly secret: string
  readonly events: string
  readonly created_at: Int
  readonly problem: string | null
}

const webhookOf = (row: WebhookRow): Webhook => ({
  id: row.id,
  site: row.site,
  baseUrl: row.base_url,
  url: row.url,
  secret: row.secret,
  events: WEBHOOK_EVENTS.filter((event) => row.events.split(" ").includes(event)),
  createdAt: formatInstant(Number(row.created_at)),
  problem: row.problem
})
