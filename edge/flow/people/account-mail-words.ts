// Holds the words of account mails, by language. The dashboard itself is in English, so roles keep their English names.

import type { AccountChange } from '../../domain/people/account-change.ts'

export interface AccountMailWords {
  invitation: {
    subject: string
    title: string
    /** `by`: the address of the person who invites. */
    text: string
    /** Of an invitation by the command line. */
    textOfOperator: string
    button: string
    until: string
    ignore: string
  }
  reset: { title: string; text: string; until: string; ignore: string }
  changes: Record<AccountChange, string>
  changed: { text: string; otherwise: string }
}

const WORDS: Record<string, AccountMailWords> = {
  en: {
    invitation: {
      subject: 'Invitation to {organisation}',
      title: 'You are invited',
      text: '{by} invites you to join {organisation} as {role}.',
      textOfOperator: 'You are invited to join {organisation} as {role}.',
      button: 'Accept the invitation',
      until: 'The link works once, within seven days.',
      ignore: 'If you did not expect this invitation, ignore this mail.',
    },
    reset: {
      title: 'Set a new password',
      text: 'Somebody asked for a new password for your account {email}.',
      until: 'The link works once, within an hour.',
      ignore: 'If it was not you, ignore this mail. Your password stays as it is.',
    },
    changes: {
      password: 'Your password was changed',
      'totp-on': 'One-time codes were switched on',
      'totp-off': 'One-time codes were switched off',
      'passkey-added': 'A passkey was added',
      'passkey-removed': 'A passkey was removed',
    },
    changed: {
      text: 'This was changed in your account {email}.',
      otherwise: 'If it was not you, set a new password at once, and tell an owner of your organisation.',
    },
  },
}

/** @returns The words in the language of a locale, else in English, and the language. */
export function wordsOf(locale: string | undefined): { language: string; words: AccountMailWords } {
  const wanted = (locale ?? 'en').toLowerCase().split(/[-_]/)[0] ?? 'en'
  const language = Object.hasOwn(WORDS, wanted) ? wanted : 'en'
  return { language, words: WORDS[language] as AccountMailWords }
}
