/** Events by time, the earliest first; those of one time in the order in which they were added. A binary heap. */
export const makeEventQueue = <A>() => {
  const heap: Array<{ readonly at: number; readonly order: number; readonly event: A }> = []
  let added = 0

  const isBefore = (one: number, other: number): boolean => {
    const [first, second] = [heap[one], heap[other]]
    if (first === undefined || second === undefined) return false
    return first.at < second.at || (first.at === second.at && first.order < second.order)
  }
  const swap = (one: number, other: number): void => {
    const [first, second] = [heap[one], heap[other]]
    if (first === undefined || second === undefined) return
    heap[one] = second
    heap[other] = first
  }

  return {
    add: (at: number, event: A): void => {
      heap.push({ at, order: added++, event })
      for (let index = heap.length - 1; index > 0;) {
        const parent = (index - 1) >>> 1
        if (!isBefore(index, parent)) return
        swap(index, parent)
        index = parent
      }
    },
    next: (): { readonly at: number; readonly event: A } | null => {
      const [first] = heap
      const last = heap.pop()
      if (first === undefined || last === undefined) return null
      if (heap.length === 0) return first
      heap[0] = last
      for (let index = 0; ;) {
        const left = 2 * index + 1
        const child = isBefore(left + 1, left) ? left + 1 : left
        if (!isBefore(child, index)) return first
        swap(index, child)
        index = child
      }
    }
  }
}
