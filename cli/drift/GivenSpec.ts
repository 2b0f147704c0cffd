import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { dirname, relative, sep } from "node:path"
import process from "node:process"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { FoundSpec, SpecFile } from "../../engine/apispec/ApiSpec.ts"
import type { Answer } from "../../engine/evidence/Exchange.ts"
import { defaultLimits } from "../../engine/evidence/FetchLimits.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"

/** Files that the references of one description may lead to, and files that lead to files, as on a site. */
const FILES = 20
const ROUNDS = 5

/** Reads the API description of `--spec`, with the files that its references lead to and that its examples are in, as if it were published at `url`. */
export const readGivenSpec = Effect.fnUntraced(function* (
  path: string,
  url: string
): Effect.fn.Return<Pick<FoundSpec, "exchange" | "spec">, CliFailure, FileSystem.FileSystem | ParserPool> {
  const parsing = yield* ParserPool
  const files = yield* FileSystem.FileSystem
  const document = yield* Effect.mapError(specFile(path), () =>
    wrongUsage(`cannot read ${plainText(path, 200)}. Pass the path of an API description, as in: --spec openapi.yaml`)
  )
  const others: Array<SpecFile> = []
  const examples: Array<SpecFile> = []
  const asked = new Set([document.url])
  const folders = yield* Effect.orDie(Effect.forEach([dirname(path), "."], (folder) => files.realPath(folder)))
  for (let round = 0; ; round++) {
    const spec = yield* parsing.spec({ document, others, examples, absent: [], limits: defaultLimits })
    if (spec._tag === "Unparsed")
      return yield* wrongUsage(
        `${plainText(path, 200)} is no API description that we can read: ${plainText(spec.message, 300)}. Pass an OpenAPI file in JSON or YAML, as in: --spec openapi.yaml`
      )
    const askable = (urls: ReadonlyArray<string>): ReadonlyArray<string> =>
      urls.filter((one) => !asked.has(one)).slice(0, FILES + 1 - asked.size)
    const wanted = askable(spec.missingFiles)
    // Examples lead nowhere: they are read when all files that count are there.
    const shown = wanted.length > 0 ? [] : askable(spec.examples.missing)
    if (wanted.length + shown.length === 0 || round === ROUNDS)
      return { spec: { ...spec, url }, exchange: answerOf(document, url) }
    for (const one of [...wanted, ...shown]) {
      asked.add(one)
      const kept = wanted.includes(one) ? others : examples
      kept.push(...(yield* Effect.orElseSucceed(besideFile(one, folders), () => [])))
    }
  }
})

const specFile = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const bytes = yield* files.readFile(path)
  const most = defaultLimits.documentBytes
  const file: SpecFile = {
    url: pathToFileURL(path).href,
    mediaType: "",
    bytes: bytes.subarray(0, most),
    cut: bytes.byteLength > most
  }
  return file
})

/** A description may come with a pull request: nothing is read that is neither in its folder nor in the working directory. */
const besideFile = Effect.fnUntraced(function* (url: string, folders: ReadonlyArray<string>) {
  if (!url.startsWith("file:///")) return []
  const files = yield* FileSystem.FileSystem
  const path = yield* Effect.try(() => fileURLToPath(url))
  const real = yield* files.realPath(path)
  const isBeside = folders.some((folder) => relative(folder, real).split(sep)[0] !== "..")
  return isBeside ? [yield* specFile(path)] : []
})

const answerOf = ({ bytes, cut }: SpecFile, url: string): Answer => ({
  _tag: "Answer",
  asked: { method: "GET", url, accept: "*/*", agent: "docgauge" },
  url,
  status: 200,
  headers: [],
  body: bytes,
  cut,
  wireBytes: bytes.byteLength,
  redirects: []
})

/** Places in other files of the description are told from the working directory. */
export const withoutFolder = (text: string): string => text.replaceAll(`${pathToFileURL(process.cwd()).href}/`, "")
