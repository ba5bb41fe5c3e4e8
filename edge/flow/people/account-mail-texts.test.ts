// Tests the texts of account mails: every language has all values, and another locale gets English.

import { expect, test } from 'vitest'
import type { AccountChange } from '../../domain/people/account-change.ts'
import { changeMail, invitationMail, resetMail } from './account-mail-texts.ts'

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'sv']
const CHANGES: AccountChange[] = [
  'password',
  'totp-on',
  'totp-off',
  'passkey-added',
  'passkey-removed',
  'passkeys-removed',
]
const LINK = 'https://nc.example/dashboard/accept-invitation#nc_invite_x'
const INVITATION = {
  to: 'a@b.example',
  link: LINK,
  organisation: 'Engines',
  role: 'editor',
  by: 'ada@b.example',
} as const

test.each(LANGUAGES)('%s has every mail, with its values and its link', (language) => {
  const invited = invitationMail(INVITATION, `${language}-XX`)
  const byOperator = invitationMail({ ...INVITATION, by: null }, language)
  const reset = resetMail({ to: 'a@b.example', link: LINK }, language.toUpperCase())
  const changes = CHANGES.map((change) => changeMail({ to: 'a@b.example', change, link: LINK }, language))
  expect(invited.subject).toContain('Engines')
  for (const value of ['Engines', 'editor', 'ada@b.example']) expect(invited.text).toContain(value)
  for (const value of ['Engines', 'editor']) expect(byOperator.text).toContain(value)
  for (const mail of [reset, ...changes]) expect(mail.text).toContain('a@b.example')
  for (const mail of [invited, byOperator, reset, ...changes]) {
    expect(mail.locale).toBe(language)
    expect(mail.text).toContain(`\n${LINK}\n`)
    expect(mail.markdown).toContain(`](<${LINK}>)**`)
    expect(JSON.stringify(mail)).not.toMatch(/\{\w+\}|undefined/)
  }
  // No two mails can be confused.
  expect(new Set([invited, reset, ...changes].map(({ subject }) => subject)).size).toBe(8)
})

test.each([undefined, 'xx', 'ja-JP', '', '__proto__', 'constructor', 'toString'])(
  'the locale %s gets English',
  (locale) => {
    expect(invitationMail(INVITATION, locale)).toEqual(invitationMail(INVITATION, 'en'))
  },
)

test('a value is filled in once, and its braces stay', () => {
  const { text, subject } = invitationMail({ ...INVITATION, organisation: '{role} {by} $& Co' })
  expect(subject).toBe('Invitation to {role} {by} $& Co')
  expect(text).toContain('join {role} {by} $& Co as editor')
})
