/**
 * The records of a text that is CSV by RFC 4180 in its strictest form: CRLF after every record, quotes around whole fields alone and doubled
 * within them, as many fields in each record. Throws at anything else.
 */
export const parseCsv = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const records: Array<Array<string>> = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/uy
  let record: Array<string> = []
  while (field.lastIndex < text.length) {
    const at = field.lastIndex
    const found = field.exec(text)
    if (found === null) throw new Error(`not CSV at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`)
    const [, quoted, plain = "", end] = found
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ",") continue
    records.push(record)
    record = []
  }
  if (record.length > 0) throw new Error("the last record has no end")
  const [width] = records.map(({ length }) => length)
  if (records.some(({ length }) => length !== width)) throw new Error("records have different numbers of fields")
  return records
}
