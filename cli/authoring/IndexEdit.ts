import * as Result from "effect/Result"
import { pluginFolder } from "../../engine/rubric/CriterionPage.ts"
import type { CriterionNames } from "./CriterionNames.ts"

/** The last import of a plugin; plugin folders begin with a category's letter. */
const LAST_IMPORT = /(?:^import \{ \w+ \} from "\.\/[a-z]-[a-z-]+\/[^"]+"\n)(?!import)/mu

/** The end of the list. */
const LIST_END = /(\bregister\(\w+\))(\n\s*\]\)\s*\)\n)/u

/** The list of plugins with one more at its end, as in the rubric; fails with one sentence if the file is laid out differently. */
export const withPlugin = (
  file: string,
  text: string,
  { category, exported, plugin }: CriterionNames
): Result.Result<string, string> => {
  const imported = `import { ${exported} } from "./${pluginFolder(category.key)}/${plugin}.ts"\n`
  if (!LAST_IMPORT.test(text) || !LIST_END.test(text))
    return Result.fail(
      `${file} does not have the expected layout of imports and list. Add the plugin by hand, or restore the file`
    )
  return Result.succeed(
    text
      .replace(LAST_IMPORT, (last) => last + imported)
      .replace(LIST_END, (_, last: string, end: string) => `${last},\n    register(${exported})${end}`)
  )
}
