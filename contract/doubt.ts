// Defines doubts: what was accepted, and cannot have been meant.

/** Kinds of doubts, each with the words for people who filter by it. */
export const DOUBT_WORDS = {
  'unknown-variable': 'Unknown variable',
  'condition-error': 'Condition in error',
  'text-compared': 'Text compared with a number',
  'missing-translation': 'Missing translation',
  'link-dropped': 'Link dropped',
  'mail-too-large': 'Mail too large',
  'invalid-email': 'Invalid e-mail address',
  'unknown-locale': 'Unknown locale',
  'unknown-time-zone': 'Unknown time zone',
  'external-id-taken': 'External id of another user',
  'unknown-user': 'User never seen before',
  'unmapped-type': 'Type without a mapping',
  'unheard-event': 'Event that nobody listens to',
} as const
export type DoubtKind = keyof typeof DOUBT_WORDS
export const DOUBT_KINDS = /* @__PURE__ */ Object.keys(DOUBT_WORDS) as DoubtKind[]

/** What a doubt is about; a layout is named by the id of its notification config, an event by its name. */
export const DOUBT_SUBJECTS = ['campaign', 'layout', 'source', 'user', 'event'] as const
export type DoubtSubject = (typeof DOUBT_SUBJECTS)[number]
