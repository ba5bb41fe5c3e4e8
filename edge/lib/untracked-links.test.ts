// Tests what the history shows of links that are left out of the tracking.

import { expect, test } from 'vitest'
import { processorMs } from '../test/support/processor-time.ts'
import { createHideQueries } from './untracked-links.ts'

const HTML = `<a href="https://x.example/a?b=1">1</a>
  <a data-nc-track="off" href="https://x.example/reset?token=s3cret&amp;u=1">2</a>
  <A DATA-NC-TRACK='off' HREF='/login#t=s3cret'>3</A> <a data-nc-track="off" href="https://x.example/plain">4</a>`

test('queries and fragments go, in every spelling, and other links stay', () => {
  const hide = createHideQueries(HTML)
  const shown = hide?.(HTML) ?? ''
  expect(shown).not.toContain('s3cret')
  expect(shown).toContain('https://x.example/a?b=1')
  expect(shown).toContain('href="https://x.example/reset"')
  expect(shown).toContain("HREF='/login'")
  expect(hide?.('Open https://x.example/reset?token=s3cret&u=1 now')).toBe('Open https://x.example/reset now')
})

test('without such a link nothing is read', () => {
  expect(createHideQueries('<a href="/x?token=1">x</a>')).toBeUndefined()
  expect(createHideQueries(null)).toBeUndefined()
})

test.each([
  '<!--[if mso]><v:roundrect href="https://x.example/o?t=s3cret" data-nc-track="off">a</v:roundrect><![endif]-->',
  '<!--[if mso]><a data-nc-track="off" href="https://x.example/o?t=s3cret">a</a><![endif]-->',
  '<p <b> <a data-nc-track="off" href="https://x.example/o?t=s3cret">a</a>',
  '<plaintext><a href=https://x.example/o?t=s3cret data-nc-track=off>a</a>',
  '<a data-nc-track="off" href="https&colon;//x.example/o?t=s3cret">a</a>',
])('no program reads a link whose query stays: %s', (html) => {
  expect(createHideQueries(html)?.(html)).not.toContain('s3cret')
})

test('all links count, however many there are', () => {
  const html = Array.from(
    { length: 2000 },
    (_, at) => `<a data-nc-track="off" href="https://x.example/${at}?t=s3cret">a</a>`,
  )
  const hide = createHideQueries(html.join(''))
  expect(hide?.(html.join(''))).not.toContain('s3cret')
})

test.each(['/', '/a', 'https://', '?', '#a', 'a'])('many %s take linear time', async (piece) => {
  const hide = createHideQueries('<a data-nc-track="off" href="https://x.example/o?t=s3cret">a</a>')
  expect(await processorMs(() => hide?.(piece.repeat(65_000)))).toBeLessThan(2000)
})
