import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { BLOCKED } from "../../engine/schedule/Auditor.ts"
import { Moderation } from "../../engine/store/operators/Moderation.ts"
import { type SiteBlock, SiteBlocks } from "../../engine/store/operators/SiteBlocks.ts"
import { Snapshots } from "../../engine/store/snapshots/Snapshots.ts"
import { WebhookStore } from "../../engine/store/webhooks/WebhookStore.ts"
import { orUnavailable } from "../http/errors/Refusals.ts"
import { AdminChanges } from "./AdminChanges.ts"
import { adminApi } from "./api/AdminApi.ts"
import { Missing } from "./api/AdminErrors.ts"
import { siteOfText } from "./AccessLayer.ts"
import { RunDeletion } from "./RunDeletion.ts"

/** Default number of sites per page. */
const PAGE = 50

/** Runs deleted in one transaction; other transactions wait for it. */
const BATCH = 200

const shown = ({ blockedAt, reason, site }: SiteBlock) => ({ site, reason, blocked_at: blockedAt })

const inBrief = (block: SiteBlock | null): string =>
  block === null ? "not blocked" : `blocked: ${block.reason === "" ? "no reason given" : block.reason}`

/** /api/admin/sites. */
export const sitesHandlers = HttpApiBuilder.group(
  adminApi,
  "managedSites",
  Effect.fnUntraced(function* (handlers) {
    const blocks = yield* SiteBlocks
    const moderation = yield* Moderation
    const changes = yield* AdminChanges
    const deletion = yield* RunDeletion
    const snapshots = yield* Snapshots
    const webhooks = yield* WebhookStore

    /** Stores the block first, then ends the runs: a run accepted in between finds the block when it starts. */
    const put = (action: string, site: string, reason: string) =>
      changes
        .make(
          Effect.gen(function* () {
            const before = yield* blocks.find(site)
            yield* blocks.put(site, reason)
            if (before === null) yield* snapshots.withdraw
            const after = { site, reason, blockedAt: before?.blockedAt ?? "" }
            return { value: undefined, action, subject: site, before: inBrief(before), after: inBrief(after) }
          })
        )
        .pipe(
          Effect.andThen(blocks.find(site)),
          Effect.flatMap((block) =>
            block === null ? Effect.die(new Error("a block was removed meanwhile")) : Effect.succeed(block)
          )
        )

    const end = (site: string) =>
      changes.make(
        Effect.map(deletion.end(site, BLOCKED), (ended) => ({
          value: ended,
          action: "site.end",
          subject: site,
          before: ended === 0 ? null : `${ended} runs pending or running`,
          after: null
        }))
      )

    const block = Effect.fnUntraced(function* (text: string, reason: string) {
      const site = yield* siteOfText(text)
      const blocked = yield* put("site.block", site, reason)
      return { blocked: shown(blocked), ended: yield* end(site) }
    })

    const unblock = Effect.fnUntraced(function* (text: string) {
      const site = yield* siteOfText(text)
      return yield* changes.make(
        Effect.gen(function* () {
          const before = yield* blocks.find(site)
          if (before === null)
            return yield* new Missing({ error: "The site itself is not blocked.", code: "not_found" })
          yield* blocks.remove(site)
          return {
            value: shown(before),
            action: "site.unblock",
            subject: site,
            before: inBrief(before),
            after: inBrief(null)
          }
        })
      )
    })

    const deleteSome = (site: string) =>
      changes.make(
        Effect.gen(function* () {
          yield* webhooks.removeBelow(site)
          const runs = yield* moderation.below(site, BATCH)
          yield* deletion.takeBack(runs)
          return {
            value: runs.length,
            action: "site.delete",
            subject: site,
            before: runs.length === 0 ? null : `${runs.length} runs`,
            after: null
          }
        })
      )

    const takeDown = Effect.fnUntraced(function* (text: string, reason: string) {
      const site = yield* siteOfText(text)
      const blocked = yield* put("site.takedown", site, reason)
      yield* end(site)
      let deleted = 0
      for (let some = BATCH; some === BATCH;) {
        some = yield* deleteSome(site)
        deleted += some
      }
      return { blocked: shown(blocked), deleted }
    })

    const list = Effect.fnUntraced(function* (after: string, limit: number) {
      const found = yield* blocks.list(after, limit + 1)
      const page = found.slice(0, limit)
      return { sites: page.map(shown), next_cursor: found.length > limit ? (page.at(-1)?.site ?? "") : "" }
    })

    return handlers.handleAll({
      listBlocks: ({ query: { cursor = "", limit = PAGE } }) => orUnavailable(list(cursor, limit)),
      blockSite: ({ payload: { reason = "", site } }) => orUnavailable(block(site, reason)),
      unblockSite: ({ payload: { site } }) => orUnavailable(unblock(site)),
      takeDownSite: ({ payload: { reason = "", site } }) => orUnavailable(takeDown(site, reason))
    })
  })
)
