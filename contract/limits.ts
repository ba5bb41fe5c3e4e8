// Lists the limits that callers can reach, in bytes, milliseconds or counts. No other file repeats a number.

/** Those that the widget needs, apart: its script has no others. */
export const INBOX_LIMITS = {
  registerEvents: 500,
  actionIds: 500,
  gapHoldMs: 200,
} as const

export const LIMITS = {
  ...INBOX_LIMITS,
  eventBytes: 256 * 1024,
  batchBytes: 4 * 1024 * 1024,
  headerBytes: 16 * 1024,
  stringBytes: 64 * 1024,
  nestingLevels: 32,
  batchEvents: 1000,
  recipients: 1000,
  inlineRecipients: 50,
  /** Recipients times campaigns with that event name: runs that are started before the answer. */
  inlineRuns: 250,
  /** Maximum size of a user's merged attributes as JSON; equal to one request body. */
  attributesBytes: 256 * 1024,
  userIdChars: 256,
  eventNameChars: 128,
  idempotencyKeyChars: 256,
  correlationIdChars: 128,
  futureEventMs: 60 * 60 * 1000,
  idempotencyKeptMs: 24 * 60 * 60 * 1000,
  pageDefault: 20,
  pageMax: 100,
  subscriberChanges: 1000,
  bodyGraceMs: 5000,
  bodyBytesPerSecond: 16 * 1024,
  socketFrameBytes: 16 * 1024,
  socketFramesPerSecond: 20,
  socketQueuedPackets: 256,
  socketQueuedBytes: 1024 * 1024,
  headsEveryMs: 25_000,
  sessionExpiringMs: 60_000,
} as const

/** Bodies that the widget never sends. */
export const LARGE_BODIES = {
  /** A delivery of a platform, or of a webhook. */
  deliveryBytes: 4 * 1024 * 1024,
  /** With templates of whole mails: campaigns and notification configs. */
  documentsBytes: 4 * 1024 * 1024,
  /** A text in such a body: 524,288 characters of at most four bytes. */
  documentBytes: 2 * 1024 * 1024,
  /** Values of JSON beyond 256 KiB that is parsed at once: with more, parsing it stops everybody else. */
  values: 50_000,
  /** The same in a delivery: platforms send lists of rows with many fields. */
  deliveryValues: 150_000,
} as const
