import { testThatServicesEnd } from "./ServiceEnds.ts"
import { worstFamilies } from "./sites/index.ts"

testThatServicesEnd(Object.values(worstFamilies).flatMap(Object.keys))
