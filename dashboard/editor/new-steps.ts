// Makes new steps, each of them complete, so that a draft with one can be saved at once.

import { freeId, idsOf } from './edits.ts'
import { type Draft, type DraftStep, isObject } from './step-tree.ts'

export const STEP_TYPES = [
  'inbox',
  'email',
  'delay',
  'waitFor',
  'branch',
  'enrich',
  'throttle',
  'digest',
  'exit',
] as const
export type NewStepType = (typeof STEP_TYPES)[number]

/** What each type does, for people. */
export const STEP_TEXTS: Readonly<Record<NewStepType, string>> = {
  inbox: 'Shows a message in the inbox of the user',
  email: 'Sends a mail to the address of the user',
  delay: 'Goes on after a time',
  waitFor: 'Takes one way when it comes, and another when it does not',
  branch: 'Takes one of several ways: by a condition, by chance, or else',
  enrich: 'Reads more from a system of yours',
  throttle: 'Lets a user have so many in a time',
  digest: 'Gathers the events of a time into one message',
  exit: 'Ends here',
}

const IDS: Readonly<Record<NewStepType, string>> = {
  inbox: 'message',
  email: 'mail',
  delay: 'wait',
  waitFor: 'wait-for',
  branch: 'branch',
  enrich: 'data',
  throttle: 'limit',
  digest: 'digest',
  exit: 'end',
}

/** @param enrichers the names of those of the environment */
export function newStep(type: NewStepType, draft: Draft, enrichers: readonly string[] = []): DraftStep {
  return { id: freeId(IDS[type], idsOf(draft)), type, ...fieldsOf(type, draft, enrichers) }
}

function fieldsOf(type: NewStepType, draft: Draft, enrichers: readonly string[]): Record<string, unknown> {
  switch (type) {
    case 'inbox':
      return { title: 'New message' }
    case 'email':
      return { subject: 'New mail', markdown: 'Hello {{ user.name }},' }
    case 'delay':
      return { for: 'PT10M' }
    case 'waitFor':
      return { event: eventOf(draft), timeout: 'P1D', then: [], onTimeout: [] }
    case 'branch':
      return {
        branches: [
          { key: 'yes', when: 'user.locale == "en"', steps: [] },
          { key: 'otherwise', else: true, steps: [] },
        ],
      }
    case 'enrich':
      return { enricher: enrichers[0] ?? 'my-enricher', params: {} }
    case 'throttle':
      return { limit: 1, window: 'P1D' }
    case 'digest':
      return { window: 'PT1H' }
    case 'exit':
      return {}
  }
}

function eventOf({ trigger }: Draft): string {
  return isObject(trigger) && typeof trigger.event === 'string' ? trigger.event : 'order.paid'
}
