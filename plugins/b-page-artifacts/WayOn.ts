import * as Effect from "effect/Effect"
import { between, ratio } from "../../engine/criterion/Fact.ts"
import { onSite } from "../../engine/evidence/Address.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import { targetForm } from "../../engine/page/markdown/Faithfulness.ts"
import type { Page } from "../../engine/page/Page.ts"
import type { Site } from "../../engine/site/Site.ts"
import { type Loss, lossBetween } from "./UnseenVersions.ts"
import { documentedBy, namesIndex, type ReadVersion, type StartWays, startWays, waysOf } from "../ways/StartWays.ts"

/** The Markdown that is looked at, as for `lossBetween`. */
interface Looked {
  readonly compared: ReadonlyArray<ReadVersion>
  readonly all: ReadonlyArray<ReadVersion>
  /** Pages that may have a Markdown version, too. */
  readonly unseen: number
  /** How many are compared at most. */
  readonly size: number
}

/** Where an agent that reads Markdown gets to. */
export interface WayOn {
  readonly facts: { readonly leading_on: number; readonly start_links: number; readonly start_lost: number }
  readonly uncertain: {
    readonly leading_on: ReturnType<typeof between> | undefined
    readonly start_links: ReturnType<typeof between> | undefined
    readonly start_lost: ReturnType<typeof between> | undefined
  }
  readonly missing: ReadonlyArray<Exchange>
  readonly start: StartWays | null
}

/** Whether Markdown leads to other pages of the documentation, as its pages do. */
export const wayOn = Effect.fnUntraced(function* (
  site: Site,
  { all, compared, size, unseen }: Looked
): Effect.fn.Return<WayOn> {
  const documented = yield* documentedBy(site)
  const ways = (page: Page): ReadonlyArray<string> => waysOf(page, documented)
  const stops = (versions: ReadonlyArray<ReadVersion>): ReadonlyArray<Loss> =>
    versions.map((version) => stopOf(site, version, ways(version.page)))
  const { lost, segments } = stops(compared).reduce(plus, { segments: 0, lost: 0 })
  const stopped = unseen === 0 ? null : lossBetween(stops(all), unseen, size, 0)
  const { missing, start } = yield* startWays(site)
  const isOpen = missing.length > 0
  return {
    facts: {
      leading_on: segments === 0 ? 1 : ratio(segments - lost, segments),
      start_links: start?.links ?? 0,
      start_lost: start === null ? 0 : ratio(start.lost.length, start.links)
    },
    uncertain: {
      leading_on:
        stopped === null ? undefined : between(ratio(1 - (stopped.at_most ?? 1), 1), ratio(1 - stopped.at_least, 1)),
      start_links: isOpen ? between(0, null) : undefined,
      start_lost: isOpen ? between(0, 1) : undefined
    },
    missing,
    start
  }
})

const plus = (one: Loss, other: Loss): Loss => ({
  segments: one.segments + other.segments,
  lost: one.lost + other.lost
})

/** One segment for a page that leads on, which is lost if its Markdown does not. */
const stopOf = (site: Site, version: ReadVersion, ways: ReadonlyArray<string>): Loss => {
  if (ways.length === 0) return { segments: 0, lost: 0 }
  const own = targetForm(version.page.url)
  const leads =
    namesIndex(version.text) ||
    version.document.links.some(({ href }) => {
      const target = site.resolve(href, version.url)
      return target !== null && onSite(target, site.base.site) && targetForm(target) !== own
    })
  return { segments: 1, lost: leads ? 0 : 1 }
}
