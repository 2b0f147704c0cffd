import { between, ratio } from "../../engine/criterion/Fact.ts"
import { evenStride } from "../../engine/site/base/EvenStride.ts"

/** Text segments of pages (lines of code, headings, links), and those of them that their Markdown lacks. */
export interface Loss {
  readonly segments: number
  readonly lost: number
}

/**
 * The share of segments lost in the versions that are compared (`size` of them, by an even stride), if up to `unseen` more pages
 * have one, wherever they are in the sample: then others are compared, too. An unseen page is taken to be no longer than the
 * longest of the known ones.
 *
 * @param ofNone the share of no segments at all: 1 of texts, which a page must have, and 0 of what it need not have.
 */
export const lossBetween = (
  known: ReadonlyArray<Loss>,
  unseen: number,
  size: number,
  ofNone: 0 | 1 = 1
): ReturnType<typeof between> => {
  const longest = Math.max(0, ...known.map(({ segments }) => segments))
  if (unseen < size && longest === 0 && ofNone === 0) return between(0, 0)
  if (unseen >= size || longest === 0) return between(0, 1)
  const shareOf = ({ lost, segments }: Loss): number => (segments === 0 ? ofNone : lost / segments)
  const counts = Array.from({ length: unseen + 1 }, (_, more) => more)
  const another = (lost: number): Loss => ({ segments: longest, lost })
  const least = counts.map((more) => shareOf(extremeLoss({ known, more, size, another: another(0), shareOf }, -1)))
  const most = counts.map((more) => shareOf(extremeLoss({ known, more, size, another: another(longest), shareOf }, 1)))
  return between(ratio(Math.min(...least), 1), ratio(Math.max(...most), 1))
}

/** The known versions, with `more` between them that are all like `another`. */
interface Arranged {
  readonly known: ReadonlyArray<Loss>
  readonly more: number
  readonly size: number
  readonly another: Loss
  readonly shareOf: (loss: Loss) => number
}

/** The loss with the largest share (`sign` 1) or the smallest (-1), by Dinkelbach's method for maxima of a quotient. */
const extremeLoss = (arranged: Arranged, sign: 1 | -1): Loss => {
  let best = heaviest(arranged, (loss) => (sign === 1 ? loss.lost : loss.segments - loss.lost))
  for (;;) {
    const share = arranged.shareOf(best)
    const next = heaviest(arranged, ({ lost, segments }) => sign * (lost - share * segments))
    if (sign * (arranged.shareOf(next) - share) <= 0) return best
    best = next
  }
}

/** Of all places that the unseen versions may have among the known ones, the sum of the compared ones that weighs most. */
const heaviest = ({ another, known, more, size }: Arranged, weight: (loss: Loss) => number): Loss => {
  const places = Array.from({ length: known.length + more }, (_, place) => place)
  const compared = new Set(evenStride(places, size))
  // By the number of unseen versions so far: the heaviest sum of what is compared up to here.
  let sums = new Map([[0, NOTHING]])
  for (const place of places) {
    const next = new Map<number, Loss>()
    const offer = (unseen: number, sum: Loss, version: Loss): void => {
      const total = compared.has(place) ? plus(sum, version) : sum
      const other = next.get(unseen)
      if (other === undefined || weight(total) > weight(other)) next.set(unseen, total)
    }
    for (const [unseen, sum] of sums) {
      const own = known[place - unseen]
      if (own !== undefined) offer(unseen, sum, own)
      if (unseen < more) offer(unseen + 1, sum, another)
    }
    sums = next
  }
  return sums.get(more) ?? NOTHING
}

const NOTHING: Loss = { segments: 0, lost: 0 }

const plus = (one: Loss, other: Loss): Loss => ({
  segments: one.segments + other.segments,
  lost: one.lost + other.lost
})
