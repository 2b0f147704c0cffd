import { createSchema } from "./FirstSchema.ts"

/** By number and name, without gaps. */
export const MIGRATIONS = {
  "0001_schema": createSchema
}
