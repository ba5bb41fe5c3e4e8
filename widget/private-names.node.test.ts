// What the build may shorten is said by nobody else: not by pages, the service, the browser, other tabs or what is stored.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listPrivateNames } from './private-names.ts'

const names = listPrivateNames()

test('names of our own parts are among them', () => {
  expect(names).toEqual(expect.arrayContaining(['catchUp', 'frameSince', 'isHelpShown', 'onSettled']))
})

test.each([
  ['pages', 'apiKey userId authType baseUrl tokenProvider renderRow markAllRead signOut correlationId'],
  ['the service', 'sessionToken messageId eventType occurredAt unopened snoozedUntil nextCursor'],
  ['the browser', 'dateStyle preventScroll adoptedStyleSheets currentCSSZoom keepalive steal threshold'],
  ['other tabs and what is stored', 'says isTired isReached userId changes list floor cursor'],
  ['the words of a language', 'markAllRead emptyAllHint snoozeTomorrow quietHours'],
  ['imports of a part', 'createPanel createInboxCore createMarkdown'],
])('what %s say is not', (_who, said) => {
  expect(names.filter((name) => said.split(' ').includes(name))).toEqual([])
})

// Options of `createInbox` are in the package alone, whose names stay.
const OF_HEADLESS = ['onArrive', 'onChange', 'onFailure', 'staysAwake']

test('nothing that the documents of the widget name is', () => {
  const documents = ['../docs/widget.md', 'README.md'].map((path) =>
    readFileSync(new URL(path, import.meta.url), 'utf8'),
  )
  const told = new Set(documents.join('\n').match(/\w+/g))
  expect(names.filter((name) => told.has(name))).toEqual(OF_HEADLESS)
})
