/** The middle one; the mean of the two in the middle where there is an even number; 0 of none. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle] ?? 0, sorted[middle] ?? 0]
  return (low + high) / 2
}

/** One after the other, so that runs do not disturb each other. */
export const repeat = async <A>(times: number, run: () => Promise<A>): Promise<ReadonlyArray<A>> => {
  const results: Array<A> = []
  for (let turn = 0; turn < times; turn++) results.push(await run())
  return results
}
