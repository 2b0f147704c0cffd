import { expect } from "vitest"
import type { OwnerProof } from "../../../server/api/Errors.ts"

/** The answer to somebody who is not known to be the owner. */
export interface NotOwner {
  readonly error: string
  readonly code?: string
  readonly ownership: OwnerProof
}

/** Where the token of an owner is published. */
export const FILE = "/.well-known/docgauge-verification.txt"

export const notOwner = async (answer: Response): Promise<NotOwner> => {
  const body = (await answer.json()) as NotOwner
  expect([answer.status, body.code]).toEqual([403, "not_owner"])
  return body
}

export const runIdOf = (answer: Response): string => answer.headers.get("x-audit-run-id") ?? ""
