import { writeFileSync } from "node:fs"
import { contractDocument, contractJson } from "../server/api/Contract.ts"

/*
 * Freezes the released contract document: from then on a test accepts only additions.
 */

const FROZEN = new URL("../test/server/api/released/openapi.json", import.meta.url)

writeFileSync(FROZEN, contractJson(contractDocument({ baseUrl: "https://docgauge.dev" })))
