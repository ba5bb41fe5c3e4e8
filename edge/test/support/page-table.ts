// Puts tables that the code writes into pages of docs/. A test compares each page; `npx vitest run -u <file>` writes it.

/** @returns the page with the table between `<!-- name -->` and `<!-- /name -->` */
export function withTable(page: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`]
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`the page has no place for ${name}`)
  return page.slice(0, from + begin.length) + table + page.slice(to)
}

/** @returns a table of Markdown, which ends with a line feed */
export function markdownTable(columns: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`
  return line(columns) + line(columns.map(() => '---')) + rows.map(line).join('')
}
