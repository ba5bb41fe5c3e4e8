// English, the words of the first script: what the bell says before anything else is loaded.

import type { Words } from '../lib/words.ts'

export const EN_BELL = {
  notifications: 'Notifications',
  bell: { one: 'Notifications, {count} unread', other: 'Notifications, {count} unread' },
  offlineEmpty: 'The service can’t be reached',
  tryAgain: 'Try again',
  arrivedOne: 'New notification: {title}',
  arrived: { one: '{count} new notification', other: '{count} new notifications' },
} satisfies Words
