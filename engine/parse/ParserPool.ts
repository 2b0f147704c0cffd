import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ParsedSpec, SpecFile, SpecInput, Unparsed } from "../apispec/ApiSpec.ts"
import type { Page, PageInput } from "../page/Page.ts"
import { PAGE_PARSER, SPEC_MEMORY, SPEC_PARSER } from "./ParserThreads.ts"
import { makeSingleWorker, type WorkerMessage, type WorkerFailure } from "../worker/SingleWorker.ts"

/** A page takes milliseconds; one that takes this long is made to. */
const PAGE_MILLISECONDS = 10_000
/** GitHub's 13 MB take a second; so do 4 MB of YAML. */
const SPEC_MILLISECONDS = 30_000

/** Bytes of a page that is too much as a whole: more than any person or agent reads of one. */
const BEGINNING = 512 * 1024

/** After a page or a description of this size, in bytes, the worker is not kept: its heap would stay as large as it grew. */
const LARGE_PAGE = 2_000_000
const LARGE_DESCRIPTION = 2_000_000

/**
 * Heavy parsing, off the main thread, one page and one API description at a time. Nothing fails: what cannot be read,
 * and what brings a worker down, comes back as data.
 */
export class ParserPool extends Context.Service<ParserPool, {
  /** Of a page that cannot be read (time, memory) the beginning is; if even that cannot, it is as if its body were empty. */
  readonly page: (input: PageInput) => Effect.Effect<Page>
  readonly spec: (input: SpecInput) => Effect.Effect<ParsedSpec>
  /** Tells that `spec` will be asked shortly: what it needs gets ready. */
  readonly expectSpec: Effect.Effect<void>
}>()("docgauge/parse/ParserPool") {
  /** In two worker threads, one for pages, started at once, and one for API descriptions, started when needed. Both end with the scope. */
  static readonly layer: Layer.Layer<ParserPool> = Layer.effect(
    ParserPool,
    Effect.gen(function*() {
      const pages = yield* makeSingleWorker<PageInput, Omit<Page, "answer">>({
        thread: PAGE_PARSER,
        milliseconds: PAGE_MILLISECONDS
      })
      yield* pages.start
      const specs = yield* makeSingleWorker<SpecInput, ParsedSpec>({
        thread: SPEC_PARSER,
        milliseconds: SPEC_MILLISECONDS
      })
      const page = (input: PageInput): Effect.Effect<Page> =>
        pages.ask(() => pageMessage(input)).pipe(
          Effect.catch(() => pages.ask(() => pageMessage(beginningOf(input, BEGINNING)))),
          Effect.catch(() => Effect.orDie(pages.ask(() => pageMessage(beginningOf(input, 0))))),
          Effect.map((read) => ({ ...read, answer: input.answer }))
        )
      const spec = (input: SpecInput): Effect.Effect<ParsedSpec> =>
        specs.ask(() => specMessage(input)).pipe(
          Effect.catch((failure) => Effect.succeed(unread(input, failure)))
        )
      return { page, spec, expectSpec: specs.start }
    })
  )

  /** The same work on the calling thread, for tests: without limits of time and memory. */
  static readonly layerInline: Layer.Layer<ParserPool> = Layer.effect(
    ParserPool,
    Effect.promise(async () => {
      const [{ readPage }, { readSpec }] = await Promise.all([import("../page/read/ReadPage.ts"), import("../apispec/read/ReadSpec.ts")])
      return {
        page: (input: PageInput) => Effect.sync(() => readPage(input)),
        spec: (input: SpecInput) => Effect.promise(() => readSpec(input)),
        expectSpec: Effect.void
      }
    })
  )
}

/** The evidence keeps its bytes, so a copy changes hands: the only one that is made. */
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

const pageMessage = (input: PageInput): WorkerMessage<PageInput> => {
  const body = ownBytes(input.answer.body)
  return { message: { ...input, answer: { ...input.answer, body } }, transfer: [body.buffer], last: body.byteLength > LARGE_PAGE }
}

const beginningOf = (input: PageInput, bytes: number): PageInput =>
  ({ ...input, answer: { ...input.answer, body: input.answer.body.subarray(0, bytes), cut: true } })

const specMessage = (input: SpecInput): WorkerMessage<SpecInput> => {
  const transfer: Array<ArrayBuffer> = []
  const owned = (file: SpecFile): SpecFile => {
    const bytes = ownBytes(file.bytes)
    transfer.push(bytes.buffer)
    return { ...file, bytes }
  }
  const message = { ...input, document: owned(input.document), others: input.others.map(owned) }
  return { message, transfer, last: input.document.bytes.byteLength > LARGE_DESCRIPTION }
}

const UNREAD: Readonly<Record<WorkerFailure, string>> = {
  out_of_memory: `reading it takes more than ${SPEC_MEMORY} MB of memory`,
  timed_out: `reading it takes more than ${SPEC_MILLISECONDS / 1_000} s`,
  crashed: "reading it brought the reader down"
}

const unread = (input: SpecInput, failure: WorkerFailure): Unparsed => ({
  _tag: "Unparsed",
  url: input.document.url,
  reason: failure,
  message: UNREAD[failure]
})
