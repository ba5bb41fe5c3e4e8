// English, the words of the first script: what the bell says before anything else is loaded.

import type { Words } from '../lib/words.ts'

export const EN_BELL: Words = {
  notifications: 'Notifications',
  bell: { one: 'Notifications, {count} unread', other: 'Notifications, {count} unread' },
  arrived: { one: 'New notification: {title}', other: '{count} new notifications' },
}
