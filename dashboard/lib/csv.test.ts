// Tests the CSV of small tables, and the count of rows in pieces of a CSV text.

import { expect, test } from 'vitest'
import { createRowCounter, toCsv } from './csv.ts'

test('cells with separators, quotes and line ends are quoted, and formulas are made harmless', () => {
  expect(
    toCsv([
      ['step', 'count'],
      ['a "b", c', 2],
      ['=1+1', null],
      ['-x', -3],
    ]),
  ).toBe('step,count\r\n"a ""b"", c",2\r\n\'=1+1,\r\n\'-x,-3\r\n')
})

test('rows are counted without the header, whatever the pieces are; a line end in quotes is no row', () => {
  const bytes = new TextEncoder().encode('id,text\r\n1,"two\r\nlines ""quoted"""\r\n2,b\r\n')
  for (const size of [1, 3, 7, 1000]) {
    const count = createRowCounter()
    let rows = 0
    for (let at = 0; at < bytes.length; at += size) rows = count(bytes.subarray(at, at + size))
    expect(rows, `pieces of ${size}`).toBe(2)
  }
  expect(createRowCounter()(new TextEncoder().encode('id,text\r\n'))).toBe(0)
})
