// English, the words of what few need at once: times to snooze to, choosing several, the list of keys.

import type { Translations } from '../lib/translations.ts'

export const EN_RARE = {
  snoozeHour: 'In an hour',
  snoozeEvening: 'This evening',
  snoozeTomorrow: 'Tomorrow morning',
  snoozeWeek: 'Next week',
  snoozeTime: 'Pick a date and time',
  done_snoozed: 'Snoozed',
  selected: { one: '{count} selected', other: '{count} selected' },
  selectAll: 'Select all',
  cancel: 'Done',
  key_move: 'Next or previous',
  key_ends: 'First or last',
  key_back: 'Back, or close',
} satisfies Translations
