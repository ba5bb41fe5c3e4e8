// Tests the texts of account mails: every language has all values, and another locale gets English.

import { expect, test } from 'vitest'
import type { AccountChange } from '../../domain/people/account-change.ts'
import { approvalMail, changeMail, endingMail, invitationMail, resetMail } from './account-mail-texts.ts'

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
  const ENDING = { kind: 'sdkSecretKey', environment: 'prod', endsAt: '2026-11-25 10:00 UTC', link: LINK }
  const used = endingMail({ ...ENDING, to: 'a@b.example', lastUsedAt: '2026-11-25 09:00 UTC', locale: language })
  const unused = endingMail({ ...ENDING, to: 'a@b.example', lastUsedAt: null, locale: language })
  for (const value of ['sdkSecretKey', 'prod', '10:00 UTC']) expect(unused.text).toContain(value)
  expect(used.text).toContain('09:00 UTC')
  const ASKED = { to: 'a@b.example', by: 'ada@b.example', campaign: 'Welcome', environment: 'prod', link: LINK }
  const asked = approvalMail({ ...ASKED, note: 'For Monday', locale: language })
  const withoutNote = approvalMail({ ...ASKED, note: null, locale: language })
  for (const value of ['ada@b.example', 'Welcome', 'prod', 'For Monday']) expect(asked.text).toContain(value)
  for (const mail of [invited, byOperator, reset, used, unused, asked, withoutNote, ...changes]) {
    expect(mail.locale).toBe(language)
    expect(mail.text).toContain(`\n${LINK}\n`)
    expect(mail.markdown).toContain(`](<${LINK}>)**`)
    expect(JSON.stringify(mail)).not.toMatch(/\{\w+\}|undefined/)
  }
  // No two mails can be confused.
  expect(new Set([invited, reset, used, asked, ...changes].map(({ subject }) => subject)).size).toBe(10)
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
