import { testThatServicesEnd } from "./ServiceEnds.ts"
import { worstFamilies } from "./sites/index.ts"

/** A quarter of the worst sites, of every family some; `npm run test:endurance -- test/hostile` ends services amid all. */
testThatServicesEnd(
  Object.values(worstFamilies)
    .flatMap(Object.keys)
    .filter((_, index) => index % 4 === 0)
)
