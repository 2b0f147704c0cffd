/**
 * `npm run docs:criteria` writes docs/criteria/<ID>.md and their index from rubric.yaml, norms.yaml, evidence.yaml and the facts of the plugins. A
 * test checks that they are up to date.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { criteriaIndex, criterionPage, explanations } from "../engine/rubric/CriterionPage.ts"
import { loadEvidence, studiesOf, studyLine } from "../engine/rubric/Evidence.ts"
import { loadNorms, normLine, normsFor } from "./norms/Norms.ts"
import { loadRubric } from "../engine/rubric/RubricFile.ts"
import { plugins } from "../plugins/index.ts"

const ROOT = resolve(import.meta.dirname, "..")
const PAGES = join("docs", "criteria")

/** The expected content of every file generated from the rubric, its norms and its evidence, by its path. */
export const criteriaDocuments = async (): Promise<ReadonlyMap<string, string>> => {
  const rubric = await Effect.runPromise(loadRubric(readFileSync(join(ROOT, "rubric.yaml")), "rubric.yaml", plugins))
  const explained = explanations(rubric)
  const ids = explained.map(({ definition }) => definition.id)
  const norms = await Effect.runPromise(loadNorms(readFileSync(join(ROOT, "norms.yaml")), "norms.yaml", ids))
  const evidence = await Effect.runPromise(loadEvidence(readFileSync(join(ROOT, "evidence.yaml")), "evidence.yaml"))
  const pages = explained.map((each) => {
    const { evidence: cited = [], id } = each.definition
    const studies = studiesOf(evidence, cited).map(studyLine)
    return [
      join(PAGES, `${id}.md`),
      criterionPage(each, { norms: normsFor(norms, id).map(normLine), studies })
    ] as const
  })
  return new Map([[join(PAGES, "README.md"), criteriaIndex(rubric.rubric, explained)], ...pages])
}

/** Pages of criteria that no longer exist. */
export const strayPages = (documents: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  readdirSync(join(ROOT, PAGES))
    .map((name) => join(PAGES, name))
    .filter((path) => !documents.has(path))

if (import.meta.main) {
  mkdirSync(join(ROOT, PAGES), { recursive: true })
  const documents = await criteriaDocuments()
  for (const [path, text] of documents) writeFileSync(join(ROOT, path), text)
  for (const path of strayPages(documents)) rmSync(join(ROOT, path))
}
