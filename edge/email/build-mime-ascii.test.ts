// Tests that the headers of a mail are ASCII.

import { expect, test } from 'vitest'
import { buildMime } from './build-mime.ts'
import { MAIL } from './test/given-provider-api.ts'

test('a mail from a domain of another script has headers of ASCII alone', () => {
  const from = { name: 'Bücher', address: 'shop@bücher.example' }
  const to = { name: 'Jürgen', address: 'ada@bücher.example' }
  const [head = ''] = buildMime({ ...MAIL, from, to })
    .toString('utf8')
    .split('\r\n\r\n')
  expect(head).toMatch(/^[\x20-\x7e\t\r\n]+$/)
  expect(head).toContain(`Message-ID: <${MAIL.messageId}@xn--bcher-kva.example>`)
})
