import * as HttpApi from "effect/http-api/HttpApi"
import { AdminAccess, AdminInputCheck } from "./AdminAccess.ts"
import { dashboardsGroup } from "./DashboardsGroup.ts"
import { documentGroup } from "./DocumentGroup.ts"
import { logGroup } from "./LogGroup.ts"
import { quotasGroup } from "./QuotasGroup.ts"
import { queueGroup, runsGroup } from "./RunsGroup.ts"
import { schedulesGroup } from "./SchedulesGroup.ts"
import { sitesGroup } from "./SitesGroup.ts"

/** The API of operators. It is not part of the public contract, and changes with the console. */
export const adminApi = HttpApi.make("docgauge-admin")
  .add(dashboardsGroup, runsGroup, sitesGroup, schedulesGroup, quotasGroup, queueGroup, logGroup, documentGroup)
  .middleware(AdminInputCheck)
  // The outermost: authenticate before validating the request.
  .middleware(AdminAccess)
