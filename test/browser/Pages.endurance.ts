import { PAGES } from "./EveryPage.ts"
import { testThatPagesKeepNobodyOut, WAYS } from "./EveryWay.ts"

/* What Pages.test.ts shows for each frame, for every page that has it. */

testThatPagesKeepNobodyOut(PAGES.map((page) => ({ ...page, ways: WAYS })))
