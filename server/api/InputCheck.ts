import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { BadRequest } from "./Errors.ts"

/** For all operations: an invalid path, query or header parameter gets a 400. */
export class InputCheck extends HttpApiMiddleware.Service<InputCheck>()("docgauge/server/InputCheck", {
  error: BadRequest
}) {}
