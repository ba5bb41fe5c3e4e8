// How a body that does not fit is told: each fault by its path, in the words that campaigns use for theirs.

import { expect, test } from 'vitest'
import { z } from 'zod'
import { ApiError } from '../lib/api-error.ts'
import { check } from './route.ts'

const schema = z.object({
  name: z.string(),
  note: z.string().nullable().optional(),
  list: z.array(z.object({ count: z.number() })),
  attributes: z.record(z.string(), z.unknown()),
  isLive: z.boolean(),
  span: z.string({ error: 'A span such as PT10M.' }),
})

test('what is missing and what is of another kind is said so, with its path; a schema’s own words stay', () => {
  const body = { note: 7, list: [{ count: 1 }, { count: 'two' }], attributes: [], isLive: 'yes', span: 3 }
  let thrown: unknown
  try {
    check(schema, body, 'request/invalid-body')
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(ApiError)
  expect((thrown as ApiError).extra.details).toEqual([
    { path: 'name', message: 'This is missing.' },
    { path: 'note', message: 'This must be a string.' },
    { path: 'list[1].count', message: 'This must be a number.' },
    { path: 'attributes', message: 'This must be an object.' },
    { path: 'isLive', message: 'This must be true or false.' },
    { path: 'span', message: 'A span such as PT10M.' },
  ])
})
