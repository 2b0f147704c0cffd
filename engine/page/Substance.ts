import { asksForScripts } from "./dom/Landmarks.ts"
import { readingLength } from "../text/languages/Words.ts"
import type { MainContent, Substance } from "./Page.ts"

/** By `readingLength`: a Chinese, Japanese or Korean text says as much in half of the letters. */
const SUBSTANTIVE_CHARACTERS = 120

const LOADING = /^(?:loading|please wait|initiali[sz]ing|one moment|just a (?:moment|second)|fetching)\b[^\n]{0,60}$/im

/** The same in other languages. */
const FOREIGN_LOADING =
  /^(?:wird geladen|lädt|bitte warten|chargement|veuillez patienter|cargando|carregando|aguarde|загрузка|подождите|読み込み中|ロード中|加载中|正在加载|加載中|로딩 ?중|불러오는 중)[^\n]{0,60}$/im

/**
 * What a page's content amounts to.
 *
 * @param followed any heading in it has a block of 20 characters or more after it.
 * @param mounted scripts of the page may fill what is empty.
 */
export const substanceOf = (main: MainContent, followed: boolean, mounted: boolean): Substance => {
  if (main.characters === 0) return mounted ? "placeholder" : "thin"
  if (isPlaceholder(main)) return "placeholder"
  // The text is cut long after the threshold.
  return main.characters >= SUBSTANTIVE_CHARACTERS || followed || readingLength(main.text) >= SUBSTANTIVE_CHARACTERS
    ? "substantive"
    : "thin"
}

const isPlaceholder = ({ characters, text }: MainContent): boolean =>
  (characters <= 200 && (LOADING.test(text.slice(0, 200)) || FOREIGN_LOADING.test(text.slice(0, 200)))) ||
  asksForScripts(text)
