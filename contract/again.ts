// Defines what can be sent and run again, and the limits of the job that does it for all of a filter.

export const AGAIN_VERSIONS = ['now', 'then'] as const
export type AgainVersion = (typeof AGAIN_VERSIONS)[number]

export const AGAIN_FROM = ['failed-step', 'start'] as const
export type AgainFrom = (typeof AGAIN_FROM)[number]

export const AGAIN_KINDS = ['messages', 'runs', 'events'] as const
export type AgainKind = (typeof AGAIN_KINDS)[number]

/** Statuses of messages that can be sent again. */
export const UNSENT_STATUSES = ['failed', 'skipped', 'cancelled', 'bounced'] as const
export type UnsentStatus = (typeof UNSENT_STATUSES)[number]

/** Items of a job. */
export const AGAIN_ITEMS = 20_000
/** Items a minute. */
export const AGAIN_PACE = { least: 1, most: 6000, usual: 60 } as const
