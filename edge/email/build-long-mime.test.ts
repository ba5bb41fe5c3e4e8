// Tests that a long mail arrives whole, and that other work goes on while it is built.

import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { buildMime } from './build-mime.ts'
import { MAIL } from './test/given-provider-api.ts'

test.each([
  ['Latin letters', 'Grüße 🎈 = und mehr, ', 'quoted-printable'],
  ['Cyrillic letters', 'Заказ оформлен 🎈 = ', 'base64'],
  ['lines of ASCII', 'Your order = shipped. \n', 'quoted-printable'],
])('a million characters of %s are decoded as they were, and are encoded in parts', async (_, words, encoding) => {
  const text = words.repeat(1e6 / words.length).trim()
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const mime = await buildMime({ ...MAIL, text, html: `<p>${text}</p>` })
  clearImmediate(next)
  // Two parts of the mail, each of which is encoded and then cut into lines.
  expect(turns).toBeGreaterThanOrEqual(4)
  const parsed = await PostalMime.parse(mime)
  expect(parsed.text?.trim()).toBe(text)
  expect(parsed.html?.trim()).toBe(`<p>${text}</p>`)
  expect(mime.toString('latin1').match(/^Content-Transfer-Encoding: .*$/gm)).toEqual(
    Array<string>(2).fill(`Content-Transfer-Encoding: ${encoding}`),
  )
})
