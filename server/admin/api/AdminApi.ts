import * as HttpApi from "effect/http-api/HttpApi"
import { AdminAccess, AdminInputCheck } from "./AdminAccess.ts"
import { dashboardsGroup } from "./DashboardsGroup.ts"
import { documentGroup } from "./DocumentGroup.ts"
import { logGroup } from "./LogGroup.ts"
import { queueGroup } from "./QueueGroup.ts"
import { quotasGroup } from "./QuotasGroup.ts"
import { runsGroup } from "./RunsGroup.ts"
import { schedulesGroup } from "./SchedulesGroup.ts"
import { sitesGroup } from "./SitesGroup.ts"

/** What operators do. Apart from the public contract: it changes with the console, and is never listed there. */
export const adminApi = HttpApi.make("docgauge-admin")
  .add(dashboardsGroup, runsGroup, sitesGroup, schedulesGroup, quotasGroup, queueGroup, logGroup, documentGroup)
  .middleware(AdminInputCheck)
  // The outermost: nobody who may not come in is told what is wrong with what he sent.
  .middleware(AdminAccess)
