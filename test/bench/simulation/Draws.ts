/*
 * Random numbers for the simulation, made of draws from a seed, so that the same question has the same answer.
 */

/** Draws from 0 up to 1, such as `random` of ../data/Corpus.ts. */
export type Draw = () => number

/** Time between two arrivals of a Poisson process, for a rate per second. */
export const exponential = (draw: Draw, rate: number): number => -Math.log(1 - draw()) / rate

/** A log-normal value (Box-Muller). */
export const logNormal = (draw: Draw, median: number, sigma: number): number =>
  median * Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw()))

/** Ranks from 0, the first being the most frequent (Zipf with exponent 1). */
export const zipf = (draw: Draw, count: number): (() => number) => {
  const cumulative = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank++) cumulative[rank] = sum += 1 / (rank + 1)
  return () => {
    const wanted = draw() * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((cumulative[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}
