import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import type { Operator } from "../Operator.ts"
import { accessErrors, Malformed } from "./AdminErrors.ts"

/** Lets those in who hold a token with a role that fits the method: `GET` for viewers, everything for operators. */
export class AdminAccess extends HttpApiMiddleware.Service<AdminAccess, { provides: Operator }>()("docgauge/server/admin/AdminAccess", {
  security: { bearer: HttpApiSecurity.bearer },
  error: accessErrors
}) {}

/** Says which part of a request is not as documented. */
export class AdminInputCheck extends HttpApiMiddleware.Service<AdminInputCheck>()("docgauge/server/admin/AdminInputCheck", { error: Malformed }) {}
