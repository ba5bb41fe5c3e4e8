// Makes random drafts with steps of all kinds, nested, whose ids differ.

import fc from 'fast-check'
import type { Draft, DraftStep } from '../step-tree.ts'

const text = fc.string({ maxLength: 8 })

const { steps } = fc.letrec<{ steps: DraftStep[]; step: DraftStep }>((tie) => ({
  steps: fc.array(tie('step'), { maxLength: 4, depthIdentifier: 'steps' }),
  step: fc.oneof(
    { depthSize: 'small', depthIdentifier: 'steps' },
    fc.record({ type: fc.constant('inbox'), title: text, body: text }, { requiredKeys: ['type', 'title'] }),
    fc.record({ type: fc.constant('delay'), for: fc.constantFrom('PT10M', 'P1D') }),
    fc.record({ type: fc.constant('email'), subject: text, unless: fc.record({ read: fc.constantFrom('s0', 's1') }) }),
    fc.record({
      type: fc.constant('branch'),
      branches: fc.array(fc.record({ steps: tie('steps'), when: fc.constant('user.id == "a"') }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
    fc.record({
      type: fc.constant('waitFor'),
      event: fc.constant('paid'),
      then: tie('steps'),
      onTimeout: tie('steps'),
    }),
  ),
}))

/** Gives steps and branches names in their order. */
function withNames(list: readonly DraftStep[], next: { id: number }): DraftStep[] {
  return list.map((step) => {
    const id = `s${next.id++}`
    const inner = Object.entries(step).map(([key, value]) => {
      if (key === 'then' || key === 'onTimeout') return [key, withNames(value as DraftStep[], next)]
      if (key !== 'branches') return [key, value]
      const branches = (value as { steps: DraftStep[] }[]).map((branch, index) => ({
        key: `b${index}`,
        ...branch,
        steps: withNames(branch.steps, next),
      }))
      return [key, branches]
    })
    return { id, ...Object.fromEntries(inner) }
  })
}

export const anyDraft: fc.Arbitrary<Draft> = steps.map((list) => ({
  key: 'order-shipped',
  trigger: { event: 'order.shipped' },
  steps: withNames(list, { id: 0 }),
}))
