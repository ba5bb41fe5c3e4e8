// Defines a campaign with every step type, and the actions around four runs of one user through it.

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS

export const WALK_CAMPAIGN = {
  key: 'walk',
  name: 'Walk',
  trigger: { event: 'walk.begun' },
  steps: [
    { id: 'details', type: 'enrich', enricher: 'details', params: { n: '{{ event.properties.n }}' }, onError: 'stop' },
    {
      id: 'size',
      type: 'branch',
      branches: [
        {
          key: 'big',
          when: 'enriched.details.total > 10',
          steps: [
            {
              id: 'tell',
              type: 'inbox',
              title: 'Order {{ event.properties.n }}: {{ enriched.details.item }}',
              locales: { fr: { title: 'Commande {{ event.properties.n }} : {{ enriched.details.item }}' } },
              entity: 'order:{{ event.properties.n }}',
              expiresAfter: 'P30D',
            },
          ],
        },
        { key: 'rest', else: true, steps: [] },
      ],
    },
    // The same instant for all four, whenever they reach this step.
    { id: 'pause', type: 'delay', until: '{{ event.properties.at }}' },
    { id: 'calm', type: 'throttle', limit: 3, window: 'P1D' },
    { id: 'gather', type: 'digest', window: 'PT1H', max: 2 },
    {
      id: 'sum',
      type: 'inbox',
      title: '{{ events.size }}: {% for e in events %}{{ e.properties.n }} {% endfor %}',
      collapseKey: 'sum',
    },
    {
      id: 'paid',
      type: 'waitFor',
      event: 'walk.paid',
      where: 'awaited.properties.n == 2',
      timeout: 'P1D',
      then: [{ id: 'thanks', type: 'inbox', title: 'Paid {{ awaited.properties.n }}' }],
      onTimeout: [{ id: 'nudge', type: 'inbox', title: 'Not paid' }],
    },
    { id: 'rest', type: 'delay', for: 'PT5M' },
    { id: 'mail', type: 'email', subject: 'Done', markdown: 'Done', unless: { read: 'tell' } },
    { id: 'done', type: 'exit', reason: 'walked' },
  ],
}

/** Actions on a walker, in this order; an action without an answer is repeated. */
export type WalkAction =
  | { do: 'begin'; numbers: number[] }
  | { do: 'pay'; number: number }
  /** Reads the first run's message. */
  | { do: 'read' }
  /** Moves the time to so many ms after the beginning, and does what is due. */
  | { do: 'pass'; toMs: number }

/** Runs 1 and 2 fill a digest, 3 waits for its window, 4 is throttled. The first payment does not match the wait. */
export const WALK: readonly WalkAction[] = [
  { do: 'begin', numbers: [1] },
  { do: 'begin', numbers: [2, 3, 4] },
  { do: 'pass', toMs: 0 },
  { do: 'pass', toMs: 10 * MINUTE_MS },
  { do: 'read' },
  { do: 'pay', number: 1 },
  { do: 'pass', toMs: 11 * MINUTE_MS },
  { do: 'pay', number: 2 },
  { do: 'pass', toMs: 12 * MINUTE_MS },
  { do: 'pass', toMs: 20 * MINUTE_MS },
  { do: 'pass', toMs: 2 * HOUR_MS },
  { do: 'pass', toMs: 27 * HOUR_MS },
  { do: 'pass', toMs: 28 * HOUR_MS },
]
/** End of the step `pause` (ms). */
export const PAUSED_MS = 10 * MINUTE_MS
