import { wordSet } from "../../text/LettersApart.ts"

/** Fields of an error's body that hold a text for its reader. */
const MESSAGES = wordSet(
  "message messages msg errormessage errormsg errordescription description detail details title text mensaje mensagem descricao descripcion nachricht meldung fehlermeldung сообщение описание"
)

/** Fields that say which part of the call is wrong, why, or what to do. A code and a status alone do not. */
const HELPS = wordSet(
  "field fieldname attr attribute fielderrors fieldviolations param params parameter parametername invalidparams pointer jsonpointer loc violations validationerrors reason reasons cause hint hints help helpurl suggestion suggestions suggestedaction suggestedfix resolution remedy remediation solution advice allowedvalues howtofix docurl docsurl documentationurl documentationlink moreinfo infourl retryable isretryable retryafter campo campos parametro razao motivo feld grund champ motif"
)

/** `error_description`, `errorDescription` and `error-description` are one. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_ ]/g, "")

/** The body of an error with these fields has a message, and says what is wrong with the call, why, or what to do. */
export const helpsCallers = (names: Iterable<string>): boolean => {
  const all = new Set([...names].map(plain))
  return !all.isDisjointFrom(MESSAGES) && !all.isDisjointFrom(HELPS)
}
