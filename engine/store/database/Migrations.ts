import { addAsAgents } from "./migrations/AsAgents.ts"
import { addBlobStores } from "./migrations/BlobStores.ts"
import { addFairTags } from "./migrations/FairTags.ts"
import { createSchema } from "./migrations/FirstSchema.ts"
import { indexLists } from "./migrations/ListIndexes.ts"
import { addOpenData } from "./migrations/OpenData.ts"
import { addWebhooks } from "./migrations/Webhooks.ts"

/**
 * By number and name, without gaps. What has landed stays as it is, because databases have been made by it: a change of the schema is another
 * migration. `test/upgrades/` has a database of each.
 */
export const MIGRATIONS = {
  "0001_schema": createSchema,
  "0002_list_indexes": indexLists,
  "0003_as_agents": addAsAgents,
  "0004_fair_tags": addFairTags,
  "0005_blob_stores": addBlobStores,
  "0006_open_data": addOpenData,
  "0007_webhooks": addWebhooks
}
