import { testThatAuditsEnd } from "./AuditsEnd.ts"
import { testThatServicesEnd } from "./ServiceEnds.ts"
import { families, hostileSites } from "./sites/index.ts"

testThatAuditsEnd(families, () => true)
testThatServicesEnd(Object.keys(hostileSites))
