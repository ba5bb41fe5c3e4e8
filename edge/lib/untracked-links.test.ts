// Tests what the history shows of links that are left out of the tracking.

import { expect, test } from 'vitest'
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
