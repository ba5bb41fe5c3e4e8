// Makes the messages of a preview: one unread, one read, one with a button; in the categories of the config.

import type { InboxMessage } from '../../../contract/api.ts'

const MINUTE_MS = 60_000

const CONTENTS = [
  { title: 'Your order is on its way', body: 'It arrives tomorrow between 9 and 12.', minutes: 3, isUnopened: true },
  { title: 'Ada mentioned you', body: 'Can you look at the new draft?', minutes: 48, isUnopened: true },
  { title: 'Your invoice is ready', body: 'The one of this month, as a file.', minutes: 60 * 26, isUnopened: false },
] as const

export function previewMessages(categories: readonly { key: string }[], now = Date.now()): InboxMessage[] {
  return CONTENTS.map(({ title, body, minutes, isUnopened }, at) => {
    const createdAt = new Date(now - minutes * MINUTE_MS).toISOString()
    return {
      id: `preview_${at}`,
      seq: CONTENTS.length - at,
      title,
      body,
      bodyFormat: 'text',
      link: null,
      actions: [],
      category: categories[at % Math.max(1, categories.length)]?.key || null,
      entity: null,
      icon: null,
      imageUrl: null,
      priority: 'normal',
      data: {},
      createdAt,
      expiresAt: null,
      unopened: isUnopened,
      readAt: isUnopened ? null : createdAt,
      openedAt: isUnopened ? null : createdAt,
      clickedAt: null,
      archivedAt: null,
      snoozedUntil: null,
    }
  })
}
