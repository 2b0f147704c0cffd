import type { CriterionNames } from "./CriterionNames.ts"

/** The plugin of a new criterion: it compiles, runs, and finds that no page meets the criterion. */
export const pluginTemplate = ({ criterion, exported, plugin }: CriterionNames, title: string): string =>
  `import { defineShare } from "../../engine/criterion/DefineShare.ts"
import type { Page } from "../../engine/page/Page.ts"

/** ${criterion}: ${comment(title)}. */
export const ${exported} = defineShare({
  id: "${plugin}",
  revision: 1,
  meaning: "of those, pages that meet the criterion",
  where: (page) => meets(page),
  says: ["meets the criterion", "meet the criterion"],
  lacks: "does not meet the criterion"
})

/** Whether a page meets the criterion. Always false until you write a check. */
const meets = (_page: Page): boolean => false
`

const comment = (title: string): string => title.replaceAll("*/", "").replace(/\.$/u, "")
