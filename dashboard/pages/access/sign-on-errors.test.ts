// Tests that each error of a single sign-on has its words on the page of sign-in.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SIGN_ON_ERRORS, signOnError } from './sign-on-errors.ts'

const DOCS = join(import.meta.dirname, '../../../docs/dashboard.md')

test('the page explains the errors of the documentation, and no others', () => {
  const [, table = ''] = readFileSync(DOCS, 'utf8').split('| `error` | Why |')
  const documented = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name)
  expect(documented.length).toBeGreaterThan(5)
  expect(Object.keys(SIGN_ON_ERRORS)).toEqual(documented)
})

test('an unknown error has words as well', () => expect(signOnError('new-one')).toContain('did not succeed'))
