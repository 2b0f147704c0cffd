import type { Mutation } from "./mutations/Mutation.ts"
import { agentSurfaceMutations } from "./mutations/AgentSurface.ts"
import { apiSpecMutations } from "./mutations/ApiSpec.ts"
import { contentMutations } from "./mutations/Content.ts"
import { discoveryMutations } from "./mutations/Discovery.ts"
import { hygieneMutations } from "./mutations/Hygiene.ts"
import { pageArtifactMutations } from "./mutations/PageArtifacts.ts"

/** One thing is broken at a time in the excellent site: one criterion must fall, and nothing may that is not declared. */
export const mutations: ReadonlyArray<Mutation> = [
  ...discoveryMutations,
  ...pageArtifactMutations,
  ...apiSpecMutations,
  ...contentMutations,
  ...hygieneMutations,
  ...agentSurfaceMutations
]
