import type { MarkdownOf } from "../../engine/fix/files/PageMarkdownFile.ts"
import { convertPage } from "../../engine/page/conversion/ConvertPage.ts"
import { readWithTree } from "../../engine/page/read/ReadPage.ts"

/** A page as the parser thread converts it, without its limits. */
export const markdownOf: MarkdownOf = ({ answer }) => {
  const { page, tree } = readWithTree({ answer })
  return convertPage(page, tree)
}
