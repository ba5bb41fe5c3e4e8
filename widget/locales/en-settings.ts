// English, the words of the settings.

import type { Translations } from '../lib/translations.ts'

export const EN_SETTINGS = {
  channel_inbox: 'Inbox',
  channel_email: 'Email',
  critical: 'Always on',
  quietHours: 'Quiet hours',
  quietHint: 'No email is sent to you during these hours.',
  quietStart: 'From',
  quietEnd: 'To',
  timeZone: 'Time zone',
  noCategories: 'There is nothing to choose yet.',
} satisfies Translations
