// Tests the body of a snippet: a source of bounded size; an answer can be sent back.

import { expect, test } from 'vitest'
import { MAX_SNIPPET_CHARS, snippetContent } from './text.ts'

test('a snippet has a source of at most 32,768 characters', () => {
  const messagesOf = (input: unknown) => snippetContent.safeParse(input).error?.issues.map(({ message }) => message)
  expect(messagesOf({ source: 'x'.repeat(MAX_SNIPPET_CHARS) })).toBeUndefined()
  expect(messagesOf({ source: 'x'.repeat(MAX_SNIPPET_CHARS + 1) })).toEqual(['A snippet has at most 32768 characters.'])
  expect(messagesOf({ source: 3 })).toHaveLength(1)
  expect(messagesOf({})).toHaveLength(1)
})

test('an answer can be sent back', () => {
  const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' }
  expect(snippetContent.parse({ name: 'foot', source: 'Bye', ...times })).toEqual({ source: 'Bye' })
})
