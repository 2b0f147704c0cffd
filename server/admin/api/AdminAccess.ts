import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import { accessErrors, Malformed } from "./AdminErrors.ts"

/** Requires a token with a role for the method: viewers may `GET`, operators may do everything. */
export class AdminAccess extends HttpApiMiddleware.Service<AdminAccess, { provides: Operator }>()(
  "docgauge/server/admin/AdminAccess",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: accessErrors
  }
) {}

/** Reports which part of a request is invalid. */
export class AdminInputCheck extends HttpApiMiddleware.Service<AdminInputCheck>()(
  "docgauge/server/admin/AdminInputCheck",
  { error: Malformed }
) {}

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
