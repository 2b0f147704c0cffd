import { describe, expect, it } from "vitest"
import { evenStride } from "../../../engine/site/base/EvenStride.ts"
import { type Loss, lossBetween } from "../../../plugins/b-page-artifacts/MarkdownVersion.ts"

const loss = (segments: number, lost: number): Loss => ({ segments, lost })

/** Every way to put `more` versions of the same kind between the known ones. */
const arrangements = (known: ReadonlyArray<Loss>, more: number, another: Loss): ReadonlyArray<ReadonlyArray<Loss>> => {
  const [first, ...rest] = known
  if (first === undefined) return [Array.from({ length: more }, () => another)]
  const after = arrangements(rest, more, another).map((others) => [first, ...others])
  return more === 0
    ? after
    : [...after, ...arrangements(known, more - 1, another).map((others) => [another, ...others])]
}

const shareOf = (versions: ReadonlyArray<Loss>): number =>
  versions.reduce((sum, { lost }) => sum + lost, 0) / versions.reduce((sum, { segments }) => sum + segments, 0)

const rounded = (share: number): number => Math.round(share * 10_000) / 10_000

/** The same by trying everything. */
const triedAll = (known: ReadonlyArray<Loss>, unseen: number, size: number) => {
  const longest = Math.max(...known.map(({ segments }) => segments))
  const shares = Array.from({ length: unseen + 1 }, (_, more) =>
    [loss(longest, 0), loss(longest, longest)].flatMap((another) =>
      arrangements(known, more, another).map((versions) => shareOf(evenStride(versions, size)))
    )
  ).flat()
  return { at_least: rounded(Math.min(...shares)), at_most: rounded(Math.max(...shares)) }
}

describe("the share of lost segments if unseen pages may have Markdown, too", () => {
  const sites: ReadonlyArray<ReadonlyArray<Loss>> = [
    [loss(10, 1)],
    [loss(10, 0), loss(10, 10)],
    [loss(12, 2), loss(3, 3), loss(40, 1), loss(7, 0)],
    [loss(5, 5), loss(5, 0), loss(90, 30), loss(1, 0), loss(8, 2), loss(13, 1), loss(2, 2)]
  ]
  const cases = sites.flatMap((known) =>
    [0, 1, 2, 3].flatMap((unseen) => [4, 5].map((size) => ({ known, unseen, size })))
  )

  it.each(cases)(
    "is what all their places among the known ones come to: $known.length known, $unseen unseen, $size compared",
    ({ known, size, unseen }) => {
      expect(lossBetween(known, unseen, size)).toEqual(triedAll(known, unseen, size))
    }
  )

  it("may be anything if all that is compared may be unseen, or if no page has text", () => {
    expect([lossBetween([loss(10, 1)], 4, 4), lossBetween([loss(0, 0)], 1, 4)]).toEqual([
      { at_least: 0, at_most: 1 },
      { at_least: 0, at_most: 1 }
    ])
  })
})
