import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { BadRequest } from "./Errors.ts"

/** Any operation: what cannot be read of path, query and headers is a 400. */
export class InputCheck extends HttpApiMiddleware.Service<InputCheck>()("docgauge/server/InputCheck", {
  error: BadRequest
}) {}
