import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { siteOf } from "../../engine/evidence/Address.ts"
import { type Client, clientOf } from "../../engine/limit/ClientAddress.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import type { LimitStatus } from "../../engine/limit/LimitDecision.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { orUnavailable } from "../http/errors/Refusals.ts"
import { AdminChanges } from "./AdminChanges.ts"
import { adminApi } from "./api/AdminApi.ts"
import { Malformed } from "./api/AdminErrors.ts"
import type { QuotaAnswer } from "./api/QuotasGroup.ts"
import { siteOfText } from "./AccessLayer.ts"

const shown = (subject: string, standing: LimitStatus | null): QuotaAnswer => ({
  subject,
  standing:
    standing === null
      ? null
      : {
          limit: standing.limit,
          window_seconds: standing.windowSeconds,
          remaining: standing.remaining,
          reset_seconds: standing.resetSeconds
        }
})

const clientAt = (address: string): Effect.Effect<Client, Malformed> => {
  const client = clientOf({ peer: address, forwardedFor: null }, 0)
  return client.address === "unknown"
    ? Effect.fail(new Malformed({ error: "query.client: use an IPv4 or IPv6 address" }))
    : Effect.succeed(client)
}

const domainOf = (text: string): Effect.Effect<string, Malformed> =>
  Effect.map(siteOfText(text), (site) => siteOf(site.split(/[/:]/, 1)[0] ?? site))

/** A limit of one subject. */
interface Quota {
  /** Such as `submit 192.0.2.7`. */
  readonly subject: string
  readonly look: Effect.Effect<LimitStatus | null, StoreUnavailable>
  readonly reset: Effect.Effect<void, StoreUnavailable>
}

/** /api/admin/quotas. */
export const quotasHandlers = HttpApiBuilder.group(
  adminApi,
  "quotas",
  Effect.fnUntraced(function* (handlers) {
    const limits = yield* Limits
    const changes = yield* AdminChanges

    const submitOf = (address: string) =>
      Effect.map(clientAt(address), (client): Quota => ({
        subject: `submit ${client.rateKey}`,
        look: limits.submitBucket.look(client),
        reset: limits.submitBucket.reset(client)
      }))

    const siteQuotaOf = (address: string, text: string) =>
      Effect.map(
        Effect.all({ client: clientAt(address), site: siteOfText(text) }),
        ({ client: { network }, site }): Quota => ({
          subject: `site ${network} ${site}`,
          look: Effect.map(limits.siteQuota.check(network, site), ({ standing }) => standing),
          reset: limits.siteQuota.reset(network, site)
        })
      )

    const hostOf = (text: string) =>
      Effect.map(domainOf(text), (domain): Quota => ({
        subject: `host ${domain}`,
        look: limits.hostBudget.look(domain),
        reset: limits.hostBudget.reset(domain)
      }))

    const look = <E>(quota: Effect.Effect<Quota, E>) =>
      orUnavailable(
        Effect.flatMap(quota, ({ look, subject }) => Effect.map(look, (standing) => shown(subject, standing)))
      )

    const inBrief = (standing: LimitStatus | null): string =>
      standing === null ? "no limit" : `${standing.remaining} of ${standing.limit} left`

    const reset = <E>(quota: Effect.Effect<Quota, E>) =>
      orUnavailable(
        Effect.flatMap(quota, ({ look, reset, subject }) =>
          changes.make(
            Effect.gen(function* () {
              const before = yield* look
              yield* reset
              const after = yield* look
              return {
                value: shown(subject, after),
                action: "quota.reset",
                subject,
                before: inBrief(before),
                after: inBrief(after)
              }
            })
          )
        )
      )

    return handlers.handleAll({
      readSubmitQuota: ({ query: { client } }) => look(submitOf(client)),
      resetSubmitQuota: ({ query: { client } }) => reset(submitOf(client)),
      readSiteQuota: ({ query: { client, site } }) => look(siteQuotaOf(client, site)),
      resetSiteQuota: ({ query: { client, site } }) => reset(siteQuotaOf(client, site)),
      readHostBudget: ({ query: { domain } }) => look(hostOf(domain)),
      resetHostBudget: ({ query: { domain } }) => reset(hostOf(domain))
    })
  })
)
