// Tests branches: the first true condition, the stable split, else, and none.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseBranch, compileBranches, type WrittenBranch } from './branch.ts'

const scope = { event: { properties: { total: 100 } }, user: { id: 'u' }, enriched: {} }

function choose(branches: Omit<WrittenBranch, 'steps'>[], seed = '1\nu', id = 'split') {
  const compiled = compileBranches(
    branches.map((branch) => ({ ...branch, steps: [] })),
    () => [],
  )
  const { branch, reason } = chooseBranch(compiled, scope, `${seed}\n${id}`)
  return { key: branch?.key ?? null, reason }
}

describe('branch', () => {
  test('the first condition that holds is taken, before weights and else', () => {
    const branches = [
      { key: 'rest', else: true },
      { key: 'a', weight: 1 },
      { key: 'huge', when: 'event.properties.total > 500' },
      { key: 'big', when: 'event.properties.total > 50' },
      { key: 'any', when: 'true' },
    ]
    expect(choose(branches)).toEqual({ key: 'big', reason: 'big: the condition holds' })
  })

  test('weights come before else', () => {
    expect(
      choose([
        { key: 'rest', else: true },
        { key: 'a', weight: 1 },
      ]),
    ).toEqual({ key: 'a', reason: 'a: by weight' })
  })

  test('else is taken when no other branch is, with the faults of conditions as the reason', () => {
    expect(
      choose([
        { key: 'x', when: 'event.gone == 1' },
        { key: 'rest', else: true },
      ]),
    ).toEqual({
      key: 'rest',
      reason: 'rest: else; x: No such key: gone',
    })
  })

  test('none is taken without else', () => {
    expect(choose([{ key: 'x', when: 'event.properties.total > 500' }])).toEqual({
      key: null,
      reason: 'no branch applies',
    })
  })

  test('a user stays in a branch, whatever other users do', () => {
    const branches = [
      { key: 'a', weight: 50 },
      { key: 'b', weight: 50 },
    ]
    fc.assert(
      fc.property(fc.string(), (user) => {
        const first = choose(branches, `1\n${user}`)
        expect(choose(branches, `1\n${user}`)).toEqual(first)
      }),
    )
  })

  test('a branch of weight 0 is never taken', () => {
    const branches = [
      { key: 'none', weight: 0 },
      { key: 'all', weight: 0.1 },
      { key: 'zero', weight: 0 },
    ]
    fc.assert(fc.property(fc.string(), (user) => choose(branches, `1\n${user}`).key === 'all'))
  })

  test('users spread by the weights', () => {
    const branches = [
      { key: 'a', weight: 10 },
      { key: 'b', weight: 30 },
      { key: 'c', weight: 60 },
    ]
    const compiled = compileBranches(
      branches.map((branch) => ({ ...branch, steps: [] })),
      () => [],
    )
    const counts: Record<string, number> = { a: 0, b: 0, c: 0 }
    for (let i = 0; i < 20_000; i++) {
      const key = chooseBranch(compiled, scope, `7\nuser-${i}\ns`).branch?.key as string
      counts[key] = (counts[key] ?? 0) + 1
    }
    // The tolerance is four standard deviations of each share.
    expect(Math.abs((counts.a ?? 0) - 2000)).toBeLessThan(170)
    expect(Math.abs((counts.b ?? 0) - 6000)).toBeLessThan(260)
    expect(Math.abs((counts.c ?? 0) - 12_000)).toBeLessThan(280)
  })

  test('two steps, and two campaigns, split independently', () => {
    const branches = [
      { key: 'a', weight: 1 },
      { key: 'b', weight: 1 },
    ]
    const users = Array.from({ length: 400 }, (_, i) => `user-${i}`)
    const same = users.filter(
      (user) => choose(branches, `1\n${user}`, 'one').key === choose(branches, `1\n${user}`, 'two').key,
    )
    const sameElsewhere = users.filter(
      (user) => choose(branches, `1\n${user}`).key === choose(branches, `2\n${user}`).key,
    )
    expect(same.length).toBeGreaterThan(140)
    expect(same.length).toBeLessThan(260)
    expect(sameElsewhere.length).toBeLessThan(260)
  })
})
