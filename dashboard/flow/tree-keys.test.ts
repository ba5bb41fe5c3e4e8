// Tests where the keys lead in the tree of steps.

import { expect, test } from 'vitest'
import { nextItem } from './tree-keys.ts'

const items = [
  { id: 'size', parent: undefined },
  { id: 'size/big', parent: 'size' },
  { id: 'mail', parent: 'size/big' },
  { id: 'size/', parent: 'size' },
  { id: 'tell', parent: undefined },
]

test.each([
  ['size', 'ArrowDown', 'size/big'],
  ['mail', 'ArrowDown', 'size/'],
  ['tell', 'ArrowDown', undefined],
  ['size/', 'ArrowUp', 'mail'],
  ['size', 'ArrowUp', undefined],
  ['size', 'ArrowRight', 'size/big'],
  ['size/', 'ArrowRight', undefined],
  ['mail', 'ArrowLeft', 'size/big'],
  ['size', 'ArrowLeft', undefined],
  ['mail', 'Home', 'size'],
  ['mail', 'End', 'tell'],
  ['mail', 'x', undefined],
])('from %s, %s leads to %s', (id, key, next) => expect(nextItem(items, id, key)).toBe(next))
