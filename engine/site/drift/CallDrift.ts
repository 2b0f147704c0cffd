import type { DriftFinding } from "../../drift/Drift.ts"
import type { ShownCall } from "../../drift/ShownCall.ts"
import { addressNames } from "../../drift/calls/AddressNames.ts"
import { callsIn } from "../../drift/calls/CallsIn.ts"
import { type CallFinding, sentenceOf } from "../../drift/match/CallFinding.ts"
import { type CallContext, contextOf } from "../../drift/match/CallContext.ts"
import { compareCall, operationName } from "../../drift/match/CompareCall.ts"
import type { ContractIndex } from "../../drift/match/ContractIndex.ts"
import type { NotComparedReason } from "../../drift/match/MatchCall.ts"
import type { Exchange } from "../../evidence/Exchange.ts"
import { normaliseLanguage } from "../../page/code/CodeLanguage.ts"
import type { CodeBlock } from "../../page/Page.ts"
import { plainText } from "../../text/PlainText.ts"
import type { DriftText } from "../texts/DriftTexts.ts"
import { type Compared, findingText, placeOf, type ProvenFinding } from "./Compared.ts"

/** A call, and where it is shown. */
export interface PlacedCall {
  readonly call: ShownCall
  readonly context: CallContext
  /** As a sentence begins with it. */
  readonly place: string
  /** Line in the body that was answered, from 1; `null` where it is not known. */
  readonly line: number | null
  readonly proof: Exchange
}

/** Calls in code, and operations that the page names elsewhere. */
const callsOf = (text: DriftText): ReadonlyArray<PlacedCall> => {
  const { codeBlocks, exchange, page, title, url } = text
  const names = addressNames(codeBlocks)
  const placed = (call: ShownCall, around: string, line: number | null): PlacedCall => ({
    call,
    context: { page: url, around: `${title}\n${around}` },
    place: placeOf(url, line),
    line,
    proof: exchange
  })
  const inCode = codeBlocks.flatMap((block) => {
    const calls = callsIn(block, names)
    const { around } = calls.length === 0 ? { around: "" } : contextOf(text, block)
    return calls.map((call) => placed(call, around, lineOf(block, call)))
  })
  const known = new Set(inCode.map(({ call }) => `${call.method} ${call.address}`))
  const named = (page?.operations ?? [])
    .filter(({ method }) => method !== "")
    .flatMap(({ method, path }) => callsIn({ text: `${method} ${path}`, language: "http" }, names))
    .filter(({ address, method }) => !known.has(`${method} ${address}`))
  return [...inCode, ...named.map((call) => placed(call, paragraphsOf(text, call), null))]
}

/** The paragraphs and rows that name an operation. */
const paragraphsOf = ({ sections }: DriftText, { address }: ShownCall): string =>
  sections
    .filter((section) => section.text.includes(address))
    .flatMap((section) => section.text.split("\n").filter((line) => line.includes(address)))
    .join("\n")

const lineOf = ({ line, lineByLine }: CodeBlock, call: ShownCall): number | null =>
  line === null || !lineByLine ? line : line + call.line

/** Calls of texts; a Markdown version's and a full text's only where no page shows it. */
const callsOfTexts = (texts: ReadonlyArray<DriftText>): ReadonlyArray<PlacedCall> => {
  const seen = new Set<string>()
  return texts.flatMap((text) =>
    callsOf(text).filter(({ call: { address, body, headers, method, query } }) => {
      const key = JSON.stringify([method, address, query, headers, body])
      const isNew = !seen.has(key)
      seen.add(key)
      return isNew || text.page !== null
    })
  )
}

/** Calls in the code that operations of the description show. */
const callsOfSamples = ({ contract, url }: ContractIndex, proof: Exchange): ReadonlyArray<PlacedCall> =>
  contract.samples.flatMap(({ language, operation: index, text }) => {
    const operation = contract.operations[index]
    if (operation === undefined) return []
    const written = language === "" ? "" : ` (${plainText(language, 40)})`
    const place = `The code sample of ${operationName(operation)}${written}`
    // That of a deprecated operation need not say so again.
    const around = operation.marks.includes("deprecated") ? "deprecated" : ""
    return callsIn({ text, language: normaliseLanguage(language) }).map((call) => ({
      call,
      context: { page: url, around },
      place,
      line: null,
      proof
    }))
  })

/** Every call of the texts, and of the description's own code, which came with `exchange`. */
export const shownCalls = (
  texts: ReadonlyArray<DriftText>,
  index: ContractIndex,
  exchange: Exchange
): ReadonlyArray<PlacedCall> => [...callsOfTexts(texts), ...callsOfSamples(index, exchange)]

/** Compares them with the description. */
export const callDrift = (texts: ReadonlyArray<DriftText>, index: ContractIndex, exchange: Exchange): Compared => {
  const findings: Array<ProvenFinding> = []
  const because = new Map<NotComparedReason, number>()
  let [agreeing, notCompared, wrong] = [0, 0, 0]
  for (const placed of shownCalls(texts, index, exchange)) {
    const compared = compareCall(placed.call, index, placed.context)
    if (compared._tag === "NotCompared") {
      notCompared++
      because.set(compared.reason, (because.get(compared.reason) ?? 0) + 1)
    } else if (compared._tag === "Agrees") agreeing++
    else {
      wrong++
      for (const finding of compared.findings)
        findings.push({ proof: placed.proof, finding: reported(finding, placed, index) })
    }
  }
  return { counts: { compared: agreeing + wrong, agreeing, false: wrong, notCompared }, because, findings }
}

const reported = (
  finding: CallFinding,
  { context, line, place }: PlacedCall,
  { url }: ContractIndex
): DriftFinding => ({
  kind: "call",
  reason: finding.reason,
  message: findingText(`${place} ${sentenceOf(finding)}.`),
  page: { url: context.page, line },
  description: { url, pointer: findingText(finding.pointer) },
  found: findingText(finding.found),
  expected: findingText(finding.expected),
  call: finding.call,
  ...(finding.likely === null ? {} : { likely: finding.likely })
})
