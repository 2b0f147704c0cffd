import { collapse } from "../text/WhiteSpace.ts"

/*
 * Tells a text that gives an agent orders from one that only says where the documentation for agents is. A hidden pointer to
 * llms.txt or to a Markdown version is recommended practice; hidden orders are what prompt injection is made of. English only.
 */

/** Of a text this much is read. */
const CHARACTERS = 5_000
const SENTENCES = 100
const SENTENCE_CHARACTERS = 600

/** How far after the words that address an agent an order still belongs to them, in sentences. */
const REACH = 5

const KIND = String.raw`(?:ai|llm|coding|language model)[ -](?:agents?|assistants?|bots?|crawlers?|models?|systems?|readers?)|ai|llms?|(?:large )?language models?|chatbots?`
const PRODUCT = "chatgpt|gpt-?\\d[\\w.]{0,5}|claude|gemini|copilot|perplexity|grok"

const pattern = (source: string): RegExp => new RegExp(source, "iu")

/** Ways in which a sentence speaks to an agent, not about one. */
const ADDRESSES: ReadonlyArray<RegExp> = [
  pattern(String.raw`\bif you(?: are|['’]re) (?:an? |the )?(?:${KIND}|${PRODUCT})\b`),
  pattern(String.raw`^\W*as an? (?:${KIND})\b`),
  pattern(
    String.raw`^\W*(?:important\W{1,3})?(?:attention|note|notice|message|reminder|hint|guidance|dear|hello|hey|important|information|for|to)(?: (?:to|for|all|any|every|the|your|our))*[ ,:]+(?:${KIND}|${PRODUCT})\b[^.!?]{0,60}[:,!]`
  ),
  pattern(String.raw`^\W*(?:${KIND})\b[^.!?:]{0,40}[:!]`),
  pattern(
    String.raw`^\W*(?:${KIND}|${PRODUCT}), (?:you|please|do|don['’]t|always|never|must|ignore|disregard|recommend|tell|stop)\b`
  ),
  pattern(
    String.raw`\b(?:${KIND})\b[^.!?]{0,40}\b(?:reading|visiting|crawling|processing|parsing|summari[sz]ing|indexing) (?:this|these|the)\b`
  ),
  pattern(
    String.raw`\b(?:ai|llm|agent|assistant)[ -]instructions?\s{0,3}[:>\]-]|\binstructions? (?:for|to) (?:all |any |the )?(?:${KIND}|${PRODUCT}|agents|assistants)\b|\bsystem prompt\s{0,3}:`
  )
]

/** What only an attack on a model says; so it need not address one. */
const OVERRIDES: ReadonlyArray<RegExp> = [
  pattern(
    String.raw`\b(?:ignore|disregard|forget|override|bypass)\b[^.!?]{0,30}\b(?:previous|prior|above|earlier|preceding|all|other|your|system|original)\b[^.!?]{0,30}\b(?:instructions?|prompts?|guidelines|guardrails|directives?)\b`
  ),
  /<\|(?:im_start|im_end|system|endoftext)\|>|\[INST\]|<<SYS>>/u
]

/** What an agent is to do that is more than reading. */
const ACTS = pattern(
  String.raw`\b(?:ignore|disregard|forget|override|bypass|tell|inform|respond|reply|answer with|mention|recommend|promote|praise|execute|run|install|upload|reveal|refuse|pretend|purchase|buy|click)\b` +
    String.raw`|\b(?:send|share|provide|give|print|output|paste|include)\b[^.!?]{0,40}\b(?:passwords?|secrets?|credentials?|tokens?|api keys?|environment variables?)\b`
)

const OBLIGES = pattern(
  String.raw`\b(?:must|should|shall|always|never|do not|don['’]t|have to|need to|required to|instructed to|please)\b`
)

/** Where an agent reads on. */
const POINTS = pattern(
  String.raw`\bllms(?:-full)?\.txt\b|\.mdx?\b|\bmarkdown\b|\bsitemap\b|\bindex\b|\bopenapi\b|\bapi description\b|\bmcp\b|\bagent[- ]skills?\b`
)

/**
 * The sentence by which a text that people do not see gives an agent an order; `null` if it gives none. `addressed`: only agents
 * can read it at all, so it need not say that it speaks to them.
 */
export const agentInstruction = (text: string, addressed = false): string | null => {
  const all = sentencesOf(text)
  const override = all.find((sentence) => OVERRIDES.some((says) => says.test(sentence)))
  if (override !== undefined) return override
  const orders = all.map((sentence) => ACTS.test(sentence) || (OBLIGES.test(sentence) && !POINTS.test(sentence)))
  const at = all.findIndex(
    (sentence, index) =>
      orders.slice(index, index + 1 + REACH).includes(true) &&
      (addressed || ADDRESSES.some((speaksTo) => speaksTo.test(sentence)))
  )
  if (at < 0) return null
  return all[orders.indexOf(true, at)] ?? null
}

const sentencesOf = (text: string): ReadonlyArray<string> =>
  text
    .slice(0, CHARACTERS)
    .split(/(?<=[.!?])\s+|\n+/u, SENTENCES)
    .map((sentence) => collapse(sentence).slice(0, SENTENCE_CHARACTERS))
    .filter((sentence) => sentence !== "")
