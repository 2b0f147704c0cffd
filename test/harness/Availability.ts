import process from "node:process"

/** CI must skip nothing; `.ci/run` sets this variable, as CI services do. */
export const isCi: boolean = process.env["CI"] !== undefined

/** Whether something that only some machines have was found. Its absence fails the tests that need it where it is expected, and is reported in one line elsewhere. */
export const isAvailable = (name: string, found: boolean, expected = isCi): boolean => {
  if (found) return true
  if (expected) throw new Error(`${name} is missing, and CI may not skip the tests that need it`)
  console.warn(`skipped: tests that need ${name}, which is missing`)
  return false
}
