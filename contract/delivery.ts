// Defines channels, delivery events and their order, and delivery statuses.

/** Each channel, whether its messages go to an address, and whether a category goes by it unless its config says otherwise. */
export const CHANNEL_ROWS = [
  { channel: 'inbox', needsAddress: false, defaultOn: true },
  { channel: 'email', needsAddress: true, defaultOn: true },
] as const
export type Channel = (typeof CHANNEL_ROWS)[number]['channel']
export const CHANNELS: readonly Channel[] = /* @__PURE__ */ CHANNEL_ROWS.map(({ channel }) => channel)

/** Whether a channel sends to an address of the user, such as a mailbox; other messages wait in the page. */
export function needsAddress(channel: Channel): boolean {
  return CHANNEL_ROWS.some((row) => row.channel === channel && row.needsAddress)
}

/** A value for each channel. */
export function byChannel<T>(find: (row: (typeof CHANNEL_ROWS)[number]) => T): Record<Channel, T> {
  return Object.fromEntries(CHANNEL_ROWS.map((row) => [row.channel, find(row)])) as Record<Channel, T>
}

/** Delivery events that a caller may register, in funnel order; each implies the ones before it. */
export const REGISTERED_EVENT_TYPES = ['read', 'opened', 'clicked'] as const
export type RegisteredEventType = (typeof REGISTERED_EVENT_TYPES)[number]

/** All delivery events of a message; only the service records `send`. */
export const DELIVERY_EVENT_TYPES = ['send', ...REGISTERED_EVENT_TYPES] as const
export type DeliveryEventType = (typeof DELIVERY_EVENT_TYPES)[number]

export const FUNNEL_STEPS = ['delivery', 'read', 'opened', 'clicked'] as const
export type FunnelStepName = (typeof FUNNEL_STEPS)[number]

export const WINDOWS = ['24h', '7d', '30d', 'all'] as const
export type Window = (typeof WINDOWS)[number]

export const MESSAGE_STATUSES = [
  'scheduled',
  'queued',
  'sending',
  'sent',
  'delivered',
  'failed',
  'bounced',
  'skipped',
  'cancelled',
] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

/** Engagement of a recipient with a message, in funnel order. */
export const ENGAGEMENTS = ['none', ...REGISTERED_EVENT_TYPES] as const
export type Engagement = (typeof ENGAGEMENTS)[number]

export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
export type Priority = (typeof PRIORITIES)[number]

export const ACTION_STYLES = ['default', 'primary', 'danger'] as const
export type ActionStyle = (typeof ACTION_STYLES)[number]

export const NAMED_ICONS = ['info', 'success', 'warning', 'error'] as const
export type NamedIcon = (typeof NAMED_ICONS)[number]
