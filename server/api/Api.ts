import * as HttpApi from "effect/http-api/HttpApi"
import { auditGroup } from "./AuditGroup.ts"
import { browseGroup } from "./BrowseGroup.ts"
import { contractGroup } from "./ContractGroup.ts"
import { dashboardGroup } from "./DashboardGroup.ts"
import { InputCheck } from "./Errors.ts"
import { runGroup } from "./RunGroup.ts"

/** The whole public contract: what is served, documented and called comes from here. */
export const api = HttpApi.make("docgauge")
  .add(auditGroup, runGroup, browseGroup, dashboardGroup, contractGroup)
  .middleware(InputCheck)
