/** How many items come first that `isBefore` holds for, by binary search; it must hold for none after them. */
export const countBefore = <Item>(items: ReadonlyArray<Item>, isBefore: (item: Item) => boolean): number => {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && isBefore(item)) low = middle + 1
    else high = middle
  }
  return low
}
