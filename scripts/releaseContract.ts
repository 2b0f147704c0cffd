import { writeFileSync } from "node:fs"
import { contractDocument, contractJson } from "../server/api/Contract.ts"

/*
 * Freezes the contract document as it is released: from then on a test takes nothing but additions to it.
 */

const FROZEN = new URL("../test/server/released/openapi.json", import.meta.url)

writeFileSync(FROZEN, contractJson(contractDocument({ baseUrl: "https://docgauge.dev" })))
