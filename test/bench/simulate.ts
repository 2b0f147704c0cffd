/**
 * `node test/bench/simulate.ts [SUBMISSIONS_A_DAY…]`: simulates the busiest hour of a service and prints how many workers and how
 * much PostgreSQL it needs: the table of docs/operating.md. The same question has the same answer.
 */
import process from "node:process"
import { sizingTable } from "./simulation/Sizing.ts"

const [, , ...given] = process.argv
const sizes = given.length === 0 ? [10_000, 100_000, 1_000_000, 10_000_000] : given.map(Number)
if (sizes.some((size) => !Number.isSafeInteger(size) || size < 1))
  throw new Error("usage: node test/bench/simulate.ts [SUBMISSIONS_A_DAY…]")
process.stdout.write(`${sizingTable(sizes)}\n`)
