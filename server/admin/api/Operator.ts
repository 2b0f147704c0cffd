import * as Context from "effect/Context"

/** `viewer` reads; `operator` reads and changes. */
export type Role = "viewer" | "operator"

/** The holder of a valid token. */
export interface OperatorIdentity {
  /** `sub` of the token. */
  readonly name: string
  readonly role: Role
}

/** The sender of the request. */
export class Operator extends Context.Service<Operator, OperatorIdentity>()("docgauge/server/admin/Operator") {}
