import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"
import { type MarkdownPage, readPages } from "../MarkdownPage.ts"

/** What the excellent site is built from: all that its authors write. */
export interface Source {
  readonly pages: ReadonlyArray<MarkdownPage>
  /** OpenAPI, as a plain JSON value. */
  readonly description: Description
  /** `AGENTS.md` and the skill, by their addresses. */
  readonly instructions: Readonly<Record<string, string>>
}

/** A JSON object whose shape is OpenAPI's affair. */
export type Description = Readonly<Record<string, unknown>>

const FOLDER = import.meta.dirname

const read = (file: string): string => readFileSync(join(FOLDER, file), "utf8")

export const readSource = (): Source => {
  const description: Description = parse(read("openapi.yaml"))
  return {
    pages: readPages(join(FOLDER, "pages")),
    description,
    instructions: {
      "/AGENTS.md": read("AGENTS.md"),
      "/.well-known/agent-skills/moorling-booking/SKILL.md": read("skill.md")
    }
  }
}
