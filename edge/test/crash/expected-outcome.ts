// Lists the rows that a walk leaves in the store when each of its steps took effect once.

import type { RunStatus } from '../../domain/tracked-event.ts'
import type { Outcome } from './walk-outcome.ts'

export const RUNS = 4

export function expectedOutcome(): Outcome {
  return {
    events: ['walk.begun 1', 'walk.begun 2', 'walk.begun 3', 'walk.begun 4', 'walk.paid 1', 'walk.paid 2'],
    runs: [
      run(1, 'exited', 'walked', [
        'gather digest done 2 events',
        'sum inbox done ',
        'paid waitFor taken walk.paid came: evt',
        'thanks inbox done ',
        'rest delay done until at',
        'mail email skipped tell was read in the inbox',
        'done exit exited walked',
      ]),
      run(2, 'completed', 'digested', ['gather digest skipped digested', ...skippedBy('digested')]),
      run(3, 'exited', 'walked', [
        'gather digest done 1 event',
        'sum inbox done ',
        'paid waitFor not-taken walk.paid did not come in time',
        'nudge inbox done ',
        'rest delay done until at',
        'mail email done ',
        'done exit exited walked',
      ]),
      run(4, 'completed', 'throttled', ['gather digest skipped throttled', ...skippedBy('throttled')]),
    ],
    gathered: [[1, 2], [3], [], []],
    records: [
      mail(1, 'skipped', 'condition', ''),
      delivered(1, 'sum', '2: 1 2'),
      delivered(1, 'tell', 'Commande 1 : lamp 1', ['send', 'read']),
      delivered(1, 'thanks', 'Paid 2'),
      mail(2, 'skipped', 'digested', ''),
      skipped(2, 'nudge', 'digested'),
      skipped(2, 'sum', 'digested'),
      delivered(2, 'tell', 'Commande 2 : lamp 2'),
      mail(3, 'queued', null, 'Done'),
      delivered(3, 'nudge', 'Not paid'),
      delivered(3, 'sum', '1: 3'),
      delivered(3, 'tell', 'Commande 3 : lamp 3'),
      mail(4, 'skipped', 'throttled', ''),
      skipped(4, 'nudge', 'throttled'),
      skipped(4, 'sum', 'throttled'),
      delivered(4, 'tell', 'Commande 4 : lamp 4'),
    ],
    inbox: {
      seq: 10,
      unread: 6,
      unopened: 7,
      titles: [
        '1: 3',
        'Commande 1 : lamp 1',
        'Commande 2 : lamp 2',
        'Commande 3 : lamp 3',
        'Commande 4 : lamp 4',
        'Not paid',
        'Paid 2',
      ],
    },
    log: [...Array(8).fill('add'), 'remove', 'update'],
    waiting: 0,
    arrivals: 0,
  }
}

function run(n: number, state: RunStatus, stateReason: string, trace: string[]): Outcome['runs'][number] {
  const firstSteps = ['details enrich done details', 'size branch taken big: the condition holds', 'tell inbox done ']
  const throttleStep = n === 4 ? 'calm throttle skipped throttled' : 'calm throttle done '
  const allSteps = [...firstSteps, 'pause delay done until at', throttleStep, ...trace]
  return { by: `walk.begun ${n}`, state, stateReason, branch: 'big', trace: allSteps }
}

function skippedBy(reason: string): string[] {
  return ['sum inbox', 'paid waitFor', 'nudge inbox', 'rest delay', 'mail email', 'done exit'].map(
    (step) => `${step} skipped ${reason}`,
  )
}

type Recorded = Outcome['records'][number]

function delivered(n: number, stepId: string, title: string, timeline: string[] = ['send']): Recorded {
  return { ...recorded(n, stepId, 'delivered', null), title, timeline }
}

function skipped(n: number, stepId: string, statusReason: string): Recorded {
  return recorded(n, stepId, 'skipped', statusReason)
}

function mail(n: number, status: Recorded['status'], statusReason: string | null, title: string): Recorded {
  return { ...recorded(n, 'mail', status, statusReason), channel: 'email', title }
}

function recorded(n: number, stepId: string, status: Recorded['status'], statusReason: string | null): Recorded {
  return {
    by: `walk.begun ${n}`,
    stepId,
    channel: 'inbox',
    status,
    statusReason,
    branch: 'big',
    title: '',
    timeline: [],
  }
}
