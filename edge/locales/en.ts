// Holds the words of mails and of pages behind their links, in English.

import type { AccountWords, EdgeWords } from './words.ts'

export const en: EdgeWords & { account: AccountWords } = {
  footer: {
    why: 'You get this mail because of your settings for notifications.',
    stop: 'Unsubscribe',
    preferences: 'Preferences',
    always: 'This is an important message. Mails of this kind cannot be turned off.',
  },
  links: {
    broken: ['This link does not work', 'It may have been cut or changed on its way. Open it from the mail again.'],
    gone: ['This mail is no longer known', 'There is nothing left to unsubscribe from.'],
    critical: ['These mails cannot be turned off', 'They tell you what you need to know, such as about your account.'],
    ask: 'Unsubscribe?',
    stop: 'Unsubscribe',
    done: 'You are unsubscribed',
    noMore: 'You will get no more mails about “{}”.',
    noMoreOfAll: 'You will get no more mails, except for important ones.',
    again: 'Subscribe again',
    back: 'You are subscribed again',
    more: 'You get mails about “{}” as before.',
    moreOfAll: 'You get mails as before.',
    yours: 'Which mails you get',
    others: 'Other messages',
    always: 'Always sent',
  },
  account: {
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
      'passkeys-removed': 'All passkeys were removed',
    },
    changed: {
      text: 'This was changed in your account {email}.',
      otherwise:
        'If it was not you, set a new password at once, have your passkeys removed there, and tell an owner of your organisation.',
    },
    ending: {
      subject: 'An old key of {environment} ends soon',
      title: 'An old value ends soon',
      text: 'The old {kind} of {environment} ends at {endsAt}. From then on it is refused.',
      used: 'It was last used at {lastUsedAt}: give its callers the new value, or extend the overlap.',
      unused: 'It was not used since the new value was made.',
      next: 'This mail is sent once for each value.',
      button: 'Open the secrets',
    },
    approval: {
      subject: '{by} asks to publish “{campaign}” in {environment}',
      title: 'A campaign waits for approval',
      text: '{by} asks to publish “{campaign}” in {environment}. A second person must approve it, such as you.',
      note: 'The note says: {note}',
      until: 'Nothing changes for your users until then.',
      button: 'Look at it',
    },
  },
}
