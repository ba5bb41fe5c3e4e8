// English, the words of the first script: what the bell says before anything else is loaded.

import type { Translations } from '../lib/translations.ts'

export const EN_BELL = {
  notifications: 'Notifications',
  bell: { one: '{count} new notification', other: '{count} new notifications' },
  offlineEmpty: 'The service can’t be reached',
  tryAgain: 'Try again',
  error: 'Notifications can’t be shown',
} satisfies Translations
