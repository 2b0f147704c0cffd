import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import type { Dirent } from "node:fs"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join, relative, sep } from "node:path"
import type { OutputFile } from "../../engine/fix/plan/OutputFiles.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { firstNamed } from "../../engine/plugin/Wording.ts"

const PLAN = "PLAN.md"

/** The plan as data, which `--verify` reads. */
const DATA = "PLAN.json"

/** What is left for a person to answer. */
const QUESTIONS = "QUESTIONS.md"

const PULL_REQUEST = "PULL_REQUEST.md"

/** Begins the plan, and so marks a folder as ours. */
const MARK = "<!-- docgauge fix -->\n"

/** Lists what we wrote, so that the next run tells it from what the owner changed. */
const MANIFEST = ".docgauge-fix.json"

/** SHA-256 of each file that we wrote, by its path. */
const Digests = Schema.Record(Schema.String, Schema.String)

const readDigests = Schema.decodeUnknownOption(Schema.fromJsonString(Digests))

const PARTS = ["site", "head", "host"]

/** Changed files that a sentence names. */
const NAMED = 3

/** What is written beside the files: never to be published. */
interface Papers {
  readonly plan: string
  readonly data: string
  /** `null`: none. */
  readonly questions: string | null
  /** `null`: no branch was written. */
  readonly pullRequest: string | null
}

/**
 * Writes the files, the plan and the questions. What an earlier run wrote is replaced. A folder that is not ours is refused, and so is one with files
 * that were changed or added since, unless `force`.
 */
export const writeOutput = (
  folder: string,
  files: ReadonlyArray<OutputFile>,
  { plan, ...papers }: Papers,
  force: boolean
): Effect.Effect<void, CliFailure> =>
  Effect.gen(function* () {
    const there = yield* Effect.promise(() => readdir(folder).catch((): ReadonlyArray<string> => []))
    const own = yield* Effect.promise(() => readFile(join(folder, PLAN), "utf8").catch(() => ""))
    if (there.length > 0 && !own.startsWith(MARK))
      return yield* wrongUsage(
        `${plainText(folder, 200)} has files that we did not write. Choose an empty folder with --out.`
      )
    const changed = force ? [] : yield* Effect.promise(() => changedIn(folder))
    if (changed.length > 0)
      return yield* wrongUsage(
        `${changedText(folder, changed)} Choose another folder with --out, or replace them with --force.`
      )
    yield* Effect.tryPromise({
      try: () => replaceAll(folder, files, { plan: `${MARK}${plan}`, ...papers }),
      catch: (error) =>
        wrongUsage(
          `cannot write to ${plainText(folder, 200)}: ${error instanceof Error ? plainText(error.message, 200) : "unknown error"}.`
        )
    })
  })

/** The mark and the manifest are written first: a run that was ended half way is replaced by the next. */
const replaceAll = async (
  folder: string,
  files: ReadonlyArray<OutputFile>,
  { data, plan, pullRequest, questions }: Papers
): Promise<void> => {
  for (const part of [...PARTS, DATA, QUESTIONS, PULL_REQUEST])
    await rm(join(folder, part), { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const papers = [
    [PLAN, plan],
    [DATA, data],
    ...(questions === null ? [] : [[QUESTIONS, questions] as const]),
    ...(pullRequest === null ? [] : [[PULL_REQUEST, pullRequest] as const])
  ] as const
  for (const [name, text] of papers) await writeFile(join(folder, name), text)
  const digests = [...files.map(({ path, text }) => [path, text] as const), ...papers].map(([path, text]) => [
    path,
    digestOf(text)
  ])
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`)
  for (const { path, text } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

const digestOf = (body: string | Uint8Array): string => createHash("sha256").update(body).digest("hex")

const changedText = (folder: string, changed: ReadonlyArray<string>): string => {
  const names = changed.map((path) => plainText(path, 200))
  return `Since docgauge wrote to ${plainText(folder, 200)}, files were changed or added: ${firstNamed(names, NAMED)}.`
}

/** Files that a run would replace or delete, and that are not as an earlier run wrote them. */
const changedIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => "")
  const digests = new Map(Object.entries(Option.getOrElse(readDigests(text), () => ({}))))
  const changed: Array<string> = []
  for (const path of await replacedIn(folder)) {
    const body = await readFile(join(folder, path)).catch(() => null)
    if (body === null || digests.get(path) !== digestOf(body)) changed.push(path)
  }
  return changed
}

/** Paths of all that a run replaces or deletes. */
const replacedIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  const inParts = await Promise.all(
    PARTS.map((part) =>
      readdir(join(folder, part), { withFileTypes: true, recursive: true }).catch((): Array<Dirent> => [])
    )
  )
  const paths = inParts
    .flat()
    .filter((entry) => !entry.isDirectory())
    .map(({ name, parentPath }) => relative(folder, join(parentPath, name)).split(sep).join("/"))
  const papers = await Promise.all(
    [PLAN, DATA, QUESTIONS, PULL_REQUEST].map((name) =>
      readFile(join(folder, name)).then(
        () => [name],
        () => []
      )
    )
  )
  return [...paths.sort(), ...papers.flat()]
}
