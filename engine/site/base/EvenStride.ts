/** `size` items spread evenly over all of them (item ⌊i·n/size⌋), in their order; all of them where there are no more. */
export const evenStride = <A>(items: ReadonlyArray<A>, size: number): ReadonlyArray<A> =>
  items.length <= size
    ? items
    : Array.from({ length: size }, (_, pick) => Math.floor((pick * items.length) / size)).flatMap((index) =>
        items.slice(index, index + 1)
      )
