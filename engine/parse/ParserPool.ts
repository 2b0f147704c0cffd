import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ParsedSpec, SpecFile, SpecInput, Unparsed } from "../apispec/ApiSpec.ts"
import { PLACES_UNREAD, type PlacesInput, type SpecPlaces } from "../apispec/read/SpecPlaces.ts"
import type { AgentPipeline, AgentReading } from "../page/conversion/AgentReading.ts"
import { type Conversion, notConverted } from "../page/conversion/Conversion.ts"
import type { Page, PageInput } from "../page/Page.ts"
import type { ElementSelection, Selector } from "../page/select/Selector.ts"
import type { PageReply, PageTask } from "./PageTask.ts"
import {
  makeSingleWorker,
  type SingleWorker,
  type WorkerFailure,
  type WorkerMessage,
  type WorkerThread
} from "../worker/SingleWorker.ts"

/** A worker's file: `.ts` where this one runs from source, `.js` where it was built. */
const beside = (name: string): URL =>
  new URL(`./${name}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

/**
 * The thread that reads pages. The old generation is a guard, not a tuning; with a young generation of 12 MB an audit takes 5 MB less than
 * with 24, and the same time.
 */
export const PAGE_PARSER: WorkerThread = {
  entry: beside("PageWorker"),
  limits: { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 12 }
}

/** The thread that reads a page of more than 2 MB: one at a time, and not kept. */
export const LARGE_PAGE_PARSER: WorkerThread = {
  entry: beside("PageWorker"),
  limits: { maxOldGenerationSizeMb: 240, maxYoungGenerationSizeMb: 12 }
}

/**
 * The threads that read the pages of a build or of several sites at once: with a larger young generation, twenty sites take 2 to 7 % less
 * processor time. The old generation is a guard, not a tuning.
 */
export const BUILD_PARSER: WorkerThread = {
  entry: beside("PageWorker"),
  limits: { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 40 }
}

/** Of the heap of the thread that reads API descriptions, in megabytes. A guard, not a tuning: a large one takes 300 MB in all. */
const SPEC_MEMORY = 400

/** The thread that reads API descriptions. Its young generation counts on the command line; in audit processes their V8 flag wins. */
export const SPEC_PARSER: WorkerThread = {
  entry: beside("SpecWorker"),
  limits: { maxOldGenerationSizeMb: SPEC_MEMORY, maxYoungGenerationSizeMb: 48 }
}

/** A page takes milliseconds; one that takes this long is made to. */
const PAGE_MILLISECONDS = 10_000
/** GitHub's 13 MB take a second; so do 4 MB of YAML. */
const SPEC_MILLISECONDS = 30_000

/** Pages that a thread has beside the one that it reads: the audit's own thread is busy for tens of milliseconds at a time. */
const PAGES_AHEAD = 1

/** Bytes of a page that is too much as a whole: more than any person or agent reads of one. */
const BEGINNING = 512 * 1024

/** A page of more bytes is read in a thread of its own, one at a time: its heap would stay as large as it grew. */
const LARGE_PAGE = 2_000_000
/** After a description of more bytes, the worker is not kept, for the same reason. */
const LARGE_DESCRIPTION = 2_000_000

/** A page, and its Markdown or why it has none. */
export interface PageAndMarkdown {
  readonly page: Page
  readonly conversion: Conversion
}

/**
 * Heavy parsing, off the main thread, one page a thread and one API description at a time. Nothing fails: what cannot be read,
 * and what brings a worker down, comes back as data.
 */
export class ParserPool extends Context.Service<
  ParserPool,
  {
    /** Of a page that cannot be read (time, memory) the beginning is; if even that cannot, it is as if its body were empty. Its `textCut` says so. */
    readonly page: (input: PageInput) => Effect.Effect<Page>
    /** The main content of a page as Markdown, within the same limits. */
    readonly markdown: (input: PageInput) => Effect.Effect<Conversion>
    /** A page with no more of its text than its beginning, and neither links nor tables: what files are written from. */
    readonly outline: (input: PageInput) => Effect.Effect<Page>
    /** An outline and the Markdown of its page, read once. */
    readonly pageAndMarkdown: (input: PageInput) => Effect.Effect<PageAndMarkdown>
    /** What the model of an agent is given of an answer; `null` for what is no text, and what cannot be read within the limits. */
    readonly asAgent: (input: PageInput, pipeline: AgentPipeline) => Effect.Effect<AgentReading | null>
    /** The elements of a page that a selector selects, as far as the page can be read. */
    readonly select: (input: PageInput, selector: Selector) => Effect.Effect<ElementSelection>
    /** Places of a description that was read before. */
    readonly places: (input: PlacesInput) => Effect.Effect<SpecPlaces>
    readonly spec: (input: SpecInput) => Effect.Effect<ParsedSpec>
    /** Tells that `spec` will be asked shortly: what it needs gets ready. */
    readonly expectSpec: Effect.Effect<void>
    /** Ends the threads for pages until there is another page: a patch of 5,000 pages then takes 499 MB at its peak instead of 625, and no more time. */
    readonly rest: Effect.Effect<void>
  }
>()("docgauge/parse/ParserPool") {
  /** `layer` with other threads for pages, or another time limit for each, in milliseconds. */
  static readonly layerWith = ({
    milliseconds = PAGE_MILLISECONDS,
    specThread = SPEC_PARSER,
    thread = PAGE_PARSER,
    largeThread = LARGE_PAGE_PARSER,
    threads = 1
  }: {
    readonly milliseconds?: number
    readonly specThread?: WorkerThread
    readonly thread?: WorkerThread
    readonly largeThread?: WorkerThread
    readonly threads?: number
  }): Layer.Layer<ParserPool> =>
    Layer.effect(
      ParserPool,
      Effect.gen(function* () {
        const workers = yield* Effect.all(
          Array.from({ length: threads }, () =>
            makeSingleWorker<PageTask, PageReply>({ thread, milliseconds, ahead: PAGES_AHEAD })
          )
        )
        yield* Effect.all(workers.map(({ start }) => start))
        const small = shared(workers)
        const large = yield* makeSingleWorker<PageTask, PageReply>({ thread: largeThread, milliseconds })
        const ask = (input: PageInput, wants: PageTask["wants"]): Effect.Effect<PageReply, WorkerFailure> =>
          (input.answer.body.byteLength > LARGE_PAGE ? large : small).ask(() => pageMessage(input, wants))
        const specs = yield* makeSingleWorker<SpecInput | PlacesInput, ParsedSpec | SpecPlaces>({
          thread: specThread,
          milliseconds: SPEC_MILLISECONDS
        })
        const pageReader = (wants: "page" | "outline"): ((input: PageInput) => Effect.Effect<Page>) => {
          const read = (input: PageInput): Effect.Effect<Page, WorkerFailure> =>
            Effect.flatMap(ask(input, wants), ({ page }) =>
              page === null ? Effect.fail("crashed") : Effect.succeed({ ...page, answer: input.answer })
            )
          return (input) =>
            read(input).pipe(
              Effect.catch(() =>
                read(beginningOf(input, BEGINNING)).pipe(
                  Effect.catch(() => Effect.catch(read(beginningOf(input, 0)), unreadable)),
                  Effect.map((one) => ({ ...one, answer: input.answer, textCut: true }))
                )
              )
            )
        }
        const [page, outline] = [pageReader("page"), pageReader("outline")]
        const markdown = (input: PageInput): Effect.Effect<Conversion> =>
          ask(input, "markdown").pipe(
            Effect.map(({ conversion }) => conversion ?? notConverted("crashed")),
            Effect.catch((failure) => Effect.succeed(unconverted(failure)))
          )
        const pageAndMarkdown = (input: PageInput): Effect.Effect<PageAndMarkdown> =>
          ask(input, "both").pipe(
            Effect.flatMap(({ conversion, page }) =>
              conversion === null || page === null
                ? Effect.fail<WorkerFailure>("crashed")
                : Effect.succeed({ conversion, page: { ...page, answer: input.answer } })
            ),
            // What brought the converter down may still be read.
            Effect.catch((failure) =>
              Effect.map(outline(input), (one) => ({ conversion: unconverted(failure), page: one }))
            )
          )
        const asAgent = (input: PageInput, pipeline: AgentPipeline): Effect.Effect<AgentReading | null> =>
          ask(input, pipeline).pipe(
            Effect.map(({ reading }) => reading),
            Effect.catch(() => Effect.succeed(null))
          )
        const spec = (input: SpecInput): Effect.Effect<ParsedSpec> =>
          specs
            .ask(() => specMessage(input))
            .pipe(
              Effect.flatMap((reply) =>
                reply._tag === "SpecPlaces" ? Effect.fail<WorkerFailure>("crashed") : Effect.succeed(reply)
              ),
              Effect.catch((failure) => Effect.succeed(unread(input, failure)))
            )
        const places = (input: PlacesInput): Effect.Effect<SpecPlaces> =>
          Effect.match(
            specs.ask(() => specMessage(input)),
            {
              onFailure: () => PLACES_UNREAD,
              onSuccess: (reply) => (reply._tag === "SpecPlaces" ? reply : PLACES_UNREAD)
            }
          )
        const select = (input: PageInput, selector: Selector): Effect.Effect<ElementSelection> =>
          Effect.match(ask(input, { selector }), {
            onFailure: () => UNSELECTED,
            onSuccess: ({ selection }) => selection ?? UNSELECTED
          })
        const rest = Effect.all(
          [...workers, large].map((worker) => worker.rest),
          { discard: true }
        )
        return {
          select,
          places,
          page,
          outline,
          markdown,
          pageAndMarkdown,
          asAgent,
          spec,
          expectSpec: specs.start,
          rest
        }
      })
    )

  /** In two worker threads, one for pages, started at once, and one for API descriptions, started when needed. Both end with the scope. */
  static readonly layer: Layer.Layer<ParserPool> = ParserPool.layerWith({})

  /** The same work on the calling thread, for tests: without limits of time and memory. */
  static readonly layerInline: Layer.Layer<ParserPool> = Layer.effect(
    ParserPool,
    Effect.map(
      Effect.promise(() => import("./InlineReaders.ts")),
      ({ readAsAgent, readDescription, readOutline, readPage, readPageAndMarkdown, readPlaces }) => ({
        select: (input: PageInput, selector: Selector) =>
          Effect.promise(async () => (await import("./PageTask.ts")).selectIn(input, { selector })),
        places: (input: PlacesInput) => Effect.promise(() => readPlaces(input)),
        page: (input: PageInput) => Effect.sync(() => ({ ...readPage(input), answer: input.answer })),
        outline: (input: PageInput) => Effect.sync(() => ({ ...readOutline(input), answer: input.answer })),
        markdown: (input: PageInput) => Effect.sync(() => readPageAndMarkdown(input).conversion),
        pageAndMarkdown: (input: PageInput) =>
          Effect.sync(() => {
            const { conversion, page } = readPageAndMarkdown(input)
            return { conversion, page: { ...page, answer: input.answer } }
          }),
        asAgent: (input: PageInput, pipeline: AgentPipeline) => Effect.sync(() => readAsAgent(input.answer, pipeline)),
        spec: (input: SpecInput) => Effect.promise(() => readDescription(input)),
        expectSpec: Effect.void,
        rest: Effect.void
      })
    )
  )
}

/** Workers as one: each message goes to that with the fewest. */
const shared = <Request, Response>(
  workers: ReadonlyArray<SingleWorker<Request, Response>>
): Pick<SingleWorker<Request, Response>, "ask"> => {
  const waiting = workers.map((worker) => ({ worker, messages: 0 }))
  return {
    ask: (wrap) =>
      Effect.suspend(() => {
        const [least] = waiting.toSorted((one, other) => one.messages - other.messages)
        if (least === undefined) return Effect.fail<WorkerFailure>("crashed")
        least.messages++
        return Effect.ensuring(
          least.worker.ask(wrap),
          Effect.sync(() => {
            least.messages--
          })
        )
      })
  }
}

/** Not even an empty page: the threads cannot run here. Programs expect an `Error`, and the caller cannot go on without a page. */
const unreadable = (failure: WorkerFailure): Effect.Effect<never> =>
  Effect.die(new Error(`the threads that read pages cannot run here: the last one has ${FAILED[failure]}`))

const FAILED: Readonly<Record<WorkerFailure, string>> = {
  out_of_memory: "run out of memory",
  timed_out: "not answered in time",
  crashed: "crashed as it started or read"
}

const unconverted = (failure: WorkerFailure): Conversion =>
  notConverted(failure === "timed_out" ? "timed_out" : "crashed")

/** The evidence keeps its bytes, so a copy changes hands: the only one that is made. */
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

const pageMessage = (input: PageInput, wants: PageTask["wants"]): WorkerMessage<PageTask> => {
  const body = ownBytes(input.answer.body)
  return {
    message: { wants, answer: { ...input.answer, body } },
    transfer: [body.buffer],
    last: body.byteLength > LARGE_PAGE
  }
}

const beginningOf = (input: PageInput, bytes: number): PageInput => ({
  ...input,
  answer: { ...input.answer, body: input.answer.body.subarray(0, bytes), cut: true }
})

/** Of a page that cannot be read within the limits. */
const UNSELECTED: ElementSelection = { elements: [], cut: true }

const specMessage = <Input extends SpecInput>(input: Input): WorkerMessage<Input> => {
  const transfer: Array<ArrayBuffer> = []
  const owned = (file: SpecFile): SpecFile => {
    const bytes = ownBytes(file.bytes)
    transfer.push(bytes.buffer)
    return { ...file, bytes }
  }
  const message = {
    ...input,
    document: owned(input.document),
    others: input.others.map(owned),
    examples: (input.examples ?? []).map(owned)
  }
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
