// The words of delivery: channels, delivery events and their order, statuses (specification sections 2.5 and 6, contract section 7).

export const CHANNELS = ['inbox', 'email'] as const
export type Channel = (typeof CHANNELS)[number]

/** What a caller may report about a message, in funnel order; each implies the ones before it. */
export const REGISTERED_EVENT_TYPES = ['read', 'opened', 'clicked'] as const
export type RegisteredEventType = (typeof REGISTERED_EVENT_TYPES)[number]

/** All per-message delivery events; `send` is the service's own. */
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

/** How far a recipient went with a message, nearest first. */
export const ENGAGEMENTS = ['none', ...REGISTERED_EVENT_TYPES] as const
export type Engagement = (typeof ENGAGEMENTS)[number]

export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
export type Priority = (typeof PRIORITIES)[number]

export const ACTION_STYLES = ['default', 'primary', 'danger'] as const
export type ActionStyle = (typeof ACTION_STYLES)[number]

export const NAMED_ICONS = ['info', 'success', 'warning', 'error'] as const
export type NamedIcon = (typeof NAMED_ICONS)[number]
