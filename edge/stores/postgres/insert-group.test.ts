// Tests which inserts are joined in one statement, and how parameters are numbered.

import { expect, test } from 'vitest'
import { createInsertGroup } from './insert-group.ts'

const into = (table: string, ...params: string[]) => ({
  into: table,
  text: `INSERT INTO ${table} SELECT * FROM unnest(${params.map((_, at) => `$${at + 1}`).join(', ')})`,
  params,
})

test('inserts into several tables are one statement, with consecutive numbers of parameters', () => {
  const group = createInsertGroup()
  expect([into('a', '1', '2'), into('b', '3'), into('c', '4', '5')].map(group.add)).toEqual([true, true, true])
  expect(group.take()).toEqual({
    text: 'WITH w0 AS (INSERT INTO a SELECT * FROM unnest($1, $2)), w1 AS (INSERT INTO b SELECT * FROM unnest($3)) INSERT INTO c SELECT * FROM unnest($4, $5)',
    params: ['1', '2', '3', '4', '5'],
  })
  expect(group.take()).toBeUndefined()
})

test('a single insert stays unchanged', () => {
  const group = createInsertGroup()
  const only = into('a', '1')
  group.add(only)
  expect(group.take()).toMatchObject({ text: only.text, params: ['1'] })
})

test('two inserts into one table are never joined, and large texts are joined with nothing', () => {
  const group = createInsertGroup()
  expect([into('a', '1'), into('a', '2')].map(group.add)).toEqual([true, false])
  expect(group.add(into('b', 'x'.repeat(64 * 1024)))).toBe(false)
  expect(group.take()?.params).toEqual(['1'])
  expect(group.add(into('a', '2'))).toBe(true)
})
